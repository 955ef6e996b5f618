"""Pages go over the wire compressed."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXT = ("text/", "application/json", "image/svg+xml")


class CompressText(GZipMiddleware):
    """Compresses what is text; pictures and archives come compressed as they are.

    Django adds a random number of bytes to each answer, so that its length tells nothing of a
    secret beside what a visitor typed (the attack is called BREACH).
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer, compressed where its kind and the browser allow it."""
        if response.headers.get("Content-Type", "").startswith(TEXT):
            return super().process_response(request, response)
        return response
