"""The tables of an export: every column with its unit, its levels and what it means."""

from collections.abc import Callable
from typing import Any

import msgspec

from bazaarbatna.bargain.quantities import Side, other, to_rupees
from bazaarbatna.bargain.sealed import committed_text
from negotiation.bargain.terms import terms_of
from negotiation.cases.grading import worth_of
from negotiation.cases.seats import ROLE_OF
from rooms.export.columns import (
    ARM,
    GAME,
    LEVELS,
    MONEY,
    ORDER,
    PARTICIPANT,
    PILOT,
    SEQ,
    SHARE,
    SIDES,
    Column,
    Table,
    as_json,
    placed,
)
from rooms.export.questions import ANSWERS, BELIEFS
from rooms.export.rows import CALLED, NICKNAMES, Line, Person, PlayedGame
from rooms.models import Member, PromptTurn
from rooms.study.design import levels_in

SECONDS = "seconds"

_BY = (
    ("person", "a participant"),
    ("policy", "a program that took part, or that took the seat of somebody who was away"),
    ("table", "the rules of the room, because somebody was away or out of time"),
)

Event = tuple[PlayedGame, Line]
Turn = tuple[PlayedGame, int, Line]


def _time(person: Person, name: str) -> Any:
    return getattr(person.member, name) if person.promises.allows("times", person.member) else None


def _nickname(person: Person) -> str | None:
    return person.member.nickname if NICKNAMES in person.promises.of(person.member).keeps else None


_ENDS = (
    ("finished", "came to the end"),
    ("screened", "was sent away after the questions"),
    ("waited", "nobody came to play with"),
)


def _end(member: Member) -> str:
    # Members of a study know how their part ended; those of other rooms have no such field.
    return str(getattr(member, "end", ""))


def _is_finished(member: Member) -> bool:
    return member.finished_at is not None and _end(member) in ("", "finished")


PARTICIPANTS: Table[Person] = Table(
    "participants",
    "One row for each person who consented.",
    (
        Column("participant", "whole", PARTICIPANT, lambda row: row.member.number),
        Column("is_pilot", "yes-no", PILOT, lambda row: row.member.is_pilot),
        Column("arm", "text", ARM, lambda row: row.member.arm or None),
        Column("levels", "text", LEVELS,
               lambda row: levels_in(row.promises.study.design, row.member.arm) or None),
        Column("order", "text", ORDER + " Empty: the study has none.",
               lambda row: " ".join(row.member.order) or None),
        Column("slot", "whole", "Place in the drawn order of arms, from 0.",
               lambda row: row.member.slot),
        Column("nickname", "text", "What the person chose to be called; empty unless the consent "
               "names nicknames.", _nickname),
        Column("joined_at", "time", "When the person came in.",
               lambda row: _time(row, "joined_at")),
        Column("consented_at", "time", "When the person agreed to take part.",
               lambda row: _time(row, "consented_at")),
        Column("finished_at", "time", "When the person's part ended, in whichever way.",
               lambda row: _time(row, "finished_at")),
        Column("end", "text", "How it ended; empty: it did not, or by itself.",
               lambda row: _end(row.member) or None, levels=_ENDS),
        Column("is_finished", "yes-no", "Whether the person came to the end.",
               lambda row: _is_finished(row.member)),
        Column("is_withdrawn", "yes-no", "Whether the person withdrew; what the consent promised "
               "to delete then is in no file.", lambda row: row.member.withdrawn_at is not None),
        Column("may_quote", "yes-no", "Whether the person agreed to be quoted.",
               lambda row: row.member.may_quote),
        Column("may_train", "yes-no", "Whether the person agreed that models learn from the games.",
               lambda row: row.member.may_train),
        Column("consent", "text", "Names the texts that this person read before agreeing: whoever "
               "has the same read the same. Empty: it was not noted.",
               lambda row: row.promises.of(row.member).text or None),
        Column("keeps", "text", "Kinds of data that this person agreed to, with blanks between.",
               lambda row: " ".join(row.promises.of(row.member).keeps)),
        Column("withdrawal_deletes", "text", "Kinds of data that leaving deletes of this person.",
               lambda row: " ".join(row.promises.of(row.member).withdrawal) or None),
        Column("games", "whole", "Games of this person in this export.", lambda row: row.games,
               "games"),
        Column("games_left_out", "whole", "Finished games of this person that are not in this "
               "export, because somebody in them did not consent or withdrew.",
               lambda row: row.left_out, "games"),
    ),
)  # fmt: skip


