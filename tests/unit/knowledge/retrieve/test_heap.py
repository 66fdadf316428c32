"""Giving memory back, which a system may know nothing of."""

import ctypes

import pytest

from knowledge.retrieve import loading


def test_a_system_without_glibc_keeps_its_own_ways(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> ctypes.CDLL:
        raise OSError(name)

    monkeypatch.setattr(loading.ctypes, "CDLL", missing)
    loading.keep_large_apart.cache_clear()
    loading.keep_large_apart()
    loading.give_back()
    loading.keep_large_apart.cache_clear()
