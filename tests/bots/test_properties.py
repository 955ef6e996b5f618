"""Whatever strangers write or answer: read or refused, and played again to the same bytes."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bazaarbatna.offline import Answered
from negotiation import names
from negotiation.names import LONGEST, SHORTEST, BadName, checked_name, name_key, tidy_name
from training.bots.games import Deal, Failed, KeptMove, from_text, to_text

MOVES = st.one_of(
    st.builds(
        Answered,
        st.just("offer"),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=30),
    ),
    st.builds(Answered, st.sampled_from(["accept", "walk"]), st.none(), st.text(max_size=30)),
    st.builds(Failed, st.sampled_from(["timeout", "status", "unreadable"])),
)
SUITES = st.sampled_from(["single_deal@sampled-1", "read_the_tells@sampled-1"])


@settings(deadline=None)
@given(SUITES, st.integers(0, 2**53 - 1), st.lists(MOVES, max_size=40))
def test_kept_moves_play_the_same_game_again(suite: str, seed: int, moves: list[KeptMove]) -> None:
    first = Deal(1, "a", suite, seed)
    for move in moves:
        if first.done:
            break
        first.shown()
        first.make(move)
    again = Deal(2, "b", suite, seed, from_text(to_text(tuple(first.moves))))
    assert again.digests() == first.digests()
    assert again.done == first.done
    assert again.rows("p", "v") == first.rows("p", "v")


@given(st.text(max_size=40))
@example("ａdmin")
def test_any_name_is_tidy_or_refused_and_keeps_its_key(text: str) -> None:
    with pytest.MonkeyPatch.context() as nobody_else:
        nobody_else.setattr(names, "_holders", {})
        try:
            name = checked_name(text)
        except BadName:
            return
    assert name.text == tidy_name(name.text)
    assert SHORTEST <= len(name.text) <= LONGEST
    assert name.key == name_key(name.text.upper()) or not name.text.isascii()
    assert "sauda" not in name.text.casefold()
