"""The grades of a game in words, for its replay page. Prices in rupees here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from arena.auction.charts.course import course_of
from arena.auction.web.game import AUCTION
from arena.auction.web.outcome import seat_verdict
from bazaarbatna.bargain.quantities import Side, other, to_paise, to_rupees
from bazaarbatna.money import about_text, gap_text, whole
from negotiation.bargain.game import SALE
from negotiation.bargain.recorded import SIMULATION
from negotiation.bargain.verdict import verdict_of
from negotiation.bargain.web.bubbles import Frame, currency_of
from negotiation.bargain.web.outcome import told_verdict
from negotiation.bargain.web.seats import replay_cast, seat_of
from negotiation.games.game import AnyGame, game_of
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.finished import scenario_of
from replays.grade.moves import WORDS, GradedMove, LineMove, Word, loss_allowed, word_for
from replays.grade.reasons import Line, Reason, Seen, line_of, reason_of
from replays.grade.result import LEAST_STAKE, Result
from replays.player.steps import steps_of

say = sentences(__file__)

SIDES = ("seller", "buyer")  # of a game of two: its moves need not say whose they are

SHOWN_OF_LINE = 6  # moves of a long line that are told, its end among them


class Table(msgspec.Struct, frozen=True):
    """Who sat there, and round and words of each move; the headline is about the ``own``.

    ``seen`` is there for who played and wants to know why; ``unsold``: it came to no deal, and one
    was there.
    """

    actors: tuple[str, ...]
    called: Callable[[str], str]
    told: Mapping[int, tuple[int, str]]
    own: tuple[str, ...]
    reader: str | None
    currency: str
    seen: Seen | None = None
    unsold: bool = False

    def name(self, actor: str) -> str:
        """Return the name of a player at the head of a line."""
        called = say("you") if actor == self.reader else self.called(actor)
        return called[:1].upper() + called[1:]


class Mark(msgspec.Struct, frozen=True):
    """One graded move as the page shows it.

    ``who``: only where several players move in one step. ``left``: what the ``loss`` (0..1) is
    worth; ``action`` and ``attempt``: the ``better`` move and its price for the what-if form.
    ``idle``: nothing hung on it.
    """

    seq: int
    actor: str
    who: str
    round: int
    did: str
    word: Word
    loss: float
    left: str
    idle: bool = False
    better: str = ""
    action: str = ""
    attempt: str = ""
    line: tuple[str, ...] = ()

    @property
    def is_passed_over(self) -> bool:
        """Among several players, a move on which nothing hung is not worth a line."""
        return self.idle and bool(self.who)

    @property
    def label(self) -> str:
        """The whole mark as it is read aloud."""
        told = f"{self.did}: {self.word.shown}"
        if self.left:
            told += ", " + say("left_left_on_the_table", left=self.left)
        return f"{told}, {say('nothing_hung_on_it')}" if self.idle else told


class Lane(msgspec.Struct, frozen=True):
    """One player's row of the strip: a mark or nothing per round."""

    actor: str
    name: str
    marks: tuple[Mark | None, ...]


class Grades(msgspec.Struct, frozen=True):
    """Everything the page says about how well a game was played.

    ``why`` is about the move ``worst``, and ``spoken`` the line that moved most; both only for who
    played. ``is_own``: the reader did, and ``spoke``: put words to a price.
    """

    headline: str
    worst: Mark | None
    lanes: tuple[Lane, ...]
    rounds: tuple[int, ...]
    marks: dict[int, Mark]
    is_own: bool = False
    why: Reason | None = None
    spoke: bool = False
    spoken: Line | None = None

    @property
    def legend(self) -> tuple[tuple[Word, str], ...]:
        """Every word with the loss that earns it."""
        return tuple((word, loss_allowed(word)) for word in WORDS)


def grades_page(result: Result, table: Table) -> Grades:
    """Return the grades of a game in words."""
    marks = {
        move.seq: _mark(move, *table.told[move.seq], result, table)
        for move in result.moves
        if move.seq in table.told
    }
    rounds = tuple(range(1, max((mark.round for mark in marks.values()), default=0) + 1))
    worst = result.worst_of(*table.own)
    seen = table.seen
    heard = seen if seen and not seen.is_person else None
    why = reason_of(result, seen) if seen else None
    at = why.seq if why else worst.seq if worst else 0
    return Grades(
        headline=_headline(result, worst, table),
        worst=marks.get(at),
        is_own=seen is not None,
        why=why,
        spoke=bool(heard and any(one.get("text") for one in heard.offers(heard.side))),
        spoken=line_of(result, heard) if heard else None,
        lanes=tuple(_lane(actor, marks, rounds, table) for actor in table.actors),
        rounds=rounds,
        marks=marks,
    )


def _mark(move: GradedMove, round_: int, did: str, result: Result, table: Table) -> Mark:
    left, word = result.left_by(move), word_for(move.loss)
    # Nobody who took nothing home wants to hear what was best of it.
    word = WORDS[1] if table.unsold and word is WORDS[0] else word
    mark = Mark(
        seq=move.seq,
        actor=move.actor,
        who=table.called(move.actor) if move.actor not in SIDES else "",
        round=round_,
        did=did,
        word=word,
        loss=move.loss,
        left=gap_text(to_rupees(left), table.currency) if left else "",
        idle=move.stake < LEAST_STAKE,
    )
    if move.best is None:
        return mark
    return msgspec.structs.replace(
        mark,
        better=_order(move, table),
        action=move.best.kind,
        attempt=_attempt(move.best),
        line=_line(move, table),
    )


