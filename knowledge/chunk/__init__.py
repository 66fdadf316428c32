"""Splits Markdown into chunks that can be read and cited on their own."""

from knowledge.chunk.chunker import Piece, chunk_document, common_path
from knowledge.chunk.units import ChunkSizes

__all__ = ["ChunkSizes", "Piece", "chunk_document", "common_path"]
