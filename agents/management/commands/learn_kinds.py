"""``manage.py learn_kinds``: fit what names the kind of a question that no phrase is known for."""

from collections.abc import Iterator
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from agents.management.commands.learn_acts import LABELLED, Row, fitted
from agents.speech.bank import corpus
from agents.speech.meant import ASKING, LIFE, NO_LIFE, NONE, WEIGHTS, lines_to_learn
from agents.text.acts.acts import features, is_question, save
from agents.text.reading.pieces import to_text

ASKS, TELLS = -2.2, 0.8
"""Log-odds from which a kind is taken: of what asks, and of what nothing marks as a question."""


class Command(BaseCommand):
    """Fits on agents/speech/meant.toml and on what the corpus tells, and writes the weights."""

    help = "Fit the kinds of questions (docs/agents.md)."

    def handle(self, *args: Any, **options: Any) -> None:
        kinds = [kind for kind in lines_to_learn() if kind != NONE] + [NO_LIFE, ASKING]
        rows = [*_asked(), *_told()]
        model = fitted(rows, kinds)
        save(msgspec.structs.replace(model, threshold=ASKS, unaided=TELLS), WEIGHTS)
        self.stdout.write(f"{len(rows)} lines, {len(kinds)} kinds, {len(model.names)} features")


def _asked() -> Iterator[Row]:
    for kind, lines in lines_to_learn().items():
        wanted = frozenset({kind, ASKING} if kind != NONE else ())
        wanted |= {NO_LIFE} if kind in LIFE else set()
        for line in lines:
            yield Row(features(to_text(line), ()), wanted, LABELLED)
            if wanted:
                yield Row(features(to_text(f"{line}?"), ()), wanted, LABELLED)


def _told() -> Iterator[Row]:
    told = {one.said: one.heard for one in corpus() if one.said}
    for said, heard in told.items():
        if not any(map(is_question, heard)):
            yield Row(features(to_text(said), ()), frozenset(), 1.0)
