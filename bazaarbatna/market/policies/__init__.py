"""Scripted policies: each knows one lab's observation and answers with an action."""
