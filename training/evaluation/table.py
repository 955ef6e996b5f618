"""How an evaluation of buyers looks in a terminal."""

from training.evaluation.terminal import Column, Figure, Look

_PERCENT = Figure(times=100, spread=True, short=True)

LOOK = Look(
    means="Mean over {suites} suites, {rows} bargains each; 95 % intervals",
    columns=(
        Column("share of winnable", "share_of_winnable", _PERCENT),
        Column("of deals", "share_of_deals", _PERCENT),
        Column("deal rate", "deal_rate", _PERCENT),
        Column("wins", "win_rate", _PERCENT),
        Column("mutual loss", "mutual_loss_rate", _PERCENT),
        Column("rational walk", "rational_walk_rate", _PERCENT),
        Column("official grade", "grade", _PERCENT),
        Column("rounds", "rounds", Figure()),
    ),
    suites="Share over all winnable bargains, per suite (%)",
    name=lambda suite: suite.id.split("@")[0].replace("_", " ").replace("-", " "),
    figure=Figure(times=100),
    gaps="Each minus the next, on the same games (points of share)",
    counted="bargains",
)
