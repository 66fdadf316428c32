"""Every error that a caller may see is in the table that maps errors to HTTP."""

import inspect

import pytest

from app import errors
from app.api.problems import http_status
from app.errors import TabwrightError


def leaves() -> list[type[TabwrightError]]:
    classes = [
        one
        for _, one in inspect.getmembers(errors, inspect.isclass)
        if issubclass(one, TabwrightError)
    ]
    return [one for one in classes if not one.__subclasses__()]


@pytest.mark.parametrize("error", leaves())
def test_every_error_has_a_status(error: type[TabwrightError]) -> None:
    assert 400 <= http_status(error.__new__(error)) < 600
    assert http_status(error.__new__(error)) != 500, "neither it nor a base class is in the table"


def test_codes_are_different() -> None:
    codes = [one.code for one in leaves()]
    assert len(codes) == len(set(codes))


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = errors.__doc__ or ""
    assert not [one.__name__ for one in leaves() if one.__name__ not in drawn]
