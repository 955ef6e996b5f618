"""Whose words a replay has: the one place that reads ``Game.words_by``."""

from typing import Literal

import msgspec
from django.utils.translation import gettext

from negotiation.models import Game

By = Literal["this-house", "nobody", "another-house"]


class Vouched(msgspec.Struct, frozen=True):
    """Who vouches for the words of a game, as pages, cards and programs say it; "": all is well.

    ``title`` stands before a page's title; ``mark`` beside the game in lists and on cards;
    ``badge`` on its own page, where it also says that it came as a file. ``key`` is another
    house's; ``of`` is what this house signed.
    """

    by: By
    title: str = ""
    mark: str = ""
    badge: str = ""
    key: str = ""
    of: str = ""

    @property
    def told(self) -> dict[str, str]:
        """The same for programs."""
        return {"by": self.by} | {
            name: text for name, text in (("of", self.of), ("key", self.key)) if text
        }


def vouched(game: Game) -> Vouched:
    """Return who vouches for the words of a game."""
    is_file = game.source == Game.Source.IMPORT
    match game.words_by:
        case "":
            badge = gettext("Brought as a file: every word signed by this house")
            return Vouched("this-house", badge=badge if is_file else "", of="game")
        case Game.TRIED:
            mark = gettext("A what-if, not a game as it was played")
            badge = gettext("Brought as a file: a what-if of this house, signed")
            title = gettext("What if")
            return Vouched("this-house", title, mark, badge if is_file else mark, of=Game.TRIED)
        case Game.NOBODY:
            mark = gettext("Not signed: words may have been changed")
            badge = gettext("From a file that is not signed: words may have been changed")
            return Vouched("nobody", gettext("Not signed"), mark, badge if is_file else mark)
        case key:
            mark = gettext("Signed by another house, key %(key)s") % {"key": key}
            return Vouched("another-house", gettext("Of another house"), mark, mark, key=key)
