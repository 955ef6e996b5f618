"""A model inside the site: loads beside the first games, answers, and never delays a page."""

import time
from collections.abc import Iterator

import pytest

from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.tiny_llama import make_tiny_llama

LOADED_WITHIN_S = 90


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("local")
    model = make_tiny_llama(folder / "llama")
    with Site(folder / "site", catalogue=False, SAUDA_LOCAL_MODEL=str(model)) as running:
        yield running


async def test_games_do_not_wait_for_a_model_that_is_loading(asha: Visitor) -> None:
    backend, passed = await asha.first_bid()
    # On a quick machine the model may be there already; then its babble is passed over.
    assert backend == "rules"
    assert '"local"' in passed


async def test_once_loaded_its_babble_is_read_and_the_rules_play(asha: Visitor) -> None:
    deadline = time.monotonic() + LOADED_WITHIN_S
    while asha.http.get("/sauda/health").json()["backends"][2]["error"]:
        assert time.monotonic() < deadline
        time.sleep(0.5)  # noqa: ASYNC251  # nothing else runs on this loop
    backend, passed = await asha.first_bid()
    assert backend == "rules"
    assert '"unreadable"' in passed
    calls = asha.site.query("select count(*) from agents_modelcall where backend = 'local'")
    assert calls[0][0] >= 1
