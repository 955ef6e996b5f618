"""Mallory at the market: streams of messages that try everything, and a shadow that keeps count."""

import json
from random import Random
from typing import Any, Literal

import msgspec

from bazaarbatna.envs.market.actions import to_action, write_action
from bazaarbatna.envs.market.views import to_result, to_view
from bazaarbatna.envs.openenv.frames import LONGEST
from bazaarbatna.market import (
    ACTION_NAMES,
    WAIT,
    State,
    advance,
    apply,
    make_market,
    observe,
    start,
    step,
)
from bazaarbatna.market.judging import Bench, round_seen
from bazaarbatna.market.policies.plain import random_valid
from bazaarbatna.market.quantities import LAB_IDS
from tests.support.gpu_market import a_wild_action

Takes = Literal["turn", "nothing"]

ATOMS: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3.5, -0.01, 10**30, -(10**30), 1e308, -1e308, 5e-324),
    *("", " ", "NaN", "Infinity", "1e308", "-1e999", "0x10", "5", "wait", "lab_0", "lab_1"),
    *(
        "lab_4",
        "lab_9",
        "LAB_1",
        "lab_1 ",
        "lab_\u0661",
        "ｌａｂ_1",
        "house",
        "\u202e1_bal",
        "\x00",
    ),
    *(
        "block_0",
        "block_2",
        "block_63",
        "block_-1",
        "offer_0",
        "offer_1_0_0",
        "offer_9_9_9",
        "offer_1_0_99999",
    ),
    *("job_0_0", "job_1_0", "coalition_0", "coalition_63", "__proto__", "' OR 1=1 --"),
    *("<script>alert(1)</script>", "../../etc/passwd", "%s%n{0}${7*7}", "🙂" * 300, "a" * 501),
    *("a" * 5000, [], {}, [[[[]]]], {"a": {"b": [None]}}, ["block_0", "block_0"], [1, 2], [None]),
    *(["block_0"] * 40, ["must_not_resell", "flood"], ["must_not_resell"] * 9, {"amount": 5}),
)
FIELDS = (
    *("target_lab_id", "offer_id", "coalition_id", "block_ids", "requested_block_ids"),
    *("job_id", "payment", "message", "conditions", "metadata"),
)
JUNK_FIELDS = ("lab", "seed", "state", "reward", "__class__", "", "payment ", "ACTION", "x" * 900)

NOT_JSON = (
    *("", "{", "}", "nonsense", "\ufeff{}", "[" * 5000, '{"a":' * 3000, "'wait'", "NaN", "{} {}"),
    *('{"type":"step","data":{"action":"wait"}', '{"type":"step","data":{"message":"\\ud800"}}'),
    *('{"type":"step","data":{"payment":NaN}}', '{"type":"step","data":{"payment":-Infinity}}'),
    *('{"type":"step","data":{"payment":01}}', '{"type":"step","data":{"payment":1.}}'),
    '{"type":"step","data":{"payment":.5}}',
)
NO_FRAMES = (
    *("[]", "null", "7", '"step"', "{}", '{"type":null}', '{"type":"steal"}', '{"type":["step"]}'),
    *('{"type":"step"}', '{"type":"step","data":null}', '{"type":"step","data":[]}'),
    *('{"type":"step","data":"wait"}', '{"type":"step","data":7}', '{"type":"STEP","data":{}}'),
    *('{"type":"step","data":{"payment":1e999}}', '{"type":"step","data":{},"seed":1}'),
    '{"type":"step","data":{"payment":' + "9" * 5000 + "}}",
    *('{"type":"reset","data":{"seed":-1}}', '{"type":"reset","data":{"task":"x"}}'),
    *('{"type":"reset","data":{"lab":"lab_9"}}', '{"type":"reset","data":{"lab":99}}'),
    *('{"type":"reset","data":{"sede":1}}', '{"type":"reset","data":{"options":["flood"]}}'),
    *('{"type":"reset","data":{"options":["sudden_supply"]}}', '{"type":"reset","data":7}'),
    *('{"type":"reset","data":{"reward":"mine"}}', '{"type":"reset","data":{"seed":1e30}}'),
    "x" * LONGEST,
)
"""Frames that change nothing; what is a step in them is one of no object."""

