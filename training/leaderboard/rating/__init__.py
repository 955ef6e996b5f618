"""From payoffs to points: a fit, a scale, and the ranks that the fit can bear."""
