"""Sentences of the arena's pages, by name, in the reader's language."""

from pathlib import Path

from django.utils.translation import gettext

from bazaarbatna.word_tables import read_table

_SENTENCES = read_table(Path(__file__).with_suffix(".toml"), dict[str, str])


def say(name: str, /, **holes: object) -> str:
    """Return a sentence of ``words.toml``, its holes filled if any are given; else ``KeyError``.

    >>> say("round_number", number=3)
    'round 3'
    """
    text = gettext(_SENTENCES[name])
    return text % holes if holes else text
