"""Finds the passages of a tenant's documents that answer a question."""

from knowledge.retrieve.retriever import Retriever

__all__ = ["Retriever"]
