"""Guests at the wire: they hear a sale as it happens, they cannot play, and no secret reaches them.

Asha sells and shares, Bilal looks on, Mallory has the link too and tries everything with it.
"""

import asyncio
import json

import pytest

from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.money import rupees_text
from bazaarbatna.number_words import spoken
from tests.support.people import Visitor
from tests.support.servers import Site

VILLA = {"title": "Villa in Goa", "asking_price": 8765432.1, "reservation_price": 5123456.78}
"""Numbers of seven digits, so that nothing else on a page looks like them by chance."""

COMMANDS = (
    {"type": "say", "text": "8000000"},
    {"type": "offer", "price": 8000000},
    {"type": "accept"},
    {"type": "walk"},
    {"type": "withdraw"},
)
TRICKS = (
    '{"type":"sync","after":0,"audience":"seller","as":"owner"}',
    '{"type":"sync","after":-1}',
    '{"type":"ended"}',
    '{"type":"log.grew","seq":99}',
    '{"type":"offer","price":NaN}',
    "[" * 9000,
)


def forms(paise: int) -> set[str]:
    """Every way we know to write or say a price."""
    rupees = to_rupees(paise)
    whole = int(rupees)
    plain = {str(paise), f"{rupees:.2f}", str(whole), f"{whole:,}", rupees_text(whole)[1:]}
    return {text.lower() for text in plain | set(spoken(whole))}


def leaked(heard: bytes, secrets: set[str]) -> list[str]:
    text = heard.decode("utf-8", "replace").lower()
    return sorted(secret for secret in secrets if secret in text)


async def test_bilal_hears_every_event_in_order_and_the_end(
    site: Site, asha: Visitor, chetan: Visitor
) -> None:
    bilal = chetan
    game_id = asha.opens_a_zone()
    key = asha.shares(game_id)
    async with asha.at(game_id) as own, bilal.watching(key) as guest:
        await own.hear_bid()
        await own.send("say", text="1900, im moving out tomorrow")
        await own.hear_bid()
        await own.send("walk")
        await own.hear_event("ended")
        ended = await guest.hear_event("ended")
    assert ended == {"kind": "ended", "outcome": "walk", "by": "seller", "round": 2, "price": None}
    assert [one["seq"] for one in guest.events] == list(range(1, len(guest.events) + 1))


async def test_mallory_cannot_play_with_the_link(
    site: Site, asha: Visitor, mallory: Visitor
) -> None:
    game_id = asha.opens_a_zone()
    key = asha.shares(game_id)
    async with asha.at(game_id) as own, mallory.watching(key) as guest:
        await own.hear_bid()
        before = asha.reads(game_id)["seq"]
        for command in COMMANDS:
            await guest.send_raw(json.dumps(command))
            await guest.hear_error("read-only")
    assert asha.reads(game_id)["seq"] == before
    assert mallory.http.get(f"/sell/{game_id}/").status_code == 404


async def test_no_byte_a_guest_receives_holds_a_sealed_value_even_after_a_deal(
    site: Site, asha: Visitor, mallory: Visitor
) -> None:
    game_id = asha.opens_a_zone(**VILLA)
    key = asha.shares(game_id)
    async with (
        asha.at(game_id) as own,
        mallory.watching(key, subprotocols=["bazaar.html.v1"]) as drawn,
        mallory.watching(key) as plain,
    ):
        bid = await own.hear_bid()
        # A bare number is meant: a long step that is said in words would be asked back.
        for price in (8700000, 7900000, 7150000, 6450000, 5850000):
            mallory.http.get(f"/watch/{key}/")
            for trick in TRICKS:
                await plain.send_raw(trick)
            # An ask below the bid would be asked back: does she accept?
            if bid["kind"] == "ended" or bid["price"] >= price:
                break
            await own.send("say", text=str(price))
            bid = await own.hear_bid()
        if bid["kind"] != "ended":
            await own.send("accept" if bid["price"] > 5123456.78 else "walk")
        await drawn.hear_event("ended")
        await plain.hear_event("ended")
    mallory.http.get(f"/watch/{key}/")
    mallory.http.get(f"/replays/{game_id}/")
    scenario = site.scenario(game_id)
    sealed = scenario.sealed
    secrets = forms(sealed.budget) | forms(sealed.reservation) | forms(sealed.cost)
    secrets |= {str(sealed.seed), scenario.salt, 'share":', "reservation_price"}
    assert leaked(bytes(mallory.heard), secrets) == []
    assert leaked(bytes(asha.heard), secrets), "a search that finds nothing proves nothing"


