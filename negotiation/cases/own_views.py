"""Writing a case of one's own: the form with its preview, the file, what an account keeps."""

from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bazaarbatna.cases.case import Case, CaseError
from negotiation.cases.form import (
    CURRENCIES,
    LANGUAGES,
    Draft,
    change,
    draft_from,
    draft_of,
    new_issue,
    said,
    with_paths,
)
from negotiation.cases.own import (
    MOST_LETTERS,
    OWN,
    ChangedMeanwhile,
    TooMany,
    cases,
    from_form,
    keep,
    own_of,
    read_file,
    to_file,
)
from negotiation.cases.table import author_context
from negotiation.cases.views import begun
from negotiation.errors import RateLimited
from negotiation.limits import request_key, spend
from negotiation.models import OwnCase

PAGE = "cases/own.html"
SHAPES = ("add", "option", "up", "drop")
"""What changes how many fields a form has."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest, own_id: str = "") -> HttpResponse:
    """Show the form of a case; a post checks it, changes its shape, keeps it, or plays it."""
    row = _row(request, own_id)
    if request.method != "POST":
        return _begun(request, row)
    try:
        spend("frames", request_key(request))
    except RateLimited as wrong:
        return _shown(request, draft_from(request.POST.dict()), row, [wrong.detail], 429)
    verb = request.POST.get("do", "")
    if verb == "read":
        sent = request.FILES.get("file")
        raw = sent.read(200_000).decode(errors="replace") if sent else request.POST.get("text", "")
        return _read(request, row, raw, draft_from(request.POST.dict()), 422)
    if verb == "forget" and row is not None:
        row.delete()
        return redirect("case-own")
    draft = draft_from(request.POST.dict())
    if verb.partition(":")[0] in SHAPES:
        change(draft, verb)
        return _shown(request, draft, row)
    try:
        case = from_form(draft)
    except CaseError as wrong:
        faults = [said(draft, fault) for fault in wrong.faults]
        return _shown(request, draft, row, faults, 422)
    return _used(request, verb, draft, case, row)


def _used(
    request: HttpRequest, verb: str, draft: Draft, case: Case, row: OwnCase | None
) -> HttpResponse:
    """Do with a case that is whole what was asked for."""
    if verb == "file":
        headers = {"Content-Disposition": f'attachment; filename="{case.id}.toml"'}
        return HttpResponse(to_file(case), content_type="application/toml", headers=headers)
    context = {**_context(request, draft, row), **author_context(case), "file": to_file(case)}
    if "seat" in request.POST:
        return begun(request, case, PAGE, context)
    if verb == "keep" and isinstance(request.user, User):
        try:
            kept = keep(request.user, case, row, request.POST.get("seen", ""))
        except ChangedMeanwhile:
            now = OwnCase.objects.filter(pk=row.pk).first() if row else None
            context |= {"is_older": True, "seen": now.changed_at.isoformat() if now else ""}
            return render(request, PAGE, context, status=409)
        except TooMany as wrong:
            return render(request, PAGE, {**context, "problem": str(wrong)}, status=409)
        return redirect("case-own-one", kept.pk)
    return render(request, PAGE, {**context, "no_account": verb == "keep"})


def _row(request: HttpRequest, own_id: str) -> OwnCase | None:
    if not own_id:
        return None
    if not isinstance(request.user, User):
        raise Http404
    return get_object_or_404(OwnCase, pk=own_id, owner=request.user)


def _begun(request: HttpRequest, row: OwnCase | None) -> HttpResponse:
    """Show what a form begins with: what was kept, a case of the shelf to change, or little."""
    if row is not None:
        return _read(request, row, row.text, {**_blank(), "title": {"en": row.title}}, 200)
    known = cases().get(request.GET.get("from", ""))
    return _shown(request, draft_of(known) if known is not None else _blank(), None)


def _blank() -> Draft:
    return {
        "languages": ["en"],
        "currency": "INR",
        "limits": "hard",
        "rounds": "10",
        "a": {"outside": "0"},
        "b": {"outside": "0"},
        "issues": [new_issue("number"), new_issue("choice")],
    }


def _read(
    request: HttpRequest, row: OwnCase | None, raw: str, draft: Draft, status: int
) -> HttpResponse:
    """Fill the form from a file; where it cannot be read, show it with what is wrong, and a draft.

    ``status`` is that of an answer with faults.
    """
    try:
        case = read_file(raw)
    except CaseError as wrong:
        faults = [said(draft, fault) for fault in wrong.faults]
        context = {**_context(request, draft, row), "file_faults": faults, "file": raw}
        return render(request, PAGE, context, status=status)
    return _shown(request, draft_of(case), row)


def _shown(
    request: HttpRequest,
    draft: Draft,
    row: OwnCase | None,
    faults: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = _context(request, draft, row)
    if faults is None:
        try:
            case = from_form(draft)
        except CaseError:
            pass  # nobody is blamed for a form that has just grown
        else:
            context |= {**author_context(case), "file": to_file(case)}
    return render(request, PAGE, {**context, "faults": faults}, status=status)


def _context(request: HttpRequest, draft: Draft, row: OwnCase | None) -> dict[str, Any]:
    draft = with_paths({**draft, "languages": draft.get("languages") or ["en"]})
    return {
        "draft": draft,
        "row": row,
        "seen": row.changed_at.isoformat() if row else "",
        "room_case": f"{OWN}{row.pk}" if row else "",
        "kept": own_of(request.user),
        "shelf": cases().values(),
        "languages": LANGUAGES.items(),
        "currencies": CURRENCIES,
        "most_letters": MOST_LETTERS,
        "has_account": isinstance(request.user, User),
    }
