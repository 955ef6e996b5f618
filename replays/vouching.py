"""Whose words a replay has: the one place that reads ``Game.words_by``."""

from typing import Literal

import msgspec

from negotiation.models import Game
from negotiation.sentences import sentences

say = sentences(__file__)

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
            badge = say("brought_as_a_file_every_word")
            return Vouched("this-house", badge=badge if is_file else "", of="game")
        case Game.TRIED:
            mark = say("a_what_if_not_a_game")
            badge = say("brought_as_a_file_a_what")
            title = say("what_if")
            return Vouched("this-house", title, mark, badge if is_file else mark, of=Game.TRIED)
        case Game.NOBODY:
            mark = say("not_signed_words_may_have_been")
            badge = say("from_a_file_that_is_not")
            return Vouched("nobody", say("not_signed"), mark, badge if is_file else mark)
        case key:
            mark = say("signed_by_another_house_key_key", key=key)
            return Vouched("another-house", say("of_another_house"), mark, mark, key=key)
