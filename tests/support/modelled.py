"""A served site whose remote models are servers that do what a test tells them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Say
from tests.support.model_protocols import MODEL
from tests.support.servers import Site

BUDGET_S = 2.4
"""What all models together may take for one turn on the tested site."""

SLACK_S = 30.0
"""What a busy test machine may add to a turn; a silent model is silent for longer."""

OPEN_S = 3600.0
"""How long a failing model is left alone there: longer than any test."""

TOKEN = "hf_a_secret_of_the_operator"
AN_OFFER = '{"action": "offer", "price": 1100, "message": "Bhai thoda sahi lagao, 1100 theek hai"}'


class Models:
    """The site, and the servers behind its two remote backends."""

    def __init__(self, site: Site, hf: FaultyServer, ollama: FaultyServer) -> None:
        self.site, self.hf, self.ollama = site, hf, ollama

    def forget(self) -> None:
        """Let both answer well, and close every breaker."""
        for server in (self.hf, self.ollama):
            server.reset()
            server.always(Say(AN_OFFER))
        self.site.execute("delete from agents_breakerrow")

    def let_the_breakers_time_pass(self) -> None:
        """Let every model that is left alone have been so for long enough."""
        self.site.execute("update agents_breakerrow set open_until = %s", "2020-01-01 00:00:00")

    def served(self, game_id: str) -> list[tuple[str, list[dict[str, Any]]]]:
        """Who made each move of the house, and who was passed over."""
        rows = self.site.query(
            "select backend, passed_over from negotiation_eventrow where game_id = %s "
            "and kind in ('offer', 'accept', 'walk') and backend <> '' order by seq",
            game_id,
        )
        return [(name, json.loads(passed)) for name, passed in rows]

    def whys(self, game_id: str) -> list[str]:
        """Why hf did not serve the last turn."""
        return [one["why"] for one in self.served(game_id)[-1][1] if one["backend"] == "hf"]


@contextmanager
def a_modelled_site(
    folder: Path, *, catalogue: bool = False, **environment: str
) -> Iterator[Models]:
    """Serve a site with both remote backends configured."""
    wide = {f"SAUDA_GATE_PER_{window}": "10000" for window in ("MINUTE", "HOUR", "DAY")}
    with FaultyServer() as hf, FaultyServer() as ollama:
        settings = {
            "SAUDA_HF_URL": hf.url,
            "SAUDA_HF_TOKEN": TOKEN,
            "SAUDA_OLLAMA_URL": ollama.url,
            "SAUDA_OLLAMA_MODEL": MODEL,
            "SAUDA_TURN_BUDGET_S": str(BUDGET_S),
            "SAUDA_HF_TIMEOUT_S": "1.2",
            "SAUDA_OLLAMA_TIMEOUT_S": "1.1",
            "SAUDA_BREAKER_OPEN_S": str(OPEN_S),
            "SAUDA_GATE_DAILY_CALLS": "10000",
            "SAUDA_PROBE_EVERY_S": "2",
            **wide,
            **environment,
        }
        with Site(folder, catalogue=catalogue, **settings) as site:
            yield Models(site, hf, ollama)


def is_bid(frame: dict[str, Any]) -> bool:
    """Whether a frame is an offer of the buyer."""
    return frame["event"]["kind"] == "offer" and frame["event"]["actor"] == "buyer"
