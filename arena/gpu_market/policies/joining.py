"""How the expert uses coalitions: invite whose blocks would help, put one in, take one out."""

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.agreements import Coalition
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.planning import Fill
from arena.gpu_market.policies.helping import helps, spare_blocks
from arena.gpu_market.policies.views import allocate, tradeable_blocks

WORTH_A_TURN = 300
"""What a pooled block must bring, in hundredths of a credit."""
WORTH_ASKING = 1000
"""What a block must promise before its lab is invited: many labs decline, or keep it."""
PURPOSE = "Pool what we would waste: together no block stands idle."


def use_of_pool(seen: Observation, fills: tuple[Fill, ...]) -> MarketAction | None:
    """Run a job with the help of a pooled block; put a spare one in first."""
    for coalition in _memberships(seen):
        pooled = [
            block
            for block in seen.blocks
            if block.pool == coalition.id and block.status == "committed"
            if block.owner != seen.lab
        ]
        if not pooled:
            continue
        own = spare_blocks(seen, fills)
        found = [
            one for one in helps(seen, fills, own, pooled, seen.round) if one.gain > WORTH_A_TURN
        ]
        for best in sorted(found, key=lambda one: -one.gain):
            if _credit(seen, coalition) > 0:
                return allocate(Fill(best.job, best.cover, best.gain))
            spare = [block for block in own if block not in best.cover]
            if spare:
                return MarketAction(
                    "commit_to_coalition", coalition_id=coalition.id, block_ids=(spare[0].id,)
                )
    return None


def best_invitation(seen: Observation, fills: tuple[Fill, ...]) -> MarketAction | None:
    """Invite the lab whose free blocks would help most, once each."""
    use = seen.round + 1
    if not seen.coalitions_enabled or use >= seen.rounds:
        return None
    spare = spare_blocks(seen, fills)
    if not spare:
        return None
    asked = {offer for one in seen.coalitions for offer in (*one.members, *one.invited)}
    tried = sum(one.founder == seen.lab for one in seen.coalitions)
    best, gift, most = "", "", WORTH_ASKING
    for lab in seen.labs:
        if lab.id == seen.lab or lab.finished or lab.id in asked:
            continue
        for found in helps(seen, fills, spare, tradeable_blocks(seen, lab.id), use):
            gifts = [block.id for block in spare if block not in found.cover]
            if gifts and found.gain > most:
                best, gift, most = lab.id, gifts[0], found.gain
    if not best or tried >= len(seen.labs):
        return None
    running = next((one for one in _memberships(seen) if one.expires > use), None)
    has_credit = running is not None and _credit(seen, running) > 0
    return MarketAction(
        "form_coalition",
        target_lab_id=best,
        coalition_id=running.id if running else "",
        block_ids=() if has_credit else (gift,),
        message=PURPOSE,
    )


def _memberships(seen: Observation) -> list[Coalition]:
    return [one for one in seen.coalitions if one.open and seen.lab in one.members]


def _credit(seen: Observation, coalition: Coalition) -> int:
    """Count the blocks of others that may still be taken out of a pool."""
    own = {job.id for job in seen.jobs}
    given = taken = 0
    for block in seen.blocks:
        if block.pool == coalition.id:
            given += block.owner == seen.lab and block.job not in own
            taken += block.owner != seen.lab and block.job in own
    return given - taken
