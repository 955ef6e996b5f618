"""A platform of courses on a real socket: LTI 1.3 and the services for marks, with faults.

In a test::

    with CoursePlatform() as platform:
        platform.connect()                       # a row of ours, as staff would make it
        asha = platform.person("asha")
        asha.opens(room.code)                    # the link of the course, in a browser of hers

It has keys of its own, sends people on as Moodle and Canvas do (a form that posts itself), checks
who asks for a token by the tool's public keys, and keeps places for marks and the marks in them.
"""

import json
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from django.test import Client
from jwcrypto.jwk import JWK

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
MARKS = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
CHOICE = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
PEOPLE = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
READ_PEOPLE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
SCOPES = "https://purl.imsglobal.org/spec/lti-ags/scope/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"

CLIENT_ID, DEPLOYMENT = "bazaar-at-school", "1"

STORAGE = """<script>
const kept = {};
addEventListener("message", ({ origin, data, source }) => {
  if (origin !== "TOOL" || !data.subject?.startsWith("lti.")) return;
  if (data.subject === "lti.put_data") kept[data.key] = data.value;
  const answer = { subject: `${data.subject}.response`, message_id: data.message_id };
  source.postMessage({ ...answer, key: data.key, value: kept[data.key] }, origin);
});
</script>"""
"""What the page of a course does that keeps things for tools (LTI platform storage)."""

WINDOW = {"HTTP_SEC_FETCH_DEST": "document"}
"""What a browser says that opens a link in a window; without it the site must think of a frame."""

_KEYS: deque[RSAPrivateKey] = deque()


def an_rsa_key() -> RSAPrivateKey:
    """Return one of three keys in turn: making one costs more than all else here."""
    if len(_KEYS) < 3:
        _KEYS.append(generate_private_key(public_exponent=65_537, key_size=2048))
    _KEYS.rotate()
    return _KEYS[0]


class Fault:
    """What comes instead of an answer."""

    def __init__(self, status: int = 500, body: bytes = b"{}", wait_s: float = 0) -> None:
        self.status, self.body, self.wait_s = status, body, wait_s


class Person:
    """Somebody in a course, with a browser."""

    def __init__(self, platform: "CoursePlatform", sub: str, role: str, client: Client) -> None:
        self.platform, self.sub, self.role, self.client = platform, sub, role, client

    def elsewhere(self) -> "Person":
        """The same person at another device."""
        return Person(self.platform, self.sub, self.role, Client())

    def opens(self, code: str = "", **changes: Any) -> Any:
        """Follow a link of the course, up to the page of ours that it leads to."""
        answer = self.sends(self.asks(code, **changes))
        while answer.status_code in (302, 303) and "/rooms/lti/" in answer["Location"]:
            answer = self.client.get(answer["Location"])
        return answer

    def asks(self, code: str = "", **changes: Any) -> dict[str, str]:
        """Begin a login, and return the form that the platform would have the browser post."""
        begun = self.client.post(
            "/rooms/lti/login/", self.platform.login(self, code, **changes), **WINDOW
        )
        assert begun.status_code == 302, begun.content.decode()
        return _form(httpx.get(begun["Location"]).text)

    def sends(self, form: dict[str, str]) -> Any:
        """Post the form of the platform."""
        return self.client.post("/rooms/lti/launch/", form)

    def comes_in(self, code: str, nickname: str, **changes: Any) -> Any:
        """Open the link, and take a seat."""
        page = self.opens(code, **changes)
        assert page.status_code == 200, page.content.decode()
        return self.client.post(page.request["PATH_INFO"], {"nickname": nickname})


