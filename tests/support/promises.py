"""What a buyer promises at every move, whatever model or policy it plays."""

from agents.output_guard.coherence import is_plain
from agents.output_guard.secrets import names_secret
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation


def assert_kept(seen: BuyerObservation, move: Move) -> None:
    """An agreed price is taken, nothing above the budget is paid, and no bid falls."""
    ask, last = seen.standing_ask, seen.own_last_bid
    if last is not None and ask <= last:
        assert isinstance(move, Accept)
    if isinstance(move, Accept):
        assert ask <= seen.budget
    if isinstance(move, Offer):
        assert type(move.price) is int
        assert 1 <= move.price <= seen.budget
        assert last is None or move.price >= last


def assert_sayable(seen: BuyerObservation, text: str) -> None:
    """One plain line that does not give the budget away."""
    assert is_plain(text)
    assert not names_secret(text, seen.budget), "the budget was said"
