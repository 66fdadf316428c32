"""Giving memory back, which a system may know nothing of."""

import ctypes

import pytest

from knowledge.retrieve import heap


def test_a_system_without_glibc_keeps_its_own_ways(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> ctypes.CDLL:
        raise OSError(name)

    monkeypatch.setattr(heap.ctypes, "CDLL", missing)
    heap.keep_large_apart.cache_clear()
    heap.keep_large_apart()
    heap.give_back()
    heap.keep_large_apart.cache_clear()
