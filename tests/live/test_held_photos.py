"""Uploads that wait for a decoder keep nobody else waiting, however many there are."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import httpx
import pytest

from bazaar_site import programs
from tests.support import waiting
from tests.support.people import Visitor
from tests.support.photo_bombs import jpeg
from tests.support.servers import Site

WEB, HELD, MOST = "tests.support.held_decoder:application", "HELD_DECODER", 60
OWN = {"title": "Brass lamp", "asking_price": "1800", "reservation_price": "1000"}
PAGES = ("/sell/", "/learn/", "/replays/", "/healthz")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("held")
    with pytest.MonkeyPatch.context() as patch:
        site = Site(
            folder / "data",
            catalogue=False,
            **{HELD: str(folder / "go"), "BAZAAR_LIMIT_PHOTOS": "100000/hour"},
        )
        command = [*programs.web_at("127.0.0.1", site.port)[:-1], WEB]
        patch.setattr(programs, "web_at", lambda *_: command)
        with site as running:
            yield running


def upload(visitor: Visitor) -> httpx.Response:
    form = {**OWN, "csrfmiddlewaretoken": visitor.http.cookies.get("csrftoken", "")}
    photo: Any = {"photo": ("a.jpg", jpeg(600), "image/jpeg")}
    with httpx.Client(
        base_url=visitor.site.url,
        cookies=visitor.http.cookies,
        headers={"Referer": f"{visitor.site.url}/"},
        timeout=waiting.WITHIN_S,
    ) as line:
        return line.post("/sell/new/", data=form, files=photo)


def test_pages_are_answered_while_sixty_uploads_wait_for_a_decoder_that_stands_still(
    held: Site,
) -> None:
    mallory = Visitor(held)
    with ThreadPoolExecutor(MOST + 1) as crowd:
        uploads = [crowd.submit(upload, mallory) for _ in range(MOST + 1)]
        try:
            # One is sent away at once: so many wait as may.
            sent_away = next(as_completed(uploads, timeout=waiting.WITHIN_S))
            for page in PAGES:
                assert mallory.http.get(page).status_code == httpx.codes.OK, page
            assert [one for one in uploads if one.done()] == [sent_away]
        finally:
            Path(held.environment[HELD]).touch()
    assert sent_away.result().status_code == httpx.codes.SERVICE_UNAVAILABLE
    assert int(sent_away.result().headers["Retry-After"]) > 0
    # The decoder that stood still drew nothing; the others hear so, and a page has its turn.
    answers = {one.result().status_code for one in uploads if one is not sent_away}
    assert answers == {httpx.codes.UNPROCESSABLE_ENTITY}
    assert mallory.http.get("/sell/").status_code == httpx.codes.OK
    mallory.close()
