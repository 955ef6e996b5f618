"""How many bits of a sealed value reach a client: mutual information, surface by surface.

A trial draws one of the sealed values and one of ``LUCKS``, deals the game and asks; heard is the
digest of a whole answer, or what a surface reads in it. Told is the answer that knows most, beside
what everybody may see and what luck says. Chance alone finds something too, in so few trials: as
much as in nineteen of twenty shuffles of the values is no finding. Surfaces with a planted leak
show that one would be seen.
"""

import hashlib
import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any
from unittest import mock

import msgspec

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import sessions, visibility
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game
from tests.support.oracle import bargains, days, rooms
from tests.support.oracle.asking import Depth, everything
from tests.support.oracle.worlds import Ask, World, a_world, send, told
from tests.support.visitors import key_of

TRIALS, LUCKS, SHUFFLES = 32, 2, 400
TIMED = 160
BINS = 4
"""Quarters that times are sorted into: fewer than what they are read from."""

TIMED_PLACES = ("/sell/{}/", "/api/sell/{}/", "/replays/{}/", "/replays/{}/grades.json")
"""What is timed beside Sauda's own turn, each on its own."""

NEAR = (Paise(170_000), Paise(169_900))
"""So near that Sauda's moves are the same."""


class Bits(msgspec.Struct, frozen=True):
    """What a surface tells: ``bits`` of the ``most`` that are sealed; chance finds ``floor``."""

    surface: str
    trials: int
    asks: int
    most: float
    bits: float
    floor: float
    is_planted: bool = False

    @property
    def is_told(self) -> bool:
        """Whether more is told than chance finds."""
        return self.bits > self.floor


class Surface(msgspec.Struct, frozen=True):
    """What is dealt, who asks, and what they read in an answer; ``planted``: a leak."""

    name: str
    values: Sequence[Any]
    deal: Callable[[Any], World]
    asks: Callable[[World], Sequence[Ask]]
    reads: Callable[[bytes], bytes] = lambda answer: answer
    planted: Callable[[], AbstractContextManager[object]] | None = None


def mutual_information(ones: Sequence[Hashable], others: Sequence[Hashable]) -> float:
    """Return what one of two paired draws tells of the other, in bits.

    >>> mutual_information("abab", "xyxy"), mutual_information("aabb", "xyxy")
    (1.0, 0.0)
    """
    count = len(ones)
    one, other, both = Counter(ones), Counter(others), Counter(zip(ones, others, strict=True))
    return sum(
        many / count * math.log2(many * count / (one[a] * other[b]))
        for (a, b), many in both.items()
    )


