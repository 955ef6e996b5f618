"""The preview image of a replay, and the switch between private and public."""

import hashlib

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from negotiation.bargain.web.game_page import visitor
from replays.finished import finished, replay_frames
from replays.preview.card import card_of
from replays.preview.image import VERSION, draw
from replays.preview.sharing import NotYours, ParentIsPrivate, publish, withdraw

DONE = {
    True: "Everybody with the link can see this replay now, and it stands in the list.",
    False: "Only you see this replay now. Its what-ifs are seen by those alone who asked them.",
}


@require_safe
def card_image(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send the preview image to whoever may see the replay."""
    game = finished(request, game_id)
    card = card_of(game, replay_frames(game))
    digest = hashlib.sha256(msgspec.json.encode((VERSION, card))).hexdigest()
    etag = f'"{digest[:32]}"'
    # What the browser has already is not drawn again.
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(draw(card), content_type="image/png")
    response["ETag"] = etag
    # Private: a replay can be taken back, so no shared cache may keep its image.
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie"])
    return response


@require_POST
def share(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make an own replay public (``public=1``) or private again."""
    game = finished(request, game_id)
    public = request.POST.get("public") == "1"
    try:
        (publish if public else withdraw)(game, visitor(request))
    except (NotYours, ParentIsPrivate) as wrong:
        messages.error(request, wrong.detail)
    else:
        messages.success(request, DONE[public])
    return redirect("replay", game.pk)
