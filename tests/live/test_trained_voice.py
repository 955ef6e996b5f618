"""Trained models at a served site: one speaks, another is put beside it and chosen, no restart."""

import time
from collections.abc import Callable, Iterator

import pytest

from agents.output_guard.secrets import names_secret
from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.tiny_sauda import OFFER, make_sauda

SOON_S = 120
ANOTHER = (*OFFER[:1], ('"price": 550, ',), *OFFER[2:])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("voice")
    model = make_sauda(folder / "sauda-tiny", name="sauda-tiny:dpo")
    with Site(folder / "site", catalogue=False, SAUDA_LOCAL_MODEL=str(model)) as running:
        yield running


def soon(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.25)


def speaking(asha: Visitor) -> str:
    return str(asha.http.get("/sauda/health").json()["speaking"])


async def opening(asha: Visitor, **choice: str) -> dict[str, str]:
    """Who made the first bid of a sale, with which version, and what was said."""
    game_id = asha.opens_a_zone(**choice)
    async with asha.at(game_id) as line:
        await line.send("sync")
        bid = await line.hear_event("offer", "buyer")
    sql = "select policy_version from negotiation_eventrow where game_id = %s and seq = 2"
    return {**bid, "version": str(asha.site.query(sql, game_id)[0][0])}


async def test_the_trained_model_bargains_with_a_visitor(asha: Visitor) -> None:
    soon(lambda: speaking(asha) == "local")
    bid = await opening(asha)
    assert bid["backend"] == "local"
    assert bid["version"].startswith("sauda@3/compact-2/local:sauda-tiny:dpo@1#")


async def test_a_whole_game_names_no_budget_and_says_no_line_twice(asha: Visitor) -> None:
    soon(lambda: speaking(asha) == "local")
    game_id = asha.opens_a_zone()
    budget = asha.site.scenario(game_id).sealed.budget
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_bid()
        for price in (1990, 1985, 1980, 1975):
            await line.send("offer", price=price, text="bas itna hi")
            if (await line.hear_bid())["kind"] == "ended":
                break
        told = [frame["event"] for frame in line.events if frame["event"].get("actor") == "buyer"]
    lines = [event["text"] for event in told]
    assert len(lines) >= 2
    assert len(set(lines)) == len(lines)
    assert not any(names_secret(text, budget) for text in lines)


async def test_a_model_that_a_run_has_made_can_be_sold_to_without_a_restart(
    asha: Visitor, site: Site
) -> None:
    make_sauda(site.data_dir / "models" / "run-9", name="evening-run", stages=ANOTHER)
    soon(lambda: "evening-run" in _policies(asha))
    offered = {one["policy"] for one in asha.http.get("/sauda/backends").json()["results"]}
    assert "evening-run" in offered
    assert "evening-run" in asha.http.get("/sell/new/").text
    first = await opening(asha, policy="evening-run")
    # Until it is loaded the rules play.
    assert first["backend"] in ("rules", "local")
    deadline = time.monotonic() + SOON_S
    while (bid := await opening(asha, policy="evening-run"))["backend"] != "local":
        assert time.monotonic() < deadline
    assert "local:evening-run@1#" in bid["version"]
    # The one that speaks for the site is still the other.
    assert "local:sauda-tiny:dpo@1#" in (await opening(asha))["version"]


async def test_the_operator_lets_it_speak_for_the_site(asha: Visitor, site: Site) -> None:
    make_sauda(site.data_dir / "models" / "run-9", name="evening-run", stages=ANOTHER)
    soon(lambda: speaking(asha) == "local")
    await opening(asha)  # the first admission makes the row of the switches
    try:
        site.execute("update agents_switches set checkpoint = 'evening-run'")
        await heard(asha, "evening-run")
    finally:
        site.execute("update agents_switches set checkpoint = ''")
        await heard(asha, "sauda-tiny:dpo")


async def heard(asha: Visitor, name: str) -> None:
    """Open games until this model speaks; while one is loaded, another or the rules answer."""
    deadline = time.monotonic() + SOON_S
    while name not in (await opening(asha))["version"]:
        assert time.monotonic() < deadline


def _policies(asha: Visitor) -> set[str]:
    return {one["name"] for one in asha.http.get("/api/policies/").json()["results"]}
