"""``manage.py study_power``: how many people a study needs (docs/power.md)."""

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from rooms.power.outcomes import BUYERS, GAMES, TABLE, outcomes, play_table
from rooms.power.simulating import MEASURES, Answer, NoSuchStudy, Question, answer


class Command(BaseCommand):
    """Answers as the page does; can also play the games again that both draw from."""

    help = "Say how many participants a study needs to find an effect."

    def add_arguments(self, parser: ArgumentParser) -> None:
        plain = Question()
        parser.add_argument("--against", choices=list(BUYERS), default=plain.against)
        parser.add_argument("--measure", choices=list(MEASURES), default=plain.measure)
        parser.add_argument(
            "--effect", type=float, default=plain.effect, help="smallest that matters, 0.005..0.5"
        )
        parser.add_argument("--arms", type=int, default=plain.arms)
        parser.add_argument("--alpha", type=float, default=plain.alpha)
        parser.add_argument("--power", type=float, default=plain.power)
        parser.add_argument("--lost", type=float, default=plain.lost, help="who does not finish")
        parser.add_argument("--games", type=int, default=plain.games, help="of each person or pair")
        parser.add_argument(
            "--icc",
            type=float,
            default=plain.icc,
            help="how alike the games of one person are, 0..1",
        )
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
        for name, (least, most) in {
            "effect": (0.005, 0.5), "arms": (2, 6), "alpha": (0.001, 0.2),
            "power": (0.5, 0.99), "lost": (0.0, 0.9), "games": (1, 20), "icc": (0.0, 1.0),
        }.items():  # fmt: skip
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
