"""What a hostile program sends: values, bodies, content types."""

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

TEXTS = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "x" * 70_000,
    "नमस्ते" * 2_000,
    "१२३",
    "\u202e\u200b\ufeff",
    "🪔" * 300,
    "<script>alert(1)</script>",
    "{{ 7*7 }}{% debug %}",
    "'; DROP TABLE negotiation_game; --",
    "../../../../etc/passwd",
    "%s%n%00%ff",
    "\r\nSet-Cookie: a=b",
    "__class__",
    "NaN",
    "1e999",
    "-0",
    "9" * 5_000,
    "2026-02-30",
    "sell",
    "public",
)
"""Texts that somebody may have forgotten."""

NUMBERS: tuple[Any, ...] = (
    0,
    -1,
    1,
    0.1,
    -0.0,
    2**31,
    2**53 + 1,
    2**63,
    -(2**63) - 1,
    10**30,
    10**400,
    1e308,
    5e-324,
    float("nan"),
    float("inf"),
    float("-inf"),
)

SHAPES: tuple[Any, ...] = (
    None,
    True,
    False,
    [],
    {},
    [[[[[]]]]],
    [None],
    ["a"] * 3_000,
    {"a": {"a": {"a": None}}},
    {"": ""},
    {"$ne": 1},
    {"__proto__": {"x": 1}},
)

VALUES = (*TEXTS, *NUMBERS, *SHAPES)

RAW_BODIES: tuple[bytes, ...] = (
    b"",
    b" ",
    b"{",
    b"}",
    b"nul",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b'""',
    b"1",
    b"\x00",
    b"\xff\xfe\xfd",
    b'{"a":1}\x00',
    b'\xef\xbb\xbf{"a":1}',
    '{"a":1}'.encode("utf-16"),
    '{"a":1}'.encode("utf-32"),
    b'{"a":"\xc3\x28"}',
    b'{"a":1,"a":2,"a":{}}',
    b"[" * 50_000,
    b"[" * 20_000 + b"]" * 20_000,
    b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    b'{"price":' + b"9" * 6_000 + b"}",
    b'{"price":1e999999}',
    b'{"price":-NaN}',
    b'{"a":"\\ud800"}',
    b'{"a":"\\u0000"}',
    b'{"a":"\\x"}',
    b"{'a':1}",
    b'{"a":1,}',
    b"a=1&b=2&a=3",
    b"&=&=;%zz%00",
    b"x" * 200_000,
)

BOUNDARY = "hostile"

MULTIPART = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n'
    f"Content-Type: application/json\r\n\r\n{{}}\r\n--{BOUNDARY}--\r\n"
).encode()

CONTENT_TYPES = (
    "application/json",
    "application/json; charset=utf-16",
    "application/json; charset=nonsense",
    "application/json;charset",
    f"multipart/form-data; boundary={BOUNDARY}",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=" + "b" * 300,
    "multipart/mixed; boundary=x",
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-7",
    "text/plain",
    "text/xml",
    "application/octet-stream",
    "",
    "nonsense",
    "application/json/json",
)


def written(value: Any) -> bytes:
    """Write a value as JSON, and as what is nearly JSON: NaN, Infinity, lone surrogates."""
    return json.dumps(value).encode()


def a_body(rng: random.Random, known: Mapping[str, Any] | None = None) -> bytes:
    """Return a body: raw, or a known one with some of its fields replaced, missing or doubled."""
    if known is None or rng.random() < 0.3:
        return rng.choice((*RAW_BODIES, MULTIPART))
    fields = dict(known)
    for name in list(fields):
        luck = rng.random()
        if luck < 0.3:
            fields[name] = rng.choice(VALUES)
        elif luck < 0.4:
            del fields[name]
    if rng.random() < 0.15:
        fields[str(rng.choice(TEXTS))[:50]] = rng.choice(VALUES)
    return written(fields)


class Sample:
    """Makes a body that an operation of an OpenAPI schema describes."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._parts = schema.get("components", {}).get("schemas", {})

    def of(self, part: Mapping[str, Any], depth: int = 0) -> Any:
        """Return a plain value of a schema's part."""
        if "$ref" in part:
            return self.of(self._parts[part["$ref"].rsplit("/", 1)[-1]], depth + 1)
        for many in ("anyOf", "oneOf", "allOf"):
            if part.get(many):
                return self.of(part[many][0], depth + 1)
        if "enum" in part:
            return part["enum"][0]
        if "const" in part:
            return part["const"]
        kind = part.get("type")
        if kind == "object" or "properties" in part:
            inside = part.get("properties", {}) if depth < 6 else {}
            return {name: self.of(one, depth + 1) for name, one in inside.items()}
        plain: dict[Any, Any] = {
            "string": "a lamp",
            "integer": 3,
            "number": 120.5,
            "boolean": True,
            "array": [],
        }
        return part.get("default", plain.get(kind))


def each_wrong(known: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a known body once for each field and each hostile value in it."""
    for name in known:
        for value in VALUES:
            yield {**known, name: value}
