"""One turn of Sauda as a diagram: what happens between what she sees and what she does."""

from negotiation.charts.garland import Bead, Garland, Note

AGAIN = "the other side answers, and it begins again"


def turn_garland(speaking: str, order: tuple[str, ...]) -> Garland:
    """Describe the loop, with the backend that would speak now lit.

    Args:
        speaking: name of the backend that would serve the next turn.
        order: names of the backends in the order in which they are asked.
    """
    backends = tuple(Note(name, lit=name == speaking) for name in order)
    return Garland(
        key="turn",
        title="One turn of Sauda",
        again=AGAIN,
        beads=(
            Bead("Observation", "Prices, words, tells, rounds left. Never the other’s number."),
            Bead("Prompt", "The last turns with their words, the own budget, one task."),
            Bead("Backend", "The first that can answer in time:", "lit", backends),
            Bead("Parse", "One JSON move out of whatever came back."),
            Bead("Steer", "Game theory moves the price into a sane range."),
            Bead("Coherence", "Words must fit the price and keep the budget to themselves."),
            Bead("Move", "Offer, accept or walk, checked by the engine."),
        ),
    )
