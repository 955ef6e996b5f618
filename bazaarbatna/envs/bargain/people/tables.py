"""Many tables with sellers of the population: what ``PersonSeller`` does, to the last paisa.

Learners inside the project play shares of the opening ask (``games``); here prices are whole paise
and luck is that of the seller's own generators, so that a seed is the same game as at one table.
"""

from dataclasses import dataclass

import numpy as np

from bazaarbatna.bargain.people.manner import Manner, price_unit
from bazaarbatna.bargain.people.paths import LONGEST
from bazaarbatna.bargain.people.seller import STANDING_STILL
from bazaarbatna.bargain.people.signals import PROGRESS
from bazaarbatna.bargain.people.suites import PeopleSuite, people_suite
from bazaarbatna.bargain.tells_emission import NOISE
from bazaarbatna.envs.bargain.people.games import LEVELS, shown_levels
from bazaarbatna.envs.bargain.people.sellers import PLACE, Sellers, last_rounds, of_manners
from bazaarbatna.envs.bargain.vector_tables import (
    Tables,
    condition,
    held_level,
    label_place,
    place_of,
)
from bazaarbatna.fast.arrays import Flags, Floats, Ints, Seeds, Words
from bazaarbatna.fast.play import Answer, Standing
from bazaarbatna.fast.twister import uniforms, words_of_texts

TURN_DRAWS = 4
"""Of ``people.seller.Luck``: whether to leave, pride, whether to hold, the spread of a step."""
WORDS_PER_LEVEL = 5
"""Of a tell: whether it is true, what it is otherwise, and its noise (the last word alone)."""
NOISE_SHIFT = np.uint32(22)
UNEVEN = 1.5
"""A step so many times another is no steady concession."""

_NOISE = np.array(NOISE)
_OF_TABLES = ("anchor", "reservation", "cost", "budget", "ask", "bid")


@dataclass(frozen=True)
class Turns:
    """Tables where the seller is to answer, one a column of ``manner``; prices in paise.

    ``named`` to ``step`` are those of ``people.signals.Memory``.
    """

    manner: Floats
    round: Ints
    rounds: Ints
    ask: Floats
    bid: Floats
    anchor: Floats
    floor: Floats
    named: Ints
    stalled: Ints
    insulted: Flags
    step: Floats

    def of(self, name: str) -> Floats:
        """Return one number of every seller's manner."""
        found: Floats = self.manner[PLACE[name]]
        return found


