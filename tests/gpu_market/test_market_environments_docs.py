"""docs/market_environments.md says what the code does, and the examples in the code run."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import gymnasium

from bazaarbatna.envs import market as env
from bazaarbatna.envs.market.gymnasium_env import GpuMarketEnv
from bazaarbatna.envs.market.resets import OPTIONS, MarketReset
from bazaarbatna.envs.market.seat import MarketNotes
from bazaarbatna.envs.market.views import MarketView
from bazaarbatna.envs.openenv import errors
from bazaarbatna.market import ACTION_NAMES, CODES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "market_environments.md").read_text()
RULES = (ROOT / "docs" / "gpu_market.md").read_text()


def test_every_field_action_option_and_key_of_info_is_on_the_page() -> None:
    env = GpuMarketEnv()
    env.reset(seed=1)
    *_, info = env.step('{"action": "finish"}')
    kinds = (MarketView, MarketReset, MarketNotes)
    names = {*ACTION_NAMES, *OPTIONS, *info, "players", "words", "render_mode", "max_cycles"}
    names |= {name for kind in kinds for name in kind.__struct_fields__}
    assert sorted(name for name in names if not re.search(rf"\b{name}\b", PAGE)) == []


def test_the_tables_of_spaces_are_those_of_the_code() -> None:
    env = GpuMarketEnv()
    for space in (env.observation_space, env.action_space):
        assert isinstance(space, gymnasium.spaces.Dict)
        for key, part in space.items():
            size = str(part.n) if isinstance(part, gymnasium.spaces.Discrete) else ""
            size = size or ", ".join(map(str, part.shape or ()))
            rows = [one for one in PAGE.splitlines() if re.match(rf"\|[^|]*`{key}`", one)]
            assert any(f"{type(part).__name__}({size})" in one for one in rows), key


def test_every_code_that_can_come_back_is_on_the_rules_page() -> None:
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.ProtocolError)
    ]
    for code in {*CODES, *(kind.code for kind in kinds)}:
        assert f"`{code}`" in RULES, code
    for code in {kind.code for kind in kinds}:
        assert f"`{code}`" in PAGE, code


def test_the_examples_in_the_code_run() -> None:
    tried = 0
    for found in pkgutil.iter_modules(env.__path__, env.__name__ + "."):
        failed, attempted = doctest.testmod(importlib.import_module(found.name))
        assert failed == 0, found.name
        tried += attempted
    assert tried >= 4