def told_and_floor(
    values: Sequence[str], open_: Sequence[str], heard: Sequence[Sequence[Hashable]]
) -> tuple[float, float]:
    """Return the bits of the best column beside what is open, and what 95 % of shuffles find.

    Values are shuffled among trials in which the same is open.
    """
    # Most answers part the trials alike: each way to part them is counted once.
    parted = {
        tuple(map(pairs.index, pairs))
        for one in heard
        if (pairs := [*zip(open_, one, strict=True)])
    }
    dice = random.Random(1)

    def most(drawn: Sequence[str]) -> float:
        plain = mutual_information(drawn, open_)
        return max(round(mutual_information(drawn, one) - plain, 6) for one in parted)

    def shuffled() -> list[str]:
        drawn = list(values)
        for stratum in set(open_):
            places = [place for place, one in enumerate(open_) if one == stratum]
            for place, other in zip(places, dice.sample(places, len(places)), strict=True):
                drawn[place] = values[other]
        return drawn

    return most(values), sorted(most(shuffled()) for _ in range(SHUFFLES))[SHUFFLES * 95 // 100]


def measured(surface: Surface, trials: int = TRIALS) -> Bits:
    """Deal a surface again and again, ask, and count the bits."""
    dice = random.Random(surface.name)
    draws = [surface.values[n % len(surface.values)] for n in range(trials)]
    dice.shuffle(draws)
    heard: dict[int, list[Hashable]] = defaultdict(list)
    open_: list[str] = []
    for value in draws:
        luck = dice.randrange(LUCKS)
        with a_world(luck), (surface.planted or nullcontext)():
            world = surface.deal(value)
            answers = told(world, surface.asks(world))
        open_.append(f"{luck} {world.public}")
        for place, answer in enumerate(answers.values()):
            heard[place].append(_digest(surface.reads(answer)))
    names = [repr(value) for value in draws]
    # What everybody sees may tell it by itself: then nothing is left to be told.
    most = math.log2(len(set(names))) - mutual_information(names, open_)
    columns = [one for one in heard.values() if len(one) == trials]
    bits, floor = told_and_floor(names, open_, columns)
    return Bits(surface.name, trials, len(columns), most, bits, floor, bool(surface.planted))


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def at(*words: str, who: Sequence[str], depth: Depth = "few") -> Callable[[World], list[Ask]]:
    """Let some people ask whatever has one of these words in its address."""

    def asks(world: World) -> list[Ask]:
        found = [ask for name in who for ask in everything(world, name, depth)]
        return [ask for ask in found if any(word in ask[1] for word in words)]

    return asks


def _headers(answer: bytes) -> bytes:
    wanted = (b"ETag", b"Last-Modified", b"Content-Length", b"Vary", b"Cache-Control")
    head = answer.partition(b"\n\n")[0].split(b"\n")
    return b"\n".join(line for line in head if line.startswith(wanted))


def _puzzle(world: World) -> list[Ask]:
    return days.opening(world, "chetan") + at("/puzzles", who=("chetan",), depth="quick")(world)


def surfaces() -> Iterator[Surface]:
    """Yield every surface, the planted one last."""
    wide, zones, kept = bargains.WIDE, (20_000, 50_000, 90_000), (1700, 1750)
    deaf = bargains.a_sale("rules:deaf")
    both, others = ("asha", "chetan"), ("chetan", "nobody")
    yield Surface("what-ifs", wide, deaf, at("/fork/", "what-if", "/again/", who=both))
    yield Surface("grades", wide, deaf, at("grades", "costly", "coach", who=both))
    yield Surface("puzzles", (0, 1, 2, 3), days.a_puzzle, _puzzle)
    yield Surface("daily", zones, days.a_day, at("/daily", "/sell/", who=others, depth="quick"))
    cards = at("/challenge/", "/sell/", "/replays/", who=("chetan",))
    yield Surface("challenges", wide, bargains.a_challenge, cards)
    near = (50_000, 50_100, 50_200)
    yield Surface("share cards", near, days.a_card, at("card", "share", who=others))
    yield Surface(
        "previews", wide, deaf, at("/watch/", "card.png", "/sell/", "/replays/", who=others)
    )
    words = ("export", "gradebook", "pay", "data", "preview", "progress")
    desk = at(*words, who=("meera", "asha"), depth="whole")
    yield Surface("study exports", kept, rooms.a_live_study, desk)
    yield Surface("ETags", wide, bargains.a_private_game, at("/", who=others), _headers)
    yield Surface("ETags of cards", near, days.a_card, at("/", who=others), _headers)
    yield Surface(
        "planted: a bit in a frame", wide, deaf, at("/api/sell/", who=both), planted=a_bit
    )


@contextmanager
def a_bit() -> Iterator[None]:
    """Let the first event of a sale tell whether the budget is large."""
    shown = visibility._opened

    def telling(event: Any, row: Any, game: Game) -> dict[str, Any]:
        budget = stored_scenario(game).sealed.budget
        return {**shown(event, row, game), "max_rounds": 10 + (budget > 150_000)}

    with mock.patch.dict(visibility.VISIBLE["opened"], {"seller": telling}):
        yield


def timings(trials: int = TIMED, *, late_s: float = 0.0) -> Bits:
    """Return what a stopwatch tells of a budget; ``late_s``: a leak, how much longer it takes."""
    dice = random.Random(7)
    draws = [NEAR[n % 2] for n in range(trials)]
    dice.shuffle(draws)
    took: dict[str, list[float]] = defaultdict(list)
    for budget in draws:
        with a_world():
            people = bargains.visitors()
            asha = key_of(people["asha"])
            game = sessions.open_dealt(asha, bargains.a_scenario(budget=budget), "sauda")
            sessions.opponent_turn(game.pk)
            sessions.play(game.pk, asha, Offer(Paise(195_000), "1950, nearly new"))
            _timed(took, "a turn", partial(sessions.opponent_turn, game.pk))
            took["a turn"][-1] += late_s * (budget == NEAR[0])
            for place in TIMED_PLACES:
                asked = place.format(game.pk)
                _timed(took, place, partial(send, people["asha"], "GET", asked, {}))
    columns = [_quarters(times) for times in took.values()]
    bits, floor = told_and_floor([str(one) for one in draws], [""] * trials, columns)
    name = f"planted: {1000 * late_s:g} ms more" if late_s else "timings"
    return Bits(name, trials, len(columns), 1.0, bits, floor, bool(late_s))


def _timed(took: Mapping[str, list[float]], name: str, work: Callable[[], object]) -> None:
    began = time.perf_counter()
    work()
    took[name].append(time.perf_counter() - began)


def _quarters(times: Sequence[float]) -> list[int]:
    ranks = {time: rank for rank, time in enumerate(sorted(times))}
    return [ranks[time] * BINS // len(times) for time in times]


def everything_told() -> Iterator[Bits]:
    """Measure all surfaces, one after the other."""
    for surface in surfaces():
        yield measured(surface)
    yield timings()
    yield timings(late_s=0.02)
