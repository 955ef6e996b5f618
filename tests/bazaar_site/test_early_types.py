"""Values are known before threads read into them: the first reading may come from many at once."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MANY_AT_ONCE = """
import sys, threading
import msgspec
import bazaar_site.early_types as early_types
from bazaar_site import asgi  # builds once, as it has to before it serves

sys.setswitchinterval(1e-6)
data = b"{" + b",".join(b'"f%d":{"a":1}' % n for n in range(30)) + b"}"
kinds = []
for number in range(800):
    inner = msgspec.defstruct(f"Inner{number}", [("a", int), ("b", str, "")])
    kinds.append(msgspec.defstruct(f"Outer{number}", [(f"f{n}", inner) for n in range(30)]))
assert early_types.build() > 1600
for kind in kinds:
    gate = threading.Barrier(4)

    def read(kind=kind, gate=gate):
        gate.wait()
        msgspec.json.decode(data, type=kind)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("all read")
"""

ASGI_BUILDS = """
import bazaar_site.early_types as early_types
calls = []
early_types.build = lambda: calls.append("built")
from bazaar_site import asgi
print(calls)
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_many_threads_may_be_the_first_to_read() -> None:
    done = run(MANY_AT_ONCE)
    assert (done.returncode, done.stdout.strip()) == (0, "all read"), done.stderr[-2000:]


def test_the_site_builds_them_before_it_serves() -> None:
    assert run(ASGI_BUILDS).stdout.strip() == "['built']"
