"""Check a replay or a study that was taken home, without the site it came from.

    python examples/check_export.py bazaarbatna-7h2k.json
    python examples/check_export.py bazaarbatna-7h2k.json --keys keys.json
    python examples/check_export.py study/ --keys keys.json

``keys.json`` is what the site shows at /.well-known/bazaarbatna-keys.json: fetch it yourself, from
the site that you trust. Needs the package ``cryptography`` and nothing else of this repository.
Ends with 0 if the file is signed and unchanged, and by a key of ``--keys`` where that is given.
"""

import argparse
import base64
import hashlib
import json
import sys
from decimal import Decimal
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def raw(text):
    """Read base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(value):
    """Write a number as RFC 8785 asks: 170 for 170.0, 0.5, 1e-7."""
    if isinstance(value, int) or value == 0:
        return str(int(value))
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    digits, _, power = repr(value).partition("e")
    return f"{digits.removesuffix('.0')}e{int(power):+d}"


def canonical(value):
    """Write JSON in its one canonical form: keys sorted, no spaces, UTF-8."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def once(pairs):
    """Refuse an object in which a key stands twice: two programs could read two things."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def read(path):
    """Read JSON that means one thing."""
    return json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=once)


def signer(signature, content):
    """Return the id of the key that signed these bytes, or None."""
    public = raw(signature["public_key"])
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(raw(signature["value"]), content)
    except InvalidSignature:
        return None
    return hashlib.sha256(public).hexdigest()[:16]


def signed_content(path):
    """Return the signature of a file or a folder and the bytes that it was made over."""
    if path.is_dir():
        file = path / "SIGNATURE.json"
        content = b"bazaarbatna study 1\n" + (path / "SHA256SUMS").read_bytes()
        return (read(file) if file.exists() else None), content
    told = read(path)
    signature = told.get("signature")
    if signature:
        told["signature"] = {name: v for name, v in signature.items() if name != "value"}
    return signature, b"bazaarbatna replay 1\n" + canonical(told).encode()


def check_sums(folder):
    """Hold every file of a study against its sum."""
    for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ", 1)
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            return f"{name} was changed."
    return "The files match their sums."


def check_commitment(path):
    """Hold the opened numbers of a game against what was promised before its first move."""
    told = read(path)
    if "commitment" not in told:
        return "This game has no sealed numbers."
    text = told["committed_text"]
    fits = hashlib.sha256(text.encode()).hexdigest() == told["events"][0]["commitment"]
    salt, _, sealed = text.partition(":")
    prices = json.loads(sealed)
    same = salt == told["salt"] and prices["reservation"] == round(
        told["opened"]["reservation"] * 100
    )
    if fits and same:
        return "The sealed numbers match their commitment."
    return "The sealed numbers do NOT match their commitment."


def main():
    """Check what the command line names."""
    parser = argparse.ArgumentParser(description="Check a file that was taken home.")
    parser.add_argument("path", type=Path, help="a replay, or the folder of a study")
    parser.add_argument("--keys", type=Path, help="the public keys of the site that you trust")
    asked = parser.parse_args()
    print((check_sums if asked.path.is_dir() else check_commitment)(asked.path))
    signature, content = signed_content(asked.path)
    if not signature:
        print("Not signed: words may have been changed.")
        return 1
    key = signer(signature, content)
    if key is None:
        print("The signature does not fit: the file was changed after it was signed.")
        return 1
    if asked.keys is None:
        print(f"Signed by the key {key}, and unchanged since. Whose key that is, --keys tells.")
        return 0
    if key not in {kept["kid"] for kept in json.loads(asked.keys.read_text())["keys"]}:
        print(f"Signed by another house, key {key}, and unchanged since.")
        return 1
    print("Every word is signed by the house whose keys you gave.")
    if signature["of"] == "what-if":
        print("It is a what-if: another move was put in, and the game played on.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
