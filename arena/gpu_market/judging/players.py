"""Two players that pitch: they show that a bonus adds to honest work and does not replace it."""

from arena.gpu_market.engine.actions import WAIT, MarketAction
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.judging.checking import check
from arena.gpu_market.judging.clauses import Speaker
from arena.gpu_market.judging.facts import Facts, facts_seen
from arena.gpu_market.judging.pitching import NOTHING_NEW, honest_pitch
from arena.gpu_market.judging.reading import read_claims

NOBODY_NAMED = Speaker((), ())


def pitch_every_round(seen: Observation) -> MarketAction:
    """Pitch the truth in every turn and do no work; repeat oneself when all has been said."""
    return MarketAction("make_pitch", message=_next_pitch(seen))


def pitch_when_idle(seen: Observation) -> MarketAction:
    """Pitch what has not been said yet, and wait when all has."""
    text = _next_pitch(seen)
    return WAIT if text == NOTHING_NEW else MarketAction("make_pitch", message=text)


def _next_pitch(seen: Observation) -> str:
    facts = facts_seen(seen)
    return honest_pitch(facts, _spoken_of(seen, facts))


def _spoken_of(seen: Observation, facts: Facts) -> frozenset[str]:
    """Find what this lab has brought up, by its own words that it still remembers.

    They name nobody: were they read with the labs' ids, one called "need" would change them.
    """
    own = [said.text for said in seen.messages if said.lab == seen.lab and said.speech != "message"]
    found = {"reputation"} if own else set()
    for text in own:
        found |= {one.fact for one in check(read_claims(text, NOBODY_NAMED), facts) if one.fact}
    return frozenset(found)
