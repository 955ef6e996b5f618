"""What the published environment reports of its own policies, to be set beside ours.

Mean returns over five seeds a task. Another engine, other seeds: orders can be compared, numbers
cannot.
"""

import msgspec


class Elsewhere(msgspec.Struct, frozen=True):
    """One row of their table; None where only part of it is reported.

    Attributes:
        title: their name for it.
        policy: ours that is made after it, "" without one.
        tasks: single trade, market round, coalition market.
        overall: their mean of all.
    """

    title: str
    policy: str
    tasks: tuple[float, float, float] | None
    overall: float


ELSEWHERE: tuple[Elsewhere, ...] = (
    Elsewhere("Rule expert", "rule_expert", (0.204, 0.526, 0.624), 0.451),
    # Three fifths of what their expert earns: accepting alone cannot bring that, so theirs runs its
    # jobs as well.
    Elsewhere("Always accept", "accepts_first", (0.171, 0.400, 0.227), 0.266),
    Elsewhere("SFT, Llama-3.2-3B", "", (0.164, 0.189, 0.416), 0.257),
    Elsewhere("Greedy hoarder", "greedy_hoarder", (0.157, 0.192, 0.083), 0.144),
    Elsewhere("Random valid", "random_valid", (0.081, 0.187, 0.110), 0.126),
    Elsewhere("Naive instruct", "naive_instruct", None, -0.008),
    Elsewhere("Base Llama-3.2-3B", "", (0.050, -0.051, -0.281), -0.094),
)
"""Best first, as they rank them."""

SEEDS_ELSEWHERE = 5
