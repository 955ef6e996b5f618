"""Which model the local backend speaks with: the shipped one, a chosen one, and the way between."""

import asyncio
import json
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from agents import checkpoints
from agents.backends.base import BackendError
from agents.backends.local import residents
from agents.backends.local.backend import LocalBackend
from agents.prompts.chats import Chat
from tests.support.local_models import when_ready
from tests.support.positions import a_position
from tests.support.tiny_sauda import make_sauda, ship
from tests.support.waiting import in_time

ASKED = Chat((), seen=a_position((1000,), budget=900))
SOON_S = 30


@pytest.fixture
def here(settings, models):
    """The shipped models are on this machine, and the settings name none."""
    settings.SHIPPED_MODELS_DIR = models
    settings.SAUDA_LOCAL = {**settings.SAUDA_LOCAL, "model": "", "timeout_s": 30}
    checkpoints.forget()
    yield settings
    checkpoints.forget()


Opens = Callable[[], Awaitable[LocalBackend]]


@pytest.fixture
async def ready() -> AsyncIterator[Opens]:
    """Opens a backend of these settings, and closes it however the test ends."""
    opened: list[LocalBackend] = []

    async def opens() -> LocalBackend:
        opened.append(await when_ready(LocalBackend.from_settings()))
        return opened[-1]

    yield opens
    for backend in opened:
        await backend.close()


def label_of(backend: LocalBackend) -> str:
    main = backend._residents.main
    return main.source.label.partition("@")[0] if main else ""


def from_settings(settings, model: str) -> str:
    settings.SAUDA_LOCAL = {**settings.SAUDA_LOCAL, "model": model}
    checkpoints.forget()
    return label_of(LocalBackend.from_settings())


def test_without_a_setting_the_shipped_voice_speaks(here):
    assert from_settings(here, "") == "sauda-tiny:dpo"


@pytest.mark.parametrize("word", ["none", "None", " none "])
def test_none_means_none(here, word):
    assert from_settings(here, word) == ""
    assert not LocalBackend.from_settings().takes(bargains=True)


def test_a_name_is_a_folder_among_the_shipped_or_a_policy(here):
    assert from_settings(here, "sauda-tiny-sft") == "sauda-tiny:sft"
    assert from_settings(here, "sauda-tiny:sft") == "sauda-tiny:sft"
    assert from_settings(here, "sauda-tiny") == "sauda-tiny:dpo"


def test_a_folder_and_a_hub_name_mean_themselves(here, babbling):
    assert from_settings(here, str(babbling)) == "babbling"
    assert from_settings(here, "someone/sauda-8b") == "someone/sauda-8b"


def test_nothing_shipped_means_not_configured(here, tmp_path):
    here.SHIPPED_MODELS_DIR = tmp_path / "nothing"
    assert from_settings(here, "") == ""
    assert not LocalBackend.from_settings().configured()


@pytest.mark.parametrize("card", ["{", '{"format": "sauda@9"}', None])
def test_a_broken_model_among_the_shipped_is_said_in_the_log(here, tmp_path, caplog, card):
    here.SHIPPED_MODELS_DIR = tmp_path
    folder = make_sauda(tmp_path / "sauda-tiny", name="sauda-tiny:dpo")
    ship(tmp_path, "sauda-tiny")
    if card is None:
        (folder / "model.safetensors").unlink()
    else:
        (folder / "sauda.json").write_text(card)
    # Neither by default nor by its folder's name, which is not taken for one of the hub.
    assert from_settings(here, "") == ""
    assert from_settings(here, "sauda-tiny") == ""
    assert "The shipped model cannot speak" in caplog.text
    assert "The local model cannot be used" in caplog.text


@pytest.mark.parametrize("voice", ["", "nothing", "{", '{"voice": 7}'])
def test_a_word_about_the_voice_that_leads_nowhere_is_said_too(here, tmp_path, caplog, voice):
    here.SHIPPED_MODELS_DIR = tmp_path
    (tmp_path / "shipped.json").write_text(voice)
    assert from_settings(here, "") == ""
    assert "The shipped model cannot speak" in caplog.text


async def price_of(backend: LocalBackend, chat: Chat = ASKED) -> int:
    return int(json.loads((await backend.complete(chat)).text)["price"])


async def until(backend: LocalBackend, name: str) -> None:
    await in_time(lambda: label_of(backend) == name, within_s=SOON_S)


async def test_the_operators_choice_is_taken_up_while_the_other_goes_on_answering(here, ready):
    backend = await ready()
    assert await price_of(backend) == 700
    backend.take_up("sauda-tiny:sft")
    # It is being loaded; nobody waits for it, and nobody is refused.
    prices = [await price_of(backend) for _ in range(3)]
    assert set(prices) <= {700, 620}
    assert prices[0] == 700
    await until(backend, "sauda-tiny:sft")
    assert await price_of(backend) == 620
    backend.take_up("")
    await until(backend, "sauda-tiny:dpo")
    assert await price_of(backend) == 700


