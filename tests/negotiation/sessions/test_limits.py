"""Who one client is, and how much it may do."""

import threading
import time

import pytest
from django.test import override_settings
from limits.storage import memory

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


def test_two_threads_do_not_begin_the_same_clean_up(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[int] = []

    class Timer:
        """Slow to be made, so that another thread comes in between."""

        def __init__(self, *_: object) -> None:
            time.sleep(0.05)

        def is_alive(self) -> bool:
            return id(self) in began

        def start(self) -> None:
            assert id(self) not in began, "threads can only be started once"
            time.sleep(0.05)
            began.append(id(self))

    storage = ProcessStorage()
    monkeypatch.setattr(storage, "timer", Timer())
    monkeypatch.setattr(memory.threading, "Timer", Timer)
    wrong: list[AssertionError] = []

    def use(number: int) -> None:
        try:
            storage.acquire_entry(f"key {number}", 5, 60)
        except AssertionError as error:
            wrong.append(error)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []
    assert len(began) == len(set(began)) == 1
