"""Settings of a measured site whose voice speaks; ``VOICE_MODELS`` has a card that says so."""

import os
from pathlib import Path

from bazaar_site.settings import *  # noqa: F403

SHIPPED_MODELS_DIR = Path(os.environ["VOICE_MODELS"])
