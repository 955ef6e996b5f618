"""``manage.py rehearse ROOM --people 24``: players by rules go through a copy of a room.

They come in, are paired by the room's own rules, play, and in a study consent and answer, as people
would. The copy stays: its desk, debrief, gradebook and export are there to be looked at.
"""

import random
import time
from argparse import ArgumentParser
from collections import Counter
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from agents.prompted import BUYER, SELLER
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.moves import Walk
from bazaarbatna.bargain.observe import observe
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases.packages import grid_of
from bazaarbatna.players.packages import move_for, yardsticks
from negotiation.bargain import sessions
from negotiation.cases.game import CASE
from negotiation.cases.seats import SIDE_OF
from negotiation.errors import SessionError
from negotiation.games import turn_play
from negotiation.models import Game
from negotiation.policies import policies, policy
from rooms import hosting, joining, presence, tables
from rooms.debrief.survey import CLASS, PREPARES, Form, awaits, questions_of
from rooms.lobby import prepares
from rooms.models import Answer, Member, Room, RoomGame, new_key
from rooms.seating import pairing
from rooms.study import answers, beliefs, entering, flow, promises
from rooms.study.design import (
    Choice,
    Choices,
    Date,
    Design,
    Likert,
    Number,
    Question,
    Slider,
    asked,
    checks,
)

MOST_MOVES = 200
"""Of one game, words of both sides included: whoever is not through then walks away."""

MOST_LOOKS = 1000
ENDS = {
    "deal": "a deal", "walk": "somebody left",
    "expired": "no moves left", "deadline": "no moves left",
}  # fmt: skip
SAYS = ("Rehearsal: is that your last price?", "Rehearsal: I have seen it cheaper.")


class Command(BaseCommand):
    """Lets a crowd rehearse a room or a study, and says what came of it."""

    help = "Let players by rules go through a copy of a room or study, as people would."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code")
        parser.add_argument("--people", type=int, default=24)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        room = Room.objects.filter(code=options["code"].upper()).first()
        people = options["people"]
        if room is None:
            raise CommandError(f"There is no room {options['code']}.")
        if not 1 <= people <= joining.MOST_PEOPLE:
            raise CommandError(f"Between 1 and {joining.MOST_PEOPLE} people can rehearse.")
        began = time.monotonic()
        again = hosting.copy(room, room.host)
        Room.objects.filter(pk=again.pk).update(name=f"Rehearsal: {room.name}"[:80])
        crowd = Crowd(again, people, random.Random(options["seed"]))
        crowd.come_in()
        crowd.play()
        hosting.finish(again)
        crowd.go_out()
        for line in crowd.told(time.monotonic() - began):
            self.stdout.write(line)


