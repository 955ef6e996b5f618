"""Photos that were made to cost: what a decoder may take, and who waits for it meanwhile."""

import asyncio
import contextlib
import io
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.test import Client
from PIL import Image

from bazaar_site.routing import AT_ONCE, InTurn
from negotiation import limits
from negotiation.bargain import photo_decoder, photos
from negotiation.errors import BadSale, Overloaded
from negotiation.games.page_turns import laid_down
from tests.support.photo_bombs import BOMBS, jpeg, picture
from tests.support.waiting import in_time, until

GENEROUS_CPU_S = photo_decoder.CPU_S
"""What the system ends a decoder at; every bomb below is refused or drawn long before."""


ADDRESSES_ARE_BOUND = pytest.mark.skipif(
    sys.platform == "darwin", reason="macOS has no bound of addresses"
)


def cost_of(body: bytes) -> tuple[int, float]:
    """The exit status of a decoder, and the processor's seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status, _drawn = photos._decoded(body)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    return status, took


@pytest.mark.parametrize("name", BOMBS)
def test_what_was_made_to_cost_is_refused_or_cheap(name: str) -> None:
    made, status = BOMBS[name]
    body = made()
    assert len(body) <= photos.MOST_BYTES
    found, took = cost_of(body)
    assert found == status
    assert took < GENEROUS_CPU_S


def test_the_sentence_says_what_works() -> None:
    with pytest.raises(BadSale, match="takes too long to read"):
        photos.redrawn(io.BytesIO(jpeg(600)))


def test_what_is_progressive_as_libraries_write_it_is_taken_at_the_largest_size() -> None:
    body = picture((7071, 7071), mode="CMYK", progressive=True)  # 24 rounds, the most
    assert Image.open(io.BytesIO(photos.redrawn(io.BytesIO(body)))).size == (1280, 1280)


BOUND = (
    "import runpy, sys; bound = runpy.run_path(sys.argv[1])['bound_this_process']; "
    "bound.__globals__['CPU_S'] = 1; bound(); "
)


@pytest.mark.parametrize(
    ("work", "ended"),
    [
        ("\nwhile True: pass", {-signal.SIGKILL, -signal.SIGXCPU}),
        pytest.param("b'x' * 2_000_000_000", {1}, marks=ADDRESSES_ARE_BOUND),
        ("open(sys.argv[2], 'wb', buffering=0).write(b'x')", {1}),
    ],
)
def test_the_system_bounds_whatever_gets_past_the_counting(
    work: str, ended: set[int], tmp_path: Path
) -> None:
    """A loop, a heap and a file in the place of a decoder."""
    command = (sys.executable, "-I", "-c", BOUND + work, photo_decoder.__file__, tmp_path / "file")
    done = subprocess.run(command, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode in ended, done.stderr


# Who waits, and for how long.

OWN = {"title": "Brass lamp", "asking_price": "1800", "reservation_price": "1000"}


def post(client: Client) -> Any:
    return client.post("/sell/new/", OWN | {"photo": SimpleUploadedFile("a.jpg", picture((9, 9)))})


@contextlib.contextmanager
def others_waiting(*clients: str) -> Iterator[None]:
    """The first of some clients has its photo decoded all the while, the others wait for it."""
    let_go = threading.Event()

    def upload(client: str) -> None:
        with photos.turn_to_decode(client):
            let_go.wait(60)

    threads = [threading.Thread(target=upload, args=(client,)) for client in clients]
    for number, thread in enumerate(threads, start=1):
        thread.start()
        until(lambda number=number: photos._uploads.total() == number)
    try:
        yield
    finally:
        let_go.set()
        for thread in threads:
            thread.join()
        assert not photos._uploads


@pytest.mark.django_db
def test_who_waits_too_long_hears_so_and_has_lost_nothing(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert photos.PATIENCE_S == 2
    settings.PHOTOS_DIR = tmp_path
    settings.LIMITS = {**settings.LIMITS, "photos": "1/hour"}
    limits.forget_uses()
    asha = Client()
    asha.get("/sell/")
    monkeypatch.setattr(photos, "PATIENCE_S", 0.01)
    with others_waiting("192.0.2.1"):
        for _ in range(2):
            answer = post(asha)
            assert (answer.status_code, answer["Retry-After"]) == (503, "5")
            assert "Other photos are being read just now" in answer.content.decode()
            assert 'value="Brass lamp"' in answer.content.decode()
        assert asha.post("/sell/new/", OWN).status_code == 302  # without a photo nobody waits
    # Whoever was sent away has not used up a photo.
    assert post(asha).status_code == 302
    assert post(asha).status_code == 429
    limits.forget_settings()


def test_an_address_has_so_many_uploads_in_flight_and_a_process_so_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(photos, "PATIENCE_S", 60)
    one = ["192.0.2.1"] * photos.MOST_OF_ONE
    others = [f"198.51.100.{number}" for number in range(photos.MOST_UPLOADS - len(one))]
    with others_waiting(*one, *others[:-1]):
        with pytest.raises(Overloaded, match="from your address"), photos.turn_to_decode(one[0]):
            pass
        monkeypatch.setattr(photos, "PATIENCE_S", 0)
        with pytest.raises(Overloaded, match="Other photos"), photos.turn_to_decode(others[-1]):
            pass  # there was room to wait
    monkeypatch.setattr(photos, "PATIENCE_S", 60)
    too_many = pytest.raises(Overloaded, match="Other photos")
    with others_waiting(*one, *others), too_many, photos.turn_to_decode("203.0.113.1"):
        pass


class Uploads:
    """Pages, and uploads that wait in a thread of their own until they may go on."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.waiting = self.left = self.done = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] != "/sell/":
            work = asyncio.get_running_loop().create_future()
            loop, request = asyncio.get_running_loop(), HttpRequest()
            request.scope = scope  # type: ignore[attr-defined]  # as ASGI's requests have it

            def upload() -> None:
                with laid_down(request):
                    loop.call_soon_threadsafe(self._wait)
                    self.may_go_on.wait(60)
                loop.call_soon_threadsafe(self._leave, work)

            threading.Thread(target=upload).start()
            await work
        self.done += 1

    def _wait(self) -> None:
        self.waiting += 1

    def _leave(self, work: "asyncio.Future[None]") -> None:
        self.left += 1
        if not work.cancelled():
            work.set_result(None)


@pytest.mark.parametrize("hang_up", [False, True])
async def test_pages_have_all_turns_while_uploads_wait(hang_up: bool) -> None:
    made = Uploads()
    site = InTurn(made)
    uploads = [asyncio.create_task(site({"path": "/sell/new/"}, None, None)) for _ in range(60)]
    await in_time(lambda: made.waiting == len(uploads))
    await asyncio.gather(*(site({"path": "/sell/"}, None, None) for _ in range(5 * AT_ONCE)))
    assert made.done == 5 * AT_ONCE
    if hang_up:
        for upload in uploads:
            upload.cancel()
    made.may_go_on.set()
    await asyncio.gather(*uploads, return_exceptions=True)
    await asyncio.gather(*(site({"path": "/sell/"}, None, None) for _ in range(5 * AT_ONCE)))
    await in_time(lambda: made.left == len(uploads))
    await in_time(lambda: site._turns._value == AT_ONCE)  # none is lost, none is given twice
