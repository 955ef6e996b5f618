"""The replay page of each game: what it shows, and how a what-if is asked on it."""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
from django import forms
from django.http import HttpRequest

from arena.auction.web.game import AUCTION
from negotiation.bargain.game import SALE
from negotiation.games.game import AnyGame, Choice, Frame, Told, game_of
from negotiation.games.turn_game import TurnGame, turn_game
from negotiation.models import Game
from replays.finished import calls_you, replay_frames
from replays.fork.forms import ForkForm, TurnForkForm, problem_of
from replays.fork.page import what_if_context
from replays.grade.views import grades_context
from replays.player.match import arena_player
from replays.player.page import SPEEDS, player
from replays.preview.views import share_context


class Step(msgspec.Struct, frozen=True):
    """One event in words; ``moves``: what its mover could have done instead, as JSON and words."""

    index: int
    seq: int
    last_seq: int
    words: str
    moves: tuple[tuple[str, str], ...] = ()


def turn_player(
    game: Game, rules: TurnGame[Any, Any, Any, Any], frames: Sequence[Frame], at: int | None
) -> dict[str, Any]:
    """Return what the page of a game of turns shows at an event, None for the end."""
    events = rules.position_of(game).events
    scenario = rules.scenario_of(game.pk)
    steps = tuple(
        Step(
            index,
            frame["seq"],
            frame["seq"],
            rules.words(frame["event"]),
            _moves(rules, scenario, events, frame["seq"]),
        )
        for index, frame in enumerate(frames)
    )
    here = steps[-1] if at is None else max((s for s in steps if s.seq <= at), key=_seq)
    return {
        "game": game,
        "rules": rules,
        "steps": steps,
        "here": here,
        "previous": steps[here.index - 1] if here.index else None,
        "next": steps[here.index + 1] if here.index + 1 < len(steps) else None,
        "speeds": SPEEDS,
    }


def _seq(step: Step) -> int:
    return step.seq


def _moves(
    rules: TurnGame[Any, Any, Any, Any], scenario: Any, events: Sequence[Any], seq: int
) -> tuple[tuple[str, str], ...]:
    told = rules.move_of(events[seq - 1])
    if told is None:
        return ()
    seat, made = told
    state = rules.fold(scenario, events[: seq - 1])
    return tuple(
        (msgspec.json.encode(move).decode(), ", ".join(map(str, msgspec.structs.astuple(move))))
        for move in rules.options(state, seat)
        if move != made
    )


class Page:
    """A replay page without a picture of its own: one step for each thing that happened."""

    template: ClassVar[str] = "replays/turns.html"
    form: ClassVar[type[forms.Form]] = TurnForkForm

    def context(
        self, request: HttpRequest, game: Game, owner: str, at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return what the template draws.

        Args:
            request: of the reader.
            game: the finished game.
            owner: session key of the reader.
            at: number of the event to stand at; None: the end.
            attempt: the price that the what-if form there holds.
        """
        return turn_player(game, turn_game(game.kind), replay_frames(game, owner), at)

    def choice(self, form: forms.Form) -> Choice:
        """Return the move that a valid form names."""
        return Told("move", move=form.cleaned_data["move"])

    def problem(self, form: forms.Form) -> str:
        """Say in one sentence what is wrong with a form."""
        return "Choose one of the moves that the page offers."


class SalePage(Page):
    """Two sides: paths of prices, tells, grades, a picture to share."""

    template = "replays/replay.html"
    form = ForkForm

    def context(
        self, request: HttpRequest, game: Game, owner: str, at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return what the template draws."""
        frames = replay_frames(game, owner)
        drawn = self.drawn(game, owner, frames, at, attempt)
        drawn |= grades_context(game, owner, frames)
        # What other sites are told is the same whoever asks: nobody is "You" in it.
        plain = replay_frames(game) if calls_you(frames) else frames
        return drawn | share_context(request, game, drawn["here"], plain)

    def drawn(
        self, game: Game, owner: str, frames: Sequence[Frame], at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return the game's own part of the page."""
        forks = what_if_context(game, owner, None if at is None else (at, attempt))
        return player(game, frames, at, forks.get("ghost")) | forks

    def choice(self, form: forms.Form) -> Choice:
        """Return the move that a valid form names."""
        assert isinstance(form, ForkForm)
        return form.choice()

    def problem(self, form: forms.Form) -> str:
        """Say in one sentence what is wrong with a form."""
        assert isinstance(form, ForkForm)
        return problem_of(form)


class MatchPage(SalePage):
    """One seller and several buyers: lanes, envelopes, attention."""

    template = "replays/arena.html"

    def drawn(
        self, game: Game, owner: str, frames: Sequence[Frame], at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return the match's own part of the page."""
        return arena_player(game, owner, frames, at)


_PAGES: dict[AnyGame, Page] = {SALE: SalePage(), AUCTION: MatchPage()}
_plain = Page()


def page_of(game: Game) -> Page:
    """Return the page that a finished game is shown on."""
    return _PAGES.get(game_of(game.kind), _plain)
