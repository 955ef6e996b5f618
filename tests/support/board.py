"""Games of people for the board, played through the real writers."""

from itertools import chain, repeat

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import sessions
from negotiation.bargain.commands import Command
from negotiation.bargain.purchases import NewPurchase
from negotiation.bargain.scenarios import NewSale, draw_budget, stored_scenario
from negotiation.models import Game, Listing

SEED = next(seed for seed in range(100) if draw_budget(seed, Paise(10), Paise(5)) > 5)
"""A seed whose sale has room for a deal."""

NO_ROOM = next(seed for seed in range(100) if draw_budget(seed, Paise(1000), Paise(500)) < 500)
"""A seed whose sale has none."""


def a_lamp(title: str = "Brass lamp") -> Listing:
    """Something of the stall."""
    known = Listing.objects.filter(source="test", source_key=title).first()
    return known or Listing.objects.create(
        title=title,
        category="Home",
        description="Polished every Diwali.",
        list_price=250_000,
        street_price=200_000,
        source="test",
        source_key=title,
    )


def sells(
    owner: str,
    *,
    seed: int = SEED,
    end: Command | None = None,
    has_zone: bool = False,
    **changes: object,
) -> Game:
    """Sell the lamp to Sauda for whatever she takes, or end it in another way."""
    sale = NewSale(**({"listing": a_lamp()} | changes))  # type: ignore[arg-type]
    game = sessions.open_sale(owner, sale, lambda _: seed, has_zone=has_zone)
    limit = stored_scenario(game).sealed.reservation
    asks = chain((round(limit * factor) for factor in (1.25, 1.15, 1.1, 1.05)), repeat(limit))
    while game.status == Game.Status.LIVE:
        if not sessions.opponent_turn(game.pk):
            sessions.play(game.pk, owner, end or Offer(Paise(next(asks)), "last price"))
        game.refresh_from_db()
    return game


def begins_a_sale(owner: str, *, seed: int = SEED) -> Game:
    """Open a sale and leave it lying."""
    return sessions.open_sale(owner, NewSale(listing=a_lamp()), lambda _: seed)


def buys(
    owner: str, *, end: Command | None = None, has_zone: bool = False, **changes: object
) -> Game:
    """Buy the lamp at Meena's: pay what she asks, or end it in another way."""
    purchase = NewPurchase(**({"listing": a_lamp()} | changes))  # type: ignore[arg-type]
    game = sessions.open_purchase(owner, purchase, lambda _: SEED, has_zone=has_zone)
    sessions.play(game.pk, owner, end or Walk("nahi"))
    game.refresh_from_db()
    return game
