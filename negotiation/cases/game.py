"""A case as a game of turns: the rules are the library's, the spine gives all the rest."""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from django.utils.translation import get_language, gettext

from bazaarbatna.bargain.errors import IllegalMove
from bazaarbatna.cases import play
from bazaarbatna.cases.case import ROLES, Case, of_seed
from bazaarbatna.cases.packages import grid_of
from bazaarbatna.marking import gettext_noop
from bazaarbatna.players.packages import (
    PLAIN,
    Player,
    Trader,
    move_for,
)
from bazaarbatna.players.views import own_of
from negotiation.bargain.clocks import give_sign
from negotiation.bargain.terms import owes_answer, terms_of
from negotiation.cases.grading import better_for
from negotiation.errors import AnswerFirst, Paused, TimeIsUp
from negotiation.games.turn_game import TurnGame
from negotiation.models import Game as GameRow

HOUSE: dict[str, Player] = {"": Trader(), **PLAIN}
"""Who can play for the house, by name; "" is ours."""


class Dealt(msgspec.Struct, frozen=True, omit_defaults=True):
    """A case as it was when a game of it began: both sheets, and the seed of the game's luck.

    ``house`` and ``talks_freely`` as in a position.
    """

    seed: int
    case: Case
    house: str = ""
    talks_freely: bool = False


