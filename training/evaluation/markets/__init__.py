"""The GPU market as a sport: its policies evaluated like the bazaar's buyers."""
