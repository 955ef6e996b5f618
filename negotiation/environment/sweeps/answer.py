"""One turn of many sellers: who takes the bid, who leaves, and what the others ask next."""

from typing import NamedTuple

import numpy as np

from negotiation.engine.sellers.persona import HOUSE, Persona
from negotiation.environment.sweeps.arrays import Flags, Floats, Number, clamp_prices
from negotiation.environment.sweeps.asks import ASKS, Draw
from negotiation.environment.sweeps.play import Play


class Answer(NamedTuple):
    """Who accepts the standing bid, who walks, and the new ask of everyone else."""

    accept: Flags
    walk: Flags
    ask: Floats


def answer(rule: Persona, play: Play, draw: Draw, live: Flags) -> Answer:
    """Answer the standing bids, as ``RuleSeller.act`` does one by one.

    Args:
        rule: the persona's numbers.
        play: the games; ``fakes`` is brought up to date.
        draw: this round's luck, asked only where it can matter.
        live: the games that the buyer's move has not ended; elsewhere the answer means nothing.
    """
    takes = _takes(rule, play, draw, live)
    walks = _walks(rule, play, draw, live & ~takes)
    planned = ASKS[rule.name](rule, play, draw, live & ~takes & ~walks)
    ask = clamp_prices(planned, play.reservation)
    return Answer(takes | (ask <= play.bid) & ~walks, walks, ask)


def _takes(rule: Persona, play: Play, draw: Draw, live: Flags) -> Flags:
    bid, t = play.bid, play.round
    enough = bid >= play.reservation
    takes: Flags = enough & (bid >= rule.closes_at * play.ask)
    late = np.greater(t, HOUSE.late_from * play.rounds)
    if not np.any(late):
        return takes
    width = play.anchor - play.reservation
    tempted = live & enough & ~takes & late & (width > 0)
    if not tempted.any():
        return takes
    chance = (bid - play.reservation) / np.maximum(width, 1) * t / play.rounds
    return takes | (draw("late", tempted) < chance * rule.late_factor) & tempted


def _walks(rule: Persona, play: Play, draw: Draw, live: Flags) -> Flags:
    t = play.round
    bored = live & np.greater(t, _patience(rule, play.rounds))
    chance = play.walk_p * t / play.rounds
    insulted = live & ~bored & (play.bid < play.lowball) & np.greater(chance, 0)
    if not insulted.any():
        return bored
    return bored | (draw("walk", insulted) < chance) & insulted


def _patience(rule: Persona, rounds: Number) -> Number:
    if not rule.impatience:
        return rounds
    return np.maximum(rounds - rule.impatience, HOUSE.least_patience)
