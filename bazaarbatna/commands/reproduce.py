"""Published findings about bargaining, and the same counted here: our numbers, their words."""

import argparse
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
import numpy as np

from bazaarbatna.bargain.goods import SAMPLE_LISTINGS, ListingPrices
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.match import play_suite_game
from bazaarbatna.bargain.people import held_out
from bazaarbatna.bargain.people.dialogues import play
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.moments import measured, played_talk
from bazaarbatna.bargain.people.suites import people_suite
from bazaarbatna.bargain.price_grid import BIDDERS, Grid, Seat, grid_table
from bazaarbatna.bargain.quantities import Side, to_paise
from bazaarbatna.bargain.rewards import normalised_surplus
from bazaarbatna.bargain.scoring import score
from bazaarbatna.commands import Refused
from bazaarbatna.commands.rollout import YARDSTICKS, find_rule
from bazaarbatna.intervals import RESAMPLES, TAIL, Floats, mean_interval
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.simple import Scheduled

WORDS = Path(__file__).with_name("studies.toml")
GOODS = "amazon_realistic@sampled-1"
ANSWERING = ("people@1", "paths@1")
"""Sellers who answer, and sellers who name what people named."""

GRID_STEPS = 100
"""As many as prices: a line that gives one price for one would not come to an end in ten."""

CURVES = ("boulware", "linear", "conceder", "tit-for-tat", "micro")


class Figure(msgspec.Struct, frozen=True):
    """One number of ours with its 95 % interval: ``key`` is a table of the words, ``n`` its games.

    An interval of no width belongs to a number without chance.
    """

    key: str
    who: str
    where: str
    n: int
    mean: float
    low: float
    high: float


class Receipt(msgspec.Struct, frozen=True):
    """What was found: by study, in the order of the words; ``goods`` were on the table."""

    version: str
    episodes: int
    goods: int
    goods_from: str
    studies: dict[str, tuple[Figure, ...]]


class Priced(msgspec.Struct, frozen=True):
    """A row of AmazonHistoryPrice."""

    title: str
    category: str
    list_price: str | None = None
    current_price: str | None = None


class Asked(msgspec.Struct, frozen=True):
    """How many games a figure is counted over, and what is sold in those of real goods."""

    episodes: int
    listings: tuple[ListingPrices, ...]


@cache
def words() -> dict[str, dict[str, str]]:
    """Read the words of every study and figure."""
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))


def _og(asked: Asked) -> Iterator[Figure]:
    for suite in (GOODS, *ANSWERING):
        for name in ("agreeable", "schedule"):
            yield from _rates(find_rule(name), suite, asked, "deals", "share")


def _frontier(asked: Asked) -> Iterator[Figure]:
    for suite in ANSWERING:
        keys = ("deals", "share_of_deals")
        found = {rule: list(_rates(rule, suite, asked, *keys)) for rule in (*YARDSTICKS, Scheduled)}
        for name in ("agreeable", "schedule", *CURVES):
            yield from found[find_rule(name)]
        pairs = [(deals.mean, kept.mean) for deals, kept in found.values()]
        yield _correlation(suite, np.array(pairs))


def _rlvr(asked: Asked) -> Iterator[Figure]:
    for suite in (GOODS, *ANSWERING):
        for name in ("agreeable", "schedule", "conceder-30", "climber"):
            yield from _rates(find_rule(name), suite, asked, "surplus")


def _ebay(asked: Asked) -> Iterator[Figure]:
    paths = people_suite("paths@1")
    assert paths is not None
    for name, families in (("people@1", FAMILIES), ("paths@1", paths.families)):
        found = measured(map(played_talk, play(asked.episodes, families, 0)))
        for key in ("at_once", "split", "step"):
            one = found[key]
            if one is not None:
                yield Figure(key, "", name, asked.episodes, one.mean, one.low, one.high)


def _anac(asked: Asked) -> Iterator[Figure]:
    grid = Grid(steps=GRID_STEPS)
    seats: dict[Side, Seat] = {
        "seller": Seat("seller", grid.cost, grid.high),
        "buyer": Seat("buyer", grid.value, grid.low),
    }
    kept: dict[str, list[float]] = {name: [] for name in BIDDERS}
    for (seller, buyer), deal in grid_table(grid).items():
        kept[seller].append(seats["seller"].surplus(deal.price) if deal else 0.0)
        kept[buyer].append(seats["buyer"].surplus(deal.price) if deal else 0.0)
    for name, parts in kept.items():
        if name == "aspiration":  # the same line as Boulware's
            continue
        mean = round(sum(parts) / len(parts), 4)
        yield Figure("kept", name.replace("_", "-"), "grid", len(parts), mean, mean, mean)
    for suite in ANSWERING:
        for name in CURVES:
            yield from _rates(find_rule(name), suite, asked, "share")


