"""Digests per version of the arena's seller and of each manner among rivals.

``python -m tests.support.golden_arena`` adds to them; a digest is never replaced: who behaves
otherwise needs another version. The seller's buyers are chancers, the manners turn thrown moves, so
that no change of a policy can touch a digest.
"""

import hashlib
import os
from functools import partial
from pathlib import Path
from random import Random

import django
import msgspec
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

from arena.auction.web.bidding import MANNERS, contested, manner_of, manner_version
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.match import place, start
from bazaarbatna.auction.observe import observe, play_match
from bazaarbatna.auction.scenario import Seat
from bazaarbatna.auction.selling import version
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.sellers import SELLERS
from tests.support import golden
from tests.support.matches import a_match, chancer, envelopes

PLACE = Path(__file__).with_name("golden_arena.json")
MATCHES = 40
MANNERED = (*MANNERS, "rules:boulware")
"""Every row of the table, and one who has none."""


def digest(persona: str) -> str:
    """Hash every word and number of the matches that this persona sells in."""
    total = hashlib.sha256()
    for number in range(MATCHES):
        seats = tuple(Seat(f"Buyer {seat}", "chancer", "1") for seat in range(2 + number % 3))
        listing = SAMPLE_LISTINGS[number % len(SAMPLE_LISTINGS)]
        scenario = make_match(listing, seats, persona, number)
        # The label is what is being checked, so it is no part of the behaviour.
        unlabelled = msgspec.structs.replace(scenario, seller="")
        total.update(msgspec.json.encode(play_match(unlabelled, lambda seat, n=number: chancer(n))))
    return total.hexdigest()


def manner_label(policy_name: str) -> str:
    """Name a manner with its version."""
    return f"manner:{policy_name}#{manner_version(policy_name)}"


def manner_digest(policy_name: str) -> str:
    """Hash what this manner makes of thrown moves in the positions of random matches."""
    total, dice = hashlib.sha256(), Random(5)
    for number in range(MATCHES):
        scenario = a_match(number)
        state, _ = start(scenario)
        for event in envelopes(play_match(scenario, lambda seat, n=number: chancer(n))):
            seen = observe(state, event.buyer)
            share = dice.uniform(0.3, 1.2)
            thrown: tuple[Move, ...] = (
                Offer(Paise(max(1, int(share * seen.standing_ask)))),
                Accept(),
                Walk(),
            )
            for move in thrown:
                made = contested(seen, move, manner_of(policy_name), number)
                total.update(msgspec.json.encode(made))
            state, _ = place(state, event.buyer, event.move)
    return total.hexdigest()


def recorded() -> dict[str, str]:
    """Read the digests by version."""
    return golden.recorded(PLACE)


def main() -> None:
    """Record the versions that are not recorded yet."""
    sellers = {version(name): partial(digest, name) for name in SELLERS}
    manners = {manner_label(name): partial(manner_digest, name) for name in MANNERED}
    golden.record(PLACE, sellers | manners)


if __name__ == "__main__":
    main()
