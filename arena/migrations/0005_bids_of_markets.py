"""A market remembers the bids to which a lab has named a price, for its player's log."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0004_judged_markets")]

    operations = [
        migrations.AddField(
            model_name="marketmatch",
            name="bids",
            field=models.JSONField(default=list),
        ),
    ]
