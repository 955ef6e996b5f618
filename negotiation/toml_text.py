"""Plain values written as TOML that people can read and change."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any


def as_toml(values: Mapping[str, Any]) -> str:
    """Write a table with its tables; nothing in it may be None.

    >>> print(as_toml({"name": "x", "parts": [{"a": 1}, {"a": [2, 3]}]}), end="")
    name = "x"
    <BLANKLINE>
    [[parts]]
    a = 1
    <BLANKLINE>
    [[parts]]
    a = [2, 3]
    """
    return "\n".join(_table(values, "")).lstrip("\n") + "\n"


def _table(values: Mapping[str, Any], path: str) -> Iterator[str]:
    inner = {key: one for key, one in values.items() if _is_table(one)}
    for key, one in values.items():
        if key not in inner:
            yield f"{key} = {_value(one)}"
    for key, one in inner.items():
        if not one:
            continue
        name = f"{path}.{key}" if path else key
        if isinstance(one, Mapping):
            yield from ("", f"[{name}]")
            yield from _table(one, name)
        else:
            for part in one:
                yield from ("", f"[[{name}]]")
                yield from _table(part, name)


def _is_table(value: object) -> bool:
    is_tables = isinstance(value, list) and value and isinstance(value[0], Mapping)
    return isinstance(value, Mapping) or bool(is_tables)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str() if "\n" in value:
            body = value.replace("\\", "\\\\").replace('"""', '""\\"')
            # A quote at the end would close one too early.
            body = f'{body[:-1]}\\"' if body.endswith('"') else body
            return f'"""\n{_escaped(body)}"""'
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return "[" + ", ".join(_value(one) for one in value) + "]"
        case _:
            return str(value)


def _escaped(text: str) -> str:
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", text)
