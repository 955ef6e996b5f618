"""A finished game: what its row keeps of the end, and its log as what can be played again."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils import timezone

from bazaarbatna.bargain.errors import UnknownSeller
from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    TellsShown,
    WalkedAway,
    settled,
)
from bazaarbatna.bargain.observe import CareerSummary
from bazaarbatna.bargain.people.families import family_of
from bazaarbatna.bargain.people.suites import people_suite
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sellers import SELLERS, VERSIONS, is_person
from negotiation.bargain.honesty import certify
from negotiation.games.event_log import from_payload
from negotiation.models import EventRow, Game
from negotiation.policies import Entry, UnknownPolicy, policy
from negotiation.readers import reader


def end_of(ended: Ended) -> dict[str, Any]:
    """Return the fields that say how a game of two sides ended; shares are None without a deal."""
    deal = ended.price is not None
    return {
        "status": Game.Status.ENDED,
        "outcome": ended.outcome,
        "deal_price": ended.price,
        "seller_share": ended.seller_share if deal else None,
        "buyer_share": ended.buyer_share if deal else None,
        "rounds_used": ended.round,
    }


def ending_fields(ended: Ended, events: tuple[Event, ...], opponent: Side) -> dict[str, Any]:
    """Return all fields of a finished game; the side ``opponent`` has its honesty certified."""
    certificate = certify(settled(events), opponent, reader().names_secret, reader().promises)
    return {
        **end_of(ended),
        "persona": ended.opened.persona if opponent == "seller" else "",
        "certificate": certificate.to_json(),
        "ended_at": timezone.now(),
    }


RULE_SELLER = "rule"
"""Stands for the own seller of a suite, ``bazaarbatna.bargain.sellers``, by its persona."""

PERSON = ""
"""Stands for a side that nobody can ask again: a person, or a policy that is gone."""

SIMULATION = "sim"
"""The kind of a game between two policies."""


class Setting(Scenario, frozen=True):
    """A scenario as a simulation keeps it; ``buyer_seed`` None: the sealed seed, as live."""

    buyer_seed: int | None = None
    career: CareerSummary | None = None


class Record(msgspec.Struct, frozen=True):
    """A finished game. It holds sealed values: for archives and rollouts, never for a player.

    ``buyer`` and ``seller`` name policies, ``RULE_SELLER`` or ``PERSON``. ``again`` holds the
    sequence numbers at which the named players, asked again, do what they did; everything else
    (a person, a model, an older version) is only known from the log.
    """

    setting: Setting
    events: tuple[Event, ...]
    buyer: str
    seller: str
    kind: str = SIMULATION
    again: frozenset[int] = frozenset()

    @property
    def is_live(self) -> bool:
        """A person sat at this table: words were read and bids never went down."""
        return self.kind != SIMULATION

    @property
    def buyer_seed(self) -> int:
        """What the buyer is made from."""
        seed = self.setting.buyer_seed
        return self.setting.sealed.seed if seed is None else seed

    def player(self, side: Side) -> str:
        """Name who played a side."""
        return self.buyer if side == "buyer" else self.seller


def record_of(game: Game) -> Record:
    """Read a finished game of two sides from the database."""
    return record_of_rows(game, list(EventRow.objects.filter(game=game.pk).order_by("seq")))


def record_of_rows(game: Game, rows: Sequence[EventRow]) -> Record:
    """Build the record of a game whose whole log has been read already."""
    setting = msgspec.json.decode(bytes(game.sealed.scenario), type=Setting)
    events = settled([from_payload(row.payload) for row in rows])
    buyer, seller = _players(game, setting)
    if game.kind == SIMULATION and setting.buyer_seed is None:
        # A file from elsewhere: nobody knows what its buyer was made from.
        return Record(setting, events, buyer, seller, game.kind)
    labels = _labels(setting)
    again = frozenset(
        row.seq
        for row, event in zip(rows, events, strict=True)
        if (side := _speaker(event))
        and _would_again(buyer if side == "buyer" else seller, row, labels)
    )
    return Record(setting, events, buyer, seller, game.kind, again)


def _players(game: Game, setting: Setting) -> tuple[str, str]:
    if game.kind == SIMULATION:
        return _known(game.policy, "buyer"), RULE_SELLER if _labels(setting) else PERSON
    if game.seat == Game.Seat.BUYER:
        return PERSON, _known(game.policy, "seller")
    return _known(game.policy, "buyer"), PERSON


def _known(name: str, side: Side) -> str:
    entry = _entry(name)
    return name if entry is not None and entry.side == side else PERSON


def _entry(name: str) -> Entry | None:
    try:
        return policy(name)
    except UnknownPolicy:
        return None


def _speaker(event: Event) -> Side | None:
    match event:
        case OfferMade() | OfferAccepted() | WalkedAway() | MessageSent():
            return event.actor
        case TellsShown(of_seq=0):
            return event.actor  # shown before the move it belongs to, by the mover itself
        case _:
            return None


def _labels(setting: Setting) -> tuple[str, ...]:
    """List the versions in which a suite's own seller plays here now; none if it is not here."""
    persona = setting.sealed.persona
    if not is_person(persona):
        return tuple(VERSIONS.values()) if persona in SELLERS else ()
    try:
        family = family_of(persona)
    except UnknownSeller:
        return ()
    mixture = people_suite(setting.suite)
    return (family.version, *([mixture.version] if mixture else []))


def _would_again(player: str, row: EventRow, labels: tuple[str, ...]) -> bool:
    if player == PERSON:
        return False
    if player == RULE_SELLER:
        return row.policy_version in labels
    entry = policy(player)
    return (row.backend, row.policy_version) == (entry.backend, entry.version)
