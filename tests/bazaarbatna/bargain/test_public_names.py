"""The engine's public words: each imported under its own name, nothing of Django behind it."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

from bazaarbatna import bargain as engine

PUBLIC = {
    name
    for name, value in vars(engine).items()
    if not name.startswith("_") and not inspect.ismodule(value)
}


def test_what_is_public_is_said_to_be_for_type_checkers() -> None:
    told = re.findall(r"^from \S+ import (\w+) as \1$", inspect.getsource(engine), re.MULTILINE)
    assert set(told) == PUBLIC
    assert len(told) == len(PUBLIC)


def test_no_public_function_hides_the_module_of_its_name() -> None:
    import pkgutil

    modules = {module.name for module in pkgutil.iter_modules(engine.__path__)}
    assert modules & PUBLIC == set()


def test_the_engine_comes_without_django_or_the_network() -> None:
    code = (
        "import sys, bazaarbatna.bargain; "
        "print([m for m in ('django', 'asyncio', 'socket', 'statistics') if m in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(engine.__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert answer.stdout.strip() == "[]"
