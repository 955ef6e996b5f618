"""``manage.py learn_kinds``: fit what names the kind of a line (docs/agents.md)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from agents.scoring import labelled
from agents.speech.kind_tables import by_phrases, cut, hits, told_by_words
from agents.speech.kinds import are_alike, kind_of, likely, told_in
from agents.speech.meant import OF_NO_KIND, Meaning, lines_to_learn, save, signs, vector

HELD_OUT = Path(labelled.__file__).parent / "lines" / "kinds.tsv"
"""Lines of a hand of its own, which nobody who works on the kinds reads."""

LEAST = 4
"""Signs that fewer lines show tell nothing of other lines."""
PENALTY = 1.0
ROUNDS = 40
FIRST = 0.65
"""How much of a line of several kinds is its first one."""


class Row(msgspec.Struct, frozen=True):
    """A line to learn from."""

    signs: frozenset[str]
    hits: frozenset[str]
    kinds: tuple[str, ...]


class Command(BaseCommand):
    """Fits on agents/speech/kinds.tsv and writes the weights; or scores what is written."""

    help = "Fit the kinds of what sellers say (docs/agents.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take whether to score only."""
        parser.add_argument("--score", action="store_true", help="count on held-out lines, no fit")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fit and write, or count."""
        if options["score"]:
            self._score(lines_to_learn(HELD_OUT))
            return
        rows = [row_of(text, kinds) for kinds, text in lines_to_learn()]
        model = fitted(rows)
        save(model)
        self.stdout.write(f"{len(rows)} lines, {len(model.kinds)} kinds, {len(model.names)} signs")

    def _score(self, lines: Sequence[tuple[tuple[str, ...], str]]) -> None:
        common, _ = Counter(kinds[0] for kinds, _ in lines_to_learn()).most_common(1)[0]
        readers: dict[str, Callable[[str], Iterable[str]]] = {
            "as she hears": _heard,
            "tables alone": _by_tables,
            f"always {common}": lambda _: (common,),
        }
        for name, reader in readers.items():
            counts = Counter(_verdict(kinds, reader(text)) for kinds, text in lines)
            said = ", ".join(f"{what} {counts[what]}" for what in VERDICTS)
            self.stdout.write(f"{name}: {said} of {len(lines)} lines")


VERDICTS = ("right", "rightly none", "missed", "wrong", "wrongly one")


def _heard(text: str) -> Iterable[str]:
    named = (*likely(text)[:1], kind_of(text), *(name for name, _ in told_in(text)))
    return filter(None, named)


def _by_tables(text: str) -> Iterable[str]:
    told, _ = told_by_words(text)
    return filter(None, (by_phrases(text), *(name for name, _ in told)))


def _verdict(kinds: tuple[str, ...], heard: Iterable[str]) -> str:
    first = next((one for one in heard if one not in OF_NO_KIND), "")
    if kinds[0] in OF_NO_KIND:
        return "wrongly one" if first else "rightly none"
    if not first:
        return "missed"
    return "right" if any(are_alike(first, kind) for kind in kinds) else "wrong"


def row_of(text: str, kinds: tuple[str, ...]) -> Row:
    """Read one line."""
    return Row(signs(cut(text)), frozenset(hits(text)), kinds)


def fitted(rows: Sequence[Row]) -> Meaning:
    """Fit one multinomial regression with a quadratic penalty (Hastie et al. 2009, 4.4)."""
    import torch

    shown = Counter(name for row in rows for name in row.signs)
    found = Counter(name for row in rows for name in row.hits)
    kept = sorted(name for name, count in shown.items() if count >= LEAST)
    rarity = [math.log(len(rows) / shown[name]) for name in kept]
    kept += (there := sorted(name for name, count in found.items() if count >= LEAST))
    names = {name: at for at, name in enumerate(kept)}
    weight = np.array([*rarity, *(0.0 for _ in there)], dtype=np.float32)
    kinds = sorted({kind for row in rows for kind in row.kinds})
    column = {kind: at for at, kind in enumerate(kinds)}
    places, values = list[tuple[int, int]](), list[float]()
    wanted = torch.zeros(len(rows), len(kinds))
    for at, row in enumerate(rows):
        here, worth = vector(names, weight, row.signs, row.hits)
        places += [(at, one) for one in here]
        values += worth.tolist()
        later = (1 - FIRST) / max(1, len(row.kinds) - 1)
        for kind in row.kinds:
            alone = len(row.kinds) == 1
            wanted[at, column[kind]] = 1 if alone else FIRST if kind == row.kinds[0] else later
    lines = torch.sparse_coo_tensor(
        torch.tensor(places).T,
        torch.tensor(values, dtype=torch.float32),
        (len(rows), len(names)),
        check_invariants=True,
    ).coalesce()
    weights = torch.zeros(len(names), len(kinds), requires_grad=True)
    bias = torch.zeros(len(kinds), requires_grad=True)
    fitting = torch.optim.LBFGS(
        [weights, bias], max_iter=ROUNDS, history_size=6, line_search_fn="strong_wolfe"
    )

    def step() -> Any:
        fitting.zero_grad()
        likely = torch.log_softmax(torch.sparse.mm(lines, weights) + bias, 1)
        loss = PENALTY / 2 * (weights * weights).sum() - (wanted * likely).sum()
        loss.backward()
        return loss

    fitting.step(step)
    fit = weights.detach().numpy()
    size = np.maximum(np.abs(fit).max(axis=0), 1e-6) / 127
    steps = np.round(fit / size).astype(np.int8)
    return Meaning(names, weight, steps, size, bias.detach().numpy(), tuple(kinds))
