"""What the local backend can answer, and what an operator can set, is on its page."""

import re

from agents.backends.local.worker import State
from bazaar_site.env import Env
from tests.support.tiny_llama import ROOT

PAGE = (ROOT / "docs" / "backends.md").read_text(encoding="utf-8")


def test_every_code_is_explained():
    codes = set(State.__args__) - {"ready"}
    for module in (ROOT / "agents/backends/local").glob("*.py"):
        codes |= set(re.findall(r'BackendError\(\s*"([a-z-]+)"', module.read_text()))
    assert {"busy", "prompt-too-long", "generation-failed", "closed"} <= codes
    assert sorted(code for code in codes if f"| `{code}` |" not in PAGE) == []


def test_every_setting_is_explained():
    names = {str(field.validation_alias) for field in Env.model_fields.values()}
    local = {name for name in names if name.startswith("SAUDA_LOCAL_")}
    assert len(local) == 5
    assert sorted(name for name in local if f"| `{name}` |" not in PAGE) == []
