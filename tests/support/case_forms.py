"""The form of a case, filled in as a browser would send it."""

from bazaarbatna.cases.case import Case
from negotiation.cases.form import Draft, draft_of


def fields_of(case: Case) -> dict[str, str]:
    """Every field of a case's form with what stands in it."""
    draft = draft_of(case)
    flags = {f"languages.{one}": "1" for one in draft.pop("languages")}
    return {**flags, **dict(_flat(draft, ""))}


def _flat(told: Draft, path: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in told.items():
        at = f"{path}{name}"
        if isinstance(value, list):
            value = {str(number): row for number, row in enumerate(value)}
        if isinstance(value, dict):
            found += _flat(value, f"{at}.")
        elif value is not False:
            found.append((at, "1" if value is True else str(value)))
    return found
