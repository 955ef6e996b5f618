"""The words of a replay that depend on which side a person played."""

from pathlib import Path

import msgspec
from django.utils.translation import gettext

from bazaarbatna.word_tables import read_table
from negotiation.bargain.shops import shop_of
from negotiation.models import Game
from negotiation.portraits.characters import name_of


class Wording(msgspec.Struct, frozen=True):
    """One row of words; ``players`` tells who played what, with or without a deal."""

    players: str
    deal: str
    reservation: str
    budget: str
    seller_share: str
    buyer_share: str
    reads_now: str
    read_last: str
    pressed: str
    room: str
    certificate: str


VERBS = read_table(Path(__file__).with_name("verbs.toml"), dict[str, str])
"""What somebody does, and a deal, with a ``price`` to fill in."""

_TABLE = read_table(Path(__file__).with_suffix(".toml"), dict[str, dict[str, str]])


def wording_of(game: Game) -> Wording:
    """Return the words for a game."""
    if game.kind == "sim":
        persona = gettext(_TABLE["personas"].get(game.persona, "a"))
        return _filled("simulated", buyer=name_of(game.policy), persona=persona)
    if game.is_pair:
        return _filled("paired")
    seller = "" if game.seat != Game.Seat.BUYER else shop_of(game.policy).keeper
    row = "bought" if seller else "sold"
    name = str(game.names.get(game.seat, "")) if game.share_replay else ""
    return _filled(row, f"{row}_{'signed' if name else game.source}", seller=seller, name=name)


def _filled(row: str, instead: str = "", **names: str) -> Wording:
    texts = _TABLE[row] | _TABLE.get(instead, {})
    return Wording(**{name: gettext(text).format(**names) for name, text in texts.items()})
