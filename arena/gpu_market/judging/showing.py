"""What a hearing shows to one lab, or to spectators: public words, all scores, no others' checks.

Whether another lab's claim is true would tell of its jobs, and so would the parts of its score.
"""

from collections.abc import Sequence

import msgspec

from arena.gpu_market.engine.quantities import LAB_IDS, LAB_NUMBERS, LabId
from arena.gpu_market.judging.cards import Card
from arena.gpu_market.judging.claims import Checked
from arena.gpu_market.judging.hearing import Heard, Hearing
from arena.gpu_market.judging.rounds import JudgedRound


class LabHeard(msgspec.Struct, frozen=True):
    """A lab in a hearing as somebody sees it; ``claims`` and ``card`` only of the own lab.

    ``to`` names the lab that its words answer; then ``text`` is shown to these two alone.
    ``so_far`` is the sum of its scores.
    """

    lab: LabId
    name: str
    text: str
    score: float
    to: LabId = ""
    so_far: float = 0.0
    claims: tuple[Checked, ...] = ()
    card: Card | None = None


class HearingSeen(msgspec.Struct, frozen=True):
    """A hearing as somebody sees it; ``bonus`` is what it brings the own lab."""

    round: int
    labs: tuple[LabHeard, ...]
    winner: LabId
    reason: str
    judge: str
    bonus: float = 0.0


def seen(hearing: Hearing, by: LabId = "") -> HearingSeen:
    """Show a hearing to a lab, or to a spectator (""), while the episode goes on."""
    labs = tuple(
        _lab(one, is_own=one.lab == by, may_hear=not one.to or by in (one.lab, one.to))
        for one in hearing.labs
    )
    return HearingSeen(hearing.round, labs, hearing.winner, hearing.reason, hearing.judge)


def round_seen(judged: JudgedRound, by: LabId = "") -> HearingSeen:
    """Show a judged round: its hearing with the running scores, and the own lab's bonus."""
    shown = seen(judged.hearing, by)
    labs = tuple(
        msgspec.structs.replace(one, so_far=total)
        for one, total in zip(shown.labs, judged.scores_so_far, strict=True)
    )
    bonus = judged.bonuses[LAB_NUMBERS[by]] if by else 0.0
    return msgspec.structs.replace(shown, labs=labs, bonus=bonus)


def _lab(one: Heard, *, is_own: bool, may_hear: bool) -> LabHeard:
    text = one.text if may_hear else ""
    if is_own:
        return LabHeard(one.lab, one.name, text, one.card.score, one.to, 0.0, one.claims, one.card)
    return LabHeard(one.lab, one.name, text, one.card.score, one.to)


def transcript(rounds: Sequence[JudgedRound], *, checks: bool = False) -> str:
    """Write judged rounds down; ``checks`` only after the end, or for the lab's own eyes."""
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
