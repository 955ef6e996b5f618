"""The tables of an export: every column with its unit, its levels and what it means."""

from collections.abc import Callable
from typing import Any

import msgspec

from bazaarbatna.bargain.quantities import Side, other, to_rupees
from bazaarbatna.bargain.sealed import committed_text
from negotiation.bargain.terms import terms_of
from negotiation.cases.grading import worth_of
from negotiation.cases.seats import ROLE_OF
from rooms.export.columns import Readers, Table, as_json, placed, table
from rooms.export.questions import ANSWERS, BELIEFS
from rooms.export.rows import CALLED, NICKNAMES, Line, Person, PlayedGame
from rooms.models import Member, PromptTurn
from rooms.study.design import levels_in
from rooms.study.prompts import kept_of

Event = tuple[PlayedGame, Line]
Turn = tuple[PlayedGame, int, Line]


def _time(person: Person, name: str) -> Any:
    return getattr(person.member, name) if person.promises.allows("times", person.member) else None


def _nickname(person: Person) -> str | None:
    return person.member.nickname if NICKNAMES in person.promises.of(person.member).keeps else None


def _end(member: Member) -> str:
    # Members of a study know how their part ended; those of other rooms have no such field.
    return str(getattr(member, "end", ""))


def _is_finished(member: Member) -> bool:
    return member.finished_at is not None and _end(member) in ("", "finished")


PARTICIPANTS: Table[Person] = table(
    "participants",
    {
        "participant": lambda row: row.member.number,
        "is_pilot": lambda row: row.member.is_pilot,
        "arm": lambda row: row.member.arm or None,
        "levels": lambda row: levels_in(row.promises.study.design, row.member.arm) or None,
        "order": lambda row: " ".join(row.member.order) or None,
        "slot": lambda row: row.member.slot,
        "nickname": _nickname,
        "joined_at": lambda row: _time(row, "joined_at"),
        "consented_at": lambda row: _time(row, "consented_at"),
        "finished_at": lambda row: _time(row, "finished_at"),
        "end": lambda row: _end(row.member) or None,
        "is_finished": lambda row: _is_finished(row.member),
        "is_withdrawn": lambda row: row.member.withdrawn_at is not None,
        "may_quote": lambda row: row.member.may_quote,
        "may_train": lambda row: row.member.may_train,
        "consent": lambda row: row.promises.of(row.member).text or None,
        "keeps": lambda row: " ".join(row.promises.of(row.member).keeps),
        "withdrawal_deletes": lambda row: " ".join(row.promises.of(row.member).withdrawal) or None,
        "games": lambda row: row.games,
        "games_left_out": lambda row: row.left_out,
    },
)


def _seat(side: Side) -> Readers[PlayedGame]:
    def who(row: PlayedGame) -> str:
        return "person" if row.member(side) else "policy"

    def stood_in(row: PlayedGame) -> int:
        return sum(line.by == "policy" and line.actor == side for _, line in row.spoken)

    return {
        side: who,
        f"{side}_participant": lambda row: row.number(side),
        f"{side}_policy": lambda row: row.policy(side)[0] or None,
        f"{side}_policy_version": lambda row: row.policy(side)[1] or None,
        f"{side}_moves_by_policy": stood_in,
    }


def _points(row: PlayedGame, side: Side) -> float | None:
    return row.settled.gained(side) if row.settled else None


def _term(name: str) -> Any:
    return lambda row: getattr(terms_of(row.game), name)


def _pair(row: PlayedGame) -> str | None:
    numbers = sorted(member.number for member in row.members)
    return "+".join(map(str, numbers)) if len(numbers) > 1 else None


