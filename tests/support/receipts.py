"""Receipts, loaded as a fresh clone loads them."""

import io

from django.core.management import call_command


def load_receipts(*arguments: str) -> str:
    """Load the receipts that lie beside the code; give what the command says."""
    out = io.StringIO()
    call_command("load_receipts", *arguments, stdout=out)
    return out.getvalue()
