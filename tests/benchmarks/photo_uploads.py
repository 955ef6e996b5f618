"""What a page waits for while photos come that were made to cost: before and after, in seconds.

    python -m tests.benchmarks.photo_uploads --uploads 0 18 60

A served site, uploads from as many addresses at once, and a visitor who opens ``/sell/`` again and
again meanwhile. ``bomb``: a JPEG of 60 kB whose 600 empty scans go over 49 million pixels;
``dear``: the dearest photo that is let in.
"""

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from tests.support.people import Visitor
from tests.support.photo_bombs import jpeg, png
from tests.support.servers import Site

PATIENCE_S = 60.0
OWN = {"title": "Brass lamp", "asking_price": "1800", "reservation_price": "1000"}
PHOTOS: dict[str, Callable[[], bytes]] = {
    "bomb": lambda: jpeg(600),
    "dear": lambda: png(4000, 4000, kind=6, bits=16, filters=4),
}


def upload(visitor: Visitor, photo: bytes, number: int) -> str:
    """Bring a photo from an address of its own; return the answer's status."""
    form = {**OWN, "csrfmiddlewaretoken": visitor.http.cookies.get("csrftoken", "")}
    headers = {"Referer": f"{visitor.site.url}/", "X-Forwarded-For": f"198.51.100.{number}"}
    files: Any = {"photo": ("a.jpg", photo, "image/jpeg")}
    try:
        answer = httpx.post(
            f"{visitor.site.url}/sell/new/",
            data=form,
            files=files,
            cookies=visitor.http.cookies,
            headers=headers,
            timeout=PATIENCE_S,
        )
    except httpx.TimeoutException:
        return f"none in {PATIENCE_S:.0f} s"
    return str(answer.status_code)


def main() -> None:
    """Serve, upload, look on, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uploads", type=int, nargs="+", default=[0, 18, 60])
    uploads = parser.parse_args().uploads
    print("| photo | uploads at once | /sell/ median | longest | not answered | uploads answered |")
    print("|---|---|---|---|---|---|")
    for name, made in PHOTOS.items():
        photo = made()
        for count in uploads:
            with tempfile.TemporaryDirectory() as folder:
                environment = {
                    "TRUSTED_PROXIES": "127.0.0.1",
                    "BAZAAR_LIMIT_PHOTOS": "100000/hour",
                }
                with Site(Path(folder), catalogue=False, **environment) as site:
                    print(row(name, site, photo, count), flush=True)


def row(name: str, site: Site, photo: bytes, count: int) -> str:
    """Upload so many at once and return what a visitor saw meanwhile, as a line of the table."""
    visitor = Visitor(site)
    visitor.http.get("/sell/")
    waited, lost = [], 0
    with ThreadPoolExecutor(max(count, 1)) as crowd:
        sent = [crowd.submit(upload, visitor, photo, number + 1) for number in range(count)]
        until = time.monotonic() + 3.0
        while time.monotonic() < until or not all(one.done() for one in sent):
            began = time.monotonic()
            try:
                visitor.http.get("/sell/", timeout=8.0)
                waited.append(time.monotonic() - began)
            except httpx.TimeoutException:
                lost += 1
            time.sleep(0.1)
        answers = Counter(one.result() for one in sent)
    told = ", ".join(f"{status}: {many}" for status, many in sorted(answers.items()))
    median = f"{statistics.median(waited):.2f}" if waited else "-"
    longest = f"{max(waited):.2f}" if waited else "-"
    return f"| {name} | {count} | {median} | {longest} | {lost} | {told or '-'} |"


if __name__ == "__main__":
    main()
