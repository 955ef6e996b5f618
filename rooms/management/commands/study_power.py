"""``manage.py study_power``: how many people a study needs (docs/power.md)."""

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from rooms.power.outcomes import BUYERS, GAMES, TABLE, outcomes, play_table
from rooms.power.simulating import MEASURES, Answer, NoSuchStudy, Question, answer

RANGES: dict[str, tuple[float, float, str]] = {
    "effect": (0.005, 0.5, "smallest that matters, "), "arms": (2, 6, ""),
    "alpha": (0.001, 0.2, ""), "power": (0.5, 0.99, ""),
    "lost": (0.0, 0.9, "who does not finish, "), "games": (1, 20, "of each person or pair, "),
    "icc": (0.0, 1.0, "how alike the games of one person are, "),
}  # fmt: skip


class Command(BaseCommand):
    """Answers as the page does; can also play the games again that both draw from."""

    help = "Say how many participants a study needs to find an effect."

    def add_arguments(self, parser: ArgumentParser) -> None:
        plain = Question()
        parser.add_argument("--against", choices=list(BUYERS), default=plain.against)
        parser.add_argument("--measure", choices=list(MEASURES), default=plain.measure)
        for name, (least, most, about) in RANGES.items():
            usual, told = getattr(plain, name), f"{about}{least} to {most}"
            parser.add_argument(f"--{name}", type=type(usual), default=usual, help=told)
        parser.add_argument("--list", action="store_true", help="what sellers get from each buyer")
        parser.add_argument(
            "--make-table", action="store_true", help=f"play {GAMES:,} games with every buyer again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["make_table"]:
            TABLE.write_bytes(msgspec.json.encode(play_table()) + b"\n")
            self.stdout.write(f"{TABLE.name}: {GAMES:,} games with each of {len(BUYERS)} buyers.")
        elif options["list"]:
            for name in BUYERS:
                played = outcomes(name)
                self.stdout.write(
                    f"{name}: share {played.shares.mean():.3f} (spread {played.shares.std():.3f}), "
                    f"deals {played.deals.mean():.3f}"
                )
        else:
            question = self._question(options)
            try:
                self._say(question, answer(question))
            except NoSuchStudy as wrong:
                raise CommandError(f"{type(wrong).__doc__} ({wrong})") from wrong

    def _question(self, options: dict[str, Any]) -> Question:
        names = Question.__struct_fields__
        question = Question(**{name: options[name] for name in names})
        for name, (least, most, _) in RANGES.items():
            if not least <= getattr(question, name) <= most:
                raise CommandError(f"--{name} lies between {least} and {most}.")
        return question

    def _say(self, question: Question, found: Answer) -> None:
        thing = "pairs" if question.is_paired else "people"
        self.stdout.write(
            f"{found.units} {thing} in each of {question.arms} arms "
            f"(95 %: {question.units(found.low)} to {question.units(found.high)}; "
            f"closed formula: {found.formula})."
        )
        self.stdout.write(
            f"{found.finish} people who finish; invite {found.invite} "
            f"({found.invite_low} to {found.invite_high})."
        )
        self.stdout.write(
            f"Without an effect {found.false_alarms:.1%} of such studies find one; "
            f"level {question.level:.3g} for each comparison."
        )
