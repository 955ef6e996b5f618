"""A full lobby: how long joining and asking take, and when everybody sits at a table.

    python -m tests.benchmarks.rooms --people 200

Serves a site of its own, lets everybody join by pages from one address, ask every two seconds as
the lobby does, then presses Start and waits until each has been led to a table.
"""

import argparse
import asyncio
import re
import statistics
import tempfile
import time
from pathlib import Path

import httpx

from tests.support.servers import Site

ASK_EVERY_S = 2.0
TABLE = re.compile(r"^/(sell|buy)/\w+/$")


class Pupil:
    """Somebody in the lobby, and how long each answer took."""

    def __init__(self, site: Site, code: str, number: int) -> None:
        self.http = httpx.AsyncClient(base_url=site.url, timeout=120)
        self.code, self.number = code, number
        self.took_s: list[float] = []
        self.seated_at = 0.0

    async def join(self) -> float:
        """Come in and return how long that took."""
        began = time.perf_counter()
        await self.http.get(f"/rooms/{self.code}/")
        token = self.http.cookies["csrftoken"]
        form = {"csrfmiddlewaretoken": token, "nickname": f"Pupil {self.number}"}
        await self.http.post(f"/rooms/{self.code}/", data=form)
        return time.perf_counter() - began

    async def ask_until_seated(self) -> None:
        """Ask as the page does."""
        address = f"/rooms/{self.code}/lobby/?mark="
        await asyncio.sleep(ASK_EVERY_S * self.number % 17 / 17)
        while not self.seated_at:
            began = time.perf_counter()
            answer = await self.http.get(address)
            self.took_s.append(time.perf_counter() - began)
            if TABLE.match(answer.headers.get("HX-Redirect", "")):
                self.seated_at = time.perf_counter()
            elif mark := re.search(r"lobby/\?([^\"]+)\"", answer.text):
                address = f"/rooms/{self.code}/lobby/?{mark[1].replace('&amp;', '&')}"
            await asyncio.sleep(ASK_EVERY_S)


async def measure(site: Site, people: int) -> None:
    """Run one class and print what was measured."""
    password = site.manage("add_host", "meera").split("Password: ")[1].split()[0]
    async with httpx.AsyncClient(base_url=site.url, timeout=120) as host:
        await host.get("/account/login/")

        async def press(path: str, **form: str) -> httpx.Response:
            token = host.cookies["csrftoken"]
            return await host.post(path, data={"csrfmiddlewaretoken": token, **form})

        await press("/account/login/", username="meera", password=password)
        code = (await press("/rooms/new/", ready="first")).headers["Location"].split("/")[2]
        pupils = [Pupil(site, code, number) for number in range(people)]
        joined: list[float] = []
        for at in range(0, people, 10):
            joined += await asyncio.gather(*(one.join() for one in pupils[at : at + 10]))
        asking = [asyncio.create_task(one.ask_until_seated()) for one in pupils]
        await asyncio.sleep(15)
        quiet = [took for one in pupils for took in one.took_s[2:]]
        began = time.perf_counter()
        await press(f"/rooms/{code}/desk/start/")
        pressed_s = time.perf_counter() - began
        await asyncio.gather(*asking)
        seated = [one.seated_at - began for one in pupils]
    for one in pupils:
        await one.http.aclose()
    print(f"{people} people")
    for name, values in (("join", joined), ("ask", quiet), ("start to table", seated)):
        p95 = statistics.quantiles(values, n=20)[-1]
        print(f"  {name:15} median {statistics.median(values):6.3f} s   95 % {p95:6.3f} s")
    print(f"  start pressed  {pressed_s:.3f} s; last at a table after {max(seated):.3f} s")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    people = parser.parse_args().people
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder)) as site:
        asyncio.run(measure(site, people))


if __name__ == "__main__":
    main()
