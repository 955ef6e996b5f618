"""The bazaar behind the openenv package's own server: what ours is measured against.

python -m tests.support.openenv_package PORT
"""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Literal, Self

import msgspec
from openenv.core.env_server import Action, Environment, Observation, State
from openenv.core.env_server.http_server import create_fastapi_app
from pydantic import ConfigDict

from bazaarbatna.envs.bargain.actions import read_action
from bazaarbatna.envs.bargain.resets import Reset
from bazaarbatna.envs.bargain.seat import Answer, Seat
from tests.support.servers import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
READY_WITHIN_S = 60


class BazaarAction(Action):
    """The same fields as ours."""

    action: Literal["offer", "accept", "walk"]
    price: float | None = None
    message: str = ""


class BazaarObservation(Observation):
    """Ours as plain values; nothing is checked twice."""

    model_config = ConfigDict(extra="allow")


class PackagedBazaar(Environment):
    """One seat, as the package wants to hold it."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._seat = Seat()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **asked: Any
    ) -> BazaarObservation:
        wanted = Reset(seed=seed, episode_id=episode_id, **asked)
        return _observed(self._seat.reset(wanted, seed=0, episode_id="packaged"))

    def step(self, action: BazaarAction, **_: Any) -> BazaarObservation:  # type: ignore[override]
        data = {"action": action.action, "price": action.price, "message": action.message}
        return _observed(self._seat.step(read_action(data)))

    @property
    def state(self) -> State:
        return State(**msgspec.to_builtins(self._seat.state))


def _observed(answer: Answer) -> BazaarObservation:
    fields = msgspec.to_builtins(answer.observation)
    del fields["done"]
    return BazaarObservation(
        done=answer.done,
        reward=answer.reward,
        metadata=msgspec.to_builtins(answer.metadata),
        **fields,
    )


class PackageServer:
    """The package's server in a process of its own: ``with PackageServer() as server``."""

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """What a client takes as ``base_url``."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.support.openenv_package", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT)
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline:
            assert self.process.poll() is None, "the package's server ended"
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=2):
                    return self
            except OSError:
                time.sleep(0.1)
        raise AssertionError(f"no answer within {READY_WITHIN_S} s")

    def __exit__(self, *_: object) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(10)


def main() -> None:
    """Serve until told to stop."""
    import uvicorn

    app = create_fastapi_app(
        PackagedBazaar, BazaarAction, BazaarObservation, max_concurrent_envs=256
    )
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
