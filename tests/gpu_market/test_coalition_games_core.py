"""Core, least core and nucleolus against brute force and against formulas found another way."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.gpu_market import coalition_games as games
from arena.gpu_market.coalition_games import CoalitionGame

CALM = settings(deadline=None, max_examples=50)


def a_game(players: str, worths: Iterable[float | Fraction]) -> CoalitionGame:
    drawn = iter(worths)
    return CoalitionGame.from_function(players, lambda group: next(drawn))


def games_of(players: str) -> st.SearchStrategy[CoalitionGame]:
    """Draw worths of -3 to 6: so few, that ties and cores of one point come often."""
    size = 2 ** len(players) - 1
    bytes_for_all = st.binary(min_size=size, max_size=size)
    return bytes_for_all.map(lambda drawn: a_game(players, [byte % 10 - 3 for byte in drawn]))


def is_empty_by_hand(game: CoalitionGame) -> bool:
    """Ask the five minimal balanced families of three players (Bondareva and Shapley)."""
    _, a, b, ab, c, ac, bc, abc = game.worths
    return abc < max(a + b + c, ab + c, ac + b, bc + a, Fraction(ab + ac + bc, 2))


@CALM
@given(games_of("abc"))
@example(games.weighted_majority(2, {"a": 1, "b": 1, "c": 1}))
@example(games.glove(["a"], ["b", "c"]))
@example(a_game("abc", [0, 0, 2, 0, 2, 2, 3]))
def test_cores_of_three_are_empty_when_a_balanced_family_says_so(game: CoalitionGame) -> None:
    assert games.is_core_empty(game) == is_empty_by_hand(game)


@cache
def balanced_families() -> tuple[dict[int, Fraction], ...]:
    """Find all minimal balanced families of four players: independent, with weights above 0."""
    found = []
    for size in range(1, 5):
        for family in combinations(range(1, 15), size):
            weights = solve(family)
            if weights is not None and all(weight > 0 for weight in weights):
                found.append(dict(zip(family, weights, strict=True)))
    return tuple(found)


def solve(family: tuple[int, ...]) -> list[Fraction] | None:
    """Find the only weights with which a family counts each of four players once."""
    rows = [[Fraction(mask >> place & 1) for mask in family] + [Fraction(1)] for place in range(4)]
    for column in range(len(family)):
        pivot = next((row for row in range(column, 4) if rows[row][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [part / rows[column][column] for part in rows[column]]
        for row in range(4):
            if row != column:
                by = rows[row][column]
                rows[row] = [x - by * y for x, y in zip(rows[row], rows[column], strict=True)]
    if any(row[-1] for row in rows[len(family) :]):
        return None
    return [row[-1] for row in rows[: len(family)]]


def test_four_players_have_as_many_minimal_balanced_families_as_is_known() -> None:
    # Shapley (1967) lists 41 besides the family of everyone alone.
    assert len(balanced_families()) == 41


@CALM
@given(games_of("abcd"))
def test_cores_of_four_are_empty_when_a_balanced_family_says_so(game: CoalitionGame) -> None:
    most = max(
        sum(weight * game.worths[mask] for mask, weight in family.items())
        for family in balanced_families()
    )
    assert games.is_core_empty(game) == (game.worths[-1] < most)
    proof = games.why_core_is_empty(game)
    assert (proof is None) == (game.worths[-1] >= most)
    if proof is not None:
        for name in game.players:
            assert sum(weight for group, weight in proof.weights if name in group) == 1
        assert all(weight > 0 for _, weight in proof.weights)
        assert proof.total == sum(weight * game.worth(group) for group, weight in proof.weights)
        assert proof.total > game.worths[-1]


@CALM
@given(st.one_of(games_of("ab"), games_of("abc"), games_of("abcd"), games_of("abcde")))
def test_the_point_of_the_core_is_in_it(game: CoalitionGame) -> None:
    point = games.core_point(game)
    assert (point is None) == games.is_core_empty(game)
    if point is not None:
        assert games.is_in_core(game, point)
        assert games.who_gains_by_defecting(game, point) == ()
        assert point == games.nucleolus(game) == games.prenucleolus(game)


@CALM
@given(st.one_of(games_of("abc"), games_of("abcd")))
def test_the_worst_off_coalition_of_the_least_core_misses_epsilon(game: CoalitionGame) -> None:
    least = games.least_core(game)
    for split in (least.split, games.prenucleolus(game)):
        complaints = partial_complaints(game, split)
        assert complaints[0] == least.epsilon
        assert sum(split.values()) == game.worths[-1]
    assert (least.epsilon > 0) == games.is_core_empty(game)


def partial_complaints(game: CoalitionGame, split: games.Split) -> list[Fraction | float]:
    """List the excesses of all coalitions but that of everyone, the largest first."""
    every = games.excesses(game, split)
    return [each.gain for each in every if each.coalition != game.players]


@CALM
@given(games_of("abcd"), st.lists(st.integers(-4, 4), min_size=3, max_size=3), st.integers(1, 9))
def test_no_other_split_has_smaller_complaints(
    game: CoalitionGame, moves: list[int], parts: int
) -> None:
    best = games.prenucleolus(game)
    moved = [Fraction(move, parts) for move in (*moves, -sum(moves))]
    other = {name: best[name] + move for name, move in zip(game.players, moved, strict=True)}
    assert partial_complaints(game, best) <= partial_complaints(game, other)
    if any(moved):
        assert partial_complaints(game, best) != partial_complaints(game, other)


@CALM
@given(games_of("abcd"), st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any))
def test_nor_one_that_leaves_everybody_what_it_has_alone(
    game: CoalitionGame, parts: list[int]
) -> None:
    alone = [Fraction(game.worth(name)) for name in game.players]
    spare = game.worths[-1] - sum(alone)
    best = games.nucleolus(game)
    assert (best is None) == (spare < 0)
    if best is not None:
        assert sum(best.values()) == game.worths[-1]
        assert all(best[name] >= least for name, least in zip(game.players, alone, strict=True))
        other = {
            name: least + spare * Fraction(part, sum(parts))
            for name, least, part in zip(game.players, alone, parts, strict=True)
        }
        assert partial_complaints(game, best) <= partial_complaints(game, other)


def contested(estate: Fraction, claims: list[int]) -> list[Fraction]:
    """Divide as the Talmud does: alike up to half a claim, then alike in what is lost."""
    halves = [Fraction(claim, 2) for claim in claims]
    if estate <= sum(halves):
        return alike(estate, halves)
    lost = alike(sum(claims) - estate, halves)
    return [claim - loss for claim, loss in zip(claims, lost, strict=True)]


def alike(amount: Fraction, limits: list[Fraction]) -> list[Fraction]:
    """Give all the same, but nobody more than its limit."""
    given_out: dict[int, Fraction] = {}
    for rank, place in enumerate(sorted(range(len(limits)), key=limits.__getitem__)):
        share = min(limits[place], amount / (len(limits) - rank))
        given_out[place], amount = share, amount - share
    return [given_out[place] for place in range(len(limits))]


@CALM
@given(st.lists(st.integers(0, 30), min_size=2, max_size=6), st.fractions(0, 1, max_denominator=12))
def test_the_nucleolus_of_a_bankruptcy_is_the_rule_of_the_talmud(
    claims: list[int], part: Fraction
) -> None:
    estate = sum(claims) * part
    game = games.bankruptcy(estate, dict(zip("abcdef", claims, strict=False)))
    found = games.nucleolus(game)
    assert found is not None
    assert list(found.values()) == contested(estate, claims)
    assert games.is_in_core(game, found)


@CALM
@given(st.binary(min_size=31, max_size=31), st.floats(0.01, 1))
def test_floats_are_settled_as_their_fractions_are(drawn: bytes, unit: float) -> None:
    worths = [byte * unit for byte in drawn]
    rounded = a_game("abcde", worths)
    exact = a_game("abcde", map(Fraction, worths))
    assert games.prenucleolus(rounded) == {
        name: float(share) for name, share in games.prenucleolus(exact).items()
    }


def test_ten_players_with_many_ties_are_settled() -> None:
    pairs = games.glove("abcde", "fghij")
    assert games.core_point(pairs) == dict.fromkeys("abcdefghij", Fraction(1, 2))
    votes = games.weighted_majority(6, dict.fromkeys("abcdefghij", 1))
    assert games.least_core(votes).epsilon == Fraction(2, 5)
    assert games.nucleolus(votes) == dict.fromkeys("abcdefghij", Fraction(1, 10))
