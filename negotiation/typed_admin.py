"""``ModelAdmin[Model]``: Django's class takes its parameter only in the stubs."""

from typing import TYPE_CHECKING, Any, Self

from django.contrib import admin

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin
else:

    class ModelAdmin(admin.ModelAdmin):
        """Django's, which checkers and programs alike may ask for by its model."""

        def __class_getitem__(cls, model: Any) -> type[Self]:
            """Return the class itself, whatever the model."""
            return cls
