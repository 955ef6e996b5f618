"""Let policies play against the suites' sellers and keep the games as replays."""

import datetime as dt
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from bazaarbatna.bargain.career import Career, remember
from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.events import Ended, Event
from bazaarbatna.bargain.match import play_episode
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tasks import make_scenario, suite, suite_ids
from negotiation.bargain.recorded import SIMULATION, Setting, end_of
from negotiation.games.event_log import row_of
from negotiation.models import EventRow, Game, SealedRecord
from negotiation.policies import Entry, UnknownPolicy, policy

BATCH = 200  # games written in one transaction


class Simulated(msgspec.Struct, frozen=True):
    """One finished game between a buyer, named as registered, and the seller of its suite."""

    buyer: str
    setting: Setting
    events: tuple[Event, ...]


def simulate(suite_id: str, buyer: str, seed: int) -> Iterator[Simulated]:
    """Play all episodes of one game of a suite (``career_10@sampled-1``) by ``play_suite_game``.

    Everything random follows from ``seed``, 0 or more. Raises ``UnknownSuite``, ``UnknownPolicy``.
    """
    rules, player = suite(suite_id), policy(buyer).make(seed)
    career = Career()
    for episode in range(rules.episodes):
        scenario = make_scenario(suite_id, seed, episode, career)
        told = career.summary() if rules.career else None
        log = play_episode(scenario, player, career=told)
        ended = log.ended
        assert ended is not None
        if rules.career:
            career = remember(career, scenario.anchor, ended)
        fields = {name: getattr(scenario, name) for name in Scenario.__struct_fields__}
        yield Simulated(buyer, Setting(**fields, buyer_seed=seed, career=told), log.events)


def store(games: Sequence[Simulated]) -> list[Game]:
    """Keep simulated games as replays for everybody, in batches; the last one is the newest."""
    kept: list[Game] = []
    for first in range(0, len(games), BATCH):
        kept += _store(games[first : first + BATCH])
    return kept


def _store(games: Sequence[Simulated]) -> list[Game]:
    now = timezone.now()
    rows = [
        _game(one, policy(one.buyer), now + dt.timedelta(microseconds=place))
        for place, one in enumerate(games)
    ]
    with transaction.atomic():
        Game.objects.bulk_create(rows)
        SealedRecord.objects.bulk_create(
            SealedRecord(game=row, scenario=msgspec.json.encode(one.setting))
            for row, one in zip(rows, games, strict=True)
        )
        EventRow.objects.bulk_create(
            _event(row, seq, event, policy(one.buyer), one.setting)
            for row, one in zip(rows, games, strict=True)
            for seq, event in enumerate(one.events, start=1)
        )
    return rows


def _game(one: Simulated, buyer: Entry, ended_at: dt.datetime) -> Game:
    setting, ended = one.setting, one.events[-1]
    assert isinstance(ended, Ended)
    row = Game(
        **end_of(ended),
        kind=SIMULATION,
        title=setting.item.title,
        category=setting.item.category,
        description=setting.item.condition,
        policy=buyer.name,
        policy_version=buyer.version,
        share_replay=True,
        source=Game.Source.SIMULATION,
        suite=setting.suite,
        persona=setting.sealed.persona,
        last_seq=len(one.events),
        ended_at=ended_at,
    )
    # A bulk write does not call ``save``.
    row.search_text = row.words_to_find()
    return row


def _event(row: Game, seq: int, event: Event, buyer: Entry, setting: Setting) -> EventRow:
    stored = row_of(row, seq, event)
    side = getattr(event, "actor", None)
    if side == "buyer":
        stored.backend, stored.policy_version = buyer.backend, buyer.version
    elif side == "seller":
        stored.backend, stored.policy_version = "rules", setting.seller
    return stored


BUYERS = ("sauda", "rules:smart", "rules:aggressive", "rules:boulware")


class Command(BaseCommand):
    """Play and keep a number of games; the same arguments play the same games."""

    help = "Play games between buyers and the suites' sellers and keep them as replays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--suite", action="append", help="a suite's id; all sampled ones without one"
        )
        parser.add_argument("--buyer", action="append", help="a policy; four of them without one")
        parser.add_argument("--games", type=int, default=48, help="how many games in all")
        parser.add_argument("--seed", type=int, default=1, help="seed of the first game")
        parser.add_argument(
            "--if-empty", action="store_true", help="only where no policy has played yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["if_empty"] and Game.objects.filter(source=Game.Source.SIMULATION).exists():
            return
        suites, buyers = options["suite"] or _sampled(), options["buyer"] or BUYERS
        try:
            for name in suites:
                suite(name)
            sides = {policy(name).side for name in buyers}
        except (UnknownSuite, UnknownPolicy) as wrong:
            raise CommandError(str(wrong.args[0])) from wrong
        if sides != {"buyer"} or options["games"] < 0 or options["seed"] < 0:
            raise CommandError("Name policies that buy, and give games and seed as 0 or more.")
        played = _play(suites, buyers, options["games"], options["seed"])
        self.stdout.write(f"{len(store(played))} games recorded.")


def _sampled() -> tuple[str, ...]:
    # Fixed suites always sell the same thing for the same price: dull to browse.
    return tuple(name for name in suite_ids() if "@sampled" in name)


def _play(
    suites: tuple[str, ...], buyers: tuple[str, ...], wanted: int, seed: int
) -> list[Simulated]:
    played: list[Simulated] = []
    number = 0
    while len(played) < wanted:
        lap, place = divmod(number, len(suites))
        buyer = buyers[(place + lap) % len(buyers)]
        played += simulate(suites[place], buyer, seed + number)
        number += 1
    del played[wanted:]
    # A career is ten games of one pair: shuffled, the shelf begins with a mixture.
    Random(seed).shuffle(played)
    return played
