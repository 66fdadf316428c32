"""Explicit commands in English -> directives: a declared grammar, read whole or not at all."""

from app.reasoners.commands.parser import parse

__all__ = ["parse"]
