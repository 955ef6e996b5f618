"""Lets the engine's suites, people's included, be played together with their bounds."""

import msgspec

from negotiation.engine.people.suites import people_suite
from negotiation.engine.tasks import suite_ids
from training.evaluation.bounds import Ceilings
from training.evaluation.ceilings import people
from training.evaluation.ceilings.clairvoyant import Clairvoyant
from training.evaluation.ceilings.pinned_game import PRICES, BestResponse
from training.evaluation.sources import Source, engine_source, register_suites

PINNED = Ceilings(
    clairvoyant=Clairvoyant,
    best_response=lambda _, aim: BestResponse(aim),
    clairvoyant_how="exact to the paisa, over all bargains of a game",
    best_response_how=(
        f"exact on a grid of {PRICES} prices a round and the prices at which an answer changes; "
        "each bargain of a career for itself"
    ),
    has_grade=True,
)


def plug_in() -> None:
    """Register the suites; safe to call twice."""
    register_suites("engine", _find)


def _find(id_: str) -> Source | None:
    if people_suite(id_) is not None:
        return msgspec.structs.replace(engine_source(id_), ceilings=people.ceilings_of(id_))
    if id_ not in suite_ids():
        return None
    return msgspec.structs.replace(engine_source(id_), ceilings=PINNED)
