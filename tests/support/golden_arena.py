"""Digests of matches per version of the arena's seller: ``python -m tests.support.golden_arena``.

A digest is never replaced: a seller that behaves otherwise needs another version. The buyers here
are chancers, so no buyer's change can touch a digest.
"""

import hashlib
import json
import os
from pathlib import Path

import django
import msgspec
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

from arena.engine.making import make_match
from arena.engine.playing import play_match
from arena.engine.scenario import Seat
from arena.engine.selling import version
from negotiation.engine.goods import SAMPLE_LISTINGS
from negotiation.engine.sellers import SELLERS
from tests.support.matches import chancer

PLACE = Path(__file__).with_name("golden_arena.json")
MATCHES = 40


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


def recorded() -> dict[str, str]:
    """Read the digests by version."""
    known: dict[str, str] = json.loads(PLACE.read_text()) if PLACE.exists() else {}
    return known


def main() -> None:
    """Record the versions that are not recorded yet."""
    known = recorded()
    for persona in SELLERS:
        known.setdefault(version(persona), digest(persona))
    PLACE.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
