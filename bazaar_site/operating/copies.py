"""Copies of the whole site: the database and what lies in the data folder, in one tar file.

Made while the site runs. The database comes first: a file that came later than its row does no
harm, a row without its file would. ``manifest.json`` comes last, so a copy that was cut off has
none; it names every file with its length and SHA-256.
"""

import contextlib
import datetime as dt
import hashlib
import io
import os
import stat
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

import msgspec
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from bazaar_site.operating import databases, journal
from bazaar_site.operating.journal import Journal

FORMAT = "bazaar-copy@1"
MANIFEST = "manifest.json"
DATABASE = "database"
FOLDER = "data"
BEFORE = "before-restore-"

NOT_COPIED = ("queue", "static", "metrics")
"""Folders that a start makes anew: what is true about a job is its row, which asks again."""

WORKING, UNFINISHED = ".restore-", ".copying"
"""Names of what is there only while a copy is made, or comes back."""

CHUNK = 1 << 20


class BadCopy(Exception):
    """The file is no whole copy of a site, or not one for this site."""


class Lies(msgspec.Struct, frozen=True):
    """One file of a copy."""

    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a copy says of itself; ``migrations`` were applied, as app.name."""

    format: str
    made_at: dt.datetime
    commit: str
    engine: str
    migrations: tuple[str, ...]
    files: dict[str, Lies]


# To make one.


def make_copy(target: Path, without: frozenset[str] = frozenset()) -> Manifest:
    """Write a copy beside ``target`` and put it in its place when it is whole.

    It holds keys and what people said, so it is readable by its owner alone. ``without`` names
    folders of the data folder to leave out.
    """
    data = Path(settings.DATA_DIR)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}{UNFINISHED}")
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w|") as tar:
            files = dict(_written(tar, data, without | set(NOT_COPIED), target))
            manifest = Manifest(
                FORMAT, dt.datetime.now(dt.UTC), settings.COMMIT, connection.vendor,
                tuple(sorted(".".join(one) for one in _loader().applied_migrations)), files,
            )  # fmt: skip
            body = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
            _add(tar, MANIFEST, io.BytesIO(body), len(body), 0o600)
            tar.close()
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return manifest


def _written(
    tar: tarfile.TarFile, data: Path, without: frozenset[str], target: Path
) -> Iterator[tuple[str, Lies]]:
    # Where there is room for the copy; a temporary folder may lie in memory.
    with tempfile.TemporaryDirectory(prefix=WORKING, dir=target.parent) as folder:
        dump = Path(folder) / DATABASE
        databases.dump(dump)
        yield DATABASE, _add_file(tar, DATABASE, dump)
    beside = target.parent.resolve()
    for path in sorted(data.rglob("*")):
        name = path.relative_to(data)
        if name.parts[0] in without or name.parts[0].startswith((BEFORE, WORKING)):
            continue
        if path.suffix == ".tar" and path.parent.resolve() == beside:
            continue  # an earlier copy
        if databases.is_database_file(path) or path.name.endswith(UNFINISHED):
            continue
        # Files may go while we look; links and sockets are nobody's data.
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISREG(path.lstat().st_mode):
                inside = f"{FOLDER}/{name.as_posix()}"
                yield inside, _add_file(tar, inside, path)


def _add_file(tar: tarfile.TarFile, name: str, path: Path) -> Lies:
    with path.open("rb") as file:
        known = os.fstat(file.fileno())
        return _add(tar, name, file, known.st_size, stat.S_IMODE(known.st_mode))


def _add(tar: tarfile.TarFile, name: str, file: IO[bytes], size: int, mode: int) -> Lies:
    told = tarfile.TarInfo(name)
    told.size, told.mode = size, mode
    seen = _Seen(file, size)
    tar.addfile(told, seen)
    return Lies(size, seen.sha256.hexdigest())


class _Seen:
    """Reads so many bytes, whether the file grows or shrinks meanwhile, and keeps their sum."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file, self._left = file, size
        self.sha256 = hashlib.sha256()

    def read(self, wanted: int = -1) -> bytes:
        wanted = self._left if wanted < 0 else min(wanted, self._left)
        got = self._file.read(wanted).ljust(wanted, b"\0")
        self._left -= len(got)
        self.sha256.update(got)
        return got


