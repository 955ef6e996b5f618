"""The landing page: one game that moves, the state of the playground, and who serves Sauda now."""
