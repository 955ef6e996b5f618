"""What is reserved is never less than what a call can cost."""

from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from agents.backends.base import Chat, Completion, Message
from agents.gates.ledger import cost_microusd, reserve_microusd


def a_chat(*texts: str, max_new_tokens: int = 96) -> Chat:
    return Chat(tuple(Message("user", text) for text in texts), max_new_tokens=max_new_tokens)


def test_a_reservation_counts_bytes_and_64_a_message_as_tokens(settings: Settings) -> None:
    settings.SAUDA_PRICES = {"in_usd": 0.5, "out_usd": 1.5}
    assert reserve_microusd(a_chat("a" * 1_000)) == (1_000 + 64) // 2 + 144
    assert reserve_microusd(a_chat("₹", "₹")) == (2 * (3 + 64)) // 2 + 144


def test_a_cost_is_rounded_up_and_exact(settings: Settings) -> None:
    settings.SAUDA_PRICES = {"in_usd": 0.1, "out_usd": 0.7}
    assert cost_microusd(Completion("", prompt_tokens=30, completion_tokens=10)) == 10
    assert cost_microusd(Completion("", prompt_tokens=31, completion_tokens=10)) == 11


def test_a_cost_that_was_not_told_is_unknown() -> None:
    assert cost_microusd(Completion("", prompt_tokens=30)) is None
    assert cost_microusd(Completion("", completion_tokens=30)) is None
    assert cost_microusd(Completion("", prompt_tokens=-1, completion_tokens=1)) is None


def test_half_a_surrogate_pair_has_a_price() -> None:
    assert reserve_microusd(a_chat("\ud83d")) > 0


@given(st.lists(st.text(), max_size=4), st.integers(1, 1_024), st.data())
def test_no_answer_within_its_limits_costs_more_than_its_reservation(
    texts: list[str], max_new_tokens: int, data: st.DataObject
) -> None:
    chat = a_chat(*texts, max_new_tokens=max_new_tokens)
    read = data.draw(st.integers(0, sum(len(text.encode()) + 64 for text in texts)))
    written = data.draw(st.integers(0, max_new_tokens))
    cost = cost_microusd(Completion("", prompt_tokens=read, completion_tokens=written))
    assert cost is not None
    assert cost <= reserve_microusd(chat)
