"""Whatever people of a class, a study or a course send, no line of any process has a word of it."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx
import pytest
from django.urls import get_resolver

from tests.support.commands import ROOT
from tests.support.course_platform import CLIENT_ID, DEPLOYMENT, CoursePlatform
from tests.support.dear_goods import LEAST_PRICE, put_on_sale
from tests.support.people import Line, Visitor
from tests.support.room_crowd import Crowd, Habits, Host
from tests.support.servers import Site
from tests.support.services import Postgres, Redis, skip_without
from tests.support.study_crowd import DESIGN, StudyCrowd
from tests.support.waiting import until
from tests.support.warm import begin

HABITS = Habits(think_s=0.2, reload=0.2, two_tabs=0.2, vanish=0.0)
PEOPLE = 4
SHORTEST = 6
"""Characters of what is searched for: a shorter word stands in any text."""

HARMLESS = re.compile(r"[\d.]+|https?://[\w.:]*/?|[\w-]+\.(css|js|svg|png|webmanifest)")


class Whole(Site):
    """All processes of a site, as ``make play`` starts them, with one log."""

    def start(self) -> None:
        """Serve, and wait until the workers give a sign, too."""
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        with (self.data_dir / f"daphne-{self.port}.log").open("ab") as log:
            self.process = begin(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )
        self._wait_until_ready()
        until(lambda: {*httpx.get(f"{self.url}/healthz").json()["parts"].values()} == {"ok"})

    def kill(self) -> None:
        """End it in order, so that its last lines are written."""
        self.stop()


class Overheard:
    """Keeps every word that goes to a site by HTTP, whoever sends it, in whichever part."""

    def __init__(self) -> None:
        routes = " ".join(_patterns(get_resolver()))
        # What an address has beside ids; "opened" is the first event of a replay that is brought.
        self._known = {*re.findall(r"[\w.-]+", routes), "/rooms/new/", "opened"}
        self.words: set[str] = set()

    def says(self, *words: str) -> None:
        """Keep words that go by a socket, or are told by the site."""
        self.words.update(words)

    def hear(self, request: httpx.Request) -> None:
        """Keep what is in a request: a hook of clients."""
        parts = urlsplit(str(request.url))
        if parts.path.startswith("/static/"):
            return
        kind = request.headers.get("Content-Type", "")
        has_text = request.method == "POST" and "multipart" not in kind
        body = request.content.decode() if has_text else ""
        values = [*unquote(parts.path).split("/"), *(value for _, value in parse_qsl(parts.query))]
        values += _leaves(json.loads(body)) if "json" in kind and body else []
        values += [value for _, value in parse_qsl(body)] if "urlencoded" in kind else []
        values += re.findall(r"=([^;]+)", request.headers.get("Cookie", ""))
        self.words.update(one for one in values if one not in self._known)

    async def hear_too(self, request: httpx.Request) -> None:
        """Do the same for clients that await their hooks."""
        self.hear(request)

    def by(self, person: Any) -> Any:
        """Listen to somebody with a client."""
        hook = self.hear_too if isinstance(person.http, httpx.AsyncClient) else self.hear
        person.http.event_hooks["request"].append(hook)
        return person

    def found_in(self, log: str) -> dict[str, str]:
        """Return each word that stands in a log, with one line that has it."""
        text = unquote(log)
        long = {one.strip() for one in self.words if len(one.strip()) >= SHORTEST}
        wanted = {one for one in long if not HARMLESS.fullmatch(one)}
        assert len(wanted) > 100, "a search for nothing finds nothing"
        lines = text.splitlines()
        return {
            one: next((line for line in lines if one in line), one)[:300]
            for one in wanted
            if one in text
        }


def _patterns(resolver: Any) -> Iterator[str]:
    for one in resolver.url_patterns:
        yield str(one.pattern)
        if hasattr(one, "url_patterns"):
            yield from _patterns(one)


def _leaves(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [leaf for one in inner for leaf in _leaves(one)]
    return [value] if isinstance(value, str) else []


class LongIds(StudyCrowd):
    """A study's people, with ids that one knows again."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        for number, part in enumerate(self.parts.values()):
            part.id = f"5f3c9participant{number:02}ofapanel"


