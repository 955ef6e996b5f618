"""Two processes watch one game: one asks the model, and if it dies the other one does."""

from collections.abc import Iterator

import pytest

from tests.support.model_answers import Say, Silence
from tests.support.modelled import AN_OFFER, Models, a_modelled_site
from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.waiting import in_time


class Pair:
    """Two servers of one site."""

    def __init__(self, models: Models, second: Site) -> None:
        self.models, self.first, self.second = models, models.site, second


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("pair")
    with a_modelled_site(folder, SAUDA_HF_TIMEOUT_S="10", SAUDA_TURN_BUDGET_S="12") as models:
        environment = {
            name: value
            for name, value in models.site.environment.items()
            if name.startswith("SAUDA_")
        }
        second = Site(folder, catalogue=False, **environment)
        second.start()
        try:
            yield Pair(models, second)
        finally:
            second.kill()


def sees_the_same(visitor: Visitor, site: Site) -> Visitor:
    """The same person at another server of the site."""
    twin = Visitor(site)
    twin.http.cookies.clear()
    for cookie in visitor.http.cookies.jar:
        twin.http.cookies.set(cookie.name, cookie.value or "", domain="127.0.0.1")
    return twin


async def test_of_two_processes_one_asks(pair: Pair) -> None:
    models = pair.models
    models.forget()
    models.hf.always(Say(AN_OFFER, pieces=4, pause_s=0.2))
    asha = Visitor(pair.first)
    twin = sees_the_same(asha, pair.second)
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as here, twin.at(game_id) as there:
        await here.send("sync")
        await there.send("sync")
        for number in range(3):
            await here.hear_bid()
            await there.hear_bid()
            assert len(models.hf.asked) == number + 1
            if number == 2:
                break
            await here.send("offer", price=1990 - number)
            await here.hear_event("offer", "seller")
            # Without Redis no bell rings from one process to the other.
            await there.send("ping")
    asha.close()
    twin.close()


async def test_a_thinker_that_is_killed_is_replaced_by_the_other(pair: Pair) -> None:
    models = pair.models
    models.forget()
    models.hf.then(Silence(60))
    asha = Visitor(pair.first)
    twin = sees_the_same(asha, pair.second)
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as here:
        await here.send("sync")
        await here.hear_type("thinking")
        await in_time(lambda: bool(models.hf.asked))
        pair.first.kill()
    try:
        async with twin.at(game_id) as there:
            await there.send("sync")
            bid = await there.hear_bid()
    finally:
        pair.first.start()
    assert bid["backend"] == "hf"
    assert len(models.hf.asked) == 2
    held = models.site.query("select count(*) from agents_modelcall where state = 'open'")
    assert held == [(1,)], "the killed call keeps what it had reserved"
    asha.close()
    twin.close()
