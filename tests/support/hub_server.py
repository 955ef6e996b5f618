"""A stand-in for the Hugging Face hub: a real server, speaking what huggingface_hub 2.4 asks.

In a test::

    with HubServer() as hub:
        hub.fail("POST", "/api/jobs/", Trouble(429, retry_after="2"))
        ...
        hub.jobs[0].say("step 1")
        hub.repositories["asha/runs"].files

It answers whoami, repositories (create, preupload, commit, large files, info, tree, resolve) and
jobs (run, list, look, cancel). An error quotes the token it was asked with, as a careless
server might.
"""

import hashlib
import json
import re
import threading
import time
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import msgspec

from tests.support.hub_jobs import OVER, StandInJob
from tests.support.hub_repositories import Repository, describe, git_oid, is_large

TOKEN = "hf_AshaOnlyTokenForTests0123456789"


class Trouble(msgspec.Struct, frozen=True):
    """How an answer goes wrong.

    ``status`` is said instead of the answer; 0 cuts the connection, after the deed was done where
    ``done`` says so. ``pause_s`` waits before a right answer.
    """

    status: int = 0
    retry_after: str = ""
    pause_s: float = 0.0
    done: bool = False


class Asked(msgspec.Struct, frozen=True):
    """A question as it came."""

    method: str
    path: str
    body: bytes


class Cut(Exception):
    """The connection ends here."""


class HubServer:
    """Serves while the block runs; what it was asked is in ``asked``."""

    def __init__(self, port: int = 0) -> None:
        self.repositories: dict[str, Repository] = {}
        self.jobs: list[StandInJob] = []
        self.store: dict[str, bytes] = {}
        self.asked: list[Asked] = []
        self._troubles: list[tuple[str, str, Trouble]] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def fail(self, method: str, path: str, *troubles: Trouble) -> None:
        """Let the next questions whose path contains ``path`` go wrong, one after the other."""
        with self._lock:
            self._troubles.extend((method, path, trouble) for trouble in troubles)

    def heal(self) -> None:
        """Let nothing go wrong any more."""
        with self._lock:
            self._troubles.clear()

    def trouble_for(self, method: str, path: str) -> Trouble | None:
        """Take the next trouble for a question."""
        with self._lock:
            for number, (verb, part, trouble) in enumerate(self._troubles):
                if verb == method and part in path:
                    del self._troubles[number]
                    return trouble
        return None

    def count(self, method: str, part: str) -> int:
        """How often it was asked so."""
        return sum(one.method == method and part in one.path for one in self.asked)

    def job(self, job_id: str) -> StandInJob | None:
        """Find a job."""
        return next((job for job in self.jobs if job.id == job_id), None)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for job in self.jobs:
            job.end(job.stage if job.stage in OVER else "DELETED")
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


Answer = dict[str, Any] | list[Any]
Route = Callable[["_Handler", re.Match[str], bytes], Answer | None]