@contextmanager
def a_site(folder: Path, kind: str) -> Iterator[Site]:
    """Text for people at level DEBUG; or JSON, on PostgreSQL and Redis."""
    with ExitStack() as stack:
        told = {"BAZAAR_LOG_LEVEL": "DEBUG"}
        if kind == "json":
            skip_without("PostgreSQL", "redis-server")
            told = {
                "BAZAAR_LOG_JSON": "true",
                "DATABASE_URL": stack.enter_context(Postgres()).url,
                "REDIS_URL": stack.enter_context(Redis()).url,
            }
        yield stack.enter_context(Whole(folder, **told))


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", [pytest.param("text", marks=pytest.mark.soak), "json"])
def test_no_line_has_an_id_a_key_or_a_word_of_anybody(tmp_path: Path, kind: str) -> None:
    heard = Overheard()
    with a_site(tmp_path, kind) as site:
        palace = put_on_sale(site)
        host = Host(site)
        heard.by(host)
        asyncio.run(a_class(site, host, heard))
        asyncio.run(a_study(site, host, heard))
        asyncio.run(others(site, palace, heard))
        asyncio.run(what_fails(site, heard))
        host.close()
        if kind == "text":
            until(lambda: "grade_game" in site.log)
    found = heard.found_in(site.log)
    assert found == {}
    routes = ("/rooms/<slug:code>/enter/", "/account/join/<str:token>/", "/ws/watch/<key>/")
    assert [route for route in routes if route not in site.log] == []
    told = ("Internal Server Error: GET /sell/", "socket frame failed", "Traceback", "nowhere")
    assert [words for words in told if words not in site.log] == []
    assert "Forbidden (CSRF cookie not set.): POST /pair/" in site.log


async def a_class(site: Site, host: Host, heard: Overheard) -> None:
    code = await asyncio.to_thread(host.opens, name="Klasse Sieben", least_price=LEAST_PRICE)
    crowd = Crowd(site, code, PEOPLE, HABITS)
    for one in crowd.people:
        heard.by(one).name += " Nickname"
    await crowd.come_in()
    await asyncio.to_thread(host.does, code, "start")
    await crowd.play(limit_s=300)
    heard.says(code, "dekho, itna hi", *(one.http.cookies["sessionid"] for one in crowd.people))
    await crowd.close()


async def a_study(site: Site, host: Host, heard: Overheard) -> None:
    code = await asyncio.to_thread(
        host.opens, name="Studie", meeting="people", roles="random", least_price=LEAST_PRICE
    )
    link = await asyncio.to_thread(host.studies, code, DESIGN)
    crowd = LongIds(site, code, link, PEOPLE, HABITS)
    for one in crowd.people:
        heard.by(one)
    await crowd.come_and_play(limit_s=300)
    heard.says("priya@example.org", "step by step", *(part.id for part in crowd.parts.values()))
    await crowd.close()
    host.reads(f"/rooms/{code}/study/pay.csv")


