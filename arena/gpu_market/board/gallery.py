"""Every action with an example that is valid in one market, as the page and the docs show it.

The market is ``make_market("coalition_market", seed=15)``, and ``before`` is what lab_0 did in its
turns before. A test plays each of them.
"""

from typing import Any

import msgspec

from arena.gpu_market.engine.actions import ActionName

TASK, SEED = "coalition_market", 15


class Example(msgspec.Struct, frozen=True):
    """An action as JSON, what it does in one sentence, and the actions that lead up to it."""

    about: str
    action: dict[str, Any]
    before: tuple[dict[str, Any], ...] = ()

    @property
    def name(self) -> ActionName:
        """Which of the fourteen it is."""
        name: ActionName = self.action["action"]
        return name

    @property
    def json(self) -> str:
        """The action as it is sent."""
        return msgspec.json.encode(self.action).decode().replace('":', '": ').replace(',"', ', "')


_FOUND: dict[str, Any] = {
    "action": "form_coalition",
    "target_lab_id": "lab_2",
    "block_ids": ["block_2"],
    "message": "Pool what we would waste.",
}
_RESERVE: dict[str, Any] = {"action": "reserve_capacity", "block_ids": ["block_0"]}

EXAMPLES: tuple[Example, ...] = (
    Example(
        "Put blocks and money before another lab, for blocks of its own.",
        {
            "action": "send_offer",
            "target_lab_id": "lab_3",
            "block_ids": ["block_3"],
            "requested_block_ids": ["block_13"],
            "payment": 4.5,
            "message": "Your late block for my early one.",
            "conditions": ["must_not_resell"],
        },
    ),
    Example(
        "Take an offer: what it promises changes hands at once. With a coalition_id: join.",
        {"action": "accept_offer", "offer_id": "offer_3_0_0"},
    ),
    Example(
        "Turn an offer down. With a coalition_id: stay out.",
        {"action": "reject_offer", "offer_id": "offer_1_0_0"},
    ),
    Example(
        "Answer an offer with one of your own; the first is closed.",
        {
            "action": "counter_offer",
            "offer_id": "offer_2_0_0",
            "requested_block_ids": ["block_10"],
            "payment": 8,
        },
    ),
    Example(
        "Argue before all why your work should come first.",
        {"action": "make_pitch", "message": "My paper is due in round 3 and needs 2 GPU-hours."},
    ),
    Example(
        "Answer another lab’s pitch before all.",
        {
            "action": "counter_pitch",
            "target_lab_id": "lab_1",
            "message": "We can both run if you take the blocks of round 6.",
        },
    ),
    Example("Take own blocks off the market.", _RESERVE),
    Example(
        "Set reserved or pooled blocks free; out of a pool, that breaks a promise.",
        {"action": "release_capacity", "block_ids": ["block_0"]},
        (_RESERVE,),
    ),
    Example("Ask a lab into a coalition, and put blocks into its pool.", _FOUND),
    Example(
        "Put more blocks into the pool of your coalition.",
        {
            "action": "commit_to_coalition",
            "coalition_id": "coalition_0",
            "block_ids": ["block_0"],
        },
        (_FOUND,),
    ),
    Example(
        "Run a job on blocks: it closes, they are used up.",
        {"action": "allocate_to_job", "job_id": "job_0_0", "block_ids": ["block_1"]},
    ),
    Example(
        "Speak to one lab, or to all when you name none.",
        {
            "action": "send_message",
            "target_lab_id": "lab_2",
            "message": "A fair pool would serve us both.",
        },
    ),
    Example("Let the turn pass; it costs nothing.", {"action": "wait"}),
    Example("Give up all later turns. The market goes on without you.", {"action": "finish"}),
)
