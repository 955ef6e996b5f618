"""What the lobby says of those who bid against you is what they do, over 200 matches."""

import itertools
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable

import pytest

from arena.auction.web.bidding import LINE_UP, manner_of
from arena.words import say
from bazaarbatna.auction.events import ArenaEvent, Bidding, RoundRevealed
from bazaarbatna.auction.scenario import ArenaScenario
from tests.support.matches import a_full_match, played

pytestmark = pytest.mark.django_db

MATCHES = 200

Habits = dict[str, dict[str, float]]


@pytest.fixture(scope="module")
def habits() -> Habits:
    """By policy: rank of the first bid, mean raise in anchors, shares of matches and rounds."""
    found: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number in range(MATCHES):
        scenario = a_full_match(number)
        for policy, told in told_of(scenario, played(scenario)):
            for name, value in told.items():
                found[policy][name].append(value)
    return {
        policy: {name: statistics.fmean(values) for name, values in told.items()}
        for policy, told in found.items()
    }


def told_of(
    scenario: ArenaScenario, events: Iterable[ArenaEvent]
) -> Iterable[tuple[str, dict[str, float]]]:
    """What each buyer did in one match."""
    rounds = [one.bids for one in events if isinstance(one, RoundRevealed)]
    firsts = [one.price or 0 for one in rounds[0]]
    for seat, chair in enumerate(scenario.seats):
        own: list[Bidding] = [one for bids in rounds for one in bids if one.buyer == seat]
        prices = [one.price for one in own if one.price is not None]
        raises = [after - before for before, after in itertools.pairwise(prices)]
        told = {
            "rank": 1.0 + sum(one > (own[0].price or 0) for one in firsts),
            "left": float(own[-1].action == "walk"),
            "takes": float(any(one.action == "accept" for one in own)),
        }
        if raises:
            told["raises"] = sum(one > 0 for one in raises) / len(raises)
        if steps := [one / scenario.anchor for one in raises if one > 0]:
            told["step"] = statistics.fmean(steps)
        yield chair.policy, told


def test_words_at_the_table_are_what_is_done(habits: Habits) -> None:
    def ranked(habit: str) -> list[str]:
        return sorted(LINE_UP, key=lambda policy: habits[policy][habit])

    opening = ranked("rank")
    holds: dict[str, Callable[[str], bool]] = {
        "Opens highest": lambda who: who == opening[0],
        "Opens near the top": lambda who: who == opening[1],
        "Opens in the middle": lambda who: who == opening[2],
        "Opens lowest": lambda who: who == opening[3],
        "small steps": lambda who: who == ranked("step")[0],
        "raises least often": lambda who: who == ranked("raises")[0],
        "big steps": lambda who: who in ranked("step")[2:],
        "leaves most often": lambda who: who == ranked("left")[-1],
        "most often stays to the end": lambda who: who == ranked("left")[0],
        "takes the asked price most often": lambda who: who == ranked("takes")[-1],
        "raises in nearly every round": lambda who: habits[who]["raises"] > 0.9,
    }
    for policy in LINE_UP:
        words = say.of("at_the_table", manner_of(policy).voice)
        said = [claim for claim in holds if claim in words]
        assert len(said) >= 2, words
        for claim in said:
            assert holds[claim](policy), (policy, claim, habits[policy])
        rest = words
        for claim in said:
            rest = rest.replace(claim, "")
        left = set(rest.replace(",", " ").replace(".", " ").split())
        assert left <= {"and", "is", "climbs", "in", "raises"}, ("no claim is untested", left)
