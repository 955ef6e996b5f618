"""Receipts, loaded as a fresh clone loads them."""

import hashlib
import io
from unittest import mock

from django.core.management import call_command

from training.evaluation import published
from training.runs import lifecycle

_read: dict[str, published.Receipt] = {}
"""What holds, by the bytes of its files: to sum its bargains up again takes seconds."""


def load_receipts(*arguments: str) -> str:
    """Load the receipts that lie beside the code; give what the command says."""
    out = io.StringIO()
    with mock.patch("training.management.commands.load_receipts.read", _read_once):
        call_command("load_receipts", *arguments, stdout=out)
    return out.getvalue()


def _read_once(name: str) -> published.Receipt:
    digest = hashlib.sha256(name.encode())
    for path in sorted((lifecycle.RECEIPTS / name).iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    key = digest.hexdigest()
    if key not in _read:
        _read[key] = published.read(name)
    return _read[key]
