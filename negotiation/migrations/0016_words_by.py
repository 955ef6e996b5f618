"""Whose words a game has: what was brought in until now came without a signature."""

from django.db import migrations, models


def mark(apps, schema_editor):
    Game = apps.get_model("negotiation", "Game")
    brought = list(Game.objects.filter(source="import").values_list("pk", flat=True))
    while brought:
        Game.objects.filter(pk__in=brought).update(words_by="nobody")
        children = Game.objects.filter(parent__in=brought, words_by="")
        brought = list(children.values_list("pk", flat=True))


class Migration(migrations.Migration):

    dependencies = [
        ("negotiation", "0015_invitations"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="words_by",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
