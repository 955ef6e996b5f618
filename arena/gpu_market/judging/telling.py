"""A judged negotiation as a transcript in plain text."""

from collections.abc import Sequence

from arena.gpu_market.engine.quantities import LAB_IDS, LAB_NUMBERS
from arena.gpu_market.judging.hearing import Heard
from arena.gpu_market.judging.rounds import JudgedRound


def transcript(rounds: Sequence[JudgedRound], *, checks: bool = False) -> str:
    """Write down judged rounds.

    Args:
        rounds: of one episode.
        checks: with what was found in each pitch: only after the end, or for the lab's own eyes.
    """
    return "\n\n".join(_round(judged, checks=checks) for judged in rounds) + "\n"


def _round(judged: JudgedRound, *, checks: bool) -> str:
    hearing = judged.hearing
    lines = [f"round {hearing.round}, judged by {hearing.judge}"]
    if hearing.fallback:
        lines.append(f"  (the rule stood in: {hearing.fallback})")
    for one in hearing.labs:
        lines.append(f"  {one.lab} {one.name}: {one.text or '(silent)'}")
        if checks and one.claims:
            lines.append(f"    {_findings(one)}")
        total = judged.scores_so_far[LAB_NUMBERS[one.lab]]
        lines.append(f"    score {one.card.score:.3f}, so far {total:.3f}")
    lines.append(f"  winner: {hearing.winner or 'nobody'}. {hearing.reason}")
    for number, bonus in enumerate(judged.bonuses):
        if hearing.labs[number].own:
            so_far = judged.bonuses_so_far[number]
            lines.append(f"  bonus of {LAB_IDS[number]}: {bonus:+.3f}, so far {so_far:+.3f}")
    return "\n".join(lines)


def _findings(one: Heard) -> str:
    found = []
    for checked in one.claims:
        claim = checked.claim
        found.append(f"{claim.kind} {one.text[claim.start : claim.end]!r}: {checked.finding}")
    return "; ".join(found)
