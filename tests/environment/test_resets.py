"""A client names a task as it likes; one suite is meant, or it is told what there is."""

import pytest

from bazaarbatna.bargain import UnknownSuite, suite_ids
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite


def test_every_suite_can_be_named_by_its_id_and_by_its_parts() -> None:
    for id_ in suite_ids():
        task, _, rest = id_.partition("@")
        assert wanted_suite(Reset(task=id_)) == id_
        assert wanted_suite(Reset(task=task, variant=rest.partition("-")[0])) == id_


def test_a_task_without_a_variant_is_a_sampled_one() -> None:
    assert wanted_suite(Reset(task="read_the_tells")) == "read_the_tells@sampled-1"


@pytest.mark.parametrize(
    ("reset", "told"),
    [
        (Reset(task="single"), "Known: single_deal, asymmetric_pressure"),
        (Reset(task="single_deal@sampled-2"), "Known: single_deal"),
        (Reset(variant="hard"), "Known: fixed, sampled"),
        (Reset(task="single_deal@fixed-1", variant="sampled"), "names its variant already"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(reset: Reset, told: str) -> None:
    with pytest.raises(UnknownSuite, match=told):
        wanted_suite(reset)
