"""Many tables at which buyers bargain, each in its own round and game of a suite.

Tells of pinned sellers are those of ``bargain.tells_emission``, for arrays.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bazaarbatna.bargain import rewards, tasks
from bazaarbatna.bargain.career import CAPITULATION_SHARE
from bazaarbatna.bargain.goods import GOODS, SAMPLE_LISTINGS
from bazaarbatna.bargain.sellers import SELLERS, persona_of
from bazaarbatna.bargain.tells import CONDITIONS, ConditionLabel
from bazaarbatna.bargain.tells_emission import (
    BITS_PER_DRAW,
    NOISE,
    SIZE,
    STALLING_BELOW,
    URGENCY_OF_CONCESSION,
    Level,
    TellStyle,
)
from bazaarbatna.envs.bargain.gymnasium_spaces import CATEGORIES, COUNTS, LEVELS
from bazaarbatna.envs.bargain.gymnasium_spaces import GOODS as GOODS_TELLS
from bazaarbatna.fast.arrays import Flags, Floats, Ints, Seeds, Words
from bazaarbatna.fast.play import (
    DRAWS,
    FIRST_DRAW,
    WORDS_PER_TURN,
    Answer,
    Play,
    Standing,
    Wish,
    answer,
    repaired,
)
from bazaarbatna.fast.starts import BUYER, DEAL, EXPIRED, NOBODY, SELLER, WALK, Codes
from bazaarbatna.fast.suites import draw
from bazaarbatna.fast.twister import uniforms, words

EXACT = 2
"""A sum of so many floats is rounded once anyway."""


class Proposals(NamedTuple):
    """What the buyers propose: a bid in paise each, unless they accept or walk."""

    price: Floats
    accept: Flags
    walk: Flags


class Ends(NamedTuple):
    """Which bargains a move ended, and how; without a deal ``price`` (paise) and ``share`` are 0.

    ``outcome`` and ``by`` are codes as in ``SweepResult``.
    """

    over: Flags
    outcome: Codes
    by: Codes
    price: Floats
    share: Floats


def nonsense(play: Standing, proposals: Proposals, bid_before: Floats) -> Floats:
    """Fine what breaks a rule or repeats itself; ``bid_before`` is that before the standing one."""
    price, budget = proposals.price, play.budget
    offers = ~proposals.accept & ~proposals.walk
    bad = offers & ~((price >= 0) & (price <= budget))
    third = np.greater_equal(play.round, rewards.THIRD_TIME)
    same = third & (np.abs(play.bid - price) <= rewards.SAME_BID)
    same &= np.abs(bid_before - price) <= rewards.SAME_BID
    fined = np.where(bad, rewards.BAD_BID, np.where(offers & same, rewards.REPEATED_BID, 0.0))
    nothing = proposals.accept & (play.ask > budget)
    return np.where(nothing, rewards.NOTHING_TO_ACCEPT, fined)


def gap(play: Standing) -> Floats:
    """Return the distance of the standing prices in paise."""
    return np.maximum(play.ask - play.bid, 0)


def closer(before: Floats, after: Floats, anchor: Floats) -> Floats:
    """Pay for narrowing the gap."""
    return rewards.CLOSER * (before - after) / anchor


def surplus(play: Standing, ends: Ends, discount: Floats) -> Floats:
    """Pay a deal its normalised surplus, discounted for the time that it took."""
    width = play.budget - play.cost
    kept = np.clip((play.budget - ends.price) / np.where(width > 0, width, 1), 0.0, 1.0)
    kept = np.where(width > 0, kept, 0.0)
    return np.where(ends.over & (ends.outcome == DEAL), kept * discount, 0.0)


def ending(play: Standing, ends: Ends, *, forgives: bool) -> Floats:
    """Fine an end without a deal; with ``forgives`` not where no price could suit both."""
    left = np.where(ends.by == BUYER, rewards.WALK, rewards.SELLER_WALKED)
    fined = np.where(ends.outcome == EXPIRED, rewards.EXPIRED, left)
    counts = ends.over & (ends.outcome != DEAL)
    if forgives:
        counts &= play.budget > play.reservation
    return np.where(counts, fined, 0.0)


def total(*terms: Floats) -> Floats:
    """Add terms up as ``Reward.total`` does: rounded once, whatever their order."""
    table = np.stack(terms)
    added: Floats = table.sum(axis=0)
    for column in np.flatnonzero(np.count_nonzero(table, axis=0) > EXACT):
        added[column] = math.fsum(table[:, column])
    return added


THOUSANDTHS = 1000
NEAR_A_TIE = 1e-6

_NOISE = np.array(NOISE)
_LABELS = tuple(CONDITIONS)
_CONDITIONS = np.array([CONDITIONS[label] for label in _LABELS])


class ShownTells:
    """The tells of the last turn at many tables, in the form of the observation space."""

    def __init__(self, tables: int) -> None:
        self.arrays: dict[str, npt.NDArray[Any]] = {
            "levels": np.full((tables, len(LEVELS)), -1.0),
            "counts": np.full((tables, len(COUNTS)), -1.0),
            "goods": np.full((tables, len(GOODS_TELLS)), -1.0),
            **{key: np.zeros(tables, np.int64) for key in CATEGORIES},
        }

    def hide(self, rows: Ints) -> None:
        """Forget what was shown: at these tables nobody has spoken yet."""
        for key, array in self.arrays.items():
            array[rows] = 0 if key in CATEGORIES else -1.0

    def show(
        self,
        rows: Ints,
        style: TellStyle,
        urgency: Floats,
        round_: Ints,
        stalled: Flags,
        labels: Ints,
        luck: Words,
    ) -> None:
        """Emit the tells of a turn at the tables ``rows``, where the seller answers.

        ``urgency`` is the true one, 0..1; ``labels`` are indices of ``CONDITIONS``; ``luck`` of
        shape (2, rows) holds the first two words of the sellers' turns.
        """
        bits = luck[0].astype(np.uint64) | (luck[1] >> np.uint32(4)).astype(np.uint64) << np.uint64(
            32
        )

        def noise(place: int) -> Floats:
            picked = bits >> np.uint64(BITS_PER_DRAW * place) & np.uint64(SIZE - 1)
            found: Floats = _NOISE[picked.astype(np.int64)]
            return found

        levels = (style.urgency, style.confidence, style.deception, style.fidget, style.escalation)
        for place, level in enumerate(levels):
            self.arrays["levels"][rows, place] = _level(level, urgency, round_, noise(place))
        topics = style.topic_changes * urgency
        counted = np.where(topics != 0, np.trunc(topics + noise(len(levels)) + 0.5), 0.0)
        self.arrays["counts"][rows] = np.stack((stalled, counted), axis=1)
        shown = {
            "rounding": place_of("rounding", style.rounding),
            "speed": place_of("speed", style.speed),
            "pattern": np.where(
                stalled, place_of("pattern", "stalling"), place_of("pattern", style.pattern)
            ),
            "eyes": np.where(
                urgency >= style.avoidant_from,
                place_of("eyes", "avoidant"),
                place_of("eyes", style.eyes),
            ),
            "posture": np.where(
                round_ >= style.crossed_from,
                place_of("posture", "arms_crossed"),
                place_of("posture", style.posture),
            ),
            **condition(labels),
        }
        self.put(rows, shown)

    def put(self, rows: Ints, shown: Mapping[str, Any]) -> None:
        """Show these numbers, by their keys in the observation, at these tables."""
        for key, values in shown.items():
            self.arrays[key][rows] = values


def label_place(label: ConditionLabel) -> int:
    """Return the place of a condition in ``CONDITIONS``."""
    return _LABELS.index(label)


def condition(labels: Ints) -> dict[str, npt.NDArray[Any]]:
    """Return what tells show of goods in these conditions."""
    return {"goods": _CONDITIONS[labels], "condition": labels + 1}


def _level(level: Level, urgency: Floats, round_: Ints, noise: Floats) -> Floats:
    value = level.base + level.per_urgency * urgency + level.per_round * round_
    return held_level(value + noise)


def held_level(value: Floats) -> Floats:
    """Hold numbers in 0..1 and round them to three decimals, as ``round`` does one by one."""
    value = np.minimum(1.0, np.maximum(0.0, value))
    scaled = value * THOUSANDTHS
    rounded: Floats = np.rint(scaled) / THOUSANDTHS
    # Next to a tie the product may have been rounded across it; Python's ``round`` knows better.
    for row in zip(*np.nonzero(np.abs(scaled - np.floor(scaled) - 0.5) < NEAR_A_TIE), strict=True):
        rounded[row] = round(float(value[row]), 3)
    return rounded


def place_of(key: str, value: str) -> int:
    """Return the number of a tell's value in the observation."""
    return CATEGORIES[key][1].index(value)


