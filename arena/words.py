"""The words of a move among rivals: the policy's own where they fit the deed, else a line."""

from random import Random

from agents.output_guard.coherence import first_coherent, sayable
from agents.output_guard.secrets import names_secret
from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Take
from arena.engine.observe import ArenaObservation, as_duel
from arena.lines.kinds import PRICED, Lines
from arena.lines.voices import VOICES
from arena.manners import Manner
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import MIN_PRICE, to_rupees
from negotiation.money import rupees_text


def spoken(seen: ArenaObservation, move: Move, done: ArenaMove, manner: Manner, seed: int) -> str:
    """Find words that name the price of the deed or none, and never the budget.

    Args:
        seen: what the buyer sees of the match.
        move: what the policy wanted to do, with its words.
        done: what it does in the match.
        manner: whose lines stand in, and whether the policy's own words come first.
        seed: of the seat; no line comes twice before all were used.
    """
    deed = _as_duel_move(seen, done)
    fits = manner.own_words and done.signal != "bluff" and _is_same(move, deed)
    if fits and move.text:
        own = first_coherent((move.text,), as_duel(seen), deed)
        if own:
            return own
    return _line(seen, done, VOICES[manner.voice], seed) if manner.voice else ""


def _line(seen: ArenaObservation, done: ArenaMove, lines: Lines, seed: int) -> str:
    kind = _kind(seen, done)
    text = _pick(lines, kind, seed, seen.round)
    if kind not in PRICED:
        return text
    price = done.price if isinstance(done, Bid) else seen.standing_ask
    amount = rupees_text(to_rupees(price), seen.item.currency)
    text = text.format(price=amount, item=sayable(seen.item.title) or "piece")
    # A line of ours holds no number but the price and those of the title.
    return _pick(lines, "silent", seed, seen.round) if names_secret(text, seen.budget) else text


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
