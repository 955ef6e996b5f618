"""Surfaces of games that many people get alike: a day's game, tomorrow's, a puzzle."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import msgspec

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.sealed import commitment
from negotiation.bargain import sessions
from negotiation.models import Game
from replays.daily.days import begin, scenario_of, today
from replays.daily.results import result_of
from replays.models import DailyGame, DailyTry
from replays.puzzles.puzzle import puzzles
from tests.support.oracle.bargains import goods, visitors
from tests.support.oracle.worlds import Ask, World, send
from tests.support.visitors import key_of

SECRET = "ab" * 32


def a_day(budget_over_floor: int, *, with_card: bool = False, over_floor: int = 0) -> World:
    """Asha has played today's game and passes on all she can; Chetan has not.

    She asks so much over her floor.
    """
    people = visitors()
    goods()
    with _secrets():
        row = today()
    scenario = scenario_of(row)
    floor = scenario.sealed.reservation
    sealed = msgspec.structs.replace(scenario.sealed, budget=Paise(floor + budget_over_floor))
    scenario = msgspec.structs.replace(scenario, sealed=sealed)
    DailyGame.objects.filter(pk=row.pk).update(scenario=msgspec.json.encode(scenario))
    game = begin(key_of(people["asha"]), "asha's address")
    for _ in range(12):
        sessions.opponent_turn(game.pk)
        stored = Game.objects.get(pk=game.pk)
        if stored.status == Game.Status.ENDED:
            break
        state = sessions.current(game.pk)[1].state
        least = Paise(floor + over_floor)
        enough = (state.standing_bid or 0) >= least
        sessions.play(game.pk, stored.owner, Accept() if enough else Offer(least))
    tried = DailyTry.objects.get(game=game)
    asha = people["asha"]
    for ask in (
        (f"/replays/{game.pk}/share/", {"public": "1"}),
        (f"/challenge/new/{game.pk}/", {}),
        (f"/replays/{game.pk}/fork/", {"seq": "2", "action": "walk"}),
        (f"/sell/{game.pk}/again/", {}),
    ):
        send(asha, "POST", ask[0], {}, ask[1])
    forks = Game.objects.exclude(pk=game.pk).filter(owner=game.owner).order_by("created_at", "pk")
    for fork in forks:
        send(asha, "POST", f"/replays/{fork.pk}/share/", {}, {"public": "1"})
    things = {"game": game.pk, **{f"copy {n}": fork.pk for n, fork in enumerate(forks[:2])}}
    if with_card:
        things["card"] = tried.token
    return World(people, things, "one has finished", (commitment(sealed, scenario.salt),))


def a_card(budget_over_floor: int) -> World:
    """The same, and Chetan has been given the card that tells Asha's stars, and how she played."""
    world = a_day(budget_over_floor, with_card=True, over_floor=15_000)
    shown = result_of(DailyTry.objects.get(token=world.things["card"]))
    return msgspec.structs.replace(
        world, public=f"{shown.verdict.stars} {shown.rounds} {shown.signs}"
    )


def tomorrow(budget_over_floor: int) -> World:
    """The games of the coming days are made; nobody may know them."""
    people = visitors()
    goods()
    with _secrets():
        row = today()
    coming = DailyGame.objects.get(pk=row.pk + dt.timedelta(days=1))
    scenario = scenario_of(coming)
    budget = Paise(scenario.sealed.reservation + budget_over_floor)
    sealed = msgspec.structs.replace(scenario.sealed, budget=budget, seed=budget)
    item = msgspec.structs.replace(scenario.item, title=f"Thing {budget}")
    scenario = msgspec.structs.replace(scenario, sealed=sealed, item=item)
    DailyGame.objects.filter(pk=coming.pk).update(
        scenario=msgspec.json.encode(scenario), secret=f"{budget:064x}"
    )
    return World(people, {"day": str(coming.pk)}, "nobody has begun")


@contextmanager
def _secrets() -> Iterator[None]:
    """Deal the same days in each world, and so the same commitments."""
    numbers = iter(range(1000))
    with mock.patch("secrets.token_hex", lambda count=32: f"{next(numbers):0{2 * count}x}"):
        yield


def a_puzzle(best: int) -> World:
    """A puzzle before it is answered; what is best is for the server alone."""
    people = visitors()
    goods()
    first = next(one for one in puzzles().values() if len(one.options) >= 4)
    options = tuple(
        msgspec.structs.replace(option, keeps=1000.0 if place == best else 10.0 * place)
        for place, option in enumerate(first.options)
    )
    puzzles()[first.id] = msgspec.structs.replace(first, best=best, options=options)
    return World(people, {"puzzle": first.id}, "not answered")


@contextmanager
def kept_puzzles() -> Iterator[None]:
    """Put the puzzles back that a surface has changed."""
    before = dict(puzzles())
    try:
        yield
    finally:
        puzzles().update(before)


def opening(world: World, who: str) -> list[Ask]:
    """Look at a puzzle first, so that its clock runs, as whoever solves it does."""
    return [("GET", f"/puzzles/{world.things['puzzle']}/", who, {}, None)]


__all__ = ["Walk", "a_card", "a_day", "a_puzzle", "kept_puzzles", "opening", "tomorrow"]