CAREER = 4
"""Games, deals, capitulation rate and mean buyer share."""


class Tables(ABC):
    """The state of all tables; rows are tables. A subclass deals the games and has the sellers.

    ``bargain`` counts from 0, ``round`` from 1; ``rounds`` are limits, ``deadline`` is the buyer's
    own (0: none); ``told`` is what each buyer is told of its career.
    """

    play: Standing

    def __init__(self, suite_id: str, seller: str | None, seeds: Seeds) -> None:
        self.row, self.suite_id, self.seller = tasks.suite(suite_id), suite_id, seller
        n, limits = len(seeds), range(1, self.row.rounds + 1)
        self.everybody: Ints = np.arange(n)
        self.seeds = seeds.copy()
        self.bargain: Ints = np.zeros(n, np.int64)
        self.round: Ints = np.ones(n, np.int64)
        self.rounds: Ints = np.full(n, self.row.rounds)
        self.deadline: Ints = np.full(n, self.row.deadline or 0)
        self._career = np.zeros((n, CAREER))
        self.told = np.full((n, CAREER), -1.0)
        self.tells = ShownTells(n)
        self.labels: Ints = np.zeros(n, np.int64)
        self.ask_before, self.bid_before = np.zeros(n), np.zeros(n)
        self._discounts = np.array(
            [[rewards.time_discount(t, limit) for t in (0, *limits)] for limit in limits]
        )

    @property
    def persona(self) -> str | None:
        """What the buyers are told of how the sellers behave."""
        return None

    def open(self, rows: Ints, seeds: Seeds) -> None:
        """Start the games of these seeds at these tables."""
        self.seeds[rows] = seeds
        self.bargain[rows] = 0
        self._career[rows] = 0
        self._deal(rows)

    def step(self, proposals: Proposals, live: Flags) -> tuple[Floats, Ends]:
        """Make a move at the live tables, let the sellers answer, open the bargains that follow."""
        play, t = self.play, self.round.copy()
        play.round = t
        before = gap(play)
        fines = nonsense(play, proposals, self.bid_before)
        wished = np.where(np.isnan(proposals.price), play.bid, proposals.price)
        move = repaired(play, Wish(wished, proposals.accept, proposals.walk))
        assert move.accept is not None
        bought, left = move.accept & live, proposals.walk & live
        bids = live & ~bought & ~left
        self.bid_before = np.where(bids, play.bid, self.bid_before)
        play.bid = np.where(bids, move.price, play.bid)
        ends = self._answered(bought, left, bids, t)
        after = np.where(ends.outcome == DEAL, 0, gap(play))
        capitulation = self._remember(ends)
        reward = total(
            surplus(play, ends, self._discounts[self.rounds - 1, t]),
            closer(before, after, play.anchor),
            fines,
            ending(play, ends, forgives=rewards.forgives(self.suite_id)),
            capitulation,
        )
        self.bargain += ends.over
        self._deal(np.flatnonzero(ends.over & ~self.is_done))
        return np.where(live, reward, 0.0), ends

    @property
    def is_done(self) -> Flags:
        """Tables at which all bargains of the game are over."""
        return np.equal(self.bargain, self.row.episodes)

    @abstractmethod
    def _deal(self, rows: Ints) -> None:
        """Lay the next bargain of its game at each of these tables."""

    @abstractmethod
    def _reply(self, bids: Flags, t: Ints) -> Answer:
        """Let the sellers show their tells and answer in round ``t``, where there are bids."""

    def _answered(self, bought: Flags, left: Flags, bids: Flags, t: Ints) -> Ends:
        play = self.play
        said = self._reply(bids, t)
        sold, walked = said.accept & bids, said.walk & bids
        speaks = bids & ~sold & ~walked
        expired = speaks & (t == self.rounds)
        price = np.where(bought, play.ask, np.where(sold, play.bid, 0.0))
        self.ask_before = np.where(speaks, play.ask, self.ask_before)
        play.ask = np.where(speaks, said.ask, play.ask)
        self.round = np.where(speaks & ~expired, t + 1, t)
        by = np.full(len(t), NOBODY, np.int8)
        by[bought | left], by[sold | walked] = BUYER, SELLER
        outcome = np.full(len(t), EXPIRED, np.int8)
        outcome[bought | sold], outcome[left | walked] = DEAL, WALK
        over = bought | left | sold | walked | expired
        outcome[~over] = -1
        width = play.budget - play.reservation
        share = np.where(width > 0, (play.budget - price) / np.where(width > 0, width, 1), 0.5)
        return Ends(over, outcome, by, price, np.where(bought | sold, share, 0.0))

    def _remember(self, ends: Ends) -> Floats:
        if not self.row.career:
            return np.zeros(len(self.round))
        play, deal = self.play, ends.over & (ends.outcome == DEAL)
        gave_in = deal & (ends.price > CAPITULATION_SHARE * play.anchor)
        self._career += np.stack((ends.over, deal, gave_in, ends.share), axis=1)
        deals = self._career[:, 1]
        habit = self._career[:, 2] / np.maximum(deals, 1)
        costs = deal & (deals >= rewards.THIRD_DEAL)
        return np.where(costs, rewards.CAPITULATION * habit, 0.0)


