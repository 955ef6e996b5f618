"""Addresses that strangers give: which are called at all."""

import ipaddress
import socket

import pytest

from training.bots.calling.addresses import Address, is_public, read_address
from training.bots.calling.errors import BadAddress, CallFailed
from training.bots.calling.resolving import callable_ip


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("https://bot.asha.in/move", "https://bot.asha.in/move"),
        ("  HTTPS://Bot.Asha.IN  ", "https://bot.asha.in/"),
        ("http://bot.asha.in:80/a?key=1", "http://bot.asha.in/a?key=1"),
        ("wss://bot.asha.in:8443/", "wss://bot.asha.in:8443/"),
        ("http://93.184.215.14:8000/", "http://93.184.215.14:8000/"),
        ("http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/", None),
        ("https://xn--lgbbat1ad8j.asha.in/", None),
    ],
)
def test_ordinary_public_addresses_are_read(text: str, same: str | None) -> None:
    assert read_address(text).text == (same or text)


PRIVATE_HOSTS = [
    *("127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255"),
    *("192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192"),
    *("198.18.0.1", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "168.63.129.16"),
    *("[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[fc00::1]", "[fd00:ec2::254]"),
    *("[fe80::1]", "[ff02::1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]"),
    *("[2001:0:53aa:64c::1]", "[2001:db8::1]", "[::127.0.0.1]", "[100::1]", "[3fff::1]"),
]


@pytest.mark.parametrize("host", PRIVATE_HOSTS)
def test_mallory_reaches_no_address_that_is_not_public(host: str) -> None:
    with pytest.raises(BadAddress):
        read_address(f"http://{host}/")


ODD_HOSTS = [
    *("2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.1", "127.0.1", "0", "0x0"),
    *("017700000001", "127.0.0.0x1", "1.2.3.4.5", "999.1.1.1", "[::1%25lo]", "[fe80::1%25eth0]"),
    *("localhost", "localhost.", "LOCALHOST", "a.localhost", "printer.local", "db", "redis"),
    *("metadata.google.internal", "x.corp", "router.lan", "1.0.0.127.in-addr.arpa", "abc.onion"),
    *("bot..asha.in", "-bot.asha.in", "b" * 64 + ".in", "bot.asha.in%2eevil", "bot_.-.in"),
    *("①②⑦.⓪.⓪.①", "bot。asha。in", "аsha.in"),
]


@pytest.mark.parametrize("host", ODD_HOSTS)
def test_odd_spellings_of_hosts_are_refused(host: str) -> None:
    with pytest.raises(BadAddress):
        read_address(f"http://{host}/")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bot.asha.in/move",
        "ftp://bot.asha.in/",
        "file:///etc/passwd",
        "gopher://bot.asha.in/",
        "javascript:alert(1)",
        "https://asha:pw@bot.asha.in/",
        "https://@bot.asha.in/",
        "https://bot.asha.in/#top",
        "https://bot.asha.in\\@127.0.0.1/",
        "https://bot.asha.in/ x",
        "https://bot.asha.in/\r\nHost: evil",
        "https://bot.asha.in\t/",
        "https://bot.asha.in:0/",
        "https://bot.asha.in:22/",
        "https://bot.asha.in:25/",
        "https://bot.asha.in:6379/",
        "https://bot.asha.in:99999/",
        "https://bot.asha.in:8o/",
        "https://bot.asha.in/" + "a" * 300,
        "https:///move",
        "https://[::1/",
    ],
)
def test_what_is_no_address_of_a_bot_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(BadAddress) as refused:
        read_address(text)
    assert len(str(refused.value)) > 20
    assert "pw" not in str(refused.value)


def test_the_own_machine_is_called_only_where_a_setting_allows_it() -> None:
    assert read_address("http://127.0.0.1:9000/", loopback=True).port == 9000
    assert read_address("ws://localhost:9000/", loopback=True).host == "localhost"
    for other in ("http://10.0.0.1/", "http://127.0.0.2:9000/", "http://2130706433/"):
        with pytest.raises(BadAddress):
            read_address(other, loopback=True)


def test_every_special_block_that_python_knows_is_not_public_here() -> None:
    """Python's own table is another opinion; whatever it calls private must not be public."""
    for block in ("10/8", "127/8", "169.254/16", "192.0.2/24", "198.51.100/24", "240/4"):
        parts = block.split("/")
        padded = ".".join((parts[0].split(".") + ["0"] * 4)[:4])
        network = ipaddress.ip_network(f"{padded}/{parts[1]}")
        for ip in (network[0], network[1], network[-1]):
            assert not ip.is_global
            assert not is_public(ip)


BOT = Address("https", "bot.asha.in", 443, "/")


@pytest.mark.parametrize(
    "found",
    [
        ["127.0.0.1"],
        ["93.184.215.14", "127.0.0.1"],
        ["93.184.215.14", "169.254.169.254"],
        ["::ffff:10.0.0.1"],
        ["fe80::1%eth0"],
        ["not an address"],
    ],
)
async def test_a_name_that_leads_home_is_refused_even_among_public_ones(found: list[str]) -> None:
    async def resolver(host: str, port: int) -> list[str]:
        assert (host, port) == ("bot.asha.in", 443)
        return found

    with pytest.raises(CallFailed) as refused:
        await callable_ip(BOT, resolver, loopback=False)
    assert refused.value.code == "private-address"
    assert not any(place in str(refused.value) for place in found)


async def test_a_name_that_is_not_found_is_called_unknown() -> None:
    async def fails(host: str, port: int) -> list[str]:
        raise socket.gaierror("no such host")

    async def empty(host: str, port: int) -> list[str]:
        return []

    for resolver in (fails, empty):
        with pytest.raises(CallFailed) as refused:
            await callable_ip(BOT, resolver, loopback=False)
        assert refused.value.code == "unknown-host"


async def test_the_first_public_address_is_the_one_that_is_called() -> None:
    async def resolver(host: str, port: int) -> list[str]:
        return ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]

    assert await callable_ip(BOT, resolver, loopback=False) == "93.184.215.14"
