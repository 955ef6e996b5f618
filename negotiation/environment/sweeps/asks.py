"""The next ask of each persona, for many games at once: the shapes of ``engine/sellers``."""

from collections.abc import Callable

import numpy as np

from negotiation.engine.sellers.persona import Persona
from negotiation.environment.sweeps.arrays import Flags, Floats
from negotiation.environment.sweeps.play import Play

Draw = Callable[[str, Flags], Floats]
"""Gives this round's draw of a kind, for the games in play that are flagged; else anything."""

Asks = Callable[[Persona, Play, Draw, Flags], Floats]
"""Plans the next ask of the games whose sellers will speak; of the others anything."""


def default_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Follow the schedule; an ask never goes up."""
    return np.minimum(scheduled(play), play.ask)


def impatient_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Fall fast at first, then barely."""
    shape, t = rule.shape, play.round
    extra = play.anchor * shape["drop_per_round"] * t
    early = np.minimum(scheduled(play) - extra, play.ask)
    late = play.ask * (1 - shape["later_drop"])
    return np.where(np.greater(t, shape["big_drops"]), late, early)


def collaborative_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Mix the schedule with the fair price."""
    lean = rule.shape["lean"]
    fair = (rule.shape["fair_markup"] * play.cost + play.ask) / 2
    return np.minimum((1 - lean) * scheduled(play) + lean * fair, play.ask)


def deceptive_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Follow the schedule, unless this turn's draws say to bluff."""
    shape = rule.shape
    planned = np.minimum(scheduled(play), play.ask)
    drops = speaks & (play.fakes < shape["most_fakes"]) & (draw("drop", speaks) < shape["fake_p"])
    pulls = ~drops & (play.fakes > 0) & (draw("pull", speaks) < shape["pull_p"])
    play.fakes = play.fakes + drops
    raised = np.floor(play.ask * (1 + rule.bluff_raise))
    return np.where(drops, planned * (1 - shape["fake_drop"]), np.where(pulls, raised, planned))


def scheduled(play: Play) -> Floats:
    """Give the ask after this round: a fixed share of the anchor less per round."""
    return play.anchor * (1 - play.rate * play.round)


ASKS: dict[str, Asks] = {
    "default": default_asks,
    "deceptive": deceptive_asks,
    "impatient": impatient_asks,
    "collaborative": collaborative_asks,
}
"""Persona -> how it plans its next ask."""
