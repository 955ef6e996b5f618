from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('arena', '0002_market_matches'),
    ]

    operations = [
        migrations.AddField(
            model_name='marketmatch',
            name='is_abandoned',
            field=models.BooleanField(default=False),
        ),
    ]
