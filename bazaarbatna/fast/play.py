"""Many games in play: what changes from round to round, what sellers answer, and the sweep.

Most games never ask for luck. All are played without it first; those in which it can matter are
set aside and then played again from the start, with the very draws of their sellers.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import numpy as np

from bazaarbatna.bargain.quantities import MIN_PRICE
from bazaarbatna.bargain.sellers.persona import HOUSE, Persona
from bazaarbatna.bargain.tells_emission import BITS_PER_DRAW, NOISY_SIGNALS
from bazaarbatna.fast.arrays import Flags, Floats, Ints, Number, Seeds, clamp_prices
from bazaarbatna.fast.starts import BUYER, DEAL, SELLER, WALK, Bargains, SweepResult
from bazaarbatna.fast.twister import uniforms, words


class Wish(NamedTuple):
    """What the buyers propose: a bid each, and who rather accepts or walks (None: nobody)."""

    price: Floats
    accept: Flags | None = None
    walk: Flags | None = None


class Standing:
    """Where many bargains stand; prices are whole paise in floats.

    ``round`` counts from 1, one number where all are in the same; ``bid`` is the buyer's standing
    one, 0 before its first.
    """

    round: Number
    anchor: Floats
    reservation: Floats
    cost: Floats
    budget: Floats
    ask: Floats
    bid: Floats


class Play(Standing):
    """The games that are not over.

    Attributes:
        games: their indices in the sweep.
        slots: their places among the games that began together.
        fakes: fake drops so far of a seller who bluffs.
        asks, bids: all of them, shape (moves, games); None unless somebody reads them.
    """

    def __init__(self, bargains: Bargains, games: Ints, *, remembers: bool = False) -> None:
        n = len(bargains)
        self.games = games
        self.slots: Ints = np.arange(n)
        self.round = 1
        self.rounds = bargains.rounds
        self.anchor = bargains.anchor
        self.reservation = bargains.reservation
        self.lowball = HOUSE.lowball * bargains.reservation
        self.cost = bargains.cost
        self.budget = bargains.budget
        self.rate: Number = bargains.rate
        self.walk_p: Number = np.multiply(bargains.batna_walk_p, bargains.rule.walk_factor)
        self.ask = bargains.anchor
        self.bid = np.zeros(n)
        self.fakes: Ints = np.zeros(n, np.int64)
        self.asks: Floats | None = bargains.anchor[None, :] if remembers else None
        self.bids: Floats | None = np.empty((0, n)) if remembers else None

    def keep(self, rows: Ints) -> None:
        """Forget all games but these rows."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value.ndim:
                setattr(self, name, value[..., rows])

    def remember(self) -> None:
        """Put the standing prices on the lists of prices."""
        if self.asks is not None and self.bids is not None:
            self.asks = np.vstack((self.asks, self.ask))
            self.bids = np.vstack((self.bids, self.bid))


Buyers = Callable[[Play], Wish]
"""Buyers of one kind: what they propose in the round that ``Play`` shows."""


def repaired(play: Standing, wish: Wish) -> Wish:
    """Make every proposal legal, as ``engine.proposals.repair`` does one by one.

    A bid is held in 1 paisa..budget; an acceptance above the budget becomes the last bid again; a
    bid that reaches the ask takes it.
    """
    price = np.minimum(np.maximum(wish.price, MIN_PRICE), play.budget)
    takes = price >= play.ask
    if wish.accept is not None:
        affordable = play.ask <= play.budget
        held = np.minimum(np.maximum(play.bid, MIN_PRICE), play.budget)
        price = np.where(wish.accept, held, price)
        takes = np.where(wish.accept, affordable | (held >= play.ask), takes)
    if wish.walk is None:
        return Wish(price, takes, None)
    return Wish(price, takes & ~wish.walk, wish.walk)


Draw = Callable[[str, Flags], Floats]
"""Gives this round's draw of a kind, for the games in play that are flagged; else anything."""

Asks = Callable[[Persona, Play, Draw, Flags], Floats]
"""Plans the next ask of the games whose sellers will speak; of the others anything."""


