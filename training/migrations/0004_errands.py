from django.db import migrations, models


class Migration(migrations.Migration):
    """Orders of any errand; there are none but while somebody waits for them."""

    dependencies = [("training", "0003_orders")]

    operations = [
        migrations.DeleteModel(name="Order"),
        migrations.CreateModel(
            name="Order",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("run", models.CharField(max_length=100)),
                ("number", models.PositiveIntegerField()),
                ("errand", models.CharField(max_length=20)),
                ("version", models.TextField()),
                ("asked", models.BinaryField()),
                ("answer", models.BinaryField(null=True)),
                ("failed", models.TextField(blank=True, default="")),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["run", "number"],
                "constraints": [models.UniqueConstraint(fields=("run", "number"), name="one_order_a_number")],
            },
        ),
    ]
