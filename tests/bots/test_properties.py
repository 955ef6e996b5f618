"""Whatever strangers write or answer: read or refused, and played again to the same bytes."""

import ipaddress
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from training import names
from training.bots.calling.addresses import is_public, read_address
from training.bots.calling.errors import BadAddress, CallFailed
from training.bots.dealing import Deal
from training.bots.moves import Answered, Failed, KeptMove, from_text, read_answer, to_text
from training.names import LONGEST, SHORTEST, BadName, checked_name, name_key, tidy_name

ADDRESS_LETTERS = string.ascii_letters + string.digits + ":/@.[]%#?\\-_ \t\n~①。０ａ"
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


@given(st.text(ADDRESS_LETTERS, max_size=60))
@example("http://0x7f000001/")
@example("http://[::ffff:127.0.0.1]/")
def test_any_text_is_a_public_address_or_is_refused(text: str) -> None:
    for candidate in (text, f"http://{text}", f"wss://{text}/"):
        try:
            address = read_address(candidate)
        except BadAddress:
            continue
        assert address.port in (80, 443) or address.port >= 1024
        assert read_address(address.text) == address
        try:
            ip = ipaddress.ip_address(address.host)
        except ValueError:
            assert "." in address.host
            assert not address.host.rpartition(".")[2].isdecimal()
        else:
            assert is_public(ip)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_python_calls_private_is_never_public_here(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if not ip.is_global or ip.is_multicast:
        assert not is_public(ip)


@given(st.binary(max_size=200))
def test_any_answer_is_an_action_or_a_failed_call(body: bytes) -> None:
    try:
        read = read_answer(body)
    except CallFailed:
        return
    assert from_text(to_text((read,))) == (read,)


@settings(deadline=None)
@given(SUITES, st.integers(0, 2**53 - 1), st.lists(MOVES, max_size=40))
def test_kept_moves_play_the_same_game_again(suite: str, seed: int, moves: list[KeptMove]) -> None:
    first = Deal(1, "a", suite, seed)
    for move in moves:
        if first.done:
            break
        first.question()
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