STUDIES: dict[str, Callable[[Asked], Iterator[Figure]]] = {
    "og": _og,
    "frontier": _frontier,
    "rlvr": _rlvr,
    "ebay": _ebay,
    "anac": _anac,
}


def _rates(rule: type[RuleBuyer], suite: str, asked: Asked, *keys: str) -> Iterator[Figure]:
    listings = asked.listings if suite == GOODS else None
    logs = [
        log
        for seed in range(asked.episodes)
        for log in play_suite_game(suite, seed, rule, listings=listings)
        if log.scenario.zopa > 0
    ]
    for key in keys:
        values = [value for log in logs if (value := _VALUES[key](log)) is not None] or [0.0]
        found = mean_interval(values)
        who = rule.name.removeprefix("rules:")
        yield Figure(key, who, suite, len(values), found.mean, found.low, found.high)


def _share_of_deal(log: Log) -> float | None:
    found = score(log)
    return found.buyer_share if found.is_deal else None


def _surplus(log: Log) -> float:
    sealed, price = log.scenario.sealed, log.ended.price if log.ended else None
    return 0.0 if price is None else normalised_surplus(sealed.budget, sealed.cost, price)


_VALUES: dict[str, Callable[[Log], float | None]] = {
    "deals": lambda log: float(score(log).is_deal),
    "share": lambda log: score(log).buyer_share,
    "share_of_deals": _share_of_deal,
    "surplus": _surplus,
}


def _correlation(suite: str, pairs: Floats) -> Figure:
    dice, n = np.random.RandomState(0), len(pairs)
    drawn = [pairs[dice.randint(0, n, n)] for _ in range(RESAMPLES)]
    found = [_linear(one) for one in drawn if (one.std(axis=0) > 0).all()]
    low, high = np.quantile(found, [TAIL, 1 - TAIL])
    mean = _linear(pairs)
    return Figure("correlation", "", suite, n, *(round(float(x), 4) for x in (mean, low, high)))


def _linear(pairs: Floats) -> float:
    return float(np.corrcoef(pairs[:, 0], pairs[:, 1])[0, 1])


def read_goods(folder: Path) -> tuple[ListingPrices, ...]:
    """Read the goods of AmazonHistoryPrice: those with a list price and a lower one now.

    Raises:
        Refused: there is no such folder, or no goods in it.
    """
    goods = []
    for file in sorted(folder.glob("*.json")):
        try:
            rows = msgspec.json.decode(file.read_bytes(), type=list[Priced])
        except msgspec.MsgspecError as wrong:
            raise Refused(f"{file} is no file of AmazonHistoryPrice: {wrong}.") from wrong
        for row in rows:
            usual, now = map(_dollars, (row.list_price, row.current_price))
            if now < usual:
                prices = to_paise(usual), to_paise(now)
                goods.append(ListingPrices(row.title, row.category, *prices, currency="USD"))
    if not goods:
        raise Refused(f"There are no goods of AmazonHistoryPrice in {folder}.")
    return tuple(goods)


def _dollars(said: str | None) -> float:
    text = (said or "0").replace("$", "").replace(",", "")
    return float(text) if text.replace(".", "", 1).isdigit() else 0.0


def reproduce(asked: argparse.Namespace) -> int:
    """Count every study that is asked for, print it, and write the receipt where one is wanted."""
    if strange := sorted(set(asked.study) - set(STUDIES)):
        raise Refused(f"There is no study {strange[0]!r}: {', '.join(STUDIES)}.")
    held_out.plug_in()
    listings = read_goods(asked.data) if asked.data else SAMPLE_LISTINGS
    wanted, found = Asked(asked.episodes, listings), {}
    for name in asked.study or STUDIES:
        found[name] = tuple(STUDIES[name](wanted))
        print_study(name, found[name])
    goods_from = "AmazonHistoryPrice" if asked.data else "built-in sample"
    receipt = Receipt(_version(), asked.episodes, len(listings), goods_from, found)
    print(f"\n{len(listings)} goods ({goods_from}); games 0 to {asked.episodes - 1} of each table.")
    if asked.out:
        text = msgspec.json.format(msgspec.json.encode(receipt), indent=1)
        asked.out.write_bytes(text + b"\n")
    return 0


def print_study(name: str, figures: Sequence[Figure]) -> None:
    """Print their words, our numbers, and what differs."""
    study = words()[name]
    print(
        f"\n{study['title']}  {study['source']}\nTheirs: {study['theirs']}\nOurs: {study['ours']}"
    )
    for one in figures:
        span = "" if one.low == one.high else f" ({one.low:.3f} to {one.high:.3f})"
        told = f"{one.mean:.3f}{span}, n = {one.n}"
        print(f"  {one.where:<28} {one.who:<12} {words()[one.key]['title']:<58} {told}")
    print(f"What differs: {study['differs']}")


def _version() -> str:
    try:
        return version("bazaarbatna")
    except PackageNotFoundError:
        return "checkout"
