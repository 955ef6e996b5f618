"""Who one client is, and how much it may do."""

import time

import pytest
import time_machine
from django.test import override_settings

from negotiation.errors import RateLimited
from negotiation.limits import ProcessStorage, client_key, forget_uses, scope_key, spend

PROXIES = "10.0.0.0/8, 192.0.2.7, fd00::/8"


@pytest.mark.parametrize(
    ("peer", "forwarded", "key"),
    [
        ("203.0.113.5", "", "203.0.113.5"),
        ("203.0.113.5", "198.51.100.9", "203.0.113.5"),
        ("10.0.0.1", "198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.9", "198.51.100.9"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.9, 192.0.2.7", "198.51.100.9"),
        ("10.0.0.1", "not an address", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.2", "10.0.0.2"),
        ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.5", "", "203.0.113.5"),
        ("::ffff:10.0.0.1", "2001:db8::1", "2001:db8::/64"),
        ("", "198.51.100.9", "198.51.100.9"),
        ("", "", "local"),
    ],
)
@override_settings(TRUSTED_PROXIES=PROXIES)
def test_a_client_is_its_address_as_far_as_trusted_proxies_tell(
    peer: str, forwarded: str, key: str
) -> None:
    assert client_key(peer, forwarded) == key


@override_settings(TRUSTED_PROXIES="")
def test_without_trusted_proxies_nobody_can_name_himself() -> None:
    assert client_key("203.0.113.5", "1.1.1.1") == "203.0.113.5"


@override_settings(TRUSTED_PROXIES=PROXIES)
def test_a_socket_is_named_like_a_request() -> None:
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"198.51.100.9")]
    assert scope_key({"client": ("10.0.0.1", 5), "headers": headers}) == "198.51.100.9"
    assert scope_key({"client": None, "headers": []}) == "local"


@pytest.mark.django_db
@override_settings(LIMITS={"messages": "5/5seconds", "games": "2/hour"})
def test_five_at_once_are_fine_and_the_sixth_is_told_when_to_come_back() -> None:
    forget_uses()
    for _ in range(5):
        spend("messages", "asha")
    with pytest.raises(RateLimited) as refused:
        spend("messages", "asha")
    assert 1 <= refused.value.retry_after_s <= 5
    spend("messages", "bilal")
    spend("games", "asha")
    forget_uses()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("limit", "wait"), [("1/second", "a second"), ("1/hour", "60 minutes"), ("1/day", "24 hours")]
)
def test_the_wait_is_told_in_a_unit_that_people_use(limit: str, wait: str) -> None:
    with override_settings(LIMITS={"names": limit}):
        forget_uses()
        spend("names", "asha")
        with pytest.raises(RateLimited, match=f"in {wait}"):
            spend("names", "asha")


def test_uses_counted_in_memory_start_no_threads_and_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    storage = ProcessStorage()
    first = storage.timer  # which the library starts, and would start anew at each use
    first.join()
    for number in range(50):
        assert storage.acquire_entry(f"key {number}", 5, 1)
    assert storage.acquire_entry("of an hour", 1, 3600)
    assert len(storage.events) == 51
    monkeypatch.setattr(storage, "_tidy_at", 0.0)
    with time_machine.travel(time.time() + 2):
        assert not storage.acquire_entry("of an hour", 1, 3600)
    assert storage.timer is first
    assert list(storage.events) == ["of an hour"]
    assert list(storage.locks) == ["of an hour"]
