"""The wheel holds the library: what a researcher installs plays without the site beside it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.commands import ROOT
from tests.support.empty import KEPT, empty_python, install, run_in

pytestmark = pytest.mark.timeout(900)  # an index far away, a busy machine

SITE = {"django", "channels", "torch", "transformers"}
MOST_BYTES = 5_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel; its sources are copied first, so that nothing is built in the checkout."""
    sources, built = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("built")
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "bazaarbatna",
         "pyproject.toml", "README.md"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    for name in tracked:
        if (ROOT / name).is_file():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            (sources / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(built), str(sources)]
    subprocess.run(command, check=True, capture_output=True)
    [found] = built.glob("bazaarbatna-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel in it."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def run(installed: Path, code: str) -> str:
    """Run code for which the wheel stands where the checkout would, and give what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_small_and_holds_the_library_alone(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
    names = zipfile.ZipFile(wheel).namelist()
    rooms = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert rooms == {"bazaarbatna"}
    assert {"bazaarbatna/py.typed", "bazaarbatna/bargain/people/paths_fit.jsonl"} <= set(names)


def test_a_rollout_needs_no_site_and_gives_the_same_figures(installed: Path) -> None:
    code = (
        "import sys; from bazaarbatna.__main__ import main\n"
        "sys.argv = ['bazaarbatna', 'rollout', '--episodes', '20', '--json']\n"
        "main(); print(sorted(sys.modules), file=sys.stderr)\n"
        f"assert not ({SITE!r} | {{'gymnasium'}}) & set(sys.modules)"
    )
    rows = json.loads(run(installed, code))
    assert [row["buyer"] for row in rows] == ["rules:conceder"] * 5 + ["rules:conceder-30"] * 5
    assert rows == json.loads(run(ROOT, code))


@pytest.mark.parametrize("name", ["Bazaar-v0", "GpuMarket-v0", "Case-v0"])
@pytest.mark.parametrize("module", ["bazaarbatna", "bazaarbatna.gym"])
def test_gymnasium_finds_an_environment_by_its_name(
    installed: Path, module: str, name: str
) -> None:
    code = (
        "import sys, gymnasium\n"
        f"env = gymnasium.make('{module}:{name}')\n"
        "print(env.reset(seed=3)[1] is not None)\n"
        f"assert not {SITE!r} & set(sys.modules)"
    )
    assert run(installed, code) == "True\n"


def test_who_plays_without_gymnasium_does_not_import_it(installed: Path) -> None:
    code = "import sys, bazaarbatna.players.simple; print('gymnasium' in sys.modules)"
    assert run(installed, code) == "False\n"


def test_what_is_kept_for_tests_is_named_until_it_is_there(installed: Path) -> None:
    code = (
        "from bazaarbatna.bargain.people import held_out\n"
        "from bazaarbatna.envs.bargain.resets import Reset, wanted_suite\n"
        "def told(task):\n"
        "    try: return wanted_suite(Reset(task=task))\n"
        "    except ValueError as wrong: return 'held_out.plug_in()' in str(wrong)\n"
        "print(told('paths'), told('people-held-out'))\n"
        "held_out.plug_in(); print(told('paths'), told('people-held-out'), told('nowhere'))"
    )
    assert run(installed, code) == "True True\npaths@1 people-held-out@1 False\n"


def test_a_models_tools_need_neither_site_nor_sockets(installed: Path) -> None:
    code = (
        "import sys; from bazaarbatna.envs.bargain.tools import BazaarEnv\n"
        "env = BazaarEnv(); env.reset(seed=3, task='people'); env.offer(1); env.walk()\n"
        "print(env.get_reward() > -9)\n"
        f"assert not ({SITE!r} | {{'gymnasium', 'websockets'}}) & set(sys.modules)"
    )
    assert run(installed, code) == "True\n"


def test_all_checkers_pass(installed: Path) -> None:
    told = run(installed, "import sys; sys.argv[1:] = ['check']\n"
                          "from bazaarbatna.__main__ import main; sys.exit(main())")  # fmt: skip
    assert [line for line in told.splitlines() if line.startswith("ok")] == [
        "ok  Bazaar-v0 (Gymnasium)",
        "ok  GpuMarket-v0 (Gymnasium)",
        "ok  Case-v0 (Gymnasium)",
        "ok  the sealed-bid auction (PettingZoo)",
        "ok  the labs of the GPU market (PettingZoo)",
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--suite", "nowhere"], "There is no task 'nowhere'. Known: single_deal"),
        (["--buyer", "conceder,nobody"], "There is no rule 'rules:nobody'. Known: rules:agreeable"),
        (["--buyer", "conceder-５0"], "There is no rule"),
        (["--buyer", ""], "There is no rule 'rules:'"),
        (["--episodes", "0"], "0 is below 1"),
        (["--episodes", "many"], "invalid whole value: 'many'"),
        (["--seed", "-1"], "-1 is below 0"),
    ],
)
def test_bad_wishes_are_told_in_a_sentence(asked: list[str], told: str) -> None:
    command = [sys.executable, "-m", "bazaarbatna", "rollout", "--episodes", "1", *asked]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "asked", [["list"], ["rollout", "--episodes", "5"], ["cases", "--games", "2"]], ids=str
)
def test_who_stops_reading_is_no_traceback(asked: list[str]) -> None:
    """The reader is gone before the first word, as after a full screen of `head`."""
    command = [sys.executable, "-m", "bazaarbatna", *asked]
    playing = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert playing.stdout is not None
    playing.stdout.close()
    assert playing.stderr is not None
    assert playing.stderr.read() == b""
    assert playing.wait() == 1
    playing.stderr.close()


@pytest.mark.parametrize(("suite", "best"), [("paths", "conceder-30"), ("people", "line-50-90")])
def test_the_best_rule_stands_beside_whatever_is_asked(suite: str, best: str) -> None:
    """It is chosen on other games than are reported, and played once where it was asked itself."""
    told = roll_out_in_words("--suite", suite, "--buyer", best, "--episodes", "20")
    assert {line.split()[1] for line in told.splitlines() if "@1 " in line} == {f"rules:{best}"}
    assert f"rules:{best} is the best on the 40 games that follow" in told
    named = roll_out_in_words("--suite", suite, "--buyer", "agreeable", "--episodes", "20")
    assert f"rules:{best} is the best" in named
    assert set(told.splitlines()[1:3]) < set(named.splitlines())


def roll_out_in_words(*asked: str) -> str:
    command = [sys.executable, "-m", "bazaarbatna", "rollout", *asked]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_the_install_lines_of_the_page_work_in_an_empty_environment(
    wheel: Path, tmp_path: Path
) -> None:
    """As a researcher would: an environment of its own, one extra, each line after it, the next."""
    page = (ROOT / "docs" / "gym.md").read_text()
    install_it, *lines = re.findall(r"^(?:pip|python -m bazaarbatna).*?(?=\s*#|$)", page, re.M)[:3]
    assert install_it.startswith("pip install '.[envs]'")
    python = empty_python(tmp_path / "venv", f"{wheel}[envs]")
    for line in lines:
        run_in(python, *line.split()[1:], cwd=tmp_path)
    for name in ("quickstart", "market_labs"):
        run_in(python, str(ROOT / "examples" / f"{name}.py"), cwd=tmp_path)
    assert "pip install 'bazaarbatna[server]'" in subprocess.run(
        [str(python), "-m", "bazaarbatna", "serve"],
        cwd=tmp_path, env=KEPT, check=False, capture_output=True, text=True,
    ).stderr  # fmt: skip
    install(python, "bazaarbatna[server]")
    run_in(python, "-c", "from bazaarbatna.envs.openenv.server import app", cwd=tmp_path)


def test_the_typed_client_is_installed_from_its_folder(tmp_path: Path) -> None:
    """What it needs itself is installed where tests run."""
    client = shutil.copytree(ROOT / "deploy" / "openenv", tmp_path / "client")
    python = empty_python(tmp_path / "venv", str(client), sees_ours=True)
    told = run_in(python, "-c", "import bazaar_env; print(bazaar_env.__file__)", cwd=tmp_path)
    assert told.startswith(str(tmp_path / "venv"))


TRIED = {
    "'.[envs]'", "'bazaarbatna[{extra}]'", "'.[server]'", "./deploy/openenv", "openenv", "httpx",
    "websockets", "'.[verifiers]'", "stable-baselines3",
}  # fmt: skip
"""What tests install from the index into an environment of its own."""

HEAVY = {"'.[site]'", "'.[train]'", "'.[train,gpu]'", "'trl[vllm]'"}
"""What `make install` puts where tests run, or what a card is needed for."""


def test_no_page_and_no_example_tells_to_install_what_no_test_does() -> None:
    told = subprocess.run(
        ["git", "grep", "-hoE", r"pip install [^`#&|=(]+", "--",
         "README.md", "docs/*.md", "examples", "bazaarbatna", ":!docs/decisions"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    words = {word.rstrip('.,\\"') for line in told.splitlines() for word in line.split()[2:]}
    assert {"'.[envs]'", "openenv"} <= words
    assert words - TRIED - HEAVY - {"-c", "constraints.txt"} == set()


@pytest.mark.parametrize("seed", ["np.int64(3)", "np.uint32(3)"])
def test_a_seed_of_numpy_is_the_same_game(installed: Path, seed: str) -> None:
    code = (
        "import numpy as np, gymnasium; from bazaarbatna.envs.bargain.tools import BazaarEnv\n"
        "env = gymnasium.make('bazaarbatna.gym:Bazaar-v0', suite='people')\n"
        f"print(env.reset(seed={seed})[1]['commitment'], BazaarEnv().reset(seed={seed}))\n"
        f"print(env.reset(options={{'game': {seed}}})[1]['commitment'])\n"
        "from bazaarbatna.envs.bargain.vector_env import BazaarVectorEnv\n"
        f"print(BazaarVectorEnv(2, 'people').reset(seed=[{seed}, 5])[0]['prices'])"
    )
    assert run(installed, code) == run(installed, code.replace(seed, "3"))


def test_the_citation_has_the_packages_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
