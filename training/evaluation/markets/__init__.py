"""The GPU market as a domain: its policies evaluated like the bazaar's buyers."""
