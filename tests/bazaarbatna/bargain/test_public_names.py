"""The engine's public words: one sorted list, nothing of Django behind it."""

import inspect
import subprocess
import sys
from pathlib import Path

from bazaarbatna import bargain as engine


def test_the_public_names_are_sorted_and_exist() -> None:
    names = engine.__all__
    assert names == sorted(names, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert [name for name in names if not hasattr(engine, name)] == []


def test_everything_imported_for_the_public_is_in_the_list() -> None:
    public = {
        name
        for name, value in vars(engine).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public == set(engine.__all__)


def test_no_public_function_hides_the_module_of_its_name() -> None:
    import pkgutil

    modules = {module.name for module in pkgutil.iter_modules(engine.__path__)}
    assert modules & set(engine.__all__) == set()


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
