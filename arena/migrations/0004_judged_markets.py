"""A market may have a judge, and keeps what a model decided."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0003_abandoned_markets")]

    operations = [
        migrations.AddField(
            model_name="marketmatch",
            name="judge",
            field=models.CharField(default="off", max_length=10),
        ),
        migrations.AddField(
            model_name="marketmatch",
            name="hearings",
            field=models.JSONField(default=list),
        ),
    ]