GAMES: Table[PlayedGame] = table(
    "games",
    {
        **placed(lambda row: row),
        "round": lambda row: row.in_room.round,
        "pair": _pair,
        "met_before": lambda row: row.met_before,
        **_seat("seller"),
        **_seat("buyer"),
        "opened_at": lambda row: row.game.created_at if row.has_time else None,
        "ended_at": lambda row: row.game.ended_at if row.has_time else None,
        "case": lambda row: row.settled.case.id if row.settled else None,
        "item": lambda row: row.scenario.item.title,
        "category": lambda row: row.scenario.item.category,
        "currency": lambda row: row.scenario.item.currency,
        "opening_ask": lambda row: to_rupees(row.scenario.anchor),
        "reservation": lambda row: row.limit("seller"),
        "cost": lambda row: to_rupees(row.scenario.sealed.cost),
        "budget": lambda row: row.limit("buyer"),
        "zone": lambda row: row.scenario.zopa / 100,
        "has_zone": lambda row: row.has_zone,
        "deadline": lambda row: row.scenario.sealed.deadline,
        "max_rounds": lambda row: row.scenario.max_rounds,
        "package": lambda row: (
            as_json(row.settled.package) if row.settled and row.settled.is_deal else None
        ),
        "seller_points": lambda row: _points(row, "seller"),
        "buyer_points": lambda row: _points(row, "buyer"),
        "most_points": lambda row: worth_of(row.settled.case).best if row.settled else None,
        "on_frontier": lambda row: row.settled.is_on_frontier if row.settled else None,
        "chat": _term("chat"),
        "talk": _term("talk"),
        "tells": _term("tells"),
        "persona_told": _term("persona_told"),
        "reveal": _term("reveal"),
        "clock": _term("clock_s"),
        "move_clock": _term("move_s"),
        "absent_after": _term("absent_s"),
        "outcome": lambda row: row.end[0],
        "ended_by": lambda row: row.end[1],
        "closed": lambda row: row.in_room.closed or None,
        "price": lambda row: None if row.ended.price is None else to_rupees(row.ended.price),
        "seller_share": lambda row: row.share("seller"),
        "buyer_share": lambda row: row.share("buyer"),
        "rounds": lambda row: row.ended.round,
        "first_bid": lambda row: row.first_offer("buyer"),
        "first_ask": lambda row: row.first_offer("seller"),
        "events": lambda row: len(row.lines),
        "suite": lambda row: row.scenario.suite,
        "seller_version": lambda row: row.scenario.seller,
        "persona": lambda row: row.scenario.sealed.persona,
        "seed": lambda row: str(row.scenario.seed if row.settled else row.scenario.sealed.seed),
        "salt": lambda row: row.scenario.salt,
        "sealed_text": lambda row: committed_text(row.scenario.sealed, row.scenario.salt),
        "scenario": lambda row: msgspec.json.encode(row.scenario).decode(),
    },
)


def _number(game: PlayedGame, line: Line) -> int | None:
    member = game.member(line.actor) if line.actor and line.by == "person" else None
    return member.number if member else None


def _price(line: Line) -> float | None:
    price = getattr(line.event, "price", None)
    return None if price is None else to_rupees(price)


def _package(row: Turn) -> str | None:
    package = getattr(row[2].event, "package", None)
    return None if package is None else as_json(package)


def _worth(row: Turn, side: Side) -> float | None:
    package, case = getattr(row[2].event, "package", None), row[0].settled
    return case.case.points(ROLE_OF[side], package) if case and package else None


TURNS: Table[Turn] = table(
    "turns",
    {
        "game": lambda row: row[0].id,
        "turn": lambda row: row[1],
        "seq": lambda row: row[2].row.seq,
        "is_pilot": lambda row: row[0].is_pilot,
        "arm": lambda row: row[0].arm or None,
        "side": lambda row: row[2].actor,
        "by": lambda row: row[2].by,
        "participant": lambda row: _number(row[0], row[2]),
        "kind": lambda row: CALLED.get(row[2].row.kind, row[2].row.kind),
        "round": lambda row: getattr(row[2].event, "round", None),
        "price": lambda row: _price(row[2]),
        "package": _package,
        "seller_points": lambda row: _worth(row, "seller"),
        "buyer_points": lambda row: _worth(row, "buyer"),
        "text": lambda row: getattr(row[2].event, "text", ""),
        "at": lambda row: row[2].row.created_at if row[2].has_time else None,
        "seconds_since": lambda row: row[2].seconds,
        "policy_version": lambda row: row[2].row.policy_version or None,
    },
)

