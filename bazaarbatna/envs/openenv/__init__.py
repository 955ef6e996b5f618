"""OpenEnv without a site: what a client may say and hears, and a server of nothing else."""
