"""An export as one zip that is sent while it is made: no more than a piece of it is in memory."""

import io
import tempfile
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

from rooms.export.writing import APART, SIGNATURE, SUMS, Times, export_to, file_names
from rooms.models import Room

PIECE = 256 * 1024
"""Bytes of a file that are packed at once."""


class _Sink(io.RawIOBase):
    """Takes what a zip writes and hands it on; nobody can go back in it."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # what a zip writes is bytes
        self._kept.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken, self._kept = b"".join(self._kept), []
        return taken


def packed(room: Room, times: Times = "exact", *, public: bool = False) -> Iterator[bytes]:
    """Write a room's export into a folder that is gone afterwards, and pack it piece by piece."""
    with tempfile.TemporaryDirectory(prefix="export-") as place:
        folder = Path(place)
        export_to(room, folder, times="day" if public else times)
        yield from pack(folder, f"study-{room.code.lower()}", public=public)


def pack(folder: Path, name: str, *, public: bool = False) -> Iterator[bytes]:
    """Pack the files of an export, in a folder called ``name``; ``public``: but who is paid."""
    left = APART if public else ()
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as zipped:
        for one in (*(name for name in file_names() if name not in left), SUMS, SIGNATURE):
            entry = zipfile.ZipInfo.from_file(folder / one, f"{name}/{one}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with (folder / one).open("rb") as file, zipped.open(entry, "w") as target:
                while piece := file.read(PIECE):
                    target.write(piece)
                    yield sink.take()
    yield sink.take()


def download(
    request: HttpRequest, room: Room, times: Times = "exact", *, public: bool = False
) -> StreamingHttpResponse:
    """Send the zip; the answer begins before the first byte of it is there."""
    pieces = packed(room, times, public=public)
    is_async = isinstance(request, ASGIRequest)
    response = StreamingHttpResponse(
        _in_threads(pieces) if is_async else pieces, content_type="application/zip"
    )
    name = f"study-{room.code.lower()}{'-public' if public else ''}.zip"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


async def _in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    # Django would gather an ordinary iterator as a whole before it sends the first byte.
    following = sync_to_async(lambda: next(pieces, None))
    try:
        while (piece := await following()) is not None:
            yield piece
    finally:
        # Whoever closes the browser in between leaves no folder behind.
        await sync_to_async(getattr(pieces, "close", lambda: None))()
