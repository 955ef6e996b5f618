"""Lets evaluations play the suites of strangers."""

from functools import partial

from training.evaluation.sources import Source, register_suites
from training.strangers.dealing import VARIANT, deal, persona_of, seller_of
from training.strangers.table import StrangerGame


def plug_in() -> None:
    """Register the suites; safe to call twice."""
    register_suites("strangers", _find)


def _find(id_: str) -> Source | None:
    persona = persona_of(id_)
    if persona is None:
        return None
    return Source(
        title=seller_of(persona).title,
        episodes=1,
        row=(VARIANT, persona),
        deal=partial(deal, persona),
        open=partial(StrangerGame, persona),
    )
