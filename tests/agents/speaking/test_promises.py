"""A step for a step: said only where it can be kept, and kept by the next bid, whoever said it."""

from collections.abc import Callable

import msgspec
import pytest

from agents.buyers.network_buyer import NetworkBuyer
from agents.output_guard.secrets import names_secret
from agents.speech.bank import corpus
from agents.speech.promises import STEP, can_promise, is_promise, keep, owed
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.events import Ended
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain.honesty import certify
from tests.support.positions import a_position
from tests.support.talks import TalkingPolicy, coming_down, play, sale

PROMISE = "If your 5,800 takes one step, my 2,700 takes one too."
PROMISES = [one.line for one in corpus() if one.promise]
LAST = Paise(2_700_00)


def after(*asks: float, text: str = PROMISE, budget: float = 5_000) -> BuyerObservation:
    """Return her position after a bid of 2,700 with these words, and what the seller then asked."""
    seen = a_position((5_800, *asks), (2_700,), budget=budget)
    own = Turn("buyer", 1, "offer", LAST, text)
    told = [Turn("seller", 1, "offer", Paise(int(ask * 100)), "Hm.") for ask in asks]
    return msgspec.structs.replace(seen, turns=(own, *told))


@pytest.mark.parametrize("line", PROMISES)
def test_the_banks_promises_are_known(line: str) -> None:
    assert is_promise(line.replace("<last>", "₹2,700").replace("<item>", "lamp"))


@pytest.mark.parametrize(
    "line",
    [
        "If you come down a little, I'll come up too.",
        "Drop to 5,000 and I will add something.",
        "Agar aap utroge to main bhi badhungi.",
        "आप थोड़ा उतरिए तो मैं भी बढ़ूँगी।",
    ],
)
def test_anybodys_promises_are_known(line: str) -> None:
    assert is_promise(line)


def test_other_lines_are_hardly_ever_taken_for_promises() -> None:
    others = [one.line for one in corpus() if not one.promise]
    assert sum(map(is_promise, others)) <= 0.002 * len(others)


@pytest.mark.parametrize("wish", [Offer(LAST), Walk(), Offer(Paise(1))])
def test_a_promise_that_fell_due_is_kept(wish: Move) -> None:
    seen = after(5_600)
    kept = keep(seen, wish)
    assert owed(seen) == STEP * 5_800_00
    assert isinstance(kept, Offer)
    assert LAST < kept.price <= LAST + 2 * STEP * 5_800_00


def test_more_than_was_promised_is_left_alone() -> None:
    seen = after(5_600)
    for wish in (Offer(Paise(3_500_00)), Accept()):
        assert keep(seen, wish) == wish


@pytest.mark.parametrize("seen", [after(5_800), after(5_600, text="No."), after(5_900)])
def test_nothing_is_owed_where_nothing_fell_due(seen: BuyerObservation) -> None:
    assert owed(seen) == 0
    assert keep(seen, Offer(LAST)) == Offer(LAST)


def test_a_rupee_is_answered_with_a_rupee() -> None:
    kept = keep(after(5_799), Offer(LAST))
    assert isinstance(kept, Offer)
    assert kept.price == LAST + 100


def test_what_binds_never_passes_the_budget() -> None:
    kept = keep(after(5_600, budget=2_750), Offer(LAST))
    assert isinstance(kept, Offer)
    assert LAST < kept.price <= 2_750_00


def test_suites_are_played_as_they_were() -> None:
    seen = msgspec.structs.replace(after(5_600), suite="v1-fixed-anchor")
    assert keep(seen, Offer(LAST)) == Offer(LAST)


def test_nothing_is_promised_that_could_not_be_kept() -> None:
    rich, poor = after(5_800), after(5_800, budget=2_750)
    assert can_promise(rich, Offer(LAST))
    assert can_promise(rich, None)
    assert not can_promise(poor, Offer(LAST))
    assert not can_promise(rich, Accept())
    last_round = msgspec.structs.replace(rich, round=rich.max_rounds)
    assert not can_promise(last_round, Offer(LAST))
    assert not can_promise(a_position((5_800,), ()), None)


class Stubborn:
    """Wants to stand still for ever, and promises a step whenever it may."""

    def __init__(self, *, keeps: bool) -> None:
        self.keeps = keeps

    def act(self, seen: BuyerObservation) -> Move:
        wish = Offer(seen.own_last_bid or Paise(seen.opening_ask // 2), "")
        move = keep(seen, wish) if self.keeps else wish
        words = PROMISE if can_promise(seen, move) else "No."
        return msgspec.structs.replace(move, text=words)

    def reply(self, seen: BuyerObservation) -> str:
        return PROMISE if can_promise(seen, None) else "Well."


def due_and_broken(make: Callable[[int], TalkingPolicy]) -> tuple[int, int]:
    due = broken = 0
    for seed in range(60):
        lines = [one.said for one in corpus()[seed :: len(corpus()) // 14]]
        game = play(sale(seed), make(seed), lines, coming_down(seed))
        ended = isinstance(game.events[-1], Ended)
        sheet = certify(game.events, "buyer", names_secret, is_promise) if ended else None
        check = next(one for one in sheet.checks if one.name == "promises") if sheet else None
        due, broken = due + (check.checked if check else 0), broken + (check.broken if check else 0)
    return due, broken


def test_the_certificate_counts_kept_promises_and_broken_ones() -> None:
    due, broken = due_and_broken(lambda seed: Stubborn(keeps=True))
    assert due > 50
    assert broken == 0
    due, broken = due_and_broken(lambda seed: Stubborn(keeps=False))
    assert due > 50
    assert broken == due


def test_the_network_keeps_its_promises() -> None:
    due, broken = due_and_broken(NetworkBuyer)
    assert due > 0
    assert broken == 0
