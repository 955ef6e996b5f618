"""How an evaluation of the market looks in a terminal."""

from training.evaluation.terminal import Column, Figure, Look

_RETURN = Figure(digits=3, spread=True)

LOOK = Look(
    means="Mean over {suites} tasks, {rows} markets each; 95 % intervals of returns",
    columns=(
        Column("return", "reward", _RETURN),
        Column("over best plan", "over_best", _RETURN),
        Column("utility", "utility", Figure()),
        Column("jobs done %", "finished", Figure(times=100)),
        Column("contracts", "contracts", Figure(digits=2)),
        Column("coalitions", "coalitions", Figure(digits=2)),
        Column("refused", "refusals", Figure(digits=2)),
    ),
    suites="Return per task",
    name=lambda suite: suite.title.lower(),
    figure=_RETURN,
    gaps="Each minus the next, in the same worlds (return)",
)
