"""Where the pages of a market say how its frames are drawn, for sockets that ask for HTML.

The pages are a room above this one: they call ``draw_with`` once, when the site starts.
"""

import logging
from collections.abc import Callable, Mapping

from arena.gpu_market.web.visibility import Frame, Viewer
from arena.market_models import MarketMatch

log = logging.getLogger(__name__)

Draw = Callable[
    [MarketMatch, list[Frame], list[Frame], Viewer], tuple[list[Frame], Mapping[str, str]]
]
"""Takes a match, all its frames for a viewer and the new ones among them; gives the new ones with
their ``html``, and the panels that are drawn as a whole, by id."""

_drawers: list[Draw] = []


def draw_with(draw: Draw) -> None:
    """From now on frames are drawn like this."""
    _drawers[:] = [draw]


def drawn(
    match: MarketMatch, frames: list[Frame], new: list[Frame], viewer: Viewer
) -> tuple[list[Frame], Mapping[str, str]]:
    """Draw what is new; as it is where nobody draws, or the picture fails."""
    for draw in _drawers:
        try:
            return draw(match, frames, new, viewer)
        # A picture that cannot be drawn must not keep the news from anybody.
        except Exception:
            log.exception("a market could not be drawn", extra={"game": match.pk})
    return new, {}