class _Handler(BaseHTTPRequestHandler):
    """Answers one question after the other of one connection."""

    protocol_version = "HTTP/1.1"
    hub: HubServer

    def do_GET(self) -> None:
        self._answer("GET")

    def do_HEAD(self) -> None:
        self._answer("HEAD")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PUT(self) -> None:
        self._answer("PUT")

    def log_message(self, *_said: Any) -> None:
        """Say nothing."""

    def _answer(self, method: str) -> None:
        body = self._body()
        self.hub.asked.append(Asked(method, self.path, body))
        trouble = self.hub.trouble_for(method, self.path)
        try:
            if trouble is not None:
                time.sleep(trouble.pause_s)
                if trouble.status:
                    self.say(trouble.status, self._complaint(), retry_after=trouble.retry_after)
                    return
                if not trouble.pause_s and not trouble.done:
                    raise Cut
            self._route(method, body, keep_quiet=bool(trouble and trouble.done))
        except (Cut, ConnectionError):
            self.close_connection = True

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        chunks = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _route(self, method: str, body: bytes, *, keep_quiet: bool) -> None:
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        is_signed = path.startswith("/lfs/")
        if not is_signed and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.say(401, self._complaint())
            return
        for verb, pattern, route in ROUTES:
            found = re.fullmatch(pattern, path)
            if found and verb == ("GET" if method == "HEAD" else method):
                answer = route(self, found, body)
                if keep_quiet:
                    raise Cut
                if answer is not None:
                    self.say(200, answer)
                return
        self.say(404, {"error": f"no such thing: {path}"})

    def _complaint(self) -> dict[str, str]:
        return {"error": f"Trouble with {self.headers.get('Authorization', 'nobody')}"}

    def say(self, status: int, answer: Answer, **headers: str) -> None:
        """Answer in JSON."""
        self.send(status, json.dumps(answer).encode(), "application/json", **headers)

    def send(self, status: int, data: bytes, kind: str, **headers: str) -> None:
        """Answer."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            if value:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def repository(self, name: str) -> Repository | None:
        """Find a repository, or say that there is none."""
        found = self.hub.repositories.get(name)
        if found is None:
            self.send(404, b'{"error": "Repository not found"}', "application/json",
                      X_Error_Code="RepoNotFound")  # fmt: skip
        return found


def _handler(hub: HubServer) -> type[_Handler]:
    return type("Handler", (_Handler,), {"hub": hub})


def _whoami(asking: _Handler, found: re.Match[str], body: bytes) -> Answer:
    return {"type": "user", "name": "asha", "auth": {"accessToken": {"role": "write"}}}


def _create(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    wish = json.loads(body)
    name = f"{wish['organization'] or 'asha'}/{wish['name']}"
    if name in asking.hub.repositories:
        url = f"{asking.hub.url}/{name}"
        asking.say(409, {"error": "You already created this model repo", "url": url})
        return None
    asking.hub.repositories[name] = Repository(name)
    return {"url": f"{asking.hub.url}/{name}"}


def _info(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    repo = asking.repository(found["repo"])
    commit = found["revision"] or "main"
    if repo is None or repo.at(commit) is None:
        return None
    commit = repo.head if commit == "main" else commit
    return {"id": repo.name, "sha": commit, "private": True, "siblings": []}


def _tree(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    repo = asking.repository(found["repo"])
    return repo and [describe(*one) for one in (repo.at(found["revision"]) or {}).items()]


def _preupload(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    repo = asking.repository(found["repo"])
    if repo is None:
        return None
    modes = []
    for file in json.loads(body)["files"]:
        path, there = file["path"], repo.files.get(file["path"])
        large = is_large(path)
        oid = None  # a file that is there may be empty
        if there is not None:
            oid = hashlib.sha256(there).hexdigest() if large else git_oid(there)
        mode = "lfs" if large else "regular"
        modes.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
    return {"files": modes}


def _commit(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    repo = asking.repository(found["repo"])
    if repo is None:
        return None
    name = repo.commit(body, asking.hub.store)
    url = f"{asking.hub.url}/{repo.name}/commit/{name}"
    return {"success": True, "commitOid": name, "commitUrl": url}


def _batch(asking: _Handler, found: re.Match[str], body: bytes) -> Answer:
    objects = []
    for one in json.loads(body)["objects"]:
        upload = {"upload": {"href": f"{asking.hub.url}/lfs/{one['oid']}"}}
        is_new = one["oid"] not in asking.hub.store
        objects.append({**one, **({"actions": upload} if is_new else {})})
    return {"transfer": "basic", "objects": objects}


def _store(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    if hashlib.sha256(body).hexdigest() != found["oid"]:
        asking.say(400, {"error": "these are other bytes"})
        return None
    asking.hub.store[found["oid"]] = body
    return {}


def _resolve(asking: _Handler, found: re.Match[str], body: bytes) -> None:
    repo = asking.repository(found["repo"])
    if repo is None:
        return
    data = (repo.at(found["revision"]) or {}).get(found["path"])
    if data is None:
        asking.send(404, b"", "text/plain", X_Error_Code="EntryNotFound")
        return
    oid = hashlib.sha256(data).hexdigest() if is_large(found["path"]) else git_oid(data)
    commit = repo.head if found["revision"] == "main" else found["revision"]
    asking.send(200, data, "application/octet-stream", ETag=f'"{oid}"', X_Repo_Commit=commit)


def _run(asking: _Handler, found: re.Match[str], body: bytes) -> Answer:
    job = StandInJob(len(asking.hub.jobs) + 1, found["owner"], json.loads(body))
    asking.hub.jobs.append(job)
    return job.to_json()


def _list(asking: _Handler, found: re.Match[str], body: bytes) -> Answer:
    asked = urllib.parse.parse_qs(urllib.parse.urlsplit(asking.path).query).get("label", [])
    wanted = dict(one.split("=", 1) for one in asked)
    return [
        job.to_json()
        for job in asking.hub.jobs
        if wanted.items() <= job.spec.get("labels", {}).items()
    ]


def _look(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    job = asking.hub.job(found["job"])
    if job is None:
        asking.say(404, {"error": "Job not found"})
    return job and job.to_json()


def _cancel(asking: _Handler, found: re.Match[str], body: bytes) -> Answer | None:
    job = asking.hub.job(found["job"])
    if job is None:
        asking.say(404, {"error": "Job not found"})
        return None
    job.end("CANCELED")
    return job.to_json()


_REPO = r"(?P<repo>[^/]+/[^/]+)"
_JOB = r"/api/jobs/(?P<owner>[^/]+)/(?P<job>[^/]+)"

ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("GET", r"/api/whoami-v2", _whoami),
    ("POST", r"/api/repos/create", _create),
    ("GET", rf"/api/models/{_REPO}/tree/(?P<revision>[^/]+)", _tree),
    ("GET", rf"/api/models/{_REPO}(/revision/(?P<revision>[^/]+))?", _info),
    ("POST", rf"/api/models/{_REPO}/preupload/main", _preupload),
    ("POST", rf"/api/models/{_REPO}/commit/main", _commit),
    ("POST", rf"/{_REPO}\.git/info/lfs/objects/batch", _batch),
    ("PUT", r"/lfs/(?P<oid>[0-9a-f]{64})", _store),
    ("GET", rf"/{_REPO}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", _resolve),
    ("POST", r"/api/jobs/(?P<owner>[^/]+)", _run),
    ("GET", r"/api/jobs/(?P<owner>[^/]+)", _list),
    ("GET", _JOB, _look),
    ("POST", f"{_JOB}/cancel", _cancel),
)