EVENTS: Table[Event] = table(
    "events",
    {
        "game": lambda row: row[0].id,
        "seq": lambda row: row[1].row.seq,
        "is_pilot": lambda row: row[0].is_pilot,
        "kind": lambda row: row[1].row.kind,
        "at": lambda row: row[1].row.created_at if row[1].has_time else None,
        "backend": lambda row: row[1].row.backend or None,
        "policy_version": lambda row: row[1].row.policy_version or None,
        "latency": lambda row: row[1].row.latency_ms if row[1].has_time else None,
        "payload": lambda row: row[1].payload,
    },
)


PAY: Table[Member] = table(
    "pay",
    {
        "participant": lambda row: row.number,
        "is_pilot": lambda row: row.is_pilot,
        "external_id": lambda row: row.external_id,
        "is_finished": _is_finished,
        "is_withdrawn": lambda row: row.withdrawn_at is not None,
    },
)

Seated = tuple[PlayedGame, Side]


def _order_of(row: Seated) -> str:
    member = row[0].member(row[1])
    return " ".join(member.order) if member else ""


def _share(row: Seated) -> float | None:
    game, side = row
    return game.share(side) if game.has_zone else None


PERSON_GAMES: Table[Seated] = table(
    "person_games",
    {
        "participant": lambda row: row[0].number(row[1]),
        **placed(lambda row: row[0]),
        "order": lambda row: _order_of(row) or None,
        "round": lambda row: row[0].in_room.round,
        "side": lambda row: row[1],
        "partner": lambda row: row[0].number(other(row[1])),
        "met_before": lambda row: row[0].met_before,
        "role": lambda row: (
            next(iter(row[0].settled.case.side(ROLE_OF[row[1]]).name.values()))
            if row[0].settled
            else None
        ),
        "own_limit": lambda row: row[0].limit(row[1]),
        "first_price": lambda row: (
            to_rupees(row[0].scenario.anchor) if row[1] == "seller" else row[0].first_offer("buyer")
        ),
        "has_zone": lambda row: row[0].has_zone,
        "has_deal": lambda row: row[0].end[0] == "deal",
        "price": lambda row: None if row[0].ended.price is None else to_rupees(row[0].ended.price),
        "points": lambda row: row[0].settled.gained(row[1]) if row[0].settled else None,
        "surplus": lambda row: row[0].surplus(row[1]),
        "share": _share,
        "fallback_turns": lambda row: row[0].fallback_turns,
        "closed": lambda row: row[0].in_room.closed or None,
    },
)

Prompted = tuple[PlayedGame, PromptTurn]


def _said_in(name: str) -> Callable[[Prompted], Any]:
    """Read what repeats words of a person: only where all in the game let words be kept."""

    def of(row: Prompted) -> Any:
        game, turn = row
        allows = all(game.promises.allows("words", member) for member in game.members)
        value = getattr(turn, name) if allows else None
        return value if value is None or isinstance(value, str) else as_json(value)

    return of


PROMPTS: Table[Prompted] = table(
    "prompts",
    {
        **placed(lambda row: row[0]),
        "round": lambda row: row[1].round,
        "side": lambda row: row[1].side,
        "asked": _said_in("asked"),
        "temperature": lambda row: row[1].temperature,
        "answer": _said_in("answer"),
        "played": _said_in("played"),
        "own_move": lambda row: kept_of(row[1])[0],
        "own_words": lambda row: kept_of(row[1])[1],
        "backend": lambda row: row[1].backend or None,
        "version": lambda row: row[1].version,
        "waited": lambda row: row[1].waited_ms if row[0].has_time else None,
        "passed_over": lambda row: as_json(row[1].passed_over),
    },
)

TABLES: tuple[Table[Any], ...] = (
    PARTICIPANTS,
    GAMES,
    PERSON_GAMES,
    TURNS,
    EVENTS,
    ANSWERS,
    BELIEFS,
    PROMPTS,
    PAY,
)