class PinnedTables(Tables):
    """Tables at which the pinned sellers of a suite sit."""

    play: Play

    def __init__(self, suite_id: str, seller: str | None, seeds: Seeds) -> None:
        super().__init__(suite_id, seller, seeds)
        n = len(seeds)
        self.rule = SELLERS[self.row.persona if seller is None else persona_of(seller)].persona
        self._luck = np.zeros((self.row.rounds, WORDS_PER_TURN, n), np.uint32)
        goods = SAMPLE_LISTINGS if self.row.listings else GOODS
        self._labels = np.array([label_place(one.condition_label) for one in goods])
        self.play = Play(draw(suite_id, seeds, seller=seller).bargains, self.everybody)
        for name in _PER_TABLE:
            setattr(self.play, name, np.array(np.broadcast_to(getattr(self.play, name), n)))
        self._pressure = np.zeros(n)
        self.open(self.everybody, seeds)

    @property
    def persona(self) -> str | None:
        """The persona's name, where the suite says it."""
        return self.rule.name if self.row.persona_visible else None

    def _reply(self, bids: Flags, t: Ints) -> Answer:
        rows = np.flatnonzero(bids)
        self._show_tells(rows, t[rows])
        return answer(self.rule, self.play, self._draw, bids)

    def _draw(self, kind: str, asked: Flags) -> Floats:
        place = FIRST_DRAW + 2 * DRAWS.index(kind)
        turn, tables = np.asarray(self.play.round) - 1, self.everybody
        return uniforms(self._luck[turn, place, tables], self._luck[turn, place + 1, tables])

    def _show_tells(self, rows: Ints, t: Ints) -> None:
        play = self.play
        ask, anchor = play.ask[rows], play.anchor[rows]
        width = anchor - play.reservation[rows]
        conceded = np.where(width > 0, (anchor - ask) / np.where(width > 0, width, 1), 0.0)
        pressed = self._pressure[rows] * (t / self.row.rounds)
        urgency = np.minimum(1.0, pressed + URGENCY_OF_CONCESSION * conceded)
        stalled = (t > 1) & (np.abs(self.ask_before[rows] - ask) < STALLING_BELOW)
        luck = self._luck[t - 1, :FIRST_DRAW, rows].T
        self.tells.show(rows, self.rule.style, urgency, t, stalled, self.labels[rows], luck)

    def _deal(self, rows: Ints) -> None:
        if not len(rows):
            return
        games, deals, gave_in, shares = self._career[rows].T
        closed = np.maximum(deals, 1)
        bargains, goods = draw(
            self.suite_id,
            self.seeds[rows],
            self.bargain[rows],
            deals=deals if self.row.career else 0,
            capitulation_rate=gave_in / closed if self.row.career else 0.0,
            seller=self.seller,
        )
        fresh = Play(bargains, rows)
        for name in _PER_TABLE:
            getattr(self.play, name)[rows] = getattr(fresh, name)
        self.ask_before[rows], self.bid_before[rows] = fresh.ask, 0.0
        self._pressure[rows] = bargains.pressure
        self.round[rows] = 1
        self.labels[rows] = self._labels[goods]
        self.tells.hide(rows)
        if self.row.career:
            self.told[rows] = np.stack((games, deals, gave_in / closed, shares / closed), axis=1)
        turns = range(self.row.rounds * WORDS_PER_TURN)
        self._luck[:, :, rows] = words(bargains.seeds, turns).reshape(
            self.row.rounds, WORDS_PER_TURN, len(rows)
        )


_PER_TABLE = (
    *("anchor", "reservation", "lowball", "cost", "budget"),
    *("rate", "ask", "bid", "fakes"),
)