NO_BODIES = (
    *("[]", "null", "7", "{}", '{"action":"wait"}', '{"action":[]}', '{"action":null}'),
    *('{"action":{}}', '{"action":{"action":"wait"},"episode_id":7}', "x" * (LONGEST + 1)),
    *('{"action":{"action":"wait"},"episode_id":"nobody\'s"}', "y" * 200_000),
    '{"action":{"action":"wait"},"episode_id":"ID","surprise":1}',
    '{"action":{"action":"wait"},"episode_id":"ID","timeout_s":"soon"}',
    '{"action":{"payment":1e999},"episode_id":"ID"}',
    '{"action":{"payment":NaN},"episode_id":"ID"}',
    '{"action":{"message":"\\ud800"},"episode_id":"ID"}',
    '{"action":{"action":"wait"},"episode_id":"' + "i" * 300 + '"}',
)
"""The same for bodies of ``POST step``; ``ID`` stands for the episode's name."""


class Shadow:
    """The same market played by the engine alone: what the server must show after each message."""

    def __init__(self, task: str, seed: int, lab: int, reward: Any, judge_mode: Any) -> None:
        scenario = make_market(task, seed, reward=reward)
        self.lab = lab
        self.bench = Bench(scenario, lab, judge_mode)
        self.state, _ = start(scenario)
        self.state, _ = advance(self.state, (lab,))
        self.steps = 0

    @property
    def view(self) -> dict[str, Any]:
        """The observation that the server must give, as JSON."""
        done = self.state.ended is not None
        result = to_result(self.state, "") if done else None
        judged = [one for one in self.bench.rounds if one.hearing.round == self.state.round - 1]
        hearing = round_seen(judged[0], LAB_IDS[self.lab]) if judged else None
        seen = observe(self.state, self.lab)
        view = to_view(seen, done=done, result=result, hearing=hearing)
        told = dict(json.loads(msgspec.json.encode(view)))
        if done:
            told["result"].pop("commitment")
        return told

    def take(self, data: dict[str, Any]) -> None:
        """Do what an action does; an invalid one may change nothing but turn and reputation."""
        action = to_action(data)
        before, (acted, _) = self.state, apply(self.state, self.lab, action)
        result = acted.results[self.lab]
        assert result is not None
        if not result.ok:
            waited, _ = apply(before, self.lab, WAIT)
            reputations = list(waited.reputations)
            reputations[self.lab] = round(max(reputations[self.lab] - 0.03, 0.0), 2)
            assert [*acted.reputations] == reputations
            assert _without_counts(acted) == _without_counts(waited)
        self.state, _ = step(before, self.lab, action)
        self.bench(before, self.state)
        self.steps += 1

    def sensible(self, seed: int) -> dict[str, Any]:
        """An action that the rules are likely to allow."""
        return write_action(random_valid(seed)(observe(self.state, self.lab)))


def _without_counts(state: State) -> State:
    """A position without the reputations, and what only counts how often somebody was refused."""
    none = msgspec.structs.replace
    tallies = tuple(none(tally, refused=0, repeats=0) for tally in state.tallies)
    # Coalitions keep the trust of their members as it was; budgets, blocks and offers all stay.
    return none(state, reputations=(), tallies=tallies, results=(), last=())


def a_hostile_action(dice: Random, shadow: Shadow) -> dict[str, Any]:
    """Any object at all: sometimes an action, sometimes one with something wrong about it."""
    drawn = dice.random()
    if drawn < 0.15:
        return shadow.sensible(dice.randrange(10**6))
    if drawn < 0.45:
        return write_action(a_wild_action(shadow.state, shadow.lab, dice))
    action: dict[str, Any] = {}
    if drawn < 0.7:
        action = shadow.sensible(dice.randrange(10**6))
        action[dice.choice(FIELDS[:-1])] = dice.choice(ATOMS)
        return action
    if dice.random() < 0.9:
        action["action"] = dice.choice((*ACTION_NAMES, *ACTION_NAMES, dice.choice(ATOMS)))
    for field in FIELDS:
        if dice.random() < 0.4:
            action[field] = dice.choice(ATOMS)
    if dice.random() < 0.2:
        action[dice.choice(JUNK_FIELDS)] = dice.choice(ATOMS)
    return action
