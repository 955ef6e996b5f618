"""A game in one line, as its points say it: who, what, how it ended."""

from collections.abc import Callable

from django.utils.translation import gettext

from bazaarbatna.money import rupees_text
from rooms.debrief.games import FinishedGame, names_of
from rooms.debrief.plot import percent


def liner(*, named: bool) -> Callable[[FinishedGame], str]:
    """Return what says a game in one line, with names where the room is by name."""

    def line(game: FinishedGame) -> str:
        head = gettext("Game %(number)d, %(title)s") % {"number": game.number, "title": game.title}
        names = names_of(game, named=named)
        who = gettext("%(seller)s and %(buyer)s") % names
        return f"{head} · {who} · {ending(game)}"

    return line


def ending(game: FinishedGame) -> str:
    """Say how a game ended."""
    if game.price is not None:
        told = {"price": rupees_text(game.price, game.currency), "share": percent(game.place)}
        return gettext("deal at %(price)s, the seller kept %(share)s") % told
    if game.is_broken_off:
        return gettext("broken off")
    if not game.has_zone:
        return gettext("no deal, and no price suited both")
    zone = {"zone": rupees_text(game.zone, game.currency)}
    return gettext("no deal, %(zone)s left on the table") % zone
