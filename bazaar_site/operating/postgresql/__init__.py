"""PostgreSQL, for Django: waited for while it is restarted."""
