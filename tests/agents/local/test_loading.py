"""Before a model is there, and when it never will be."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.backends.base import BackendError
from agents.backends.local.backend import LocalBackend
from agents.gguf.writing import read_whole, write_whole
from tests.agents.local.conftest import OBJECT, asha_asks
from tests.support.local_models import when_ready
from tests.support.tiny_llama import ROOT, make_tiny_llama


async def code_of(asked) -> str:
    with pytest.raises(BackendError) as error:
        await asked
    assert not error.value.asked
    return error.value.code


async def settled(backend: LocalBackend) -> str:
    backend.start()
    while backend.state == "loading":  # noqa: ASYNC110  loading has no event
        await asyncio.sleep(0.01)
    return backend.state


async def test_the_first_call_starts_loading_and_nobody_waits_for_it(babbling):
    backend = LocalBackend(str(babbling))
    assert await code_of(backend.probe()) == "not-started"
    assert await code_of(backend.complete(asha_asks())) == "loading"
    assert await code_of(backend.probe()) == "loading"
    backend.start()
    await when_ready(backend)
    assert await backend.probe() == "babbling"
    assert (await backend.complete(asha_asks(max_new_tokens=3))).completion_tokens == 3
    await backend.close()


async def test_without_a_model_nothing_starts():
    backend = LocalBackend("")
    assert not backend.configured()
    backend.start()
    assert backend.state == "not-started"
    assert await code_of(backend.complete(asha_asks())) == "not-configured"
    assert await code_of(backend.probe()) == "not-configured"
    await backend.close()


async def test_the_settings_name_it(settings, scripted):
    settings.SAUDA_LOCAL = {**settings.SAUDA_LOCAL, "model": str(scripted), "timeout_s": 3.5}
    backend = LocalBackend.from_settings()
    assert backend.configured()
    assert (backend.name, backend.metered, backend.timeout_s) == ("local", False, 3.5)


@pytest.mark.parametrize("broken", ["missing", "empty", "half"])
async def test_a_model_that_cannot_be_loaded_says_why_in_the_log_alone(
    tmp_path, babbling, broken, caplog
):
    folder = tmp_path / "sauda-8b"
    if broken != "missing":
        folder.mkdir()
    if broken == "half":
        for path in babbling.iterdir():
            content = path.read_bytes()
            (folder / path.name).write_bytes(content[: len(content) // 2])
    backend = LocalBackend(str(folder))
    assert await settled(backend) == "load-failed"
    assert await code_of(backend.complete(asha_asks())) == "load-failed"
    assert await code_of(backend.probe()) == "load-failed"
    assert "cannot be loaded" in caplog.text
    assert "Traceback" in caplog.text
    await backend.close()


async def test_a_family_that_llama_cpp_is_not_told_of_is_named(babbling, tmp_path, caplog):
    folder = shutil.copytree(babbling, tmp_path / "other")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "mamba"}))
    assert await settled(LocalBackend(str(folder))) == "load-failed"
    assert "is a mamba model" in caplog.text


async def test_a_model_without_template_and_pad_token_is_asked_plainly(tmp_path):
    model = make_tiny_llama(tmp_path, template=False, pad=False, says=("theek ", "hai"))
    backend = await when_ready(LocalBackend(str(model)))
    chats = [asha_asks(n) for n in range(3)]
    answers = await asyncio.gather(*map(backend.complete, chats))
    assert {answer.text for answer in answers} == {"theek hai"}
    await backend.close()


async def test_a_file_for_llama_cpp_is_served_as_it_is(tmp_path, scripted):
    write_whole(read_whole(scripted), tmp_path / "sauda.gguf", name="sauda", numbers="f16")
    backend = await when_ready(LocalBackend(str(tmp_path / "sauda.gguf")))
    completion = await backend.complete(asha_asks())
    assert (completion.text, completion.model) == ("".join(OBJECT), "sauda.gguf")
    await backend.close()


async def test_closing_fails_those_who_wait_and_whoever_comes_later(babbling):
    backend = await when_ready(LocalBackend(str(babbling), batch=1, stop_at_object=False))
    heard = asyncio.Event()
    long = asha_asks(max_new_tokens=1500)
    asked = [
        asyncio.create_task(backend.complete(long, lambda _: heard.set())),
        asyncio.create_task(backend.complete(long)),
    ]
    await heard.wait()
    await backend.close()
    for outcome in await asyncio.gather(*asked, return_exceptions=True):
        assert isinstance(outcome, BackendError)
        assert outcome.code == "closed"
    assert await code_of(backend.complete(asha_asks())) == "closed"
    await backend.close()


async def test_closing_while_it_loads_ends_quietly(babbling):
    backend = LocalBackend(str(babbling))
    backend.start()
    await backend.close()
    assert await code_of(backend.complete(asha_asks())) == "closed"


def run_python(script: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", script],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "bazaar_site.settings", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_site_without_a_local_model_never_imports_torch(tmp_path: Path):
    script = (
        "import asyncio, sys, bazaar_site.asgi\n"
        "from agents.backends.local.backend import LocalBackend\n"
        "backend = LocalBackend.from_settings()\n"
        "backend.start()\n"
        "asyncio.run(backend.close())\n"
        "print(sorted({'torch', 'transformers', 'peft', 'tokenizers'} & set(sys.modules)))\n"
    )
    printed = run_python(script, SAUDA_LOCAL_MODEL="none", BAZAAR_DATA_DIR=str(tmp_path))
    assert printed.splitlines()[-1] == "[]"


def test_models_answer_where_the_libraries_of_training_are_not_installed(tmp_path: Path):
    """The shipped voice at a live table, the same as a policy, and a shipped lab."""
    script = (
        "import asyncio, sys\n"
        "for name in ('torch', 'transformers', 'peft', 'tokenizers', 'trl', 'jinja2'):\n"
        "    sys.modules[name] = None\n"
        "import django\n"
        "django.setup()\n"
        "from agents.backends.local.backend import LocalBackend\n"
        "from agents.buyers.trained import TrainedBuyer\n"
        "from agents.checkpoints import shipped_voice\n"
        "from agents.prompts.chats import Chat\n"
        "from arena.gpu_market.trained.cards import labs\n"
        "from arena.gpu_market.trained.seat import TrainedLab\n"
        "from bazaarbatna.market import make_market, observe, start\n"
        "from tests.support.local_models import when_ready\n"
        "from tests.support.positions import a_position\n"
        "async def main():\n"
        "    backend = await when_ready(LocalBackend.from_settings())\n"
        "    print((await backend.complete(Chat((), seen=a_position(), seed=1))).text)\n"
        "    await backend.close()\n"
        "asyncio.run(main())\n"
        "print(TrainedBuyer(shipped_voice()).act(a_position()))\n"
        "seen = observe(start(make_market('single_trade', 5))[0], 0)\n"
        "print(TrainedLab(next(iter(labs())))(seen))\n"
    )
    printed = run_python(script, SAUDA_LOCAL_MODEL="", BAZAAR_DATA_DIR=str(tmp_path))
    live, policy, lab = printed.splitlines()[-3:]
    assert json.loads(live)["action"] in ("offer", "accept", "walk")
    assert policy.startswith(("Offer(", "Accept("))
    assert lab.startswith("MarketAction(")


def test_a_model_that_is_let_go_at_once_holds_nobody_up(scripted):
    """Without a first answer one in three waited for its own end, with the whole process."""
    script = (
        "import django\n"
        "django.setup()\n"
        "from agents.backends.local.model import open_model\n"
        "from agents.backends.local.source import Source\n"
        "for _ in range(12):\n"
        f"    open_model(Source({str(scripted)!r}))\n"
        "print('gone')\n"
    )
    assert run_python(script).splitlines()[-1] == "gone"


def test_a_process_can_end_in_the_middle_of_answers(babbling, tmp_path):
    script = (
        "import asyncio, django\n"
        "django.setup()\n"
        "from tests.agents.local.conftest import asha_asks\n"
        "from agents.backends.local.backend import LocalBackend\n"
        "from tests.support.local_models import when_ready\n"
        "async def main():\n"
        f"    backend = await when_ready(LocalBackend({str(babbling)!r}))\n"
        "    heard = asyncio.Event()\n"
        "    chat = asha_asks(max_new_tokens=1500)\n"
        "    asyncio.create_task(backend.complete(chat, lambda _: heard.set()))\n"
        "    await heard.wait()\n"
        "    print('heard')\n"
        "asyncio.run(main())\n"
    )
    assert run_python(script, BAZAAR_DATA_DIR=str(tmp_path)).splitlines()[-1] == "heard"