class CoursePlatform:
    """Serves while it is entered. ``scores`` are the marks it took, in order.

    ``faults`` are by a path's last word (``certs``, ``token``, ``scores``, ``members``): what it
    answers next there; ``always`` is what it answers there from now on.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host, self.client_id = host, CLIENT_ID
        self.key, self.kid = an_rsa_key(), "first"
        self.faults: dict[str, deque[Fault]] = {}
        self.always: dict[str, Fault] = {}
        self.asked: list[str] = []
        self.scores: list[dict[str, Any]] = []
        self.lineitems: dict[str, dict[str, Any]] = {}
        self.answers: list[dict[str, Any]] = []
        self.tokens: dict[str, list[str]] = {}
        self.signed_by: list[str] = []
        self.has_places = True
        self.people: list[dict[str, Any]] = []
        self.page_of = 2
        self.registered: list[tuple[str, dict[str, Any]]] = []
        self.tool_part: dict[str, Any] = {TOOL: {"deployment_id": DEPLOYMENT}}
        self.told: dict[str, Any] = {}
        self.tool = "http://testserver"
        self.tool_keys: Callable[[], Any] = lambda: Client().get("/rooms/lti/keys.json").json()
        self._logins: dict[str, tuple[Person, str, dict[str, Any]]] = {}
        self._assertions: set[str] = set()

    def __enter__(self) -> Self:
        outer = self

        class Handler(_Handler):
            platform = outer

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self._server.server_port}"

    def addresses(self) -> dict[str, str]:
        """What staff writes down about it."""
        return {
            "name": "Our school",
            "issuer": self.url,
            "client_id": CLIENT_ID,
            "deployments": DEPLOYMENT,
            "login_url": f"{self.url}/auth",
            "token_url": f"{self.url}/token",
            "keys_url": f"{self.url}/certs",
        }

    def connect(self, **changes: Any) -> Any:
        from rooms.models import LtiPlatform

        row = LtiPlatform(**self.addresses() | changes)
        row.full_clean()
        row.save()
        return row

    def person(self, sub: str, role: str = "Learner", client: Client | None = None) -> Person:
        return Person(self, sub, role, client or Client())

    def enrols(self, sub: str, name: str = "", role: str = "Learner", **more: Any) -> None:
        """Put somebody on the list of the course."""
        shared = {"name": name} if name else {}
        self.people.append({"user_id": sub, "roles": [f"{ROLE}{role}"], **shared, **more})

    def takes_new_keys(self) -> None:
        self.key, self.kid = an_rsa_key(), secrets.token_hex(4)

    def fails(self, where: str, *faults: Fault) -> None:
        self.faults.setdefault(where, deque()).extend(faults)

    def login(self, person: Person, code: str, **changes: Any) -> dict[str, str]:
        """What the browser brings to the tool when somebody follows a link."""
        hint = secrets.token_hex(8)
        self._logins[hint] = (person, code, changes)
        return {
            "iss": self.url,
            "client_id": self.client_id,
            "login_hint": person.sub,
            "lti_message_hint": hint,
            "lti_deployment_id": DEPLOYMENT,
            "target_link_uri": changes.get("target", f"{self.tool}/rooms/lti/launch/"),
            **({"lti_storage_target": changes["stores"]} if "stores" in changes else {}),
        }

    def claims(self, person: Person, code: str, nonce: str) -> dict[str, Any]:
        """What it says about somebody: names and addresses too, as careless platforms do."""
        now = int(time.time())
        place = f"{self.url}/lineitems/1" if self.has_places else None
        return {
            "iss": self.url,
            "aud": self.client_id,
            "sub": person.sub,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "name": "Asha Verma-Private",
            "email": "asha.private@school.example",
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}deployment_id": DEPLOYMENT,
            f"{CLAIM}roles": [f"{ROLE}{person.role}"],
            f"{CLAIM}resource_link": {"id": "link-7", "title": "Bargaining"},
            f"{CLAIM}context": {"id": "course-private", "title": "Course Private"},
            f"{CLAIM}custom": {"room": code},
            f"{CLAIM}target_link_uri": f"{self.tool}/rooms/lti/launch/",
            PEOPLE: {"context_memberships_url": f"{self.url}/members", "service_versions": ["2.0"]},
            MARKS: {
                "scope": [f"{SCOPES}score", f"{SCOPES}lineitem"],
                "lineitems": f"{self.url}/lineitems",
                **({"lineitem": place} if place else {}),
            },
        }

    def choice(self) -> dict[str, Any]:
        """What makes of a message one that asks a teacher to choose."""
        return {
            f"{CLAIM}message_type": "LtiDeepLinkingRequest",
            CHOICE: {
                "deep_link_return_url": f"{self.url}/chosen",
                "accept_types": ["ltiResourceLink"],
                "accept_presentation_document_targets": ["iframe", "window"],
                "data": "of-the-platform",
            },
        }

    def signed(self, claims: dict[str, Any], **header: Any) -> str:
        key = header.pop("key", self.key)
        algorithm = header.pop("algorithm", "RS256")
        return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": self.kid, **header})

    def certs(self) -> dict[str, Any]:
        public = JWK.from_pyca(self.key.public_key()).export_public(as_dict=True)
        return {"keys": [{**public, "kid": self.kid, "alg": "RS256", "use": "sig"}]}

    def configuration(self) -> dict[str, Any]:
        """What it tells of itself to a tool that registers."""
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/auth",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/certs",
            "registration_endpoint": f"{self.url}/register",
            "scopes_supported": [READ_PEOPLE],
            **self.told,
        }

    def auth(self, asked: dict[str, str]) -> str:
        """Return the page that posts itself to the tool."""
        person, code, changes = self._logins[asked["lti_message_hint"]]
        assert asked["client_id"] == self.client_id
        assert asked["redirect_uri"] == f"{self.tool}/rooms/lti/launch/"
        assert asked["login_hint"] == person.sub
        assert (asked["scope"], asked["response_type"]) == ("openid", "id_token")
        assert (asked["response_mode"], asked["prompt"]) == ("form_post", "none")
        claims = self.claims(person, code, asked["nonce"]) | changes.get("claims", {})
        claims = {name: value for name, value in claims.items() if value is not None}
        token = changes.get("signs", self.signed)(claims)
        form = {"id_token": token, "state": asked["state"]}
        if "stores" in changes:
            form["lti_storage_target"] = changes["stores"]
        fields = "".join(
            f'<input type="hidden" name="{k}" value="{escape(v)}">' for k, v in form.items()
        )
        return (
            "<!doctype html><title>School</title>"
            f'<form method="post" action="{escape(asked["redirect_uri"])}">'
            f"{fields}<button>Go</button></form><script>document.forms[0].submit()</script>"
        )

    def token(self, asked: dict[str, str]) -> dict[str, Any]:
        """Give a token to whoever proves to be the tool."""
        assertion = asked["client_assertion"]
        kid = jwt.get_unverified_header(assertion)["kid"]
        (own,) = [key for key in self.tool_keys()["keys"] if key["kid"] == kid]
        said = jwt.decode(
            assertion, jwt.PyJWK(own).key, algorithms=["RS256"], audience=f"{self.url}/token"
        )
        assert said["iss"] == said["sub"] == self.client_id
        assert said["jti"] not in self._assertions
        self._assertions.add(said["jti"])
        self.signed_by.append(kid)
        given = secrets.token_hex(16)
        self.tokens[given] = asked["scope"].split()
        return {"access_token": given, "token_type": "Bearer", "expires_in": 3600}

    def marks_of(self, sub: str) -> list[float]:
        return [one["scoreGiven"] for one in self.scores if one["userId"] == sub]


class _Handler(BaseHTTPRequestHandler):
    platform: CoursePlatform
    protocol_version = "HTTP/1.1"
    timeout = 5

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if self._fails(parts.path):
            return
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/auth":
            self._answer(200, self.platform.auth(asked).encode(), "text/html")
        elif parts.path == "/certs":
            self._json(200, self.platform.certs())
        elif parts.path == "/lineitems" and self._may(f"{SCOPES}lineitem"):
            self._json(200, list(self.platform.lineitems.values()))
        elif parts.path == "/openid-configuration":
            self._json(200, self.platform.configuration())
        elif parts.path == "/members" and self._may(READ_PEOPLE):
            self._members(asked)
        elif parts.path == "/course":
            self._answer(200, _course(self.platform, asked).encode(), "text/html")
        else:
            self._json(404, {})

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self._fails(path):
            return
        if path == "/auth":
            self._answer(200, self.platform.auth(_fields(body)).encode(), "text/html")
        elif path == "/token":
            self._json(200, self.platform.token(_fields(body)))
        elif path == "/register":
            given = self.headers.get("Authorization", "")
            self.platform.registered.append((given, json.loads(body)))
            self._json(200, {"client_id": "given-1", **self.platform.tool_part})
        elif path == "/lineitems" and self._may(f"{SCOPES}lineitem"):
            number = f"{self.platform.url}/lineitems/{len(self.platform.lineitems) + 10}"
            self.platform.lineitems[number] = {**json.loads(body), "id": number}
            self._json(201, self.platform.lineitems[number])
        elif path.endswith("/scores") and self._may(f"{SCOPES}score"):
            self._mark(json.loads(body))
        elif path == "/chosen":
            self.platform.answers.append(_fields(body))
            self._answer(200, b"<!doctype html><title>Course</title><p>Linked", "text/html")
        else:
            self._json(404, {})

    def _members(self, asked: dict[str, str]) -> None:
        """Tell one page of who is in the course, and where the next one is."""
        first, people = int(asked.get("From", 0)), self.platform.people
        after = first + self.platform.page_of
        page = {"id": "x", "context": {"id": "course-private"}, "members": people[first:after]}
        following = f'<{self.platform.url}/members?From={after}>; rel="next"'
        self._answer(
            *(200, json.dumps(page).encode(), "application/json"),
            link=following if after < len(people) else "",
        )

    def _mark(self, score: dict[str, Any]) -> None:
        before = [one for one in self.platform.scores if one["userId"] == score["userId"]]
        if any(one["timestamp"] >= score["timestamp"] for one in before):
            self._json(409, {})
            return
        self.platform.scores.append({**score, "at": self.path})
        self._json(200, {"resultUrl": f"{self.platform.url}/results/1"})

    def _may(self, scope: str) -> bool:
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if scope in self.platform.tokens.get(given, ()):
            return True
        self._json(401, {})
        return False

    def _fails(self, path: str) -> bool:
        word = path.rsplit("/", 1)[-1]
        self.platform.asked.append(word)
        waiting = self.platform.faults.get(word)
        fault = waiting.popleft() if waiting else self.platform.always.get(word)
        if fault is None:
            return False
        time.sleep(fault.wait_s)
        self._answer(fault.status, fault.body, "application/json")
        return True

    def _json(self, status: int, body: Any) -> None:
        self._answer(status, json.dumps(body).encode(), "application/json")

    def _answer(self, status: int, body: bytes, kind: str, link: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if link:
            self.send_header("Link", link)
        if status in (301, 302, 307):
            self.send_header("Location", body.decode())
        self.end_headers()
        try:
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *args: Any) -> None:
        pass


def _course(platform: CoursePlatform, asked: dict[str, str]) -> str:
    """Return a page of a course with its link, or with a frame where ``frame`` is asked."""
    person = platform.person(asked["sub"], asked.get("role", "Learner"))
    changes = {"claims": platform.choice()} if "choose" in asked else {}
    if "choose" in asked:
        changes["target"] = f"{platform.tool}/rooms/lti/choose/"
    if "stores" in asked:
        changes["stores"] = "_parent"
    login = platform.login(person, asked.get("room", ""), **changes)
    address = escape(f"{platform.tool}/rooms/lti/login/?{urlencode(login)}")
    top = "<!doctype html><title>Course</title>"
    if "frame" in asked:
        keeps = STORAGE.replace("TOOL", platform.tool) if "stores" in asked else ""
        return f'{top}{keeps}<iframe width="700" height="700" src="{address}"></iframe>'
    return f'{top}<a href="{address}">Bargaining</a>'


def _fields(body: bytes) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(body.decode()).items()}


class _Inputs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "input" and said.get("name"):
            self.found[said["name"] or ""] = said.get("value") or ""


def _form(page: str) -> dict[str, str]:
    reader = _Inputs()
    reader.feed(page)
    return reader.found