# To bring one back.


def read_copy(source: Path, into: Path) -> Manifest:
    """Unpack a copy into an empty folder and compare every byte; raises BadCopy."""
    found: dict[str, Lies] = {}
    manifest = None
    try:
        with source.open("rb") as file, tarfile.open(fileobj=file, mode="r|") as tar:
            for member in tar:
                body = tar.extractfile(member)
                if body is None or not _may_be(member.name):
                    raise BadCopy(f"{source.name} holds {member.name!r}, which no copy does.")
                if member.name == MANIFEST:
                    manifest = msgspec.json.decode(body.read(), type=Manifest)
                else:
                    found[member.name] = _unpack(body, into / member.name, member.mode)
    except (tarfile.TarError, msgspec.MsgspecError, EOFError) as wrong:
        raise BadCopy(f"{source.name} is no copy of a site, or a damaged one: {wrong}") from wrong
    if manifest is None or manifest.format != FORMAT:
        raise BadCopy(f"{source.name} has no manifest: it is no copy of a site, or was cut off.")
    for name in sorted(found.keys() | manifest.files.keys()):
        if found.get(name) != manifest.files.get(name):
            raise BadCopy(f"{source.name} is damaged: {name} is not what the manifest says.")
    return manifest


def check_fits(manifest: Manifest) -> None:
    """Raise BadCopy where this site, or this version of it, cannot take a copy."""
    if manifest.engine != connection.vendor:
        raise BadCopy(
            f"The copy is of {manifest.engine}, this site uses {connection.vendor}; "
            "DATABASE_URL decides."
        )
    known = {".".join(one) for one in _loader().disk_migrations}
    newer = [name for name in manifest.migrations if name not in known]
    if newer:
        raise BadCopy(f"The copy is of a newer version of the site, with {', '.join(newer)}.")


def waiting_migrations(manifest: Manifest) -> list[str]:
    """Name what ``migrate`` has to do after a copy of an older version came back."""
    known = {".".join(one) for one in _loader().disk_migrations}
    return sorted(known - set(manifest.migrations))


def bring_back(unpacked: Path, aside: Path) -> None:
    """Put an unpacked copy in place; files that it replaces are moved to ``aside``.

    The database comes last, for the same reason for which it is copied first. What goes wrong until
    it is there undoes what was done; so does the next restore where this one is killed.
    """
    data = Path(settings.DATA_DIR)
    if (killed := journal.begun()) is not None:
        journal.undo(killed)
    inside = unpacked / FOLDER
    names = [path.relative_to(inside) for path in sorted(inside.rglob("*")) if path.is_file()]
    there = {name.as_posix(): (data / name).exists() for name in names}
    plan = Journal("files", unpacked.name, aside.name, databases.has_file(), there)
    with contextlib.ExitStack() as undoing:
        journal.begin(plan)
        undoing.callback(journal.end)
        for name in names:
            if there[name.as_posix()]:
                databases.move(data / name, aside / name, undoing)
            databases.move(inside / name, data / name, undoing)
        journal.begin(msgspec.structs.replace(plan, step="database"))
        databases.load(unpacked / DATABASE, aside)
        undoing.pop_all()
    journal.end()


def _may_be(name: str) -> bool:
    path = PurePosixPath(name)
    if name in (DATABASE, MANIFEST):
        return True
    return path.parts[:1] == (FOLDER,) and len(path.parts) > 1 and ".." not in path.parts


def _unpack(body: IO[bytes], place: Path, mode: int) -> Lies:
    place.parent.mkdir(parents=True, exist_ok=True)
    sha256, size = hashlib.sha256(), 0
    descriptor = os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode & 0o700 | 0o600)
    with os.fdopen(descriptor, "wb") as file:
        while chunk := body.read(CHUNK):
            file.write(chunk)
            sha256.update(chunk)
            size += len(chunk)
    place.chmod(mode & 0o777)
    return Lies(size, sha256.hexdigest())


def _loader() -> Any:
    return MigrationLoader(connection)