def _seat(side: Side) -> tuple[Column[PlayedGame], ...]:
    def who(row: PlayedGame) -> str:
        return "person" if row.member(side) else "policy"

    def stood_in(row: PlayedGame) -> int:
        return sum(line.by == "policy" and line.actor == side for _, line in row.spoken)

    return (
        Column(side, "text", f"Who sat as the {side} when the game began.", who,
               levels=(("person", "a participant"), ("policy", "a program"))),
        Column(f"{side}_participant", "whole", f"Number of the person who was the {side}.",
               lambda row: row.number(side)),
        Column(f"{side}_policy", "text", f"Name of the program that was the {side} at the end.",
               lambda row: row.policy(side)[0] or None),
        Column(f"{side}_policy_version", "text", "Version of that program.",
               lambda row: row.policy(side)[1] or None),
        Column(f"{side}_moves_by_policy", "whole", f"Moves and words of the {side} that a program "
               "made; above 0 for a person whose seat was taken over.", stood_in, "moves"),
    )  # fmt: skip


def _points(side: Side) -> Column[PlayedGame]:
    role = "first" if side == "seller" else "second"
    return Column(
        f"{side}_points", "number", f"Points of the {role} role of a case.",
        lambda row: row.settled.gained(side) if row.settled else None, "points",
    )  # fmt: skip


PACKAGES: tuple[Column[PlayedGame], ...] = (
    Column("package", "json", "What the deal of a case settles.",
           lambda row: as_json(row.settled.package) if row.settled and row.settled.is_deal
           else None),
    _points("seller"),
    _points("buyer"),
    Column("most_points", "number", "Most points of both together that any end of it has.",
           lambda row: worth_of(row.settled.case).best if row.settled else None, "points"),
    Column("on_frontier", "yes-no", "Whether no package had been better for one and no worse for "
           "the other.", lambda row: row.settled.is_on_frontier if row.settled else None),
)  # fmt: skip


def _term(name: str) -> Any:
    return lambda row: getattr(terms_of(row.game), name)


def _pair(row: PlayedGame) -> str | None:
    numbers = sorted(member.number for member in row.members)
    return "+".join(map(str, numbers)) if len(numbers) > 1 else None