def _lane(actor: str, marks: dict[int, Mark], rounds: tuple[int, ...], table: Table) -> Lane:
    own = {mark.round: mark for mark in marks.values() if mark.actor == actor}
    return Lane(
        actor=actor,
        name=table.name(actor),
        marks=tuple(own.get(number) for number in rounds),
    )


def _headline(result: Result, worst: GradedMove | None, table: Table) -> str:
    if not any(standing.width for standing in result.standings):
        return say("no_zone")
    if worst is None:
        if len(table.own) != 1:
            return say("nobody_left_anything")
        return say("left_nothing", who=table.name(table.own[0]))
    left = gap_text(to_rupees(result.left_by(worst)), table.currency)
    return say("left_something", who=table.name(worst.actor), left=left)


def _attempt(move: LineMove) -> str:
    if move.kind != "offer" or move.price is None:
        return ""
    whole, paise = divmod(move.price, 100)
    return f"{whole}.{paise:02}" if paise else str(whole)


def _line(graded: GradedMove, table: Table) -> tuple[str, ...]:
    told = tuple(_report(move, table) for move in graded.line[1:])
    if len(told) <= SHOWN_OF_LINE + 1:
        return told
    return (*told[: SHOWN_OF_LINE - 1], "…", told[-1])


def _order(graded: GradedMove, table: Table) -> str:
    move = graded.best
    assert move is not None
    deed = "stay" if table.seen and table.seen.is_standing(graded) else _deed(move)
    return say.of("orders", deed, price=_price(move, table.currency))


def _report(move: LineMove, table: Table) -> str:
    if move.kind == "unsold":
        return say("nobody_wins")
    price = _price(_rounded(move), table.currency)
    if move.actor == table.reader:
        return say.of("yours", _deed(move), price=price)
    return say.of("reports", _deed(move), who=table.called(move.actor), price=price)


def _rounded(move: LineMove) -> LineMove:
    if move.price is None:
        return move
    return msgspec.structs.replace(move, price=to_paise(whole(to_rupees(move.price))))


def _deed(move: LineMove) -> str:
    """Name a move as the tables of words do."""
    if move.kind == "offer":
        return "ask" if move.actor == "seller" else "bid"
    return "accept the ask" if move.kind == "accept" and move.price is None else move.kind


def _price(move: LineMove, currency: str) -> str:
    return "" if move.price is None else about_text(to_rupees(move.price), currency)


def verdict_on(game: Game, owner: str, frames: Sequence[Frame]) -> dict[str, Any]:
    """Return the verdict on a finished game, and ``whose`` it is where the reader did not play.

    It is that of the sheet after the game, without a number where nobody in particular was watched.
    """
    if game_of(game.kind) != SALE:
        return {"verdict": seat_verdict(course_of(frames))}
    ended, scenario, cast = frames[-1]["event"], scenario_of(frames), replay_cast(game)
    if _is_own(game, owner):
        return {"verdict": told_verdict(frames, scenario, seat_of(game))}
    side: Side = "buyer" if game.kind == SIMULATION else cast.own
    deal, room = ended["price"] is not None, scenario.zopa > 0
    found = verdict_of(ended["seller_share"], side, deal=deal, room=room)
    return {"verdict": found, "whose": cast.called(side)}


def table_of(game: Game, owner: str, frames: Sequence[Frame]) -> Table:
    """Return the table of a finished game."""
    return _TABLES[game_of(game.kind)](game, owner, frames)


def _haggle(game: Game, owner: str, frames: Sequence[Frame]) -> Table:
    cast = replay_cast(game)
    side: Side = "buyer" if game.kind == SIMULATION else cast.own
    is_own = _is_own(game, owner)
    return Table(
        actors=(other(side), side),
        called=cast.called,
        told={step.seq: (step.round, step.words) for step in steps_of(frames, cast)},
        own=(side,),
        reader=side if is_own else None,
        currency=currency_of(frames),
        seen=_seen(game, side, frames) if is_own else None,
        unsold=frames[-1]["event"]["price"] is None and scenario_of(frames).zopa > 0,
    )


def _is_own(game: Game, owner: str) -> bool:
    return bool(owner) and game.owner == owner and game.source == Game.Source.PERSON


def _seen(game: Game, side: Side, frames: Sequence[Frame]) -> Seen:
    seat = seat_of(game)
    return Seen(frames, side, seat.rival, game.is_pair or seat.is_person)


def _match(game: Game, owner: str, frames: Sequence[Frame]) -> Table:
    course = course_of(frames)
    you = next((lane.actor for lane in course.lanes if lane.you), None)
    names = {lane.actor: lane.name for lane in course.lanes} | {"seller": say("the_seller")}
    placed = [f for f in frames if f["event"]["kind"] == "placed"]
    return Table(
        actors=tuple(lane.actor for lane in course.lanes),
        called=names.__getitem__,
        told={
            f["seq"]: (f["event"]["round"], _done(f["event"], names, course.currency, you))
            for f in placed
        },
        own=(you,) if you else tuple(lane.actor for lane in course.lanes),
        reader=you,
        currency=course.currency,
    )


_TABLES: dict[AnyGame, Callable[[Game, str, Sequence[Frame]], Table]] = {
    SALE: _haggle,
    AUCTION: _match,
}


def _done(event: dict[str, Any], names: dict[str, str], currency: str, you: str | None) -> str:
    name, price = names[event["actor"]], event.get("price")
    told = {
        "round": event["round"],
        "who": name,
        "price": "" if price is None else about_text(price, currency),
    }
    table = "done_by_you" if event["actor"] == you else "done"
    return say.of(table, event["action"], **told).rstrip()
