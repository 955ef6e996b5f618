import json

from django.db import migrations

from negotiation.words import fold


def fill(apps, schema_editor):
    """Make the games that are stored already findable like new ones."""
    game = apps.get_model("negotiation", "Game")
    event = apps.get_model("negotiation", "EventRow")
    for one in game.objects.all().iterator():
        first = event.objects.filter(game=one, seq=1).first()
        opened = json.loads(bytes(first.payload)) if first else {}
        one.search_text = fold(f"{one.title} {one.category}")
        one.suite = opened.get("suite", "")[:60]
        one.persona = opened.get("persona") or ""
        one.save(update_fields=["search_text", "suite", "persona"])


class Migration(migrations.Migration):
    dependencies = [
        ("negotiation", "0005_replay_shelf"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
