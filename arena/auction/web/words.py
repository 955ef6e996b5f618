"""The words of a move among rivals: the policy's own where they fit the deed, else a line."""

from pathlib import Path
from random import Random

from agents.output_guard.coherence import first_coherent, sayable
from agents.output_guard.secrets import names_secret
from agents.text.word_tables import read_table
from arena.auction.engine.events import ArenaMove, Bid, Hold, Leave, Take
from arena.auction.engine.observe import ArenaObservation, as_duel
from arena.auction.web.bidding import Manner
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import MIN_PRICE, to_rupees
from negotiation.money import rupees_text

Lines = dict[str, tuple[str, ...]]
"""Lines by kind; ``silent`` stands in where a price must not be said. No line holds a number."""

PRICED = ("opening", "bidding", "raising", "taking")
"""Kinds of lines that name a price: the own bid, or the ask that is taken."""

KINDS = (*PRICED, "leading", "waiting", "bluffing", "leaving", "silent")

VOICES = {
    name: read_table(Path(__file__).with_name("lines") / f"{name}.toml", Lines)
    for name in ("aggressive", "smart", "base", "sauda")
}


def spoken(seen: ArenaObservation, move: Move, done: ArenaMove, manner: Manner, seed: int) -> str:
    """Return words that name the price of the deed or none, and never the budget.

    ``move`` is what the policy wanted to do, with its words; ``done`` is what it does. Of the lines
    of ``manner`` none comes twice, for one ``seed``, before all were used.
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
