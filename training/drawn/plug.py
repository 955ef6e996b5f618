"""Lets stages of training play drawn sellers as they play suites."""

from training.drawn.dealing import SELLER, SUITE, TITLE, deal
from training.drawn.table import DrawnGame
from training.evaluation.sources import Source, register_suites

_SOURCE = Source(title=TITLE, episodes=1, row=SELLER, deal=deal, open=DrawnGame)


def plug_in() -> None:
    """Register the suite; safe to call twice."""
    register_suites("drawn", lambda id_: _SOURCE if id_ == SUITE else None)
