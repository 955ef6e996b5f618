"""What kind of game it is: does joining pay, and does it pay more in larger groups?"""

from itertools import combinations

from arena.gpu_market.coalition_games.game import CoalitionGame


def is_superadditive(game: CoalitionGame) -> bool:
    """Tell whether two groups without a common member are never worth less together than apart.

    >>> from arena.gpu_market.coalition_games.textbook import glove
    >>> is_superadditive(glove(["a"], ["b", "c"]))
    True
    """
    worths, slack = game.worths, game.slack
    for whole in range(1, len(worths)):
        part = (whole - 1) & whole
        while part:
            if worths[part] + worths[whole - part] > worths[whole] + slack:
                return False
            # The next smaller group of members of the whole.
            part = (part - 1) & whole
    return True


def is_convex(game: CoalitionGame) -> bool:
    """Tell whether a player never adds less to a larger group; then the core is not empty.

    Source: Shapley (1971), Cores of convex games.

    >>> from arena.gpu_market.coalition_games.textbook import bankruptcy, glove
    >>> is_convex(bankruptcy(200, {"a": 100, "b": 200, "c": 300}))
    True
    >>> is_convex(glove(["a"], ["b", "c"]))
    False
    """
    worths, slack = game.worths, game.slack
    bits = [1 << place for place in range(len(game.players))]
    return all(
        worths[mask | one] + worths[mask | two] <= worths[mask | one | two] + worths[mask] + slack
        for one, two in combinations(bits, 2)
        for mask in range(len(worths))
        if not mask & (one | two)
    )