async def others(site: Site, palace: int, heard: Overheard) -> None:
    """A pair, an invitation, a search, a guest, a bot, an import and a course."""
    asha, ravi = heard.by(Visitor(site)), heard.by(Visitor(site))
    link = asha.presses(
        "/pair/", listing=palace, name="Asha Geheimname", seat="seller", clock_s=300
    )
    table = ravi.presses(link, name="Ravi Geheimname").split("/")[2]
    async with Line(ravi, f"/ws/buy/{table}/?wort=socketgeheimnis") as line:
        asked = (await line.hear_event("opened"))["price"]
        bid = min(round(0.8 * asked), site.scenario(table).sealed.budget // 100)
        await line.send("say", text=f"{bid} dunga apne bhai ke liye")
        await line.hear_event("offer", "buyer")
    heard.says("socketgeheimnis", "apne bhai", "Geheimname")
    game = asha.opens(title="Omas Silberbesteck")
    key = asha.shares(game)
    async with ravi.watching(key) as line:
        await line.hear_type("event")
    async with asha.at(game) as line:
        await line.hear_event("offer", "buyer")
        await line.send("walk", text="lebewohlgruss")
        await line.hear_event("ended")
    heard.says(key, "lebewohlgruss")
    for address in ("/search/", "/sell/", "/replays/", "/api/listings/", "/api/replays/"):
        asha.http.get(address, params={"q": "suchwortgeheim"})
    account = site.manage("shell", "-v", "0", "-c", INVITE).split()[-1]
    page = ravi.http.get(account)
    assert page.status_code == 200
    ravi.presses(account, new_password1="passwort-geheim-1", new_password2="passwort-geheim-1")
    registers_a_bot(site, heard)
    replay = asha.http.get(f"/replays/{game}.json").content
    asha.post("/api/replays/import/", json.loads(replay))
    asha.post("/api/replays/import/", {"format": "geheimesformat"})
    with CoursePlatform() as platform:
        comes_from_a_course(platform, site, heard)
    asha.close()
    ravi.close()


def registers_a_bot(site: Site, heard: Overheard) -> None:
    """Register a bot, show its token in the ways there are, and take it away."""
    bot = httpx.post(f"{site.url}/api/bots/", json={"name": "Geheimer Bot"}).json()
    heard.says(bot["token"], "Geheimer Bot")
    with httpx.Client(base_url=site.url) as program:
        program.headers["Authorization"] = f"Bearer {bot['token']}"
        program.post("/env/bots/reset", json={"token": bot["token"]})
        program.delete(f"/api/bots/{bot['id']}/")


INVITE = """
from django.urls import reverse
from rooms.accounts import invitation_for, invite
print(reverse("account-join", args=[invitation_for(invite("geheimer-gastgeber"))]))
"""


def comes_from_a_course(platform: CoursePlatform, site: Site, heard: Overheard) -> None:
    """Begin a login, come back with what the platform signed, and once with something bent."""
    platform.tool, said = site.url, platform.addresses()
    site.manage(
        *("lti_platform", "add", "School", "--issuer", said["issuer"]),
        *("--login-url", said["login_url"], "--token-url", said["token_url"]),
        *("--keys-url", said["keys_url"], "--client-id", CLIENT_ID, "--deployment", DEPLOYMENT),
    )
    person = platform.person("sub-of-asha-private")
    for bend in ("", "verbogen"):
        with httpx.Client(base_url=site.url, event_hooks={"request": [heard.hear]}) as browser:
            begun = browser.post(
                "/rooms/lti/login/",
                data=platform.login(person, "ABCDEF"),
                headers={"Sec-Fetch-Dest": "document"},
            )
            page = httpx.get(begun.headers["Location"]).text
            form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
            browser.post("/rooms/lti/launch/", data={**form, "id_token": form["id_token"] + bend})
    heard.says("Asha Verma-Private", "asha.private@school", "course-private", person.sub)


async def what_fails(site: Site, heard: Overheard) -> None:
    """Addresses that lead nowhere, forms without a token, and a site whose tables are gone."""
    asha = heard.by(Visitor(site))
    asha.http.headers["Referer"] = f"{site.url}/account/join/refererschluessel/"
    for address in (
        *("/rooms/GEHEIM/enter/?PROLIFIC_PID=nirgendwoid", "/nirgendwo/geheimnis/?q=fragewort"),
        *("/account/join/keingueltigertoken/", "/pair/keinschluessel/", "/watch/keinezeichen/"),
        *("/sell/%67eheimespiel/", "/replays/%E0%A4%B9%E0%A4%BF%E0%A4%82/", "/admin/auth/geheim/"),
    ):
        asha.http.get(address)
        asha.http.request("GEHEIMEMETHODE", address)
    heard.says("refererschluessel", "GEHEIMEMETHODE")
    knocks_without_a_token(site, heard)
    game = asha.opens(title="Letzte Vase")
    async with asha.at(game) as line:
        await line.hear_event("offer", "buyer")
        site.execute("alter table negotiation_eventrow rename to gone_event")
        site.execute("alter table negotiation_listing rename to gone_listing")
        await line.send("say", text="1700 unterbrocheneswort")
        await line.hear_type("error")
        answers = [
            asha.http.get("/sell/?q=fehlerwort").status_code,
            asha.post("/api/sell/", {"title": "Fehlertitel", "asking_price": 9}).status_code,
            asha.http.get("/api/listings/?q=fehlerwort").status_code,
        ]
    assert 500 in answers
    heard.says("unterbrocheneswort")
    asha.close()


def knocks_without_a_token(site: Site, heard: Overheard) -> None:
    """Send forms without a token, from elsewhere, and under another name of the site."""
    with httpx.Client(base_url=site.url, event_hooks={"request": [heard.hear]}) as mallory:
        mallory.post("/pair/?wort=ohnecookie", data={"name": "ohnekeks"})
        mallory.post(
            "/account/login/",
            data={"username": "keinname"},
            headers={"Origin": "https://fremd.example"},
        )
        mallory.get("/learn/", headers={"Host": "fremdername.example"})
    heard.says("fremd.example", "fremdername")
