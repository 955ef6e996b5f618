"""``manage.py learn_acts``: fit the model of hearing on the corpus and the labelled lines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import msgspec
import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from agents.scoring.labelled import ActsLine, acts_lines, acts_lines_to_learn, only
from agents.speech.bank import corpus
from agents.text.acts.acts import ACTS, TOLD, Act, Model, features, save
from agents.text.acts.hear import by_tables
from agents.text.reading.answer import Standing
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.quantities import Paise

LEAST = 2
PENALTY = 0.3
LABELLED = 3.0
FOLDS = 4
THRESHOLDS = (-1.6, -1.2, -0.8, -0.4, 0.0)
UNAIDED = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Log-odds from which an act counts with the tables' word for it, and without."""
EQUAL = 0.01
"""F1 that so few lines cannot tell apart."""
_AMOUNT = re.compile(r"\d[\d,]{2,}")


class Row(msgspec.Struct, frozen=True):
    """A line to learn from."""

    found: frozenset[str]
    acts: frozenset[str]
    weight: float


class Command(BaseCommand):
    """Fits, chooses the threshold by cross-validation on open lines, and writes the weights."""

    help = "Fit the model of hearing (docs/reading.md); the held-out half is not touched."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *args: Any, **options: Any) -> None:
        measured = [*_labelled(only(acts_lines(), "open"))]
        Random(options["seed"]).shuffle(measured)
        known = [*_exchanges(), *_labelled(acts_lines_to_learn())]
        scores = {pair: np.zeros(3) for pair in product(THRESHOLDS, UNAIDED)}
        for fold in range(FOLDS):
            rest = [row for at, row in enumerate(measured) if at % FOLDS != fold]
            model = _as_often(fitted([*known, *rest]), [*known, *rest], measured)
            for threshold, unaided in scores:
                bounded = msgspec.structs.replace(model, threshold=threshold, unaided=unaided)
                scores[threshold, unaided] += _counted(bounded, measured[fold::FOLDS])
        for (threshold, unaided), (right, wrong, missed) in scores.items():
            precision, recall = right / (right + wrong), right / (right + missed)
            self.stdout.write(
                f"threshold {threshold:+.1f}, unaided {unaided:+.1f}: precision {precision:.3f}, "
                f"recall {recall:.3f}, F1 {_f1((right, wrong, missed)):.3f} "
                f"of {len(measured)} lines"
            )
        # What is heard wrongly is answered beside the point: among equals, the strictest, first of
        # all with what the tables do not confirm.
        top = max(map(_f1, scores.values()))
        equals = [pair for pair in scores if _f1(scores[pair]) > top - EQUAL]
        best = max(equals, key=lambda pair: pair[::-1])
        everything = [*known, *measured]
        model = _as_often(fitted(everything), everything, measured)
        save(msgspec.structs.replace(model, threshold=best[0], unaided=best[1]))
        chosen = f"threshold {best[0]:+.1f}, unaided {best[1]:+.1f}"
        self.stdout.write(f"{len(known)} + {len(measured)} lines, {chosen}")


def _labelled(lines: Iterable[ActsLine]) -> Iterator[Row]:
    for line in lines:
        yield _row(line.text, _paise(line.ask), _paise(line.bid), line.names, LABELLED)


def _exchanges() -> Iterator[Row]:
    told = {one.said: one.heard for one in corpus() if one.said}
    for said, heard in told.items():
        named = [int(amount.replace(",", "")) for amount in _AMOUNT.findall(said)]
        ask = Paise(120 * max(named, default=5_000))
        yield _row(said, ask, Paise(ask * 3 // 5), frozenset(heard), 1.0)


def _row(
    text: str, ask: Paise | None, bid: Paise | None, acts: frozenset[Act], weight: float
) -> Row:
    cut = to_text(text)
    return Row(features(cut, by_tables(text, cut, Standing(ask, bid, "INR"))), acts, weight)


def _paise(rupees: float | None) -> Paise | None:
    return None if rupees is None else Paise(round(100 * rupees))


def fitted(rows: Sequence[Row]) -> Model:
    """Fit one logistic regression for each act, without thresholds."""
    import torch

    names = _names(rows)
    places = [(at, names[name]) for at, row in enumerate(rows) for name in row.found & names.keys()]
    # A line shows a hundred of thirty thousand features.
    there = torch.sparse_coo_tensor(
        torch.tensor(places).T,
        torch.ones(len(places)),
        (len(rows), len(names)),
        check_invariants=True,
    ).coalesce()
    wanted = torch.tensor([[float(act in row.acts) for act in ACTS] for row in rows])
    weight = torch.tensor([[row.weight] for row in rows])
    weights = torch.zeros(len(names), len(ACTS), requires_grad=True)
    bias = torch.full((len(ACTS),), -3.0, requires_grad=True)
    fitting = torch.optim.LBFGS(
        [weights, bias], max_iter=60, history_size=8, line_search_fn="strong_wolfe"
    )
    loss_of = torch.nn.BCEWithLogitsLoss(weight=weight, reduction="sum")

    def step() -> Any:
        fitting.zero_grad()
        loss = (
            loss_of(torch.sparse.mm(there, weights) + bias, wanted)
            + PENALTY / 2 * (weights * weights).sum()
        )
        loss.backward()
        return loss

    fitting.step(step)
    return Model(names, weights.detach().numpy(), bias.detach().numpy(), 0.0, 0.0)


def _as_often(model: Model, learned: Sequence[Row], meant: Sequence[Row]) -> Model:
    """Move each bias to how often an act is meant (King and Zeng 2001, section 4.1)."""
    shift = _log_odds(_rates(meant)) - _log_odds(_rates(learned))
    return msgspec.structs.replace(model, bias=model.bias + shift.astype(np.float32))


def _rates(rows: Sequence[Row]) -> np.ndarray:
    weight = np.array([row.weight for row in rows])
    there = np.array([[act in row.acts for act in ACTS] for row in rows])
    rates: np.ndarray = (weight @ there + weight[0] / 2) / (weight.sum() + weight[0])
    return rates


def _log_odds(rates: np.ndarray) -> np.ndarray:
    odds: np.ndarray = np.log(rates / (1 - rates))
    return odds


def _names(rows: Sequence[Row]) -> dict[str, int]:
    count: dict[str, int] = {}
    for row in rows:
        for name in row.found:
            count[name] = count.get(name, 0) + 1
    kept = sorted(name for name, number in count.items() if number >= LEAST)
    return {name: at for at, name in enumerate(kept)}


def _counted(model: Model, rows: Sequence[Row]) -> np.ndarray:
    right = wrong = missed = 0
    for row in rows:
        places = [model.names[name] for name in row.found & model.names.keys()]
        scores = model.weights[places].sum(axis=0) + model.bias
        heard = {
            act
            for act, score in zip(ACTS, scores, strict=True)
            if score > model.bound(told=f"{TOLD}{act}" in row.found)
        }
        right += len(heard & row.acts)
        wrong += len(heard - row.acts)
        missed += len(row.acts - heard)
    return np.array([right, wrong, missed])


def _f1(counts: Iterable[float]) -> float:
    right, wrong, missed = counts
    return float(2 * right / (2 * right + wrong + missed))