class PeopleTables(Tables):
    """Tables at which sellers of the population, or on people's paths, sit."""

    def __init__(self, suite_id: str, seller: str | None, seeds: Seeds) -> None:
        super().__init__(suite_id, seller, seeds)
        n, suite = len(seeds), people_suite(suite_id)
        assert suite is not None
        self._suite: PeopleSuite = suite
        nobody = [Manner(floor=0.5)] * n
        self._sellers = of_manners(nobody, nobody)
        self._names = np.zeros(n, object)
        self._unit = np.ones(n)
        self.play = Standing()
        for name in _OF_TABLES:
            setattr(self.play, name, np.zeros(n))
        self._named, self._stalled = np.zeros((2, n), np.int64)
        self._lowest_bid = np.zeros(n)
        self._steps = np.zeros((3, n))
        """The first concession, the last one, and the largest before the last."""
        self.open(self.everybody, seeds)

    def _deal(self, rows: Ints) -> None:
        if not len(rows):
            return
        play, seeds = self.play, self.seeds[rows].tolist()
        dealt, manners = zip(*(self._suite.meet(seed, self.seller) for seed in seeds), strict=True)
        sealed = [one.sealed for one in dealt]
        fresh = of_manners(*zip(*manners, strict=True))
        for name in ("first", "second", "path", "steps"):
            getattr(self._sellers, name)[..., rows] = getattr(fresh, name)
        play.anchor[rows] = play.ask[rows] = self.ask_before[rows] = [one.anchor for one in dealt]
        play.reservation[rows] = [one.reservation for one in sealed]
        play.cost[rows] = [one.cost for one in sealed]
        play.budget[rows] = [one.budget for one in sealed]
        play.bid[rows] = self.bid_before[rows] = 0.0
        self._names[rows] = [one.seed for one in sealed]
        self._unit[rows] = [price_unit(one.anchor) for one in dealt]
        self.rounds[rows] = [one.max_rounds for one in dealt]
        self.deadline[rows] = [one.deadline or 0 for one in sealed]
        self.labels[rows] = [label_place(one.item.condition_label) for one in dealt]
        self.round[rows] = 1
        self._named[rows] = self._stalled[rows] = 0
        self._lowest_bid[rows] = np.inf
        self._steps[:, rows] = 0.0
        self.tells.hide(rows)

    def _reply(self, bids: Flags, t: Ints) -> Answer:
        rows = np.flatnonzero(bids)
        sellers, turns = self._turns(rows, t[rows])
        turn_luck, tell_luck = self._luck(rows, t[rows])
        self._show_tells(rows, turns, tell_luck)
        found = replies(sellers, turns, self._unit[rows], turn_luck)
        self._note_steps(rows, turns, turns.ask - found.ask)
        play, n = self.play, len(t)
        said = Answer(np.zeros(n, bool), np.zeros(n, bool), play.ask.copy())
        for whole, part in zip(said, found, strict=True):
            whole[rows] = part
        return said

    def _turns(self, rows: Ints, t: Ints) -> tuple[Sellers, Turns]:
        play, sellers = self.play, self._sellers.take(rows)
        manner, bid, anchor = sellers.at(t), play.bid[rows], play.anchor[rows]
        rise, later = bid - self.bid_before[rows], t > 1
        stalled = np.where(later & (rise < PROGRESS * anchor), self._stalled[rows] + 1, 0)
        self._stalled[rows] = stalled
        self._lowest_bid[rows] = lowest = np.minimum(self._lowest_bid[rows], bid)
        return sellers, Turns(
            manner,
            t,
            self.rounds[rows],
            play.ask[rows],
            bid,
            anchor,
            play.reservation[rows],
            self._named[rows],
            stalled,
            lowest < manner[PLACE["insult"]] * anchor,
            np.where(later, np.maximum(rise / anchor, 0.0), 0.0),
        )

    def _luck(self, rows: Ints, t: Ints) -> tuple[Floats, Words]:
        """Draw as the sellers' own generators do: (draws, rows), and the words of the tells."""
        named = list(zip(self._names[rows].tolist(), t.tolist(), strict=True))
        texts = [b"turn:%d:%d" % one for one in named] + [b"tells:%d:%d" % one for one in named]
        made = words_of_texts(texts, range(LEVELS * WORDS_PER_LEVEL))
        turn, tells = made[: 2 * TURN_DRAWS, : len(rows)], made[:, len(rows) :]
        return uniforms(turn[::2], turn[1::2]), tells

    def _show_tells(self, rows: Ints, turns: Turns, luck: Words) -> None:
        room = (turns.ask - turns.floor) / turns.anchor
        true = shown_levels(
            turns.manner, room, turns.insulted, turns.stalled, turns.round, turns.rounds
        )
        drawn = luck.reshape(LEVELS, WORDS_PER_LEVEL, -1).transpose(1, 2, 0)
        honest = uniforms(drawn[0], drawn[1]) < turns.of("honesty")[:, None]
        value = np.where(honest, true, uniforms(drawn[2], drawn[3]))
        levels = held_level(value + _NOISE[drawn[4] >> NOISE_SHIFT])
        urgency, confidence, deception, _, escalation = levels.T
        shown = {
            "levels": levels,
            "counts": np.stack((turns.stalled > 1, np.trunc(3 * deception)), axis=1),
            "rounding": place_of("rounding", "round"),
            "speed": np.where(
                urgency > 0.65,
                place_of("speed", "instant"),
                np.where(
                    confidence > 0.75, place_of("speed", "deliberate"), place_of("speed", "normal")
                ),
            ),
            "pattern": self._patterns(rows, turns.round),
            "eyes": np.where(
                deception > 0.5, place_of("eyes", "avoidant"), place_of("eyes", "steady")
            ),
            "posture": np.where(
                escalation > 0.4,
                place_of("posture", "arms_crossed"),
                np.where(
                    turns.step > 0,
                    place_of("posture", "leaning_in"),
                    place_of("posture", "neutral"),
                ),
            ),
            **condition(self.labels[rows]),
        }
        self.tells.put(rows, shown)

    def _patterns(self, rows: Ints, t: Ints) -> Ints:
        first, last, most = self._steps[:, rows]
        several = t > 2
        found = np.where(
            several & (first > UNEVEN * last),
            place_of("pattern", "front_loaded"),
            place_of("pattern", "steady"),
        )
        found = np.where(several & (last > UNEVEN * most), place_of("pattern", "erratic"), found)
        return np.where((t > 1) & (last == 0), place_of("pattern", "stalling"), found)

    def _note_steps(self, rows: Ints, turns: Turns, step: Floats) -> None:
        first, last, most = self._steps[:, rows]
        is_first = turns.round == 1
        self._steps[:, rows] = (
            np.where(is_first, step, first),
            step,
            np.where(is_first, 0.0, np.maximum(most, last)),
        )
        self._named[rows] += step > 0


