"""The words of a move among rivals: the policy's own where they fit the deed, else a line."""

from collections.abc import Iterator
from random import Random

from agents.coherence import first_coherent
from agents.lines.voice import sayable
from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Take
from arena.engine.observe import ArenaObservation, as_duel
from arena.lines.kinds import Lines
from arena.lines.voices import VOICES
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import MIN_PRICE, to_rupees
from negotiation.money import rupees_text

OWN_WORDS = "sauda"
"""The voice whose policy finds better words than the lines here, as long as they fit."""


def spoken(seen: ArenaObservation, move: Move, done: ArenaMove, voice: str, seed: int) -> str:
    """Find words that name the price of the deed or none, and never the budget.

    Args:
        seen: what the buyer sees of the match.
        move: what the policy wanted to do, with its words.
        done: what it does in the match.
        voice: whose lines stand in.
        seed: of the seat; no line comes twice before all were used.
    """
    deed = _as_duel_move(seen, done)
    own = move.text if voice in (OWN_WORDS, "") and _is_same(move, deed) else ""
    return first_coherent(_wordings(seen, done, own, voice, seed), as_duel(seen), deed)


def _wordings(
    seen: ArenaObservation, done: ArenaMove, own: str, voice: str, seed: int
) -> Iterator[str]:
    if own:
        yield own
    lines = VOICES.get(voice)
    if lines is None:
        return
    kind = _kind(seen, done)
    price = seen.standing_ask if isinstance(done, Take) else getattr(done, "price", seen.own_bid)
    currency = seen.item.currency
    amount = rupees_text(to_rupees(price or 0), currency)
    item = sayable(seen.item.title) or "piece"
    yield _pick(lines, kind, seed, seen.round).format(price=amount, item=item)
    yield _pick(lines, "silent", seed, seen.round)


def _kind(seen: ArenaObservation, done: ArenaMove) -> str:
    match done:
        case Take():
            return "taking"
        case Leave():
            return "leaving"
        case Hold(_, "bluff"):
            return "bluffing"
        case Hold():
            return "leading" if seen.leads else "waiting"
        case Bid():
            return "raising" if seen.outbid else "bidding" if seen.bids else "opening"


def _pick(lines: Lines, kind: str, seed: int, round_: int) -> str:
    pool = lines[kind]
    order = list(range(len(pool)))
    Random(f"{seed}:{kind}").shuffle(order)
    return pool[order[round_ % len(pool)]]


def _as_duel_move(seen: ArenaObservation, done: ArenaMove) -> Move:
    match done:
        case Bid(price):
            return Offer(price)
        case Take():
            return Accept()
        case Leave():
            return Walk()
        case Hold():
            return Offer(seen.own_bid or MIN_PRICE)


def _is_same(move: Move, deed: Move) -> bool:
    if isinstance(move, Offer) and isinstance(deed, Offer):
        return move.price == deed.price
    return type(move) is type(deed)
