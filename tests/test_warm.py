"""Processes that begin warm are processes like others."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT, inherited
from tests.support.warm import Warm, run

SAYS_ALL = """
import os, sys
print(sys.argv[1:], sys.stdin.read(), os.environ["WHO"], os.getcwd())
print("aside", file=sys.stderr)
sys.exit(3)
"""


BORN_WITH = """
import sys, threading
from django.conf import settings
late = {"bazaar_site.settings", "torch", "twisted.internet.reactor"} & {*sys.modules}
print(settings.configured, threading.active_count(), late or "")
"""


STARTS_A_CHILD = """
import os, pathlib, subprocess, sys
code = "import os, sys; print(os.getppid(), 'celery' in sys.modules, sys.stdin.read()); sys.exit(4)"
pipe = subprocess.PIPE
child = subprocess.Popen([sys.executable, "-c", code, "two"], stdin=pipe, stdout=pipe, text=True)
shown = pathlib.Path(f"/proc/{child.pid}/cmdline").read_text().rstrip("\\0").split("\\0")
said, _ = child.communicate("namaste")
print(said.split() == [str(os.getpid()), "True", "namaste"], child.returncode, shown[1::2])
"""

STARTS_ONE_FROM_A_FORK = """
import os, subprocess, sys
os.putenv("WHO", "Asha")
if os.fork() == 0:
    code = "import os; print(os.environ['WHO'], flush=True); os.abort()"
    print(subprocess.run([sys.executable, "-c", code]).returncode, flush=True)
    os._exit(0)
os.wait()
"""


def python(code: str, *arguments: str, **options: Any) -> Warm:
    return Warm([sys.executable, "-c", code, *arguments], text=True, **options)


def test_it_is_told_and_tells_what_any_process_does(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    process = python(
        SAYS_ALL,
        "one",
        "two",
        cwd=tmp_path,
        env={"WHO": "Asha"},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )
    out, wrong = process.communicate("namaste")
    assert out == f"['one', 'two'] namaste Asha {tmp_path}\n"
    assert wrong == "aside\n"
    assert process.returncode == 3


def test_it_can_be_killed_and_leads_a_session_of_its_own() -> None:
    process = python("import time; time.sleep(60)", start_new_session=True)
    assert process.poll() is None
    assert os.getsid(process.pid) == process.pid != os.getsid(0)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.kill()
    assert process.wait(10) == process.poll() == -9


def test_settings_are_its_own(tmp_path: Path) -> None:
    code = "from bazaar_site import settings; print(settings.QUEUE_DIR)"
    told = {**inherited(), "BAZAAR_DATA_DIR": str(tmp_path)}
    assert run([sys.executable, "-c", code], env=told).stdout == f"{tmp_path}/queue\n"


def test_nothing_is_there_that_reads_settings_or_has_threads() -> None:
    assert run([sys.executable, "-c", BORN_WITH], env=inherited()).stdout.strip() == "False 1"


def test_two_in_a_row_do_not_hash_alike() -> None:
    command = [sys.executable, "-c", "print(hash('Asha'))"]
    assert run(command, env=inherited()).stdout != run(command, env=inherited()).stdout


def test_what_it_starts_is_its_child_and_warm() -> None:
    command = [sys.executable, "-c", STARTS_A_CHILD, "serve"]
    done = run(command, env=inherited())
    assert done.stdout == "True 4 ['-c', 'two']\n", done.stderr


def test_what_its_forks_start_is_told_to_them() -> None:
    command = [sys.executable, "-c", STARTS_ONE_FROM_A_FORK, "serve"]
    done = run(command, env=inherited())
    assert done.stdout == "Asha\n-6\n", done.stderr


ORDERS_ONE = """
import os, sys
from tests.support import warm
code = "import os; print(os.getppid(), 'celery' in sys.modules, 'LENT_NURSERY' in os.environ)"
print(warm.run([sys.executable, "-c", "import sys; " + code]).stdout, end="")
"""


def test_programs_after_one_another_order_from_one_nursery_that_is_lent(tmp_path: Path) -> None:
    (tmp_path / "orders.py").write_text(ORDERS_ONE)
    twice = f"for one in 1 2; do {sys.executable} {tmp_path}/orders.py; done; exit 5"
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.warm", "sh", "-c", twice],
        cwd=ROOT, env={**inherited(), "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 5, done.stderr
    one, other = done.stdout.splitlines()
    assert one == other
    parent, *known = one.split()
    assert known == ["True", "False"]
    # It has ended with whoever has lent it.
    assert not Path(f"/proc/{parent}").exists()