class CaseGame(TurnGame[Dealt, play.State, play.Event, play.Move]):
    """Two roles with private sheets and points settle several issues, package by package."""

    kinds = ("case",)
    title = "A case"
    about = "Two roles with private sheets settle several issues, package by package."
    seats = ROLES
    unwon = {
        "deal": gettext_noop("A deal"), "walk": gettext_noop("No deal"),
        "deadline": gettext_noop("No deal"),
    }  # fmt: skip
    scenario_type, event_type, move_type = Dealt, play.Event, play.Move

    def draw(self, seed: int) -> Dealt:
        """Return one of the library's cases."""
        return Dealt(seed, of_seed(seed))

    def start(self, scenario: Dealt) -> tuple[play.State, tuple[play.Event, ...]]:
        """Return the first position."""
        state, events = play.start(scenario.case, scenario.seed)
        how = {"house": scenario.house, "talks_freely": scenario.talks_freely}
        return msgspec.structs.replace(state, **how), events

    def awaited(self, state: play.State) -> tuple[str, ...]:
        """Return whose turn it is."""
        return () if state.ended is not None else (state.turn,)

    def apply(
        self, state: play.State, seat: str, move: play.Move
    ) -> tuple[play.State, tuple[play.Event, ...]]:
        """Return the position after a move; the sentence of a refusal is in the reader's words."""
        try:
            return play.apply(state, seat, move)
        except IllegalMove as wrong:
            raise type(wrong)(gettext(str(wrong))) from wrong

    def options(self, state: play.State, seat: str) -> tuple[play.Move, ...]:
        """Return what the own sheet alone suggests: yes, no, packages of different worth to it."""
        own, grid = own_of(state.case, seat), grid_of(state.case)
        levels = (1.0, 0.85, 0.7, 0.55)
        found = {
            int(abs(own.points - (own.outside + level * (1 - own.outside))).argmin())
            for level in levels
        }
        moves = (
            play.Move("accept"),
            *(play.Move("offer", grid.package(at)) for at in sorted(found)),
            play.Move("walk"),
        )
        return tuple(move for move in moves if not play.why_not(state, seat, move))

    def tries(self, state: play.State, seat: str, made: play.Move) -> tuple[play.Move, ...]:
        """Return the options, and first what had cost the other side nothing."""
        if seat != state.turn:
            return ()  # words beside the moves
        options = super().tries(state, seat, made)
        if made.action != "offer" or not state.case.is_whole(made.package):
            return options
        better = play.Move("offer", better_for(state.case, seat, made.package))
        others = [
            move
            for move in options
            if move.action != "offer" or move.package not in (better.package, made.package)
        ]
        return (*others,) if better.package == made.package else (better, *others)

    def named(self, state: play.State, seat: str, move: play.Move) -> str:
        """Return a package with what it brings the mover, or what ends the game."""
        if move.action != "offer":
            return gettext("Agree") if move.action == "accept" else gettext("Leave without a deal")
        points = f"{state.case.points(seat, move.package):g}"
        terms = play.in_words(state.case, move.package, language())
        return gettext("%(terms)s (%(points)s points)") % {"terms": terms, "points": points}

    def move_of(self, event: play.Event) -> tuple[str, play.Move] | None:
        """Return the seat and the move that an event tells of."""
        return play.move_of(event)

    def shares(self, state: play.State) -> Mapping[str, float] | None:
        """Return what each role got of the range of its own points."""
        if state.ended is None:
            return None
        return {role: play.share(state.case, role, state.ended.points[role]) for role in ROLES}

    def ending(self, state: play.State) -> dict[str, Any]:
        """Return the fields of the row: nobody wins a case, there is a deal or none."""
        fields = super().ending(state)
        return fields and {**fields, "outcome": state.ended.outcome}  # type: ignore[union-attr]  # it ended

    def shown(self, event: play.Event, seat: str, *, is_over: bool) -> dict[str, Any] | None:
        """Return an event without the other role's sheet, points and outside offer."""
        return play.shown(event, seat, is_over=is_over)

    def act(self, state: play.State, seat: str, dice: Random) -> play.Move:
        """Return the house's move; it knows its own points only."""
        return move_for(HOUSE.get(state.house, HOUSE[""]), state, seat, dice)

    def needs_turn(self, state: play.State, move: play.Move) -> bool:
        """Whether a move has to wait for its turn."""
        return move.action != "say" or not state.talks_freely

    def check_table(self, game: GameRow, move: play.Move, visitor: str) -> None:
        """Refuse a move while the table is paused, and words where nobody may write."""
        if owes_answer(game, visitor):
            raise AnswerFirst
        terms = terms_of(game)
        if terms.is_paused:
            raise Paused
        if terms.is_due:
            raise TimeIsUp
        if move.text and not terms.chat:
            raise IllegalMove(gettext("At this table nobody writes: packages only."))

    def hear(self, game: GameRow, seat: str) -> None:
        """Note a sign of life."""
        give_sign(game, "seller" if seat == "a" else "buyer")

    def people(self, game: GameRow) -> dict[str, str]:
        """Return the seats that people have: the house may have taken the second one."""
        seats = super().people(game)
        if game.policy == self.kinds[0] and not game.rival and terms_of(game).back:
            return {game.seat: game.owner}
        return seats

    def players(self, game: GameRow) -> str:
        """Return the names of the roles."""
        case = self.position_of(game).state.case
        return gettext(" against ").join(_read(case.side(role).name) for role in ROLES)

    def words(self, event: Mapping[str, Any]) -> str:
        """Return what happened in the reader's language."""
        said = f": “{event['text']}”" if event.get("text") else "."
        who = _read(event.get("who", {}))
        match event["kind"]:
            case "opened":
                return f"{_read(event['case']['title'])}."
            case "offered":
                return gettext("%(who)s offers: %(terms)s") % {
                    "who": who, "terms": _read(event["terms"])
                } + said  # fmt: skip
            case "said" | "spoke":
                return f"{who}{said}"
            case "accepted":
                return gettext("%(who)s agrees") % {"who": who} + said
            case "walked":
                return gettext("%(who)s leaves") % {"who": who} + said
            case _:
                return gettext("A deal.") if event["outcome"] == "deal" else gettext("No deal.")


def _read(text: Mapping[str, str]) -> str:
    return play.words(dict(text), language())


def language() -> str:
    """Return the reader's language as cases name it."""
    return (get_language() or "en")[:2]


CASE = CaseGame()
