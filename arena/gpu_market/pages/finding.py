"""TEMPORARY in-memory source until the room's store is merged."""

import secrets

import msgspec

from arena.gpu_market.engine import *
from arena.gpu_market.engine.events import Ended
from arena.gpu_market.policies.registry import make_policy
from arena.gpu_market.room.facts import Facts
from arena.gpu_market.room.visibility import Viewer, shown
from negotiation.errors import UnknownGame


class Seen(msgspec.Struct, frozen=True):
    id: str
    seed: int
    facts: Facts
    events: tuple
    viewer: Viewer
    frames: list

    @property
    def over(self) -> bool:
        return isinstance(self.events[-1], Ended)


_ALL: dict = {}


def open_market(visitor, task, seed, policy):
    sc = make_market(task, seed)
    n = len(sc.labs)
    mid = secrets.token_hex(4)
    state, ev = start(sc)
    log = list(ev)
    if policy != "person":
        state, log = play_market(sc, {0: make_policy(policy, seed)})
    _ALL[mid] = dict(
        owner=visitor,
        sc=sc,
        log=list(log),
        state=state,
        seats=(policy,) + ("archetype",) * (n - 1),
        seed=seed,
    )
    return mid


def find(mid, visitor):
    if mid not in _ALL:
        raise UnknownGame("There is no such market.")
    m = _ALL[mid]
    facts = Facts(m["sc"], m["seats"], mid)
    over = m["state"].ended is not None
    viewer = (
        Viewer("replay")
        if over
        else Viewer("lab", 0)
        if m["owner"] == visitor and m["seats"][0] == "person"
        else Viewer("open")
    )
    return Seen(
        mid,
        m["seed"],
        facts,
        tuple(m["log"]),
        viewer,
        shown(list(enumerate(m["log"], 1)), facts, viewer),
    )


def act(mid, visitor, action):
    m = _ALL[mid]
    result = consider(m["state"], 0, action)
    if not result.ok:
        return result
    m["state"], ev = step(m["state"], 0, action)
    m["log"] += ev
    return result


def newest():
    return [find(mid, "") for mid in reversed(_ALL)]