class Crowd:
    """People of a room that is rehearsed; ``luck`` decides who they are and what they answer."""

    def __init__(self, room: Room, people: int, luck: random.Random) -> None:
        self.room, self.luck, self.wanted = room, luck, people
        study = flow.study_of(room)
        self.design: Design | None = flow.design_of(study) if study else None
        names = {
            side: [one.name for one in policies(side) if one.kind == "rules"] for side in SIDES
        }
        self._players: dict[Side, list[str]] = names

    def come_in(self) -> None:
        """Let everybody join; of a study, through consent, questions and survey."""
        for number in range(1, self.wanted + 1):
            session = f"rehearsal-{new_key()}"
            if self.design is None:
                joining.join(self.room, f"Guest {number}", session)
            else:
                self._consents(self.design, number, session)
        hosting.start(self.room)

    def play(self) -> None:
        """Make pairs and play until nobody can play any more."""
        for _ in range(MOST_LOOKS):
            for member in self._members():
                if self.design is None or self._goes_on(member) == "play":
                    Member.objects.filter(pk=member.pk, came_at=None).update(**presence.arriving())
            pairing.advance(self.room, now=True)
            live = list(self._games().filter(game__status=Game.Status.LIVE))
            if not live:
                return
            for row in live:
                self._plays(row)

    def go_out(self) -> None:
        """Fill in what comes after the games."""
        for member in self._members():
            if self.design is None:
                if awaits(member):
                    self._fills_in(member, CLASS)
            elif self._goes_on(member) == "after":
                self._answers(member, "after", self.design)
                flow.where_is(member)

    def told(self, seconds: float) -> list[str]:
        """Say what came of it."""
        games = list(self._games())
        ended = Counter(ENDS.get(row.game.outcome, "still runs") for row in games)
        pairs = Counter(
            frozenset((row.seller_id, row.buyer_id))
            for row in games
            if row.seller_id and row.buyer_id
        )
        members = list(self._members())
        short = sum(member.dealt < hosting.plan_for(member).games for member in members)
        lines = [
            f"{len(members)} people, {len(games)} games in {seconds:.1f} s. How they ended: "
            + _listed(ended),
            f"{sum(pairs.values())} games of two people, {len(pairs)} different pairs; "
            f"{len(games) - sum(pairs.values())} against the house; "
            f"{short} people played fewer games than the plan has",
        ]
        if self.design is not None:
            arms = Counter(member.arm for member in members)
            ends = Counter(member.end or "not through" for member in members)
            lines.append(f"Arms: {_listed(arms)}. How their parts ended: {_listed(ends)}")
            drawn = Counter(" → ".join(member.order) for member in members if member.conditions)
            lines += [f"Orders: {_listed(drawn)}"] if drawn else []
            prompted = sum(row.game.policy in (BUYER, SELLER) for row in games)
            told = f"Of {prompted} games a prompt's model is the other side: here rules played"
            lines += [f"{told}, nothing was asked or paid"] if prompted else []
        place = f"/rooms/{self.room.code}"
        data = "" if self.design is None else f" and {place}/data/"
        lines.append(f"The copy is {self.room.code}: {place}/desk/, {place}/debrief/{data}")
        return lines

    def _members(self) -> Any:
        return self.room.members.select_related("room", "room__study").order_by("number")

    def _games(self) -> Any:
        return RoomGame.objects.filter(room=self.room).select_related("game", "seller", "buyer")

    def _plays(self, row: RoomGame) -> None:
        luck = random.Random(f"{row.game_id}")
        if tables.is_case(row.game):
            self._plays_case(row, luck)
            return
        who = {side: luck.choice(self._players[side]) for side in SIDES}
        for count in range(MOST_MOVES):
            state = sessions.current(row.game_id)[1].state
            side = state.to_move
            if side is None:
                return
            member = row.seller if side == "seller" else row.buyer
            if member is not None:
                self._answers_first(member, row)
            try:
                if member is None:
                    sessions.opponent_turn(row.game_id)
                    continue
                move: Any = Walk("")
                if count < MOST_MOVES - 2:
                    move = (
                        policy(who[side]).make(state.scenario.sealed.seed).act(observe(state, side))
                    )
                sessions.play(row.game_id, member.session, move)
            except (SessionError, GameError):
                continue  # the house was faster, on a thread of its own

    def _plays_case(self, row: RoomGame, luck: random.Random) -> None:
        """Let players by rules, drawn for each seat, settle a case."""
        case = turn_play.current(row.game_id)[2].state.case
        known = [*yardsticks(grid_of(case).frontier).values()]
        players = {seat: luck.choice(known) for seat in CASE.seats}
        while (position := turn_play.current(row.game_id)[2]).state.ended is None:
            game = Game.objects.get(pk=row.game_id)
            seat = position.state.turn
            if not (person := CASE.people(game).get(seat)):
                turn_play.opponents_move(row.game_id)
                continue
            self._answers_first(getattr(row, SIDE_OF[seat]), row)
            move = move_for(players[seat], position.state, seat, luck)
            turn_play.play(row.game_id, person, msgspec.to_builtins(move))

    def _answers_first(self, member: Member, row: RoomGame) -> None:
        """Fill in the preparation sheet, and what a study asks beside the game."""
        if prepares(member):
            self._fills_in(member, PREPARES)
        asked_now = beliefs.due(member, row) if self.design else None
        if asked_now is not None:
            given = {one.name: self._answer(one) for one in asked_now.questions}
            answers.keep(member, asked_now.form, given)

    def _fills_in(self, member: Member, form: Form) -> None:
        asks = questions_of(member.room, form)
        answers.keep(member, form.name, {one.name: self._answer(one) for one in asks})

    def _consents(self, design: Design, number: int, session: str) -> None:
        entry = entering.Entry(f"{design.link.test}-{number}", is_pilot=True)
        read = promises.fingerprint(design)
        member = entering.consent(
            self.room, entry, session, may_quote=False, may_train=False, read=read, client="local"
        )
        for check in checks(design, member.arm):
            right = str(check.right)
            Answer.objects.create(
                member=member, form="questions", question=check.name, value=right, is_right=True
            )
        answers.keep(member, "questions", {flow.READ: "yes"})
        self._answers(member, "before", design)
        flow.where_is(member)

    def _goes_on(self, member: Member) -> flow.Step:
        """Fill in and read what comes between two games; return where this one is then."""
        while self.design and (step := flow.where_is(member)) == "between":
            due = flow.due_between(member, self.design)
            if due is None:
                break
            values: dict[str, answers.Value] = {
                one.name: self._answer(one) for one in due.questions
            }
            answers.keep(member, due.form, values or {flow.READ: "yes"})
        return step

    def _answers(self, member: Member, form: str, design: Design) -> None:
        mine = asked(getattr(design, form), member.arm)
        answers.keep(member, form, {one.name: self._answer(one) for one in mine})

    def _answer(self, one: Question) -> answers.Value:
        luck = self.luck
        match one:
            case Likert():
                return luck.randint(1, one.points)
            case Choice():
                return luck.choice(one.options)
            case Choices():
                most = min(one.most or len(one.options), len(one.options))
                return sorted(
                    luck.sample(one.options, luck.randint(min(one.least or 1, most), most))
                )
            case Slider() | Number():
                least = round(one.least or 0)
                most = least + 50 if one.most is None else round(one.most)
                return luck.randint(least, most)
            case Date():
                return one.least or one.most or "2000-01-01"
            case _:
                return luck.choice(SAYS).ljust(getattr(one, "least", 0), ".")


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))


SIDES: tuple[Side, ...] = ("seller", "buyer")