def default_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Follow the schedule; an ask never goes up."""
    return np.minimum(scheduled(play), play.ask)


def impatient_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Fall fast at first, then barely."""
    shape, t = rule.shape, play.round
    extra = play.anchor * shape["drop_per_round"] * t
    early = np.minimum(scheduled(play) - extra, play.ask)
    late = play.ask * (1 - shape["later_drop"])
    return np.where(np.greater(t, shape["big_drops"]), late, early)


def collaborative_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Mix the schedule with the fair price."""
    lean = rule.shape["lean"]
    fair = (rule.shape["fair_markup"] * play.cost + play.ask) / 2
    return np.minimum((1 - lean) * scheduled(play) + lean * fair, play.ask)


def deceptive_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Follow the schedule, unless this turn's draws say to bluff."""
    shape = rule.shape
    planned = np.minimum(scheduled(play), play.ask)
    drops = speaks & (play.fakes < shape["most_fakes"]) & (draw("drop", speaks) < shape["fake_p"])
    pulls = ~drops & (play.fakes > 0) & (draw("pull", speaks) < shape["pull_p"])
    play.fakes = play.fakes + drops
    raised = np.floor(play.ask * (1 + rule.bluff_raise))
    return np.where(drops, planned * (1 - shape["fake_drop"]), np.where(pulls, raised, planned))


def scheduled(play: Play) -> Floats:
    """Return the ask after this round: a fixed share of the anchor less per round."""
    return play.anchor * (1 - play.rate * play.round)


ASKS: dict[str, Asks] = {
    "default": default_asks,
    "deceptive": deceptive_asks,
    "impatient": impatient_asks,
    "collaborative": collaborative_asks,
}


class Answer(NamedTuple):
    """Who accepts the standing bid, who walks, and the new ask of everyone else."""

    accept: Flags
    walk: Flags
    ask: Floats


def answer(rule: Persona, play: Play, draw: Draw, live: Flags) -> Answer:
    """Answer the standing bids, as ``RuleSeller.act`` does one by one.

    This round's luck is asked only where it can matter. Where the buyer's move has ended a game,
    which ``live`` says, the answer means nothing.
    """
    takes = _takes(rule, play, draw, live)
    walks = _walks(rule, play, draw, live & ~takes)
    planned = ASKS[rule.name](rule, play, draw, live & ~takes & ~walks)
    ask = clamp_prices(planned, play.reservation)
    return Answer(takes | (ask <= play.bid) & ~walks, walks, ask)


def _takes(rule: Persona, play: Play, draw: Draw, live: Flags) -> Flags:
    bid, t = play.bid, play.round
    enough = bid >= play.reservation
    takes: Flags = enough & (bid >= rule.closes_at * play.ask)
    late = np.greater(t, HOUSE.late_from * play.rounds)
    if not np.any(late):
        return takes
    width = play.anchor - play.reservation
    tempted = live & enough & ~takes & late & (width > 0)
    if not tempted.any():
        return takes
    chance = (bid - play.reservation) / np.maximum(width, 1) * t / play.rounds
    return takes | (draw("late", tempted) < chance * rule.late_factor) & tempted


def _walks(rule: Persona, play: Play, draw: Draw, live: Flags) -> Flags:
    t = play.round
    bored = live & np.greater(t, _patience(rule, play.rounds))
    chance = play.walk_p * t / play.rounds
    insulted = live & ~bored & (play.bid < play.lowball) & np.greater(chance, 0)
    if not insulted.any():
        return bored
    return bored | (draw("walk", insulted) < chance) & insulted


def _patience(rule: Persona, rounds: Number) -> Number:
    if not rule.impatience:
        return rounds
    return np.maximum(rounds - rule.impatience, HOUSE.least_patience)


