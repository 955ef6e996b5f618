"""The GPU market over OpenEnv, under ``/env/market/``."""
