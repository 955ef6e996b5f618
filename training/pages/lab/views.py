"""Downloads of the labs that came with the code."""

import re
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from arena.gpu_market.trained.cards import CARD

FILES: tuple[tuple[str, str], ...] = (
    ("README.md", "model card"),
    ("model.safetensors", "weights"),
    ("tokenizer.json", "tokenizer"),
    ("tokenizer_config.json", "tokenizer, settings"),
    ("chat_template.jinja", "tokenizer, template"),
    ("config.json", "shape of the network"),
    ("generation_config.json", "generation"),
    (CARD, "what it is called, and how it is spoken to"),
)
"""Files of a shipped lab that may be downloaded."""

AN_HOUR_S = 3600
FOLDER = re.compile("[a-z0-9][a-z0-9-]{0,79}")


def shipped_file(folder: str, name: str) -> Path | None:
    """Find a file of a lab that came with the code; None for anything else."""
    home = Path(settings.SHIPPED_LABS_DIR) / folder
    if not FOLDER.fullmatch(folder) or name not in dict(FILES) or not (home / CARD).is_file():
        return None
    path = home / name
    return path if path.is_file() and not path.is_symlink() else None


@require_safe
@cache_control(public=True, max_age=AN_HOUR_S)
def lab_file(request: HttpRequest, folder: str, name: str) -> FileResponse:
    """Send a file of a shipped lab."""
    path = shipped_file(folder, name)
    if path is None:
        raise Http404("There is no such file of a lab.")
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"{folder}.{name}")
