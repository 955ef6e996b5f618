"""Games of the textbooks."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from arena.gpu_market.coalition_games.errors import BadTextbookGame
from arena.gpu_market.coalition_games.game import CoalitionGame
from arena.gpu_market.coalition_games.numbers import is_exact, to_fraction, to_number


def weighted_majority(
    quota: float | Fraction, weights: Mapping[str, float | Fraction]
) -> CoalitionGame:
    """Let a coalition win, which is worth 1, when its weights reach the quota.

    Args:
        quota: above 0, at most the sum of all weights. Give whole numbers or fractions: as floats,
            0.7 and 0.1 do not reach 0.8.
        weights: votes by player, 0 or more.

    Raises:
        BadTextbookGame: a weight is negative, or the quota is out of range.

    >>> weighted_majority(2, {"a": 1, "b": 1, "c": 1}).worth(["a", "c"])
    Fraction(1, 1)
    """
    votes = _amounts("weight", weights)
    need = to_fraction(quota, "The quota")
    if not 0 < need <= sum(votes.values()):
        raise BadTextbookGame(
            f"The quota must be above 0 and at most all votes, {sum(votes.values())}, not {quota}."
        )
    return CoalitionGame.from_function(
        list(weights), lambda group: int(sum(votes[name] for name in group) >= need)
    )


def glove(left: Sequence[str], right: Sequence[str]) -> CoalitionGame:
    """Count pairs: each player has one glove, and only a left with a right one is worth 1.

    Args:
        left: who has a left glove.
        right: who has a right glove.

    Source: Shapley and Shubik (1969), On the core of an economic system with externalities.

    >>> glove(["a"], ["b", "c"]).worth(["a", "b", "c"])
    Fraction(1, 1)
    """
    lefts, rights = frozenset(left), frozenset(right)
    return CoalitionGame.from_function(
        [*left, *right], lambda group: min(len(group & lefts), len(group & rights))
    )


def airport(costs: Mapping[str, float | Fraction]) -> CoalitionGame:
    """Let players share one runway: a coalition *costs* what its most demanding member needs.

    The numbers are costs to be paid: the Shapley value says who pays how much. For the core, in
    which a coalition is content to get at least its worth, ask :func:`savings` of it.

    Args:
        costs: cost of the runway that a player needs alone, 0 or more.

    Raises:
        BadTextbookGame: a cost is negative.

    Source: Littlechild and Owen (1973), A simple expression for the Shapley value in a special
    case.

    >>> airport({"a": 1, "b": 2}).worth(["a", "b"])
    Fraction(2, 1)
    """
    _amounts("cost", costs)
    return CoalitionGame.from_function(
        list(costs), lambda group: max(costs[name] for name in group)
    )


def savings(costs: CoalitionGame) -> CoalitionGame:
    """Turn costs to be paid into worth: what a coalition saves against each paying alone.

    >>> savings(airport({"a": 1, "b": 2})).worth(["a", "b"])
    Fraction(1, 1)
    """
    return CoalitionGame.from_function(
        costs.players,
        lambda group: sum(costs.worth([name]) for name in group) - costs.worth(group),
    )


def bankruptcy(estate: float | Fraction, claims: Mapping[str, float | Fraction]) -> CoalitionGame:
    """Let creditors claim more than there is: a coalition has what the others' claims leave.

    Args:
        estate: what there is, 0 or more, at most all claims together.
        claims: by creditor, 0 or more.

    Raises:
        BadTextbookGame: a claim is negative, or the estate is out of range.

    Source: O'Neill (1982), A problem of rights arbitration from the Talmud.

    >>> bankruptcy(200, {"a": 100, "b": 200, "c": 300}).worth(["b", "c"])
    Fraction(100, 1)
    """
    owed = _amounts("claim", claims)
    total = to_fraction(estate, "The estate")
    if not 0 <= total <= sum(owed.values()):
        raise BadTextbookGame(
            f"The estate must be 0 to all claims, {sum(owed.values())}, not {estate}."
        )
    exactly = all(map(is_exact, (estate, *claims.values())))

    def worth(group: frozenset[str]) -> float | Fraction:
        left = total - sum(owed[name] for name in owed if name not in group)
        return to_number(max(left, Fraction(0)), exactly)

    return CoalitionGame.from_function(list(claims), worth)


def _amounts(what: str, given: Mapping[str, float | Fraction]) -> dict[str, Fraction]:
    amounts = {name: to_fraction(value, f"The {what} of {name}") for name, value in given.items()}
    for name, amount in amounts.items():
        if amount < 0:
            raise BadTextbookGame(f"The {what} of {name} must be 0 or more, not {given[name]}.")
    return amounts
