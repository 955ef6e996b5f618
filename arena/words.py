"""Sentences of the arena's pages, by name, in the reader's language."""

from pathlib import Path

from bazaarbatna.word_tables import read_table
from negotiation.sentences import Sentences

say = Sentences(read_table(Path(__file__).with_suffix(".toml"), dict[str, object]))
