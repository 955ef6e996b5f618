"""Ids are only names: whoever plays, plays the same in a world in which everything is renamed."""

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.gpu_market.dialect import read, render, write
from bazaarbatna.envs.market.actions import to_action, write_action
from bazaarbatna.envs.market.views import read_view, to_view
from bazaarbatna.market import (
    TASK_NAMES,
    MarketAction,
    Observation,
    State,
    advance,
    apply,
    consider,
    make_market,
    observe,
    start,
)
from bazaarbatna.market.policies.registry import EXPLOITS, PITCHERS, POLICIES, make_policy
from bazaarbatna.market.scenario import HOUSE, ShockKind

Names = Mapping[str, Mapping[str, str]]
"""New ids by old ones, for each kind: block, lab, job, offer, pool. Two kinds may share an id."""

COPIES_EXAMPLES = "naive_instruct"
"""Says the ids of the examples that explain the actions, in whatever world: that is its point."""
PLAYERS = [one for one in (*POLICIES, *EXPLOITS, *PITCHERS) if one != COPIES_EXAMPLES]
CAREFUL = ("random_valid", "no_negotiation_allocator", "greedy_hoarder", "rule_expert")
"""Never refused at home."""

HOSTILE = (
    "b-17", "gpu/alpha", "team-red", "need", "block_0", "lab_1", "job_0_0", "🔥", " ", "'; --",
    "<script>", "\x00", "(?P<own>", "a\nact", "\u202e0_kcolb", "x" * 300, "house", "m0", "None",
)  # fmt: skip

some_id = st.sampled_from(HOSTILE) | st.text(min_size=1, max_size=12)


@lru_cache
def positions(task: str, seed: int) -> tuple[State, ...]:
    """Positions of the first lab while random_valid plays it, and the expert every other lab.

    It pitches in between, so that there are words of its own to read.
    """
    options: tuple[ShockKind, ...] = ("emergency_auction",) if task == "coalition_market" else ()
    state, _ = start(make_market(task, seed, options=options))
    players = [make_policy("random_valid", seed)] + [make_policy("rule_expert", seed)] * 4
    found = []
    while state.ended is None:
        if state.turn == 0:
            found.append(state)
        if state.turn == 0 or state.round % 2:
            name = "pitching_expert" if state.turn == 0 and state.round % 3 == 0 else ""
            player = make_policy(name, seed) if name else players[state.turn]
            state, _ = apply(state, state.turn, player(observe(state, state.turn)))
        else:
            state, _ = advance(state, {0})
    return tuple(found)


def renamed(value: Any, names: Names) -> Any:
    """The same observation, or part of it, under other names."""
    kinds = {
        "Block": {"id": "block", "owner": "lab", "pool": "pool", "job": "job"},
        "LabSeen": {"id": "lab"},
        "Job": {"id": "job"},
        "Offer": {"id": "offer", "sender": "lab", "target": "lab", "offered": "block",
                  "requested": "block", "linked": "offer"},
        "Contract": {"offer": "offer", "sender": "lab", "target": "lab", "given": "block",
                     "taken": "block"},
        "Coalition": {"id": "pool", "founder": "lab", "members": "lab", "invited": "lab"},
        "Pledge": {"lab": "lab", "blocks": "block"},
        "Said": {"lab": "lab", "to": "lab"},
        "Observation": {"lab": "lab"},
        "MarketAction": {"target_lab_id": "lab", "offer_id": "offer", "coalition_id": "pool",
                         "block_ids": "block", "requested_block_ids": "block", "job_id": "job"},
    }  # fmt: skip
    if isinstance(value, tuple):
        return tuple(renamed(one, names) for one in value)
    if not isinstance(value, msgspec.Struct):
        return value
    told = kinds.get(type(value).__name__, {})
    changed = {}
    for field in value.__struct_fields__:
        old = getattr(value, field)
        if field not in told:
            changed[field] = renamed(old, names)
        elif isinstance(old, tuple):
            changed[field] = tuple(names[told[field]].get(one, one) for one in old)
        else:
            changed[field] = names[told[field]].get(old, old)
    return type(value)(**changed)


def ids_of(seen: Observation) -> dict[str, list[str]]:
    """All ids of a position by kind; the house is the protocol's own name for who auctions."""
    jobs = {block.job for block in seen.blocks if block.job}
    return {
        "block": [block.id for block in seen.blocks],
        "lab": [lab.id for lab in seen.labs],
        "job": sorted(jobs | {job.id for job in seen.jobs}),
        "offer": sorted({offer.id for offer in seen.offers} | {c.offer for c in seen.contracts}),
        "pool": [coalition.id for coalition in seen.coalitions],
    }


@st.composite
def some_names(draw: st.DrawFn, seen: Observation) -> Names:
    """Other names for everything: any text, or the same names for other things."""
    made = {}
    for kind, old in ids_of(seen).items():
        free = some_id.filter(lambda text: text != HOUSE) if kind == "lab" else some_id
        new = draw(
            st.permutations(old) | st.lists(free, min_size=len(old), max_size=len(old), unique=True)
        )
        made[kind] = dict(zip(old, new, strict=True))
    return made