async def test_eight_games_never_notice_the_changes(here, ready):
    backend = await ready()
    ended = asyncio.Event()

    async def play() -> list[int]:
        heard = []
        while not ended.is_set():
            heard.append(await price_of(backend))
        return [*heard, await price_of(backend)]

    games = [asyncio.create_task(play()) for _ in range(8)]
    for name in ("sauda-tiny:sft", "sauda-tiny:dpo", "sauda-tiny:sft"):
        backend.take_up(name)
        await until(backend, name)
    ended.set()
    for heard in await asyncio.gather(*games):
        assert set(heard) <= {700, 620}
        assert heard[-1] == 620


async def test_a_choice_that_is_not_here_or_broken_changes_nothing(here, ready, tmp_path, caplog):
    here.MODELS_DIR = tmp_path
    broken = make_sauda(tmp_path / "broken", name="sauda-tiny:broken")
    (broken / "model.safetensors").write_bytes(b"no weights")
    checkpoints.forget()
    backend = await ready()
    backend.take_up("sauda-tiny:gone")
    assert label_of(backend) == "sauda-tiny:dpo"
    backend.take_up("sauda-tiny:broken")
    deadline = time.monotonic() + SOON_S
    while "stays away" not in caplog.text:
        assert await price_of(backend) == 700
        assert time.monotonic() < deadline
    backend.take_up("sauda-tiny:broken")
    assert await price_of(backend) == 700


async def test_a_model_whose_folder_goes_away_is_not_asked_for_and_stops_nobody(
    here, ready, tmp_path
):
    here.MODELS_DIR = tmp_path
    gone = make_sauda(tmp_path / "run-6", name="sauda-tiny:run-6")
    checkpoints.forget()
    backend = await ready()
    assert backend.takes(bargains=True, checkpoint="sauda-tiny:run-6")
    shutil.rmtree(gone)
    # The list still has it for a moment.
    assert checkpoints.find_checkpoint("sauda-tiny:run-6") is not None
    assert not backend.takes(bargains=True, checkpoint="sauda-tiny:run-6")
    backend.take_up("sauda-tiny:run-6")
    assert await price_of(backend) == 700


async def test_a_choice_before_anything_was_loaded_loads_only_that(here):
    backend = LocalBackend.from_settings()
    backend.take_up("sauda-tiny:sft")
    assert label_of(backend) == "sauda-tiny:sft"
    await when_ready(backend)
    assert await price_of(backend) == 620


async def test_where_none_is_configured_a_choice_makes_one_speak(here, tmp_path):
    here.SAUDA_LOCAL = {**here.SAUDA_LOCAL, "model": "none"}
    here.MODELS_DIR = tmp_path
    make_sauda(tmp_path / "run-7", name="sauda-tiny:run-7")
    checkpoints.forget()
    backend = LocalBackend.from_settings()
    backend.take_up("sauda-tiny:sft")
    assert not backend.configured(), "none hides the shipped ones"
    backend.take_up("sauda-tiny:run-7")
    await when_ready(backend)
    assert await price_of(backend) == 620
    backend.take_up("")
    assert not backend.configured()


async def named(backend: LocalBackend, name: str) -> int:
    """The price that a model beside the one that speaks gives, once it is loaded."""
    chat = Chat((), seen=ASKED.seen, checkpoint=name)
    deadline = time.monotonic() + SOON_S
    while True:
        try:
            return await price_of(backend, chat)
        except BackendError as error:
            if error.code != "loading" or time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.01)


async def test_another_model_can_be_asked_by_name_beside_it(here, ready):
    backend = await ready()
    assert backend.takes(bargains=True, checkpoint="sauda-tiny:sft")
    assert not backend.takes(bargains=False, checkpoint="sauda-tiny:sft")
    assert not backend.takes(bargains=True, checkpoint="sauda-tiny:gone")
    assert await named(backend, "sauda-tiny:sft") == 620
    assert await price_of(backend) == 700
    # The one that speaks is not loaded twice.
    assert await named(backend, "sauda-tiny:dpo") == 700
    assert len(backend._residents._beside) == 1


async def test_who_was_asked_longest_ago_leaves_first(here, ready, tmp_path, monkeypatch):
    monkeypatch.setattr(residents, "BESIDE", 1)
    here.MODELS_DIR = tmp_path
    make_sauda(tmp_path / "run-8", name="sauda-tiny:run-8")
    checkpoints.forget()
    backend = await ready()
    assert await named(backend, "sauda-tiny:sft") == 620
    left = backend._residents.named("sauda-tiny:sft")
    assert await named(backend, "sauda-tiny:run-8") == 620
    await in_time(lambda: left.worker.state == "closed", within_s=SOON_S)
    assert len(backend._residents._beside) == 1
    assert await named(backend, "sauda-tiny:sft") == 620


async def test_a_model_that_is_too_large_to_stand_beside_is_not_loaded(here, ready, monkeypatch):
    backend = await ready()
    monkeypatch.setattr(residents, "LARGEST_BESIDE", 1000)
    assert not backend.takes(bargains=True, checkpoint="sauda-tiny:sft")
    assert backend.takes(bargains=True, checkpoint="sauda-tiny:dpo"), "it is there already"
    with pytest.raises(BackendError, match="no-such-model"):
        await backend.complete(Chat((), seen=ASKED.seen, checkpoint="sauda-tiny:sft"))
