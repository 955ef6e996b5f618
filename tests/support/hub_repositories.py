"""Repositories of the hub's stand-in: commits of files, and the store of large ones."""

import base64
import hashlib
import json
import threading
from typing import Any

LARGE = (".safetensors", ".pt", ".pth", ".bin", ".gguf")
"""What the hub keeps beside git."""

Files = dict[str, bytes]


class Repository:
    """One repository; ``commits`` are its states, the newest last, by id."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.commits: dict[str, Files] = {hashlib.sha1(name.encode()).hexdigest(): {}}
        self.messages: list[str] = ["initial commit"]
        self.lock = threading.Lock()

    @property
    def head(self) -> str:
        """Id of the newest commit."""
        return list(self.commits)[-1]

    @property
    def files(self) -> Files:
        """What the newest commit holds."""
        return self.commits[self.head]

    def at(self, revision: str) -> Files | None:
        """What a revision holds; None for one that was never made."""
        return self.commits.get(self.head if revision == "main" else revision)

    def commit(self, lines: bytes, store: dict[str, bytes]) -> str:
        """Apply a commit as it is sent, one JSON object a line."""
        with self.lock:
            files = dict(self.files)
            for line in lines.splitlines():
                item = json.loads(line)
                _apply(files, item["key"], item["value"], store)
                if item["key"] == "header":
                    self.messages.append(item["value"]["summary"])
            name = hashlib.sha1(f"{self.name}{len(self.commits)}".encode()).hexdigest()
            self.commits[name] = files
            return name


def describe(path: str, data: bytes) -> dict[str, Any]:
    """A file as a listing shows it."""
    entry: dict[str, Any] = {
        "type": "file",
        "path": path,
        "size": len(data),
        "oid": git_oid(data),
    }
    if is_large(path):
        sha = hashlib.sha256(data).hexdigest()
        entry["lfs"] = {"oid": sha, "size": len(data), "pointerSize": 134}
    return entry


def is_large(path: str) -> bool:
    """Whether the hub keeps a file beside git."""
    return path.endswith(LARGE)


def git_oid(data: bytes) -> str:
    """The name that git gives to these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _apply(files: Files, key: str, value: dict[str, Any], store: dict[str, bytes]) -> None:
    match key:
        case "file":
            files[value["path"]] = base64.b64decode(value["content"])
        case "lfsFile":
            files[value["path"]] = store[value["oid"]]
        case "deletedFile":
            del files[value["path"]]
        case "deletedFolder":
            for path in [one for one in files if one.startswith(value["path"].rstrip("/") + "/")]:
                del files[path]
