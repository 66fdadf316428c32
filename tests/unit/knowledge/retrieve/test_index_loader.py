"""Releasing memory, also where glibc is missing."""

import ctypes

import pytest

from knowledge.retrieve import index_loader


def test_a_system_without_glibc_keeps_its_own_ways(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> ctypes.CDLL:
        raise OSError(name)

    monkeypatch.setattr(index_loader.ctypes, "CDLL", missing)
    index_loader.isolate_large_arrays.cache_clear()
    index_loader.isolate_large_arrays()
    index_loader.release_free_memory()
    index_loader.isolate_large_arrays.cache_clear()
