"""Chooses the words of a move or an answer: register, strategy, and a line not yet said.

Nothing is remembered between turns. A line is chosen by a permutation of its pool, seeded by the
game and indexed by the number of the move or answer, so no line comes twice in a game.
"""

from random import Random

from agents.lines import english, hindi, hinglish

POOLS = {"english": english.LINES, "hinglish": hinglish.LINES, "hindi": hindi.LINES}
"""Register -> strategy -> templates with the slots price, ask and item."""

LEADS = {"english": english.LEADS, "hinglish": hinglish.LEADS, "hindi": hindi.LEADS}


def choose(register: str, strategy: str, seed: int, number: int) -> str:
    """Pick the template for move or answer ``number`` (from 0) of the game with this seed.

    A pool that is used up starts again with a lead-in before each line, then with the next one.
    """
    pool = POOLS[register][strategy]
    order = list(range(len(pool)))
    Random(f"{seed}:{register}:{strategy}").shuffle(order)
    cycle, place = divmod(number, len(pool))
    template = pool[order[place]]
    if not cycle:
        return template
    leads = LEADS[register]
    return f"{leads[(cycle - 1) % len(leads)]} {template}"
