"""The forms of pages, as a program finds them: where they go, and the fields they have."""

from html.parser import HTMLParser

import httpx

FIELDS = ("input", "select", "textarea", "button")


class Forms(HTMLParser):
    """Collects ``found``: (action, {name: value}) for each form that posts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.found: list[tuple[str, dict[str, str]]] = []
        self._fields: dict[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and (given.get("method", "").lower() == "post" or "hx-post" in given):
            self._fields = {}
            action = given.get("hx-post") or given.get("action") or self.page
            self.found.append((action, self._fields))
        elif self._fields is not None and tag in FIELDS and given.get("name"):
            self._fields[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None


def forms_at(client: httpx.Client, pages: tuple[str, ...]) -> list[tuple[str, dict[str, str]]]:
    """Return the forms of all these pages, each action once."""
    found: dict[str, dict[str, str]] = {}
    for page in pages:
        answer = client.get(page, follow_redirects=True)
        reader = Forms(str(answer.url.path))
        reader.feed(answer.text)
        for action, fields in reader.found:
            found.setdefault(action, {}).update(fields)
    return sorted(found.items())
