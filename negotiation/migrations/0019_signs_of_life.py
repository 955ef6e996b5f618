"""When people at a table were there last, and whose seat the house keeps."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("negotiation", "0018_game_language")]

    operations = [
        migrations.AddField("game", "seller_seen_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("game", "buyer_seen_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "game", "gone", models.CharField(blank=True, default="", max_length=40)
        ),
    ]
