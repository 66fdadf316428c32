"""Explicit English commands -> directives, by a declared grammar, read completely or not at all."""

from app.reasoners.commands.parser import parse

__all__ = ["parse"]