GAMES: Table[PlayedGame] = Table(
    "games",
    "One row for each game that has ended and in which everybody consented.",
    (
        *placed(lambda row: row),
        Column("round", "whole", "Which of the room's games it was, from 1.",
               lambda row: row.in_room.round),
        Column("pair", "text", "Numbers of the two people who met, the lower first: a pair has the "
               "same ones in every game; empty: one sat opposite a program.", _pair),
        Column("met_before", "whole", "Earlier games of these two people in this room, also such "
               "that are in no table; empty: one sat opposite a program.",
               lambda row: row.met_before, "games"),
        *_seat("seller"),
        *_seat("buyer"),
        Column("opened_at", "time", "When it began.",
               lambda row: row.game.created_at if row.has_time else None),
        Column("ended_at", "time", "When it ended.",
               lambda row: row.game.ended_at if row.has_time else None),
        Column("case", "text", "Case that was played; empty: a sale.",
               lambda row: row.settled.case.id if row.settled else None),
        Column("item", "text", "What was sold.", lambda row: row.scenario.item.title),
        Column("category", "text", "Kind of thing.", lambda row: row.scenario.item.category),
        Column("currency", "text", "Currency of all prices of this game, ISO 4217.",
               lambda row: row.scenario.item.currency),
        Column("opening_ask", "number", "Price at which the seller opened.",
               lambda row: to_rupees(row.scenario.anchor), MONEY),
        Column("reservation", "number", "Least that the seller could take; only the seller knew.",
               lambda row: row.limit("seller"), MONEY),
        Column("cost", "number", "What the thing is worth to the seller.",
               lambda row: to_rupees(row.scenario.sealed.cost), MONEY),
        Column("budget", "number", "Most that the buyer could pay; only the buyer knew.",
               lambda row: row.limit("buyer"), MONEY),
        Column("zone", "number", "Budget less reservation; 0 or less: no price suits both.",
               lambda row: row.scenario.zopa / 100, MONEY),
        Column("has_zone", "yes-no", "Whether the zone is more than 0. Where it is not, shares say "
               "nothing: leave such games out of their means.",
               lambda row: row.has_zone),
        Column("deadline", "whole", "Round after which the buyer's gain is halved; empty: none.",
               lambda row: row.scenario.sealed.deadline, "rounds"),
        Column("max_rounds", "whole", "Rounds at most.", lambda row: row.scenario.max_rounds,
               "rounds"),
        *PACKAGES,
        Column("chat", "yes-no", "Whether words could be said beside prices.", _term("chat")),
        Column("talk", "text", "When two people could speak.", _term("talk"),
               levels=(("free", "at any time"), ("turns", "in turn"))),
        Column("tells", "yes-no", "Whether each side was shown what words give away.",
               _term("tells")),
        Column("persona_told", "yes-no", "Whether people were told who sits opposite.",
               _term("persona_told")),
        Column("reveal", "text", "What the end of the game told its people.", _term("reveal"),
               levels=(("all", "both limits, grades and the replay"),
                       ("own", "the price and its worth by the own limit"),
                       ("price", "the price, or that there was no deal"),
                       ("at_debrief", "as own, until the debrief was opened"))),
        Column("clock", "whole", "Time for all own moves; 0: no limit.", _term("clock_s"), SECONDS),
        Column("move_clock", "whole", "Time for each move; 0: no limit.", _term("move_s"), SECONDS),
        Column("absent_after", "whole", "Time away after which a person counted as gone; 0: never.",
               _term("absent_s"), SECONDS),
        Column("outcome", "text", "How it ended.", lambda row: row.end[0],
               levels=(("deal", "one side took the other's price or package"),
                       ("walk", "one side left the table"),
                       ("expired", "the rounds were over"))),
        Column("ended_by", "text", "Side that accepted or left; empty: the rounds were over.",
               lambda row: row.end[1], levels=SIDES),
        Column("closed", "text", "Why the room ended it; empty: it ended by itself.",
               lambda row: row.in_room.closed or None,
               levels=(("absent", "somebody was away"), ("clock", "somebody was out of time"),
                       ("closed", "the host closed the room, or somebody left it"),
                       ("deadline-seller", "a deadline; the seller had had the turn longer"),
                       ("deadline-buyer", "a deadline; the buyer had had the turn longer"),
                       ("replaced", "the house had taken the seat of somebody who went"))),
        Column("price", "number", "Price of the deal; empty: no deal.",
               lambda row: None if row.ended.price is None else to_rupees(row.ended.price), MONEY),
        Column("seller_share", "number", "Seller's part of the zone; 0 without a deal or a zone.",
               lambda row: row.share("seller"), SHARE),
        Column("buyer_share", "number", "Buyer's part of the zone; 0 without a deal or a zone.",
               lambda row: row.share("buyer"), SHARE),
        Column("rounds", "whole", "Round in which it ended.", lambda row: row.ended.round,
               "rounds"),
        Column("first_bid", "number", "First price that the buyer named.",
               lambda row: row.first_offer("buyer"), MONEY),
        Column("first_ask", "number", "First price that the seller named after opening.",
               lambda row: row.first_offer("seller"), MONEY),
        Column("events", "whole", "Events in the log of this game.", lambda row: len(row.lines),
               "events"),
        Column("suite", "text", "Rules of the game, with their version.",
               lambda row: row.scenario.suite),
        Column("seller_version", "text", "Version of the seller's rules; human: no rules.",
               lambda row: row.scenario.seller),
        Column("persona", "text", "Temper of the program that sold; default for people.",
               lambda row: row.scenario.sealed.persona),
        Column("seed", "text", "Seed of all luck in this game, a whole number.",
               lambda row: str(row.scenario.seed if row.settled else row.scenario.sealed.seed)),
        Column("salt", "text", "Random text that was sealed with the hidden values.",
               lambda row: row.scenario.salt),
        Column("sealed_text", "text", "What was sealed before the first move, word by word.",
               lambda row: committed_text(row.scenario.sealed, row.scenario.salt)),
        Column("scenario", "json", "Everything that was fixed before the first move: with it and "
               "events.jsonl the game can be played again.",
               lambda row: msgspec.json.encode(row.scenario).decode()),
    ),
    of_sales="item category currency opening_ask reservation cost budget zone deadline max_rounds "
    "price rounds first_bid first_ask suite seller_version persona salt sealed_text",
)  # fmt: skip


def _actor(line: Line) -> str | None:
    return line.actor


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