DRAWS = ("walk", "late", "drop", "pull")
"""The numbers 0..1 of a seller's turn, in the order in which ``RuleSeller.act`` draws them."""
FIRST_DRAW = -(-BITS_PER_DRAW * NOISY_SIGNALS // 32)
"""So many words of 32 bits are the tells' noise, which comes first."""
WORDS_PER_TURN = FIRST_DRAW + 2 * len(DRAWS)


class Luck(Protocol):
    """Where draws come from."""

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Return one draw of a round for each game in play, for those not ``asked`` anything."""


class Drawn:
    """Luck that is known: seeding a generator takes longer than a whole game without luck."""

    def __init__(self, seeds: Seeds, rounds: int, *, bluffs: bool) -> None:
        """Draw everything; with ``bluffs`` the persona also draws for its bluffs, in every turn."""
        self._kinds = DRAWS if bluffs else DRAWS[:2]
        kinds = len(self._kinds)
        places = [
            turn * WORDS_PER_TURN + FIRST_DRAW + word
            for turn in range(rounds)
            for word in range(2 * kinds)
        ]
        self._words = words(seeds, places).reshape(rounds, kinds, 2, len(seeds))

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Return one draw of a round, also for those who did not ask."""
        high, low = self._words[round_ - 1, self._kinds.index(kind)]
        return uniforms(high[slots], low[slots])


class Doubt:
    """Luck that nobody has drawn: it notes which games would have to know it."""

    def __init__(self, games: int) -> None:
        self.noted = np.zeros(games, bool)

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Note who asks."""
        self.noted[slots[asked]] = True
        return np.ones(len(slots))


CHUNK = 16384
"""Games played together: few enough that their arrays stay in a core's cache."""


def sweep(bargains: Bargains, buyers: Buyers, *, remembers: bool = False) -> SweepResult:
    """Play all games of a sweep; they end as the engine plays them from ``bargains.scenario(i)``.

    The buyers are asked again for games that are played again; what they propose is repaired where
    a rule forbids it. ``remembers``: they read ``Play.asks`` and ``Play.bids``.
    """
    result = SweepResult.empty(bargains)
    lucky: Ints = np.arange(len(bargains))
    bluffs = bargains.rule.bluff_raise > 0
    if not bluffs:
        aside = []
        for games in _chunks(lucky):
            doubt = Doubt(len(games))
            play = Play(bargains.take(games), games, remembers=remembers)
            _Together(result, play, doubt).play_on(buyers)
            aside.append(games[doubt.noted])
        lucky = np.concatenate(aside)
    rounds = int(np.max(bargains.rounds))
    for games in _chunks(lucky):
        part = bargains.take(games)
        drawn = Drawn(part.seeds, rounds, bluffs=bluffs)
        _Together(result, Play(part, games, remembers=remembers), drawn).play_on(buyers)
    return result


def _chunks(games: Ints) -> Iterator[Ints]:
    for first in range(0, len(games), CHUNK):
        yield games[first : first + CHUNK]


class _Together:
    def __init__(self, result: SweepResult, play: Play, luck: Luck) -> None:
        self.result, self.play, self.luck = result, play, luck
        self.rule = result.bargains.rule

    def play_on(self, buyers: Buyers) -> None:
        t = 1
        while len(self.play.games):
            self.play.round = t
            self.play_round(buyers, t)
            t += 1

    def play_round(self, buyers: Buyers, t: int) -> None:
        play = self.play
        move = repaired(play, buyers(play))
        bought = move.accept
        assert bought is not None
        live = ~bought if move.walk is None else ~(bought | move.walk)
        self.note(bought, DEAL, BUYER, t, play.ask)
        if move.walk is not None:
            self.note(move.walk, WALK, BUYER, t)
        play.bid = move.price

        def draw(kind: str, asked: Flags) -> Floats:
            return self.luck.draw(kind, t, play.slots, asked)

        said = answer(self.rule, play, draw, live)
        if isinstance(self.luck, Doubt):
            live &= ~self.luck.noted[play.slots]
        sold = said.accept & live
        self.note(sold, DEAL, SELLER, t, play.bid)
        walked = said.walk & live
        self.note(walked, WALK, SELLER, t)
        goes_on = live & ~sold & ~walked & np.less(t, play.rounds)
        play.ask = said.ask
        play.remember()
        play.keep(np.flatnonzero(goes_on))

    def note(
        self, ended: Flags, outcome: int, by: int, t: int, prices: Floats | None = None
    ) -> None:
        rows = np.flatnonzero(ended)
        if not len(rows):
            return
        games, result = self.play.games[rows], self.result
        result.outcome[games] = outcome
        result.by[games] = by
        result.rounds[games] = t
        if prices is not None:
            result.price[games] = prices[rows]
