"""How good the arena's public odds are: ``python -m tests.benchmarks.match_odds``.

Records matches of the exhibition's line-ups (in half of them one seat is "a person", played by a
rule that is drawn), makes the weights of one part of them and scores the other part, in one run:
the model beside "everybody the same" and "the one who wins most often". ``--write`` keeps the
weights and the figures in arena/auction/web/odds.toml.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.auction.web import odds
from arena.auction.web.buyers import player, seat_version
from arena.auction.web.odds import Measured, Shown, Table, Weights
from arena.auction.web.orders import (
    PERSON,
    QUICK_RIVALS,
    Order,
    checked,
    is_quick,
    prices_of,
    quick_order,
)
from arena.auction.web.schedule import LINE_UPS
from bazaarbatna.auction.events import (
    ArenaEvent,
    AskLowered,
    Bidding,
    Ended,
    Opened,
    RoundRevealed,
)
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.observe import claimed, play_match
from bazaarbatna.auction.scenario import Seat
from bazaarbatna.bargain.sellers import SELLERS
from negotiation.catalogue.stock import read_stock
from negotiation.models import Listing

FILE = Path(odds.__file__).with_name("odds.toml")
PEOPLE = ("rules:halver", "rules:climber", "rules:agreeable", "rules:smart", "rules:waiter")
"""Who stands in for people: nobody has recorded enough of them."""
RIDGE, STEP, TURNS = 2.0, 0.05, 600

Row = tuple[Table, int]
"""A table, and the seat that got it in the end."""


def our_goods() -> list[Listing]:
    """Return the goods of our own catalogue; nothing is stored."""
    return [
        Listing(title=one.title, list_price=100 * one.list, street_price=100 * one.street)
        for shelf in read_stock()
        for one in shelf.listing
    ]


def a_match(number: int, goods: Sequence[Listing]) -> list[Row]:
    """Play match ``number`` and return its tables, each with the seat that got it."""
    chance = Random(f"odds:{number}")
    sealed = number % 2 == 1
    good = chance.choice(goods)
    if sealed and chance.random() < 0.5:
        order = quick_order(good, QUICK_RIVALS, chance.randrange)
    else:
        order = _on_show(good, chance, with_person=sealed)
    line_up, plan = order.line_up, checked(order)
    stand_in = chance.choice(PEOPLE)
    plays = [stand_in if name == PERSON else name for name in line_up]
    seats = tuple(Seat(name, name, seat_version(name)) for name in plays)
    scenario = make_match(prices_of(good, plan.seed), seats, plan.persona, plan.seed)
    hidden = scenario.sealed.seed
    events = play_match(scenario, lambda seat: player(plays[seat], hidden, seat))
    ended = events[-1]
    assert isinstance(ended, Ended)
    if ended.winner is None:
        return []
    return [(table, ended.winner) for table in tables_of(events, line_up, sealed)]


def _on_show(good: Listing, chance: Random, *, with_person: bool) -> Order:
    line_up = list(chance.choice(LINE_UPS))
    chance.shuffle(line_up)
    if with_person:
        line_up[chance.randrange(len(line_up))] = PERSON
    seed, persona = chance.getrandbits(40), chance.choice(list(SELLERS))
    return Order(listing=good, line_up=tuple(line_up), persona=persona, seed=seed)


def tables_of(events: Sequence[ArenaEvent], names: Sequence[str], sealed: bool) -> Iterator[Table]:
    """Yield a match as everybody saw it: before the first round, and after each that sold not."""
    buyers = [Shown(name) for name in names]
    ask, rounds = 0, 0
    at_once = sealed and is_quick(names)
    for event in events:
        match event:
            case Opened(price=price, max_rounds=rounds):
                ask = price
                yield Table(0, rounds, ask, tuple(buyers), sealed, at_once)
            case RoundRevealed(bids=bids):
                for bid in bids:
                    buyers[bid.buyer] = _shown(names[bid.buyer], bid, sealed)
            case AskLowered(round=number, price=price):
                yield Table(number, rounds, ask, tuple(buyers), sealed, at_once)
                ask = price


def _shown(name: str, bid: Bidding, sealed: bool) -> Shown:
    price = None if sealed or bid.price is None else float(bid.price)
    return Shown(name, bid.action != "walk", price, claimed(bid.signal))


def fit(rows: Sequence[Row]) -> dict[str, float]:
    """Return the weights under which the winners were most likely, shrunk a little."""
    names: dict[str, int] = {}
    width = max(len(table.buyers) for table, _ in rows)
    found = [
        [list(odds.features(table, seat)) for seat in range(len(table.buyers))] for table, _ in rows
    ]
    for of_table in found:
        for of_seat in of_table:
            for name, _ in of_seat:
                names.setdefault(name, len(names))
    x = np.zeros((len(rows), width, len(names)), dtype=np.float32)
    there = np.zeros((len(rows), width), dtype=bool)
    won = np.zeros((len(rows), width), dtype=np.float32)
    for at, (table, winner) in enumerate(rows):
        won[at, winner] = 1
        for seat, of_seat in enumerate(found[at]):
            there[at, seat] = table.buyers[seat].present
            for name, value in of_seat:
                x[at, seat, names[name]] += value
    given = _climb(x, there, won)
    return {name: round(float(given[at]), 3) for name, at in sorted(names.items())}


def _climb(
    x: NDArray[np.float32], there: NDArray[np.bool_], won: NDArray[np.float32]
) -> NDArray[np.float64]:
    w, mean, square = (np.zeros(x.shape[2]) for _ in range(3))
    for turn in range(1, TURNS + 1):
        scores = np.where(there, x @ w, -1e9)
        parts = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances = parts / parts.sum(axis=1, keepdims=True)
        slope = np.einsum("ns,nsf->f", chances - won, x) / len(x) + RIDGE * w / len(x)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        w -= STEP * (mean / (1 - 0.9**turn)) / (np.sqrt(square / (1 - 0.99**turn)) + 1e-8)
    return w


def brier(chances: Sequence[float], winner: int) -> float:
    """Return the squared distance of a belief from what happened, 0..2."""
    return sum((chance - (seat == winner)) ** 2 for seat, chance in enumerate(chances))


def measured(rows: Sequence[Row], given: dict[str, float], strength: dict[str, float]) -> Measured:
    """Return the mean Brier score of the model and of the simpler beliefs."""
    sums = np.zeros(4)
    for table, winner in rows:
        count = len(table.buyers)
        there = [shown.present for shown in table.buyers]
        best = max(
            (seat for seat in range(count) if there[seat]),
            key=lambda seat: strength.get(table.buyers[seat].policy, 0.0),
        )
        sums += (
            brier(odds.odds(table, given), winner),
            brier([1 / count] * count, winner),
            brier([one / sum(there) for one in there], winner),
            brier([float(seat == best) for seat in range(count)], winner),
        )
    return Measured(*(round(float(total), 3) for total in sums / len(rows)))


def strengths(rows: Sequence[Row]) -> dict[str, float]:
    """Return how often each won of the matches it sat in."""
    won: Counter[str] = Counter()
    sat: Counter[str] = Counter()
    for table, winner in rows:
        if not table.round:
            sat.update(shown.policy for shown in table.buyers)
            won[table.buyers[winner].policy] += 1
    return {name: won[name] / sat[name] for name in sat}


def calibration(rows: Sequence[Row], given: dict[str, float]) -> Iterator[str]:
    """Yield, for each tenth of the chances that were told, how often it came so."""
    told: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for table, winner in rows:
        for seat, chance in enumerate(odds.odds(table, given)):
            if table.buyers[seat].present:
                told[min(int(10 * chance), 9)].append((chance, seat == winner))
    for bin_ in told:
        if bin_:
            said, came = (sum(one[at] for one in bin_) / len(bin_) for at in (0, 1))
            yield f"    said {said:4.0%}  came {came:4.0%}  ({len(bin_)})"


def _told(
    name: str, rows: Sequence[Row], given: dict[str, float], strength: dict[str, float]
) -> Measured:
    scores = measured(rows, given, strength)
    print(f"{name}: {len(rows)} beliefs, Brier score (0 is best)")
    print(f"  the model {scores.model}, everybody the same {scores.everybody}")
    print(f"  everybody still there the same {scores.still_there}")
    print(f"  the one who wins most often {scores.favourite}")
    for number in (0, 1, 3, 6, 9):
        part = [row for row in rows if row[0].round == number]
        if part:
            print(f"  after round {number}: {measured(part, given, strength)}")
            print(f"    the person: {person(part, given)}")
    print("\n".join(calibration(rows, given)))
    return scores


def person(rows: Sequence[Row], given: dict[str, float]) -> str:
    """Return what the person was told on average, and how often that seat won."""
    told = [
        (odds.odds(table, given)[seat], winner == seat)
        for table, winner in rows
        for seat, shown in enumerate(table.buyers)
        if shown.policy == PERSON and shown.present
    ]
    if not told:
        return "nobody"
    said, came = (sum(one[at] for one in told) / len(told) for at in (0, 1))
    return f"said {said:.0%}, came {came:.0%}"


def main() -> None:
    """Record, fit, score, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=16_000)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    goods = our_goods()
    played = [a_match(number, goods) for number in range(asked.matches)]
    learnt, kept = played[: asked.matches // 2], played[asked.matches // 2 :]
    made = {}
    at_once = Measured(0.0, 0.0, 0.0, 0.0)
    for name, at in (("open", 0), ("sealed", 1)):
        rows = [row for tables in learnt[at::2] for row in tables]
        others = [row for tables in kept[at::2] for row in tables]
        given, strength = fit(rows), strengths(rows)
        made[name] = (given, _told(name, others, given, strength))
        shipped = getattr(odds.weights(), name)
        print(f"  the weights as they are shipped: {measured(others, shipped, strength).model}")
        quick = [row for row in others if row[0].at_once]
        if quick:
            at_once = _told("begun at once", quick, given, strength)
    if asked.write:
        _write(
            Weights(
                version="match-odds@3",
                fitted_on=len(learnt),
                measured_on=len(kept),
                sealed=made["sealed"][0],
                open=made["open"][0],
                brier_sealed=made["sealed"][1],
                brier_open=made["open"][1],
                brier_at_once=at_once,
            )
        )


def _write(found: Weights) -> None:
    lines = ["# Made by: python -m tests.benchmarks.match_odds --write", ""]
    tables = msgspec.to_builtins(found)
    plain = {name: value for name, value in tables.items() if not isinstance(value, dict)}
    lines += [f"{name} = {json.dumps(value)}" for name, value in plain.items()]
    for name, rows in tables.items():
        if isinstance(rows, dict):
            lines += ["", f"[{name}]", *(f'"{key}" = {value}' for key, value in rows.items())]
    FILE.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
