"""``manage.py export_gguf CHECKPOINT OUT_DIR``: a Llama checkpoint for llama.cpp and Ollama."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.gguf import ExportError


class Command(BaseCommand):
    """Writes ``<name>.gguf`` and a ``Modelfile``."""

    help = "Write a GGUF file and a Modelfile of a Llama checkpoint (docs/gguf.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("checkpoint", type=Path, help="folder of a model or of a LoRA adapter")
        parser.add_argument("out", type=Path, metavar="OUT_DIR", help="folder of the two files")
        parser.add_argument(
            "--type", choices=("f16", "f32", "q8_0"), default="f16", help="numbers of the weights"
        )
        parser.add_argument("--name", default="sauda-mini", help="of the file (sauda-mini)")
        parser.add_argument("--base", default="", help="whole base of an adapter: folder or hub id")
        parser.add_argument(
            "--template", type=Path, help="file of a template for Ollama, where ours do not fit"
        )
        parser.add_argument("--force", action="store_true", help="replace files that are there")

    def handle(self, *args: Any, **options: Any) -> None:
        # Heavy: transformers.
        from training.gguf.exporting import export

        try:
            made = export(
                options["checkpoint"],
                options["out"],
                name=options["name"],
                numbers=options["type"],
                base=options["base"],
                template=_text(options["template"]),
                force=options["force"],
            )
        except ExportError as wrong:
            raise CommandError(str(wrong)) from wrong
        size, numbers = made.bytes / 1e6, options["type"]
        self.stdout.write(f"{made.weights}: {size:.1f} MB, {made.tensors} tensors, {numbers}.")
        self.stdout.write(f"ollama create {options['name']} -f {made.modelfile}")


def _text(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise CommandError(f"{path} cannot be read: {wrong}.") from wrong
    if not text or '"""' in text:
        raise CommandError(f'{path} must hold a template, without """.')
    return text
