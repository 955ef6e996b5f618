"""The site as an ASGI application whose decoder of photos stands still until it is let go.

As many uploads wait as the test wants, and for as long; ``HELD`` names the file that lets them go.
"""

import os
import sys

from bazaar_site.asgi import application
from negotiation.bargain import photos

HELD = "HELD_DECODER"
MOST = 60

_WAITS = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.05)"

if HELD in os.environ:
    photos.DECODER = (sys.executable, "-c", _WAITS, os.environ[HELD])
    photos.PATIENCE_S = photos.WALL_S = 300
    photos.MOST_UPLOADS = photos.MOST_OF_ONE = MOST

__all__ = ["application"]
