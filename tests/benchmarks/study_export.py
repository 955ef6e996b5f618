"""What it takes to export a large study: seconds, peak memory, bytes, and the check of it.

    python -m tests.benchmarks.study_export --games 5000

The study is made in a database of its own and has pairs who chat; memory is the peak of what Python
holds while the files are written, and should hardly grow with the games.
"""

import argparse
import os
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any


def main() -> None:
    """Make, export, check, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=5000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        os.environ["DJANGO_SETTINGS_MODULE"] = "bazaar_site.settings"
        os.environ["BAZAAR_DATA_DIR"] = place
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        room = fill(asked.games)
        report(room, Path(place) / "study")


def fill(games: int) -> Any:
    """Make a study of pairs: one game that was played, stored again and again."""
    from django.db import transaction

    from negotiation.models import EventRow, Game, SealedRecord
    from rooms.models import Member, RoomGame
    from tests.support.studies import a_deal, a_participant, a_study

    room = a_study().room
    first = a_deal(room, a_participant(room, "Asha"), a_participant(room, "Ravi"))
    events = list(EventRow.objects.filter(game=first.game))
    scenario = SealedRecord.objects.get(game=first.game).scenario
    template = Member.objects.get(pk=first.seller_id)
    for begin in range(1, games, 500):
        numbers = range(begin, min(begin + 500, games))
        with transaction.atomic():
            people = Member.objects.bulk_create(
                Member(
                    room=room, number=2 * number + side, nickname=f"{number}-{side}",
                    session=f"{number}-{side}", external_id=f"id-{number}-{side}", arm="chat",
                    consented_at=template.consented_at, finished_at=template.finished_at,
                )
                for number in numbers
                for side in (1, 2)
            )  # fmt: skip
            made = Game.objects.bulk_create(_again(first.game) for _ in numbers)
            SealedRecord.objects.bulk_create(
                SealedRecord(game=game, scenario=scenario) for game in made
            )
            RoomGame.objects.bulk_create(
                RoomGame(room=room, game=game, round=1, seller=people[2 * place],
                         buyer=people[2 * place + 1])
                for place, game in enumerate(made)
            )  # fmt: skip
            EventRow.objects.bulk_create(
                EventRow(game=game, seq=row.seq, kind=row.kind, payload=row.payload,
                         backend=row.backend, policy_version=row.policy_version,
                         latency_ms=row.latency_ms)
                for game in made
                for row in events
            )  # fmt: skip
    return room


def _again(game: Any) -> Any:
    from negotiation.models import Game, new_game_id

    names = [field.attname for field in Game._meta.concrete_fields if not field.primary_key]
    return Game(pk=new_game_id(), **{name: getattr(game, name) for name in names})


def report(room: Any, folder: Path) -> None:
    """Export twice, for time and for memory, and check what was written."""
    from rooms.export.checking import check
    from rooms.export.writing import export_to

    began = time.perf_counter()
    told = export_to(room, folder)
    seconds = time.perf_counter() - began
    tracemalloc.start()
    export_to(room, folder)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    began = time.perf_counter()
    found = check(folder)
    checked = time.perf_counter() - began
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(
        f"{told['rows']['games']:,} games, {told['rows']['events']:,} events, {size / 1e6:.0f} MB"
    )
    print(f"written in {seconds:.1f} s, peak of Python's memory {peak / 1e6:.1f} MB")
    print(f"checked in {checked:.1f} s: {len(found.faults)} faults, {found.games:,} games")


if __name__ == "__main__":
    main()
