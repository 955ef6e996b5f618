"""A game in one line, as its points say it: who, what, how it ended."""

from collections.abc import Callable

from bazaarbatna.money import rupees_text
from negotiation.sentences import sentences
from rooms.debrief.games import FinishedGame, names_of
from rooms.debrief.plot import percent

say = sentences(__file__)


def liner(*, named: bool) -> Callable[[FinishedGame], str]:
    """Return what says a game in one line, with names where the room is by name."""

    def line(game: FinishedGame) -> str:
        head = say("game_number_title", number=game.number, title=game.title)
        names = names_of(game, named=named)
        who = say("seller_and_buyer", **names)
        return f"{head} · {who} · {ending(game)}"

    return line


def ending(game: FinishedGame) -> str:
    """Say how a game ended."""
    if game.price is not None:
        told = {"price": rupees_text(game.price, game.currency), "share": percent(game.place)}
        return say("deal_at_price_the_seller_kept", **told)
    if game.is_broken_off:
        return say("broken_off")
    if not game.has_zone:
        return say("no_deal_and_no_price_suited")
    zone = {"zone": rupees_text(game.zone, game.currency)}
    return say("no_deal_zone_left_on_the", **zone)
