"""The key that signs sessions: given by the operator, or made once and kept."""

import os
import secrets
from pathlib import Path

from pydantic import SecretStr


def secret_key(given: SecretStr | None, data_dir: Path) -> str:
    """Return the given key, else the one kept in ``data_dir`` (made at the first start)."""
    if given is not None:
        return given.get_secret_value()
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / "secret_key"
    try:
        # O_EXCL: of two processes that start together only one writes the key.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    return key
