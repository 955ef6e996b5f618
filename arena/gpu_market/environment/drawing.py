"""A market as a few lines of text, as one lab sees it."""

from arena.gpu_market.engine import Observation
from arena.gpu_market.engine.agreements import Offer
from arena.gpu_market.engine.blocks import Block
from arena.gpu_market.engine.quantities import to_credits


def draw(seen: Observation) -> str:
    """Draw a lab's view: who has which blocks, its own jobs, what is on offer."""
    lines = [
        f"{seen.task} | {seen.lab} | round {min(seen.round + 1, seen.rounds)} of {seen.rounds}"
        f" | {to_credits(seen.budget):.2f} credits"
    ]
    for lab in seen.labs:
        blocks = "  ".join(_block(block) for block in seen.blocks if block.owner == lab.id)
        lines.append(f"  {lab.id}  reputation {lab.reputation:.2f}  {blocks}")
    for job in seen.jobs:
        worth = f"{to_credits(int(job.value)):.2f} credits by round {job.deadline}"
        lines.append(f"  {job.id}: {job.hours} hours, {'done' if job.done else worth}")
    lines += [_offer(offer) for offer in seen.offers if offer.status == "open"]
    if seen.last_result is not None and not seen.last_result.ok:
        lines.append(f"  refused: {seen.last_result.code}, {seen.last_result.message}")
    if seen.done:
        lines.append("  over")
    return "\n".join(lines)


def _block(block: Block) -> str:
    return f"{block.id}[{block.start}+{block.duration} x{block.gpus} {block.status}]"


def _offer(offer: Offer) -> str:
    gives = f"{_names(offer.offered)} and {to_credits(offer.payment):.2f}"
    wants = f"{_names(offer.requested)} of {offer.target}"
    return f"  {offer.id}: {offer.sender} gives {gives} for {wants}"


def _names(blocks: tuple[str, ...]) -> str:
    return ", ".join(blocks) or "nothing"
