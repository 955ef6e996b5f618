"""The site as it is served, its model in a process of its own, which is killed and stopped."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

from tests.support.people import Visitor
from tests.support.served import Served
from tests.support.tiny_sauda import make_sauda
from tests.support.waiting import until


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    model = make_sauda(folder / "sauda-tiny", name="sauda-tiny:sft")
    given = {"SAUDA_LOCAL_MODEL": str(model), "SAUDA_POLICY": "sauda"}
    with Served(folder / "site", web=2, catalogue=False, **given) as running:
        running.wait_for_the_model()
        yield running


@pytest.fixture
def asha(site: Served) -> Iterator[Visitor]:
    visitor = Visitor(site)
    yield visitor
    visitor.close()


async def speaks_again(asha: Visitor) -> None:
    """Wait until the model makes a bid; each of two web processes looks for it by itself."""
    for _ in range(60):
        if (await asha.first_bid())[0] == "local":
            return
        await asyncio.sleep(1)
    raise AssertionError("It is not asked again.")


def is_missed(asha: Visitor) -> bool:
    """Whether the health page of the process that answers says that the model is away."""
    told = asha.http.get("/sauda/health").json()["backends"]
    return any(one["name"] == "local" and one["error"] == "away" for one in told)


async def test_the_model_speaks_and_no_web_process_has_its_libraries(asha: Visitor) -> None:
    site = asha.site
    assert isinstance(site, Served)
    backend, _ = await asha.first_bid()
    assert backend == "local"
    assert len(site.pids("web")) == 2
    for pid in site.pids("web"):
        with open(f"/proc/{pid}/maps") as mapped:  # noqa: ASYNC230, PTH123  nothing else runs here
            libraries = mapped.read()
        assert "libtorch" not in libraries
        assert "xllamacpp" not in libraries


async def test_killed_it_costs_nobody_a_turn_and_is_started_again(asha: Visitor) -> None:
    site = asha.site
    assert isinstance(site, Served)
    assert site.process is not None
    (pid,) = site.pids("models")
    # Until it is looked at, its parent starts no other one: that might be quick.
    site.process.send_signal(signal.SIGSTOP)
    try:
        os.kill(pid, signal.SIGKILL)
        backend, passed = await asha.first_bid()
        assert backend == "rules"
        assert '"away"' in passed
    finally:
        site.process.send_signal(signal.SIGCONT)
    await speaks_again(asha)
    assert site.pids("models") not in ([], [pid])


async def test_one_that_hangs_is_passed_over_and_asked_again_when_it_goes_on(asha: Visitor) -> None:
    site = asha.site
    assert isinstance(site, Served)
    (pid,) = site.pids("models")
    os.kill(pid, signal.SIGSTOP)
    try:
        bids = [await asha.first_bid() for _ in range(4)]
        assert {backend for backend, _ in bids} == {"rules"}
        # The first may wait for a look that is not answered, later ones are not sent there.
        until(lambda: is_missed(asha))
    finally:
        os.kill(pid, signal.SIGCONT)
    await speaks_again(asha)
