"""A run's model becomes a choice of players and evaluations while the site runs."""

import pytest
from django.test import Client

from agents.checkpoints import find_checkpoint
from tests.support.staged import a_stage, signed_in
from training.jobs.chains import NotSelectable, make_selectable, selectable_as, take_away
from training.models import Run
from training.runs import lifecycle

PAGE = "/admin/training/run/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


@pytest.fixture
def omar() -> Client:
    """Omar, who operates the site."""
    return signed_in("omar", "view_run", "change_run")


def test_its_model_is_there_under_its_name_and_gone_when_it_is_taken_away(omar: Client) -> None:
    run = a_stage("dpo")
    assert "Make it selectable" in omar.get(f"{PAGE}{run.pk}/change/").content.decode()
    omar.post(f"{PAGE}{run.pk}/select/", {"name": "corner-shop"})
    found = find_checkpoint("corner-shop")
    assert found is not None
    assert (found.card.made_by, found.card.dialect) == (run.pk, "compact")
    weights = lifecycle.folder_of(run) / "model" / "model.safetensors"
    assert (found.folder / "model.safetensors").read_bytes() == weights.read_bytes()
    assert "corner-shop" in omar.get(f"{PAGE}{run.pk}/change/").content.decode()
    omar.post(f"{PAGE}{run.pk}/take-away/")
    assert find_checkpoint("corner-shop") is None
    assert weights.is_file(), "the run keeps its own"


def test_two_models_never_have_one_name() -> None:
    first, second = a_stage("dpo"), a_stage("dpo")
    make_selectable(first, "twin")
    with pytest.raises(NotSelectable, match="choose another name"):
        make_selectable(second, "twin")
    assert (selectable_as(first), selectable_as(second)) == (["twin"], [])
    assert take_away(second) == []
    assert selectable_as(first) == ["twin"]


@pytest.mark.parametrize("name", ["", "../x", "A", ".hidden", "a/b", "x" * 41])
def test_a_name_is_plain(name: str) -> None:
    run = a_stage("dpo")
    with pytest.raises(NotSelectable, match="a-z, 0-9 and hyphens"):
        make_selectable(run, name)


def test_a_run_without_a_model_says_so(omar: Client) -> None:
    run = a_stage("dpo", status=Run.Status.FAILED)
    omar.post(f"{PAGE}{run.pk}/select/", {"name": "nothing"}, follow=True)
    assert find_checkpoint("nothing") is None
    with pytest.raises(NotSelectable, match="has left no model; it is failed"):
        make_selectable(run, "nothing")


def test_only_those_who_may_change_runs_offer_models() -> None:
    run = a_stage("dpo")
    rita = signed_in("rita", "view_run")
    for hand in ("select", "take-away", "cancel-chain"):
        assert rita.post(f"{PAGE}{run.pk}/{hand}/", {"name": "mine"}).status_code == 403
    assert find_checkpoint("mine") is None
