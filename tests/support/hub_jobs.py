"""Jobs of the hub's stand-in. They do nothing by themselves: a test prints and ends them."""

import time
from typing import Any

OVER = ("COMPLETED", "CANCELED", "ERROR", "DELETED")


class StandInJob:
    """One job.

    ``spec`` is what was asked for, secrets included; the hub never shows those again.
    """

    def __init__(self, number: int, namespace: str, spec: dict[str, Any]) -> None:
        self.id = f"{number:024x}"
        self.namespace = namespace
        self.spec = spec
        self.stage = "RUNNING"
        self.message: str | None = None
        self.lines: list[str] = []

    def say(self, *lines: str) -> None:
        """Print lines."""
        self.lines.extend(lines)

    def end(self, stage: str = "COMPLETED", message: str | None = None) -> None:
        """Be over."""
        self.stage, self.message = stage, message

    def to_json(self) -> dict[str, Any]:
        """The job as the hub tells of it."""
        spec = self.spec
        return {
            "id": self.id,
            "createdAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "dockerImage": spec.get("dockerImage"),
            "command": spec["command"],
            "arguments": spec["arguments"],
            "environment": spec["environment"],
            "secrets": dict.fromkeys(spec.get("secrets", {})),
            "flavor": spec["flavor"],
            "labels": spec.get("labels", {}),
            "status": {"stage": self.stage, "message": self.message},
            "owner": {"id": "1", "name": self.namespace, "type": "user"},
        }
