"""What the API takes as the body of a request."""

from typing import Any, Self

from ninja import Schema
from pydantic import ConfigDict, ModelWrapValidatorHandler, model_validator


class Body(Schema):
    """A JSON object whose fields are known; null in an optional one means that it is not there."""

    model_config = ConfigDict(extra="forbid")

    # Around ninja's own, which shows what comes before it as an object.
    @model_validator(mode="wrap")
    @classmethod
    def _leave_out_nulls(cls, told: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(told, dict):
            return handler(told)
        optional = {name for name, field in cls.model_fields.items() if not field.is_required()}
        kept = {key: one for key, one in told.items() if one is not None or key not in optional}
        return handler(kept)
