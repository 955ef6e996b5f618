"""Downloads of the labs that came with the code."""

from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from training.pages.lab.downloads import shipped_file

AN_HOUR_S = 3600


@require_safe
@cache_control(public=True, max_age=AN_HOUR_S)
def lab_file(request: HttpRequest, folder: str, name: str) -> FileResponse:
    """Send a file of a shipped lab."""
    path = shipped_file(folder, name)
    if path is None:
        raise Http404("There is no such file of a lab.")
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"{folder}.{name}")
