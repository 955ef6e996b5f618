"""The list of sellers that this room gives to the game."""

from functools import partial

import msgspec

from agents.sellers.persona import PERSONAS
from agents.sellers.rule_seller import RuleSeller, version
from negotiation.policies import SellerFactory


class SellerRow(msgspec.Struct, frozen=True):
    """What the registry needs of a seller: ``register(row.name, row.make, side="seller", ...)``."""

    name: str
    make: SellerFactory
    version: str
    title: str
    persona: str


_SELLERS = tuple(
    SellerRow(
        name=f"seller:{persona.name}",
        make=partial(RuleSeller, persona=persona.name),
        version=version(persona),
        title=persona.title,
        persona=persona.name,
    )
    for persona in PERSONAS.values()
)


def sellers() -> tuple[SellerRow, ...]:
    """List the sellers; each call gives the same factories, so registering twice is safe."""
    return _SELLERS