async def test_words_of_the_seller_that_hold_the_own_number_are_hers_to_say(
    site: Site, asha: Visitor, chetan: Visitor
) -> None:
    game_id = asha.opens_a_zone(**VILLA)
    key = asha.shares(game_id)
    async with asha.at(game_id) as own, chetan.watching(key) as guest:
        await own.hear_bid()
        await own.send("offer", price=8700000, text="my floor is 5123456.78, i swear")
        said = await guest.hear_event("offer", "seller")
    assert said["text"] == "my floor is 5123456.78, i swear"
    elsewhere = bytes(chetan.heard).replace(said["text"].encode(), b"")
    assert b"5123456" not in elsewhere


async def test_guests_are_told_and_let_go_when_the_link_is_taken_back(
    site: Site, asha: Visitor, chetan: Visitor
) -> None:
    game_id = asha.opens_a_zone()
    key = asha.shares(game_id)
    async with chetan.watching(key) as guest:
        await guest.sync()
        asha.stops_sharing(game_id)
        await guest.hear_error("unknown-game")
        assert await guest.hear_end() == 4404
    async with chetan.watching(key) as late:
        await late.hear_error("unknown-game")
        assert await late.hear_end() == 4404


async def test_asha_hears_how_many_watch_also_after_a_reload(
    site: Site, asha: Visitor, chetan: Visitor
) -> None:
    game_id = asha.opens_a_zone()
    key = asha.shares(game_id)
    async with asha.at(game_id) as own:
        await own.hear_bid()
        async with chetan.watching(key) as guest:
            assert (await own.hear_type("guests"))["count"] == 1
            await guest.hear_event("opened")
            async with asha.at(game_id) as reloaded:
                assert (await reloaded.hear_type("guests"))["count"] == 1
            async with chetan.watching(key):
                assert (await own.hear_type("guests"))["count"] == 2
            assert (await own.hear_type("guests"))["count"] == 1
        assert (await own.hear_type("guests"))["count"] == 0
        assert not [frame for frame in guest.frames if frame["type"] == "guests"]


async def test_a_page_of_another_site_gets_no_guest_socket(site: Site, asha: Visitor) -> None:
    key = asha.shares(asha.opens_a_zone())
    with pytest.raises(Exception, match="403"):
        async with asha.watching(key, origin="https://evil.example"):
            pass


async def test_fifty_guests_hear_the_same(site: Site, asha: Visitor, chetan: Visitor) -> None:
    game_id = asha.opens_a_zone()
    key = asha.shares(game_id)
    lines = [chetan.watching(key, subprotocols=["bazaar.html.v1"]) for _ in range(50)]
    async with asha.at(game_id) as own:
        await own.hear_bid()
        guests = await asyncio.gather(*(line.__aenter__() for line in lines))
        await asyncio.gather(*(guest.sync() for guest in guests))
        await own.send("say", text="1900, im moving out tomorrow")
        await asyncio.gather(*(guest.hear_event("tells") for guest in guests))
        await asyncio.gather(*(line.__aexit__(None, None, None) for line in lines))
    # By number: a guest who was silent for a moment is sent the log, and once more when it asks.
    told = [{frame["seq"]: frame for frame in guest.events} for guest in guests]
    for guest, by_number in zip(guests, told, strict=True):
        assert set(by_number) >= {1, 2, 3, 4}
        assert all(frame == by_number[frame["seq"]] for frame in guest.events)
        for seq in (1, 2, 3):
            assert by_number[seq] == told[0][seq]
