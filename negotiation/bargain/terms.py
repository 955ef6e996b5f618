"""The rules of one table, beside those of the game: who may talk, how long, what absence means."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Literal

import msgspec

from negotiation.models import Game

Reveal = Literal["own", "price", "all", "at_debrief"]
"""What the end of a game tells whoever played it. ``price``: whether there is a deal, and at what
price; ``own``: also what that is worth by the own limit; ``all``: both limits, shares, grades and
the replay; ``at_debrief``: ``own`` until the debrief is opened, then ``all``."""


class Terms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a table is run; no game that nobody set terms for differs from these defaults.

    ``chat`` False: prices only. ``talk`` says whether words of two people need the turn, as prices
    do. ``tells`` False: nobody is shown what words give away. ``clock_s``
    is all the time a person has for the own moves of one game, ``move_s`` that for each of them;
    ``absent_s`` after how many seconds without a sign of life, while it is his move, a person
    counts as gone: a page in sight is one (0: never, though a table without any limit ends where
    nothing happens for ``chairs.DESERTED_S``); then ``absence`` says whether a policy takes the
    seat (``seller``, ``buyer``) or the game is closed. ``back`` is the address of the page that
    this table belongs to, e.g. its room. ``persona_told`` False: a person is not told who sits
    opposite.
    ``feelings``: people are asked after the end how it was for them. ``is_debriefed``: the debrief
    of this table is open. ``pauses`` are stretches in which no time counts and no person moves, in
    seconds since 1970 (an end of 0: it lasts). At ``due_at``, by the same clock, the game ends as
    it stands. ``is_bare``: its page has no menu and leads nowhere but ``back``. ``rival_seat`` is
    the second person's seat in a game whose seats have other names. ``asks_first``: whoever sits
    here may have something to fill in before the first move.
    """

    chat: bool = True
    talk: Literal["free", "turns"] = "free"
    tells: bool = True
    clock_s: int = 0
    move_s: int = 0
    absent_s: int = 0
    absence: Literal["policy", "close"] = "policy"
    seller: str = "seller:default"
    buyer: str = "sauda"
    persona_told: bool = True
    feelings: bool = False
    back: str = ""
    rival_seat: str = ""
    reveal: Reveal = "all"
    is_debriefed: bool = False
    is_bare: bool = False
    asks_first: bool = False
    pauses: tuple[tuple[float, float], ...] = ()
    due_at: float = 0

    @property
    def is_paused(self) -> bool:
        """Whether nobody may move now."""
        return bool(self.pauses) and not self.pauses[-1][1]

    @property
    def is_due(self) -> bool:
        """Whether the time for the whole game is over."""
        return 0 < self.due_at <= time.time()

    def paused_s(self, since: datetime, until: datetime) -> float:
        """Return for how many seconds of a stretch of time the table was paused."""
        first, last = since.timestamp(), until.timestamp()
        spans = ((max(start, first), min(end or last, last)) for start, end in self.pauses)
        return sum(max(0.0, end - start) for start, end in spans)

    @property
    def tells_all(self) -> bool:
        """What was sealed is opened to those who played."""
        return self.reveal == "all" or (self.reveal == "at_debrief" and self.is_debriefed)

    @property
    def talks_freely(self) -> bool:
        """Words need no turn; where nobody is told who sits opposite, that would tell."""
        return self.chat and self.talk == "free" and self.persona_told

    @property
    def is_timed(self) -> bool:
        """Whoever is to move has a last moment to do so."""
        return bool(self.clock_s or self.move_s or self.absent_s or self.due_at)


USUAL = Terms()

PERSON = "person"
"""Stands as the policy of a game whose other seat a person has, too."""


def terms_of(game: Game) -> Terms:
    """Return the terms of a game."""
    return msgspec.convert(game.terms, Terms) if game.terms else USUAL


_ways: list[Callable[[Game, str], str]] = []


def lead_first(way: Callable[[Game, str], str]) -> None:
    """Ask this where the terms say so: where a person goes before a table, "" for nowhere."""
    _ways[:] = [way]


_owes: list[Callable[[Game, str], bool]] = []


def answers_first(owes: Callable[[Game, str], bool]) -> None:
    """Ask this before each move at a table of a study: whether a person has to answer first."""
    _owes[:] = [owes]


def owes_answer(game: Game, session: str) -> bool:
    """Whether a person has to answer something before the table takes a move."""
    is_asked = terms_of(game).is_bare and any(owes(game, session) for owes in _owes)
    return is_asked or bool(way_before(game, session))


def way_before(game: Game, session: str) -> str:
    """Return where a person has to go before a live table takes a move, "" for nowhere."""
    if game.status != Game.Status.LIVE or not terms_of(game).asks_first:
        return ""
    return next(filter(None, (way(game, session) for way in _ways)), "")
