"""The optimal planner's turn: run what would be lost, else do what promises most."""

from arena.gpu_market.engine.actions import WAIT, MarketAction
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.policies.belief import believe
from arena.gpu_market.policies.offers import Idea, best_answer, best_offer
from arena.gpu_market.policies.pooling import best_commitment, best_invitation
from arena.gpu_market.policies.table import Table
from arena.gpu_market.policies.views import open_jobs


def optimal_planner(seen: Observation) -> MarketAction:
    """Weigh every kind of action by the exact plan that it leaves, and take the best.

    Running a job now is worth what the plan loses when the turn is spent otherwise. Against that
    stand offers on the table (the plan afterwards, and the money), offers to others (the same,
    times how likely they accept), and pools (what they may bring, for a block that is not needed).
    """
    return _decide(seen, pools=True)


def planner_alone(seen: Observation) -> MarketAction:
    """Play like the optimal planner, but never use a coalition."""
    return _decide(seen, pools=False)


def _decide(seen: Observation, *, pools: bool) -> MarketAction:
    if seen.done:
        return WAIT
    table = Table(seen, pools=pools)
    belief = believe(seen)
    ideas = [best_answer(table)]
    if open_jobs(seen):
        ideas.append(best_offer(table, belief))
        if pools:
            ideas += [best_commitment(table), best_invitation(table, belief)]
    run = _run_now(table)
    if run is not None:
        ideas.append(run)
    best = max((idea for idea in ideas if idea), key=lambda idea: idea.gain, default=None)
    return best.action if best else WAIT


def _run_now(table: Table) -> Idea | None:
    """Run what the best plan runs in this round; worth what waiting would lose."""
    for number, (_, bits, round_) in table.now.chosen:
        if round_ == table.seen.round:
            job = table.ways.jobs[number]
            action = MarketAction("allocate_to_job", job_id=job.id, block_ids=table.names(bits))
            return Idea(float(table.now.value - table.later.value), action)
    return None
