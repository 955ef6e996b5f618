"""Keep what lists show of a result beside its play; results of before get theirs."""

from typing import Any

from django.db import migrations, models


def fill(apps: Any, schema_editor: Any) -> None:
    """Copy the bot's card and its counts out of the summaries."""
    plays = apps.get_model("bots", "Play").objects.using(schema_editor.connection.alias)
    for play in plays.filter(run__summary__isnull=False).select_related("run").defer("rows"):
        summary = play.run.summary
        own = [one for one in summary["policies"] if one["policy"] == f"bot:{play.bot_id}"]
        play.card = own[0]["mean"] if own else None
        play.counts = summary.get("bot", {}).get("failures", {})
        play.save(update_fields=["card", "counts"])


class Migration(migrations.Migration):
    """Two columns."""

    dependencies = [("bots", "0001_bots")]

    operations = [
        migrations.AddField("play", "card", models.JSONField(null=True, blank=True)),
        migrations.AddField("play", "counts", models.JSONField(default=dict, blank=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
