"""What every policy of this room keeps."""

import re

import pytest

from agents.plug import BUYERS, plug_in
from agents.testing.players import check_policy
from bazaarbatna.bargain import Offer
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.simple import CONCEDERS, LINES
from bazaarbatna.versions import version_label
from negotiation import policies
from tests.agents import golden
from tests.support.positions import a_position

by_name = pytest.mark.parametrize("buyer", BUYERS, ids=lambda buyer: buyer.name)


@by_name
def test_every_policy_passes_the_contract_kit(buyer: type[RuleBuyer]) -> None:
    check_policy(buyer)


@by_name
def test_a_version_plays_its_golden_episodes(buyer: type[RuleBuyer]) -> None:
    known = golden.recorded()
    assert buyer.version() in known, (
        f"{buyer.version()} is new: run 'python -m tests.agents.golden' and say why in the commit."
    )
    assert golden.episodes(buyer) == known[buyer.version()], (
        f"{buyer.name} behaves otherwise: raise its 'number', then run "
        "'python -m tests.agents.golden'."
    )


@by_name
def test_every_policy_is_registered_with_its_version(buyer: type[RuleBuyer]) -> None:
    plug_in()
    entry = policies.policy(buyer.name)
    assert entry.version == buyer.version()
    assert re.fullmatch(rf"{re.escape(buyer.name)}@\d+#[0-9a-f]{{12}}", entry.version)
    assert entry.kind == "rules"
    assert entry.backend == "rules"
    assert entry.title == buyer.title


def test_names_titles_and_versions_differ() -> None:
    for field in ("name", "title"):
        assert len({getattr(buyer, field) for buyer in BUYERS}) == len(BUYERS)
    assert len({buyer.version() for buyer in BUYERS}) == len(BUYERS)


def test_plugging_in_twice_changes_nothing() -> None:
    plug_in()
    before = policies.policies()
    plug_in()
    assert policies.policies() == before


def test_conceders_climb_from_the_share_in_their_name_and_are_not_listed() -> None:
    plug_in()
    seen, bids = a_position((1000,), budget=900), {}
    for name in (*CONCEDERS, "rules:conceder", "rules:conceder-50", "rules:conceder-99"):
        entry = policies.policy(name)
        move = entry.make(1).act(seen)
        assert isinstance(move, Offer)
        bids[name] = move.price
        assert entry.version.startswith(f"{name}@1#")
        assert (entry in policies.policies()) == (name == "rules:conceder")
        check_policy(entry.make)
    ordered = [bids[name] for name in CONCEDERS]
    assert ordered == sorted(set(ordered))
    assert bids["rules:conceder-50"] == bids["rules:conceder"]
    assert bids["rules:conceder-45"] < bids["rules:conceder"] < bids["rules:conceder-55"]


@pytest.mark.parametrize("wrong", ["-", "-5", "-05", "-100", "-4.5", "-٤٥", "-45 ", "45", "--45"])
def test_a_conceder_without_a_share_is_unknown(wrong: str) -> None:
    plug_in()
    with pytest.raises(policies.UnknownPolicy):
        policies.policy(f"rules:conceder{wrong}")


def test_a_line_climbs_between_shares_of_its_budget_and_is_not_listed() -> None:
    plug_in()
    for name in (*LINES, "rules:line-10-99"):
        entry = policies.policy(name)
        assert entry.version.startswith(f"{name}@1#")
        assert entry not in policies.policies()
        check_policy(entry.make)
    line = policies.policy("rules:line-30-90").make(1)
    bids = [line.act(a_position((2000,), budget=1000, at=round_)) for round_ in (1, 4, 7, 10)]
    assert [one.price for one in bids if isinstance(one, Offer)] == [30000, 50000, 70000, 90000]


@pytest.mark.parametrize("wrong", ["", "-30", "-30-", "-30-100", "-05-90", "-३०-९०", "-30-90 "])
def test_a_line_without_two_shares_is_unknown(wrong: str) -> None:
    plug_in()
    with pytest.raises(policies.UnknownPolicy):
        policies.policy(f"rules:line{wrong}")


def test_a_taken_name_is_refused() -> None:
    plug_in()
    with pytest.raises(ValueError, match="'sauda' is registered already"):
        policies.register("sauda", lambda seed: BUYERS[1](seed), version="x@1")


def test_an_unknown_name_lists_the_known_ones() -> None:
    plug_in()
    with pytest.raises(policies.UnknownPolicy, match=r"rules:boulware, .*sauda"):
        policies.policy("nobody")


def test_a_parameter_is_part_of_the_version() -> None:
    one = version_label("rules:x", 1, {"a": 1, "b": 2})
    assert one == version_label("rules:x", 1, {"b": 2, "a": 1})
    assert one != version_label("rules:x", 1, {"a": 1, "b": 3})
    assert one.startswith("rules:x@1#")
