"""How long a bot's play takes, and how many answers a second a client gets.

A bot that answers at once plays all sampled suites in this process, without a socket: its games,
the house's on the same seeds, its check. Then a client plays the same over one socket of the served
site, one question after the other.

    python -m tests.benchmarks.bots
    python -m tests.benchmarks.bots --episodes 1
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import httpx
from websockets.sync.client import connect

from tests.support.servers import Site


def play_here(episodes: int) -> None:
    """Play with a bot in this process, from its start to its verdict."""
    # Django reads where its data lie when it is set up.
    from tests.support.bots import halfway, plays_all_games
    from training.bots import plays, results, tasks
    from training.bots.owners import register

    tasks.enqueue = lambda _run_id: None  # the worker is this process
    bot, _ = register("Haggler", "asha")
    play = plays.begin_play(bot, episodes)
    began, seen = time.perf_counter(), 0
    for session in ("one", "two"):
        seen += len(plays_all_games(bot, session, halfway))
        tasks.advance(play.pk)
    took = time.perf_counter() - began
    play.refresh_from_db()
    assert play.is_verified
    rows = results.stored_rows(play)
    own = sum(row.policy == bot.policy for row in rows)
    fresh = plays.begin_play(bot, episodes)  # other seeds: nothing of them is in memory
    began = time.perf_counter()
    house = list(results._reference_rows(fresh))
    house_s = time.perf_counter() - began
    assert len(house) == len(rows) - own
    print(f"in one process {own:6,} bargains  {seen:6,} looks  {took:6.1f} s until verified")
    print(f"   for another {len(house):6,} bargains of the house  {house_s:6.1f} s")


def play_as_a_client(episodes: int, folder: Path) -> None:
    """Play all rated games over one socket."""
    from tests.support.bots import halfway

    environment = {"BAZAAR_BOT_EPISODES": str(episodes)}
    with Site(folder, catalogue=False, **environment) as site:
        token = _token(site)
        with connect(f"{site.ws_url}/env/bots/ws") as line:
            answers, began = 0, time.perf_counter()
            line.send(json.dumps({"type": "reset", "data": {"token": token}}))
            while (told := json.loads(line.recv()))["type"] == "observation":
                data = told["data"]
                if data["done"]:
                    line.send('{"type": "reset"}')
                    continue
                answers += 1
                line.send(json.dumps({"type": "step", "data": halfway(data["observation"])}))
            took = time.perf_counter() - began
    assert "summed up" in told["data"]["message"]
    print(f"as a client    {answers:6,} answers  {took:6.1f} s  {answers / took:6.0f} a second")


def _token(site: Site) -> str:
    answer = httpx.post(f"{site.url}/api/bots/", json={"name": "Haggler"})
    return str(answer.raise_for_status().json()["token"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=40, help="bargains in each suite")
    episodes = parser.parse_args().episodes
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder, "worker")
        here.mkdir()
        os.environ["BAZAAR_DATA_DIR"] = str(here)
        os.environ["DJANGO_SETTINGS_MODULE"] = "bazaar_site.settings"
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        play_here(episodes)
        play_as_a_client(episodes, Path(folder, "site"))


if __name__ == "__main__":
    main()
