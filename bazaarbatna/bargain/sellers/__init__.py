"""The pinned opponents, by persona, and those of the population, by family.

A new persona is a class and a TOML beside these and one line here; a new family a row in
``people/families.toml``.
"""

import hashlib
from random import Random

import msgspec

from bazaarbatna.bargain import tells_emission
from bazaarbatna.bargain.errors import UnknownSeller
from bazaarbatna.bargain.people.seller import PersonSeller
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.collaborative import CollaborativeSeller
from bazaarbatna.bargain.sellers.deceptive import DeceptiveSeller
from bazaarbatna.bargain.sellers.default import DefaultSeller
from bazaarbatna.bargain.sellers.impatient import ImpatientSeller
from bazaarbatna.bargain.sellers.persona import HOUSE, Persona
from bazaarbatna.bargain.tells_emission import NOISE

SELLERS: dict[str, type[RuleSeller]] = {
    seller.persona.name: seller
    for seller in (DefaultSeller, DeceptiveSeller, ImpatientSeller, CollaborativeSeller)
}


def _version(persona: Persona) -> str:
    constants = {
        "house": HOUSE,
        "noise": NOISE,
        "stalling_below": tells_emission.STALLING_BELOW,
        "urgency_of_concession": tells_emission.URGENCY_OF_CONCESSION,
    }
    text = msgspec.json.encode((persona, constants), order="sorted")
    return f"rule:{persona.name}@{persona.number}#{hashlib.sha256(text).hexdigest()[:12]}"


VERSIONS: dict[str, str] = {name: _version(seller.persona) for name, seller in SELLERS.items()}
"""Persona -> ``rule:<persona>@<number>#<12 hex digits>``; results carry it, tables never mix it."""


HouseSeller = RuleSeller | PersonSeller
"""What sells in suites: a pinned opponent, or somebody of the population."""


def make_seller(scenario: Scenario) -> HouseSeller:
    """Make the seller of a scenario, with random numbers from the sealed seed.

    Raises:
        UnknownSeller: no registered family has the persona, which begins with ``people:``.
        ValueError: no rule seller has the scenario's persona.
    """
    persona = scenario.sealed.persona
    if is_person(persona):
        return PersonSeller(scenario)
    if persona not in SELLERS:
        raise ValueError(f"No seller has the persona {persona!r}. Known: {', '.join(SELLERS)}.")
    return SELLERS[persona](scenario, Random(scenario.sealed.seed))


def is_person(persona: str) -> bool:
    """Whether a persona is one of the population's: ``people:<family>``."""
    return persona.startswith("people:")


def persona_of(seller: str) -> str:
    """Return the persona of a pinned seller, named by that or by its full version label.

    Raises:
        UnknownSeller: there is none, or the label is of a version that is not played here.
    """
    for persona, version in VERSIONS.items():
        if seller in (persona, version):
            return persona
    known = ", ".join((*VERSIONS, *VERSIONS.values()))
    raise UnknownSeller(f"There is no seller {seller[:60]!r}. Known: {known}.")