def replies(sellers: Sellers, turns: Turns, unit: Floats, luck: Floats) -> Answer:
    """Answer as ``people.seller.respond`` does; luck is of shape (``TURN_DRAWS``, tables)."""
    leave, pride, hold, spread = luck
    ask, bid, floor, t, steps = turns.ask, turns.bid, turns.floor, turns.round, sellers.steps
    last = last_rounds(turns.manner, turns.rounds)
    is_last = t >= np.minimum(last, turns.rounds)
    greed = np.where(is_last, turns.of("last_greed"), turns.of("greed"))
    enough = (bid >= floor + greed * (ask - floor)) | (
        ask - bid <= turns.of("close") * turns.anchor
    )
    # What comes next on a path is named soon enough: less is not taken before.
    takes = enough & (bid >= floor) & ((t > steps) | is_last)
    insulted = (bid < turns.of("insult") * turns.anchor) & (pride < turns.of("pride"))
    stalled = (turns.stalled > turns.of("patience")) & (leave < turns.of("leave"))
    waited = np.where(steps > 0, t - steps > turns.of("patience"), stalled)
    leaves = ~takes & ((t >= last) | insulted | waited)
    planned = sellers.path[np.minimum(t, LONGEST) - 1, np.arange(len(t))] * turns.anchor
    wanted = np.where(steps > 0, planned, ask - _step(turns, last, hold, spread))
    named = np.maximum(unit * np.trunc(wanted / unit + 0.5), unit)
    asked = np.minimum(np.maximum(named, floor), ask)
    return Answer(takes | (~leaves & (asked <= bid)), leaves, asked)


def _step(turns: Turns, last: Floats, hold: Floats, spread: Floats) -> Floats:
    gap, named = turns.ask - turns.bid, turns.named
    hurried, split = turns.round + 1 >= last, turns.of("split_from")
    # NumPy's own power may differ from Python's in the last bit.
    faded = np.array(
        [fade**count for fade, count in zip(turns.of("fade").tolist(), named.tolist(), strict=True)]
    )
    share = turns.of("gap") * faded
    share = np.where(turns.insulted, share * turns.of("harden"), share)
    share = np.where(turns.stalled > 0, share * turns.of("idle"), share)
    share = np.where(hurried, np.maximum(share, turns.of("rush")), share)
    step = share * gap + turns.of("mirror") * turns.step * turns.anchor
    step = step * (1 + turns.of("spread") * (2 * spread - 1))
    stands = (step < STANDING_STILL * turns.anchor) | (~hurried & (hold < turns.of("hold")))
    stands |= ((named >= turns.of("moves")) | ((split > 0) & (named > split))) & ~hurried
    return np.where((split > 0) & (named == split), gap / 2, np.where(stands, 0.0, step))
