"""Games that nobody had to play: between two policies in bulk, and the examples of the house."""

import datetime as dt
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import override

from bazaarbatna.bargain.career import Career, remember
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.events import Ended, Event
from bazaarbatna.bargain.match import play_episode
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tasks import make_scenario, suite
from bazaarbatna.word_tables import read_table
from negotiation.bargain import sessions
from negotiation.bargain.recorded import SIMULATION, Setting, end_of
from negotiation.errors import SessionError
from negotiation.games.event_log import row_of
from negotiation.models import EventRow, Game, Listing, SealedRecord
from negotiation.policies import Entry, policy

log = logging.getLogger(__name__)

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


class Example(msgspec.Struct, frozen=True):
    """What a person says in a game over a thing of the catalogue; without a ``seller`` it sells.

    The house speaks the ``language`` first.
    """

    goods: str
    seed: int
    lines: tuple[str, ...]
    seller: str = ""
    language: str = "en"


EXAMPLES = read_table(Path(__file__).with_name("examples.toml"), dict[str, tuple[Example, ...]])


def play_examples() -> int:
    """Play the examples of each language by the rules of a live game, once; return how many."""
    played = Game.objects.filter(source=Game.Source.EXAMPLE).order_by()
    done = set(played.values_list("language", flat=True).distinct())
    return sum(_is_played(one) for one in EXAMPLES["game"] if one.language not in done)


def _is_played(one: Example) -> bool:
    try:
        with transaction.atomic(), override(one.language):
            return _play_example(one)
    except (GameError, SessionError):
        # The house answers in another way by now: the tests know, and the site starts without it.
        log.exception("an example does not fit any more", extra={"goods": one.goods})
        return False


def _play_example(one: Example) -> bool:
    listing = Listing.objects.filter(source="catalogue", title=one.goods).first()
    if listing is None:
        return False
    if one.seller:
        bought = sessions.NewPurchase(listing=listing, policy=one.seller)
        game = sessions.open_purchase("example", bought, lambda _: one.seed, has_zone=True)
    else:
        sold = sessions.NewSale(listing=listing)
        game = sessions.open_sale("example", sold, lambda _: one.seed, has_zone=True)
    row = Game.objects.filter(pk=game.pk)
    row.update(source=Game.Source.EXAMPLE, share_replay=True)
    for line in ("", *one.lines):
        if line:
            sessions.play(game.pk, "example", sessions.Say(line))
        while sessions.opponent_turn(game.pk):
            pass
    return bool(row.filter(status=Game.Status.ENDED).update(owner=""))
