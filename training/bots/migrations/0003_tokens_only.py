"""Bots are no longer called at an address: each of them comes with the token that it always had.

A bot that was called keeps its results, its games under way and its token; its address is forgotten.
"""

from typing import Any

from django.db import migrations, models

AT_WORK = ("queued", "running")


def stop(apps: Any, schema_editor: Any) -> None:
    """Stop what its owner had asked to stop: whoever called the bot would have heard of it."""
    runs = apps.get_model("training", "Run").objects.using(schema_editor.connection.alias)
    runs.filter(kind="bot", status__in=AT_WORK, cancel_asked=True).update(
        status="cancelled", note="Stopped by its owner."
    )


class Migration(migrations.Migration):
    """Two columns fewer."""

    dependencies = [("bots", "0002_cards")]

    operations = [
        migrations.RunPython(stop, migrations.RunPython.noop),
        # The way back needs a value for every row.
        migrations.AlterField("bot", "kind", models.CharField(max_length=6, default="client")),
        migrations.RemoveField("bot", "kind"),
        migrations.RemoveField("bot", "url"),
    ]
