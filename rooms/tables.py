"""The tables of a room, whatever is played at them: each kind of game looks after its own seats."""

from collections.abc import Iterable
from typing import Any, Literal, Protocol

import msgspec
from django.urls import reverse

from bazaarbatna.bargain.quantities import Side, to_rupees
from bazaarbatna.cases.play import Said
from negotiation.bargain import clocks, opponent_turns, pairs
from negotiation.bargain.clocks import Clocks, Why
from negotiation.bargain.scenarios import stored_scenario
from negotiation.cases import seats as case_seats
from negotiation.cases.game import CASE
from negotiation.cases.table import in_language, table_context
from negotiation.models import Game
from rooms.plan import Plan


class Seats(Protocol):
    """What becomes of a game when somebody goes; ``bargain.pairs`` says what each of these does."""

    def look_after_all(self, games: Iterable[Game]) -> int: ...  # noqa: D102
    def give_back(self, game_id: str, session: str) -> bool: ...  # noqa: D102
    def replace(self, game_id: str, side: Side) -> bool: ...  # noqa: D102
    def leave(self, game_id: str, side: Side) -> None: ...  # noqa: D102
    def close(self, game_id: str, why: Why) -> bool: ...  # noqa: D102


def is_case(game: Game) -> bool:
    """Whether several issues are settled at this table, not one price."""
    return game.kind in CASE.kinds


def seats_of(game: Game) -> Seats:
    """Return what looks after the seats of a game."""
    return case_seats if is_case(game) else pairs


def look_after(games: Iterable[Game]) -> None:
    """Let time run out where it has."""
    sales, cases = _by_kind(games)
    pairs.look_after_all(sales)
    case_seats.look_after_all(cases)


def running_clocks(games: Iterable[Game]) -> dict[str, Clocks]:
    """Return by game the clocks of whoever is to move, where that is a person with a limit."""
    sales, cases = _by_kind(games)
    found = [*clocks.running_clocks(sales), *clocks.running_clocks(cases, case_seats.TURNS)]
    return {game.pk: own for game, own in found}


def thought_longer(game: Game) -> Side | None:
    """Return the side that had the turn for longer, all its turns together."""
    turns = case_seats.TURNS if is_case(game) else clocks.SALE_TURNS
    return clocks.thought_longer(game, turns)


def let_house_move(game: Game) -> None:
    """Let the house move at a table where it has taken a seat."""
    if is_case(game):
        case_seats.let_house_move(game.pk)
    else:
        opponent_turns.start_turn_from_thread(game.pk)


def role_in(plan: Plan, game: Game | None, side: Side | Literal[""]) -> str:
    """Name the role that a side has in the plan's case; "" in a sale."""
    if plan.case is None or not side or game is None or not is_case(game):
        return ""
    return in_language(plan.case.side(case_seats.ROLE_OF[side]).name)


def side_of_event(event: Any) -> Side | None:
    """Return who did what an event of any game tells of; None: nobody alone."""
    return getattr(event, "actor", None) or case_seats.SIDE_OF.get(getattr(event, "seat", ""))


def speechless(event: Any) -> Any:
    """Return an event of any game without what was said; where words are all, dots stand there."""
    words = "…" if isinstance(event, Said) else ""
    return msgspec.structs.replace(event, text=words) if hasattr(event, "text") else event


def cards_of(row: Game, session: str) -> dict[str, Any]:
    """Return what somebody knows before the first move: of a case the own sheet, else the limit."""
    game = row if row.owner == session else row.turned()
    if is_case(game):
        return table_context(game, game.seat)
    scenario = stored_scenario(game)
    sealed, anchor = scenario.sealed, scenario.anchor
    is_seller = game.seat == Game.Seat.SELLER
    limit = to_rupees(sealed.reservation if is_seller else sealed.budget)
    return {"game": game, "limit": limit, "is_seller": is_seller, "ask": to_rupees(anchor)}


def address_of(game: Game, side: str) -> str:
    """Return where somebody plays."""
    if is_case(game):
        return reverse("case-table", args=[game.pk])
    return reverse("sale" if side == "seller" else "purchase", args=[game.pk])


def _by_kind(games: Iterable[Game]) -> tuple[list[Game], list[Game]]:
    sales: list[Game] = []
    cases: list[Game] = []
    for game in games:
        (cases if is_case(game) else sales).append(game)
    return sales, cases