TURNS: Table[Turn] = Table(
    "turns",
    "One row for each thing that a side did or said, in order.",
    (
        Column("game", "text", GAME, lambda row: row[0].id),
        Column("turn", "whole", "Place among the turns of its game, from 1.", lambda row: row[1]),
        Column("seq", "whole", SEQ, lambda row: row[2].row.seq),
        Column("is_pilot", "yes-no", PILOT, lambda row: row[0].is_pilot),
        Column("arm", "text", ARM, lambda row: row[0].arm or None),
        Column("side", "text", "Side that did it.", lambda row: _actor(row[2]), levels=SIDES),
        Column("by", "text", "Who did it.", lambda row: row[2].by, levels=_BY),
        Column("participant", "whole", PARTICIPANT + " Empty: nobody's.",
               lambda row: _number(row[0], row[2])),
        Column("kind", "text", "What was done.",
               lambda row: CALLED.get(row[2].row.kind, row[2].row.kind),
               levels=(("offer", "named a price, or of a case a package"),
                       ("withdrawn", "took the own last price back before it was answered"),
                       ("accept", "took the other side's price or package"),
                       ("walk", "left the table"), ("message", "spoke without one"))),
        Column("round", "whole", "Round of the game, from 1.",
               lambda row: getattr(row[2].event, "round", None)),
        Column("price", "number", "Price that was named or taken.", lambda row: _price(row[2]),
               MONEY),
        Column("package", "json", "What an offer of a case settles.", _package),
        Column("seller_points", "number", "What that brings the first role.",
               lambda row: _worth(row, "seller"), "points"),
        Column("buyer_points", "number", "What that brings the second role.",
               lambda row: _worth(row, "buyer"), "points"),
        Column("text", "text", "What was said, word by word; empty where the consent does not "
               "keep words.", lambda row: getattr(row[2].event, "text", "")),
        Column("at", "time", "When it was done.",
               lambda row: row[2].row.created_at if row[2].has_time else None),
        Column("seconds_since", "number", "Time since the event before it.",
               lambda row: row[2].seconds, SECONDS),
        Column("policy_version", "text", "Version of the program that did it; empty: a person.",
               lambda row: row[2].row.policy_version or None),
    ),
)  # fmt: skip

EVENTS: Table[Event] = Table(
    "events",
    "The log of every game as the site keeps it: played again, it gives the same bytes.",
    (
        Column("game", "text", GAME, lambda row: row[0].id),
        Column("seq", "whole", SEQ, lambda row: row[1].row.seq),
        Column("is_pilot", "yes-no", PILOT, lambda row: row[0].is_pilot),
        Column("kind", "text", "What happened.", lambda row: row[1].row.kind,
               levels=(("opened", "the seller opened, the hidden values were sealed"),
                       ("offer", "a side named a price"),
                       ("withdrawn", "a side took its price back, which had been misheard"),
                       ("accept", "a side took a price"),
                       ("walk", "a side left"), ("message", "a side spoke"),
                       ("tells", "what the other side could notice"),
                       ("offered", "of a case: a side laid a package on the table"),
                       ("accepted", "of a case: a side agreed to one"),
                       ("said", "of a case: a side spoke in its turn"),
                       ("spoke", "of a case: a side spoke, which takes no turn"),
                       ("walked", "of a case: a side left"),
                       ("ended", "the game was over, the hidden values were opened"))),
        Column("at", "time", "When it was stored.",
               lambda row: row[1].row.created_at if row[1].has_time else None),
        Column("backend", "text", "What made the move: rules, network, or the name of a model's "
               "server; of the table: why it ended the game; empty: a person, or a consequence.",
               lambda row: row[1].row.backend or None),
        Column("policy_version", "text", "Version of the program that made it.",
               lambda row: row[1].row.policy_version or None),
        Column("latency", "whole", "Time that program took.",
               lambda row: row[1].row.latency_ms if row[1].has_time else None, "milliseconds"),
        Column("payload", "json", "The event. Prices in it are in the smallest unit of the "
               "currency (docs/protocol.md).", lambda row: row[1].payload),
    ),
)  # fmt: skip


PAY: Table[Member] = Table(
    "pay",
    "Who somebody is to the service that sent them. Keep it apart from the data, and delete it "
    "when all are paid. How much each is paid stands in the study's own table.",
    (
        Column("participant", "whole", PARTICIPANT, lambda row: row.number),
        Column("is_pilot", "yes-no", PILOT, lambda row: row.is_pilot),
        Column("external_id", "text", "Id that the person came with.", lambda row: row.external_id),
        Column("is_finished", "yes-no", "Whether the person came to the end.",
               _is_finished),
        Column("is_withdrawn", "yes-no", "Whether the person withdrew.",
               lambda row: row.withdrawn_at is not None),
    ),
    formats=("csv",),
)  # fmt: skip

Seated = tuple[PlayedGame, Side]


