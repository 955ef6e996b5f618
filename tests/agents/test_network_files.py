"""A network's folder: read once, refused in words, played without torch."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from agents.buyers.network import (
    CARD,
    STYLES,
    WEIGHTS,
    WrongNetwork,
    digest_of,
    load_network,
    save_network,
)
from agents.buyers.network_buyer import FOLDER, network_in, shipped_network

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped network that a test may break."""
    network, card = network_in(shipped_network())
    save_network(tmp_path / FOLDER, network.weights, card)
    return tmp_path / FOLDER


def with_card(folder: Path, **changes: Any) -> None:
    card = msgspec.json.decode((folder / CARD).read_bytes())
    (folder / CARD).write_bytes(msgspec.json.encode({**card, **changes}))


def test_what_was_written_down_is_what_is_read(folder: Path) -> None:
    network, card = load_network(folder)
    shipped, shipped_card = network_in(shipped_network())
    assert card == shipped_card
    assert set(network.weights) == set(shipped.weights)
    for name, array in network.weights.items():
        np.testing.assert_array_equal(array, shipped.weights[name])


def test_the_card_carries_the_digest_of_the_shipped_weights() -> None:
    _, card = network_in(shipped_network())
    assert card.digest == digest_of(load_file(shipped_network() / WEIGHTS))
    assert card.name == FOLDER


def test_the_digest_is_that_of_every_number() -> None:
    weights = load_file(shipped_network() / WEIGHTS)
    changed = {name: array.copy() for name, array in weights.items()}
    changed["worth.4.bias"][0] += 0.001
    assert digest_of(changed) != digest_of(weights)


def test_a_network_of_other_features_is_refused(folder: Path) -> None:
    with_card(folder, features="features-0")
    with pytest.raises(WrongNetwork, match=f"features-0; this code plays {' and '.join(STYLES)}"):
        load_network(folder)


def test_a_network_of_other_choices_is_refused(folder: Path) -> None:
    weights = load_file(folder / WEIGHTS)
    weights["choose.4.bias"] = np.zeros(len(weights["choose.4.bias"]) + 1, dtype=np.float32)
    save_file(weights, folder / WEIGHTS)
    with pytest.raises(WrongNetwork, match="Train it anew"):
        load_network(folder)


@pytest.mark.parametrize("missing", [CARD, WEIGHTS])
def test_a_folder_without_a_file_is_refused(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(WrongNetwork, match=f"{FOLDER} holds no network"):
        load_network(folder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"name": 3}'])
def test_a_card_that_is_none_is_refused(folder: Path, content: bytes) -> None:
    (folder / CARD).write_bytes(content)
    with pytest.raises(WrongNetwork, match="holds no network"):
        load_network(folder)


@pytest.mark.parametrize("content", [b"", b"torn", b"\xff" * 64], ids=["empty", "short", "noise"])
def test_weights_that_cannot_be_read_are_refused(folder: Path, content: bytes) -> None:
    (folder / WEIGHTS).write_bytes(content)
    with pytest.raises(WrongNetwork, match="holds no network"):
        load_network(folder)


def test_weights_of_another_model_are_refused(folder: Path) -> None:
    save_file({"embed.weight": np.zeros((4, 4), dtype=np.float32)}, folder / WEIGHTS)
    with pytest.raises(WrongNetwork, match="holds no network"):
        load_network(folder)


def test_playing_it_never_imports_torch(tmp_path: Path) -> None:
    script = (
        "import sys, django\n"
        "django.setup()\n"
        "from agents.buyers.network_buyer import NetworkBuyer\n"
        "from tests.support.positions import a_position\n"
        "move = NetworkBuyer(1).act(a_position((1800, 1500), (900,)))\n"
        "print(bool(move.text), sorted({'torch', 'transformers'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "bazaar_site.settings",
            "BAZAAR_DATA_DIR": str(tmp_path),
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "[]"]
