"""Trained models as policies: there when their folder is, evaluated like any other buyer."""

import shutil
import threading
from pathlib import Path

import msgspec
import pytest

from agents import checkpoints
from agents.plug import plug_in, trained_voices
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from negotiation import policies
from negotiation.bargain.shops import voices
from negotiation.policies import Entry, UnknownPolicy, policy
from tests.support.positions import a_position
from tests.support.tiny_sauda import make_sauda, ship
from training.evaluation.plan import make_plan
from training.evaluation.playing import play


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shipped")
    make_sauda(folder / "sauda-tiny-base", name="sauda-tiny:base")
    shutil.copytree(folder / "sauda-tiny-base", folder / "sauda-tiny-dpo")
    card = folder / "sauda-tiny-dpo" / "sauda.json"
    fields = msgspec.json.decode(card.read_bytes())
    card.write_bytes(msgspec.json.encode(fields | {"name": "sauda-tiny:dpo", "stage": "dpo"}))
    ship(folder, "sauda-tiny-dpo")
    return folder


@pytest.fixture
def here(settings, made, tmp_path):
    """The shipped models, and an empty folder for those of runs; the disk is always looked at."""
    settings.SHIPPED_MODELS_DIR, settings.MODELS_DIR = made, tmp_path
    settings.SAUDA_LOCAL = {**settings.SAUDA_LOCAL, "model": ""}
    plug_in()
    checkpoints.forget()
    yield tmp_path
    checkpoints.forget()


def trained() -> list[str]:
    return [one.name for one in policies.policies() if one.backend == "local" and _own(one)]


def _own(entry: Entry) -> bool:
    return not entry.name.startswith("sauda:")


def test_every_shipped_model_is_a_policy(here):
    assert trained() == ["sauda-tiny:base", "sauda-tiny:dpo"]
    entry = policy("sauda-tiny:dpo")
    assert entry.version.startswith("sauda-tiny:dpo@1#")
    assert (entry.backend, entry.side, entry.title) == ("local", "buyer", "Tiny sauda-tiny:base")
    assert policy("sauda-tiny:dpo") is entry


def test_the_family_stands_for_the_voice_and_is_not_listed(here):
    entry = policy("sauda-tiny")
    assert entry.version == policy("sauda-tiny:dpo").version.replace(":dpo", "", 1)
    assert "sauda-tiny" not in trained()


def test_a_model_comes_and_goes_with_its_folder(here, made):
    with pytest.raises(UnknownPolicy, match="sauda-tiny:dpo"):
        policy("evening")
    shutil.copytree(made / "sauda-tiny-base", here / "run-1")
    card = here / "run-1" / "sauda.json"
    card.write_text(card.read_text().replace('"sauda-tiny:base"', '"evening"'))
    checkpoints.forget()
    assert policy("evening").version.startswith("evening@1#")
    assert policies.title_of("evening") == "Tiny sauda-tiny:base"
    shutil.rmtree(here / "run-1")
    checkpoints.forget()
    assert "evening" not in trained()
    assert policies.title_of("evening") == "evening"


def test_nobody_takes_a_name_that_was_shipped(here, made):
    for name in ("sauda-tiny", "sauda-tiny:dpo"):
        folder = here / name.replace(":", "-")
        shutil.copytree(made / "sauda-tiny-base", folder)
        card = folder / "sauda.json"
        card.write_text(card.read_text().replace('"sauda-tiny:base"', f'"{name}"'))
    checkpoints.forget()
    for name in ("sauda-tiny", "sauda-tiny:dpo"):
        found = checkpoints.find_checkpoint(name)
        assert found is not None
        assert found.folder == made / "sauda-tiny-dpo"


def test_a_broken_folder_is_passed_over(here, made):
    (here / "broken").mkdir()
    (here / "broken" / "sauda.json").write_text("{")
    (here / "empty").mkdir()
    checkpoints.forget()
    assert trained() == ["sauda-tiny:base", "sauda-tiny:dpo"]


def test_the_disk_is_looked_at_every_few_seconds_at_most(here, monkeypatch):
    looks = []
    read = checkpoints._print_of
    monkeypatch.setattr(checkpoints, "_print_of", lambda folders: looks.append(1) or read(folders))
    checkpoints.forget()
    threads = [threading.Thread(target=trained) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(looks) == 1


def test_a_visitor_may_sell_to_all_but_the_untaught(here, settings):
    from agents import asking

    settings.SAUDA_BACKENDS = ("local", "rules")
    asking.router.cache_clear()
    try:
        assert [entry.name for entry in trained_voices()] == ["sauda-tiny:dpo"]
        assert "sauda-tiny:dpo" in [voice.name for voice in voices()]
        settings.SAUDA_BACKENDS = ("rules",)
        asking.router.cache_clear()
        assert trained_voices() == ()
    finally:
        asking.router.cache_clear()


def test_it_is_evaluated_like_any_other_buyer(here):
    plan = make_plan(["sauda-tiny", "rules:smart"], ["single_deal"], episodes=4)
    assert [one.kind for one in plan.policies] == ["model", "rules"]
    entry = policy("sauda-tiny")
    games = list(play(entry, plan.suites[0].id, [0, 1, 2, 3]))
    assert sorted(game.unit.seed for game in games) == [0, 1, 2, 3]
    assert all(row.policy_version == entry.version for game in games for row in game.rows)


def test_its_plain_form_moves_for_whoever_does_not_wait(here):
    player = policy("sauda-tiny:dpo").make(7)
    move = player.act(a_position((1000,), budget=900))
    # 620 thousandths of the ask.
    assert move == Offer(Paise(620_00), "Bhai ₹620 de do, Steel tiffin theek hai")
    odd = player.act(a_position((1018,), budget=900))
    assert isinstance(odd, Offer)
    assert odd.price == 630_00


class Stall:
    """A source of one policy."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def entries(self) -> tuple[Entry, ...]:
        return (self.entry,)

    def find(self, name: str) -> Entry | None:
        return self.entry if name == self.entry.name else None


def test_registered_names_win_over_those_of_a_source(monkeypatch):
    plug_in()
    usual = policy("sauda")
    monkeypatch.setattr(policies, "_sources", [])
    impostor = msgspec.structs.replace(usual, title="Mallory", version="m@1")
    policies.install(Stall(impostor))
    policies.install(Stall(msgspec.structs.replace(impostor, name="another")))
    assert policy("sauda") is usual
    assert policies.title_of("another") == "Mallory"
    assert [e.title for e in policies.policies() if e.name in ("sauda", "another")] == [
        "Mallory",
        "Sauda",
    ]
