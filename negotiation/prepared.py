"""Queries that are asked so often that writing their SQL counts."""

import functools
from typing import Generic, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


class Prepared(Generic[Row]):
    """A query whose SQL is written once in a process.

    Django writes it anew each time, which takes longer than the database's answer. ``query`` has
    any values in the places that ``rows`` fills, in the same order.
    """

    def __init__(self, query: models.QuerySet[Row]) -> None:
        self._query = query

    def rows(self, *values: object) -> list[Row]:
        """Ask, and return what there is."""
        return list(self._query.model._default_manager.raw(self._sql, values))

    @functools.cached_property
    def _sql(self) -> str:
        return self._query.query.sql_with_params()[0]
