"""Calls to addresses that strangers gave: public hosts only, short, small, never redirected."""
