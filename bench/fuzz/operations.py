"""Every operation of the OpenAPI document, called with what schemathesis generates, valid and invalid."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress

import hypothesis
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis.schemas import APIOperation

ENDLESS = "/events"  # an endless stream has no body to check
TIMEOUT_S = 20.0


def operations(url: str, headers: Mapping[str, str]) -> list[APIOperation]:
    """The documented operations, except endless streams."""
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json", headers=dict(headers))
    found = (result.ok() for result in schema.get_all_operations())
    return [one for one in found if not one.path.endswith(ENDLESS)]


def fuzz(one: APIOperation, headers: Mapping[str, str], examples: int, seed: int) -> Counter[int]:
    """Call the operation `examples` times; returns how often each status was answered. Raises
    `AssertionError` with the request for an answer of 500 or above, or an error that is no problem
    document.
    """
    statuses: Counter[int] = Counter()
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)

    def call(case: schemathesis.Case) -> None:
        reply = case.call(headers=dict(headers), timeout=TIMEOUT_S)
        statuses[reply.status_code] += 1
        _check(reply, case)

    for mode in modes:
        with suppress(Unsatisfiable):  # without parameters there are no invalid ones
            _drawn(one.as_strategy(generation_mode=mode), call, examples, seed)
    return statuses


def _drawn(
    cases: SearchStrategy[schemathesis.Case],
    call: Callable[[schemathesis.Case], None],
    examples: int,
    seed: int,
) -> None:
    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(case=cases)
    def drawn(case: schemathesis.Case) -> None:
        call(case)

    drawn()


def _check(reply: schemathesis.Response, case: schemathesis.Case) -> None:
    told = f"{case.as_curl_command()[:1_500]}\n-> {reply.status_code} {reply.text[:300]}"
    assert reply.status_code < 500, told
    if reply.status_code >= 400:
        kind = reply.headers.get("content-type", [""])[0]
        assert kind.startswith("application/problem+json"), told