def _order_of(row: Seated) -> str:
    member = row[0].member(row[1])
    return " ".join(member.order) if member else ""


def _share(row: Seated) -> float | None:
    game, side = row
    return game.share(side) if game.has_zone else None


PERSON_GAMES: Table[Seated] = Table(
    "person_games",
    "One row for each person in each game: what most models of repeated games are fitted to.",
    (
        Column("participant", "whole", PARTICIPANT, lambda row: row[0].number(row[1])),
        *placed(lambda row: row[0]),
        Column("order", "text", ORDER, lambda row: _order_of(row) or None),
        Column("round", "whole", "Which of the games of that person it was, from 1.",
               lambda row: row[0].in_room.round),
        Column("side", "text", "Side that the person began on.", lambda row: row[1],
               levels=SIDES),
        Column("partner", "whole", "Number of the person opposite; empty: the house.",
               lambda row: row[0].number(other(row[1]))),
        Column("met_before", "whole", "Earlier games of the same two people; empty: the house.",
               lambda row: row[0].met_before),
        Column("role", "text", "Role of a case, in its first language; empty: a sale.",
               lambda row: next(iter(row[0].settled.case.side(ROLE_OF[row[1]]).name.values()))
               if row[0].settled else None),
        Column("own_limit", "number", "Floor of a seller, budget of a buyer.",
               lambda row: row[0].limit(row[1]), MONEY),
        Column("first_price", "number", "First price of this side; of a seller the asking price.",
               lambda row: to_rupees(row[0].scenario.anchor) if row[1] == "seller"
               else row[0].first_offer("buyer"), MONEY),
        Column("has_zone", "yes-no", "Whether any deal suited both: else no share can be had.",
               lambda row: row[0].has_zone),
        Column("has_deal", "yes-no", "Whether it ended in a deal.",
               lambda row: row[0].end[0] == "deal"),
        Column("price", "number", "Price of the deal; empty: no deal.",
               lambda row: None if row[0].ended.price is None
               else to_rupees(row[0].ended.price), MONEY),
        Column("points", "number", "Own points of a case.",
               lambda row: row[0].settled.gained(row[1]) if row[0].settled else None, "points"),
        Column("surplus", "number", "Gain on the own limit, of a case points more than without a "
               "deal; 0 without one.", lambda row: row[0].surplus(row[1]), MONEY),
        Column("share", "number", "Own part of the zone; 0: a deal was missed, or all was given "
               "away; empty: there was no zone.", _share, SHARE),
        Column("closed", "text", "Why the room ended it, as in games; empty: it ended by itself.",
               lambda row: row[0].in_room.closed or None),
    ),
    of_sales="own_limit first_price price",
)  # fmt: skip

Prompted = tuple[PlayedGame, PromptTurn]


def _said_in(name: str) -> Callable[[Prompted], Any]:
    """Read what repeats words of a person: only where all in the game let words be kept."""

    def of(row: Prompted) -> Any:
        game, turn = row
        allows = all(game.promises.allows("words", member) for member in game.members)
        value = getattr(turn, name) if allows else None
        return value if value is None or isinstance(value, str) else as_json(value)

    return of


PROMPTS: Table[Prompted] = Table(
    "prompts",
    "One row for each turn in which a model was asked by the words of an arm.",
    (
        *placed(lambda row: row[0]),
        Column("round", "whole", "Round of the turn.", lambda row: row[1].round, "rounds"),
        Column("side", "text", "Side that the model played.", lambda row: row[1].side,
               levels=SIDES),
        Column("asked", "json", "What the model was asked: a list of messages.",
               _said_in("asked")),
        Column("temperature", "number", "Temperature of the answer.",
               lambda row: row[1].temperature),
        Column("answer", "text", "What the model answered, before any check.", _said_in("answer")),
        Column("played", "json", "What came of it after all checks.", _said_in("played")),
        Column("backend", "text", "Model server that answered; empty: none did, rules played.",
               lambda row: row[1].backend or None),
        Column("version", "text", "Version of the words and of the model.",
               lambda row: row[1].version),
        Column("waited", "whole", "Time it took.",
               lambda row: row[1].waited_ms if row[0].has_time else None, "milliseconds"),
        Column("passed_over", "json", "Who could have answered and did not, and why.",
               lambda row: as_json(row[1].passed_over)),
    ),
)  # fmt: skip

TABLES: tuple[Table[Any], ...] = (
    PARTICIPANTS, GAMES, PERSON_GAMES, TURNS, EVENTS, ANSWERS, BELIEFS, PROMPTS, PAY,
)  # fmt: skip