@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("task", TASK_NAMES)
@given(data=st.data(), seed=st.integers(0, 5))
def test_every_policy_plays_the_same_under_other_names(
    task: str, data: st.DataObject, seed: int
) -> None:
    state = data.draw(st.sampled_from(positions(task, seed)))
    seen = observe(state, 0)
    names = data.draw(some_names(seen))
    for name in PLAYERS:
        action = make_policy(name, seed)(seen)
        assert make_policy(name, seed)(renamed(seen, names)) == renamed(action, names), name


@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("task", TASK_NAMES)
@given(data=st.data(), seed=st.integers(0, 5))
def test_the_dialect_shows_the_same_and_reads_back_the_names_of_the_world(
    task: str, data: st.DataObject, seed: int
) -> None:
    """No id reaches a trained lab's prompt, so none can say anything in it."""
    state = data.draw(st.sampled_from(positions(task, seed)))
    seen = observe(state, 0)
    names = data.draw(some_names(seen))
    other = renamed(seen, names)
    assert render(other) == render(seen)
    for name in PLAYERS:
        action = make_policy(name, seed)(seen)
        assert isinstance(action, MarketAction)
        said = write(seen, action)
        assert write(other, renamed(action, names)) == said, name
        if said is not None:
            back = read(seen, said)
            assert isinstance(back, MarketAction)
            assert read(other, said) == renamed(back, names), name


def shuffled(seen: Observation, dice: Random) -> Observation:
    """The same things in another order; labs keep theirs, which is that of the turns."""

    def mixed(field: str) -> tuple[Any, ...]:
        things = list(getattr(seen, field))
        dice.shuffle(things)
        return tuple(things)

    fields = ("blocks", "jobs", "offers", "contracts", "coalitions")
    return msgspec.structs.replace(seen, **{field: mixed(field) for field in fields})


@pytest.mark.parametrize("task", TASK_NAMES)
def test_blocks_in_any_order_and_under_any_names_get_actions_that_the_rules_take(
    task: str,
) -> None:
    """Seeds 0 to 5; the action is played at home under the old names."""
    acted = 0
    for seed in range(6):
        for state in positions(task, seed):
            dice = Random(seed * 100 + state.round)
            seen = shuffled(observe(state, 0), dice)
            names = {
                kind: {one: f"{kind}/{dice.getrandbits(32):x}-é" for one in old}
                for kind, old in ids_of(seen).items()
            }
            home = {kind: {new: old for old, new in told.items()} for kind, told in names.items()}
            for name in (*CAREFUL, "optimal_planner"):
                action = renamed(make_policy(name, seed)(renamed(seen, names)), home)
                assert consider(state, 0, action).ok, (name, seed, state.round, action)
                acted += action.action != "wait"
    assert acted > 30


def test_a_view_from_elsewhere_is_read_and_answered_in_its_own_names() -> None:
    """Over JSON, both ways: what a server with other names would send, and take."""
    for state in positions("coalition_market", 2):
        seen = observe(state, 0)
        names = {
            kind: {one: f"{one[::-1]}/é<b>" for one in old} for kind, old in ids_of(seen).items()
        }
        other = renamed(seen, names)
        view = msgspec.json.decode(msgspec.json.encode(to_view(other, done=False)))
        action = make_policy("rule_expert", 2)(read_view(view))
        assert isinstance(action, MarketAction)
        assert action == renamed(make_policy("rule_expert", 2)(seen), names)
        assert to_action(write_action(action)) == action


def test_a_view_that_lacks_its_own_lab_is_refused_and_a_forgotten_block_is_not() -> None:
    seen = observe(positions("coalition_market", 2)[-1], 0)
    assert any(shock.blocks for shock in seen.shocks)
    view = msgspec.to_builtins(to_view(seen, done=False))
    with pytest.raises(msgspec.ValidationError, match="none of its labs"):
        read_view(view | {"lab": "team-red"})
    assert read_view(view | {"blocks": []}).shocks[0].blocks == ()


def test_an_offer_of_blocks_that_nobody_shows_is_not_taken() -> None:
    """Over a wire an offer may name what the view leaves out; at home it cannot."""
    met = 0
    for seed in range(6):
        for state in positions("market_round", seed):
            seen = observe(state, 0)
            if not seen.offers_to_me:
                continue
            met += 1
            offers = tuple(
                msgspec.structs.replace(offer, offered=("nowhere",)) for offer in seen.offers
            )
            strange = msgspec.structs.replace(seen, offers=offers)
            assert "void" in render(strange)
            for name in ("rule_expert", "optimal_planner", "random_valid"):
                assert make_policy(name, seed)(strange).action != "accept_offer", name  # type: ignore[union-attr]
    assert met > 5


def test_a_world_of_more_labs_than_ours_is_played() -> None:
    """The archetypes cycle; no policy counts on there being five labs at most."""
    seen = observe(positions("coalition_market", 2)[0], 0)
    more = tuple(msgspec.structs.replace(seen.labs[1], id=f"guest {number}") for number in range(4))
    blocks = tuple(
        msgspec.structs.replace(block, id=f"more {block.id}", owner=more[number % 4].id)
        for number, block in enumerate(seen.blocks)
    )
    crowd = msgspec.structs.replace(seen, labs=(*more, *seen.labs), blocks=(*blocks, *seen.blocks))
    for name in PLAYERS:
        assert isinstance(make_policy(name, 2)(crowd), MarketAction)
    assert render(crowd).endswith("act")
