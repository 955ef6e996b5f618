"""Lines that people allowed to be quoted, chosen by what the other side did right after them."""

from collections.abc import Sequence

import msgspec

from rooms.debrief.games import Chair, FinishedGame, Move

MOST = 6
LENGTHS = range(12, 221)
"""Characters of a line that can be read from a wall."""


class Quote(msgspec.Struct, frozen=True):
    """A line; ``moved`` rupees came the other side closer right after it, not because of it."""

    game: FinishedGame
    chair: Chair
    text: str
    seq: int
    moved: float


def quotes_of(games: Sequence[FinishedGame]) -> list[Quote]:
    """Choose at most one line of each person who agreed to it, by the step that followed."""
    best: dict[int, Quote] = {}
    for game in games:
        for quote in _quotable(game):
            number = quote.chair.member
            assert number is not None
            known = best.get(number)
            if known is None or _worth(quote) > _worth(known):
                best[number] = quote
    return sorted(best.values(), key=lambda quote: (-_worth(quote), quote.game.number))[:MOST]


def _worth(quote: Quote) -> float:
    return quote.moved / quote.game.anchor


def _quotable(game: FinishedGame) -> list[Quote]:
    found = []
    for place, move in enumerate(game.moves):
        chair = game.chair(move.side)
        if chair.member is None or not chair.may_quote or not chair.is_person:
            continue
        text = " ".join(move.text.split())
        if len(text) in LENGTHS:
            found.append(Quote(game, chair, text, move.seq, _moved_after(game, place, move)))
    return found


def _moved_after(game: FinishedGame, place: int, move: Move) -> float:
    """Return the other side's step in its next move, 0 where it gave none."""
    sign = -1 if move.side == "buyer" else 1
    before = [
        one.price
        for one in game.moves[:place]
        if one.side != move.side and one.kind == "offer" and one.price is not None
    ]
    start = before[-1] if before else (game.anchor if move.side == "buyer" else None)
    after = next((one for one in game.moves[place + 1 :] if one.side != move.side), None)
    if start is None or after is None or after.price is None:
        return 0.0
    return max(sign * (after.price - start), 0.0)
