"""Mutate real bodies as faulty clients, proxies and strangers would."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any

Json = Any
DEPTH = 400  # levels of nested lists and objects
LONG = 60_000  # characters
MANY = 3_000  # items
MOST = 3 * 1024 * 1024  # bytes of a body, more than the server accepts

ODD: tuple[Json, ...] = (
    None,
    True,
    0,
    -1,
    2**31,
    2**63,
    -(2**63) - 1,
    10**400,
    1e308,
    -0.0,
    float("nan"),
    float("inf"),
    "",
    " ",
    "\0",
    "\ud800",
    "\udfff\ud800",
    "\u202e\u200b\ufeff",
    "null",
    "-1",
    "1e999",
    "../../../../etc/passwd",
    "..%2f..%2f",
    "$where",
    {"$gt": ""},
    {"$regex": "(a+)+$"},
    {"__proto__": {"admin": True}},
    "<img src=x onerror=alert(1)>",
    "{{7*7}}${7*7}",
    "=HYPERLINK(1)",
    "a\r\nX-Forged: 1",
    "\x1b[2J",
    "שלום \u0627\u0644",
    "👩‍👩‍👧‍👦" * 50,
    [],
    {},
    [[]],
    [None] * 50,
    {"": ""},
    "9999-99-99T99:99:99Z",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http://[::1]:0/",
    "http://" + "a" * 300 + ".example",
    "https://user:pass@host:99999/",
    'click("1")',
    'setValue("1", ")")',
    "(" * 200,
)


def mutate_bodies(real: Sequence[Json], count: int, seed: int) -> Iterator[bytes]:
    """`count` bodies, each a real one with one or a few changes; deterministic for a seed."""
    rng = random.Random(seed)
    for _ in range(count):
        body = json.loads(json.dumps(rng.choice(real)))
        body["requestId"] = f"fuzz-{rng.getrandbits(64):x}"
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            body = rng.choice(CHANGES)(body, rng)
        sent = json.dumps(body, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
        sent = sent[:MOST]
        yield rng.choice(SPOILINGS)(sent, rng) if rng.random() < 0.1 else sent


def _places(value: Json, most: int = 4_000) -> list[tuple[Json, Any]]:
    """Every (container, key) pair."""
    found: list[tuple[Json, Any]] = []
    pending = [value]
    while pending and len(found) < most:
        one = pending.pop()
        keys: Any = (
            one if isinstance(one, dict) else range(len(one) if isinstance(one, list) else 0)
        )
        for key in list(keys):
            found.append((one, key))
            pending.append(one[key])
    return found


def _replaced(body: Json, rng: random.Random, new: Callable[[Json], Json]) -> Json:
    places = _places(body)
    if not places:
        return new(body)
    holder, key = rng.choice(places)
    holder[key] = new(holder[key])
    return body


def _odd(body: Json, rng: random.Random) -> Json:
    return _replaced(body, rng, lambda _: deepcopy(rng.choice(ODD)))


def _alike(body: Json, rng: random.Random) -> Json:
    """Replace a text by a text, a number by a number: what a schema accepts."""
    places = [(h, k) for h, k in _places(body) if isinstance(h[k], str | int | float)]
    if places:
        holder, key = rng.choice(places)
        kind = str if isinstance(holder[key], str) else (int, float)
        holder[key] = rng.choice([one for one in ODD if isinstance(one, kind)])
    return body


def _dropped(body: Json, rng: random.Random) -> Json:
    places = _places(body)
    if places:
        holder, key = rng.choice(places)
        del holder[key]
    return body


def _renamed(body: Json, rng: random.Random) -> Json:
    places = [(holder, key) for holder, key in _places(body) if isinstance(holder, dict)]
    if places:
        holder, key = rng.choice(places)
        holder[rng.choice((key.upper(), key + " ", "", key * 2, "$" + key))] = holder.pop(key)
    return body


def _swapped(body: Json, rng: random.Random) -> Json:
    places = _places(body)
    if len(places) > 1:
        (one, first), (other, second) = rng.sample(places, 2)
        one[first], other[second] = (
            json.loads(json.dumps(other[second])),
            json.loads(json.dumps(one[first])),
        )
    return body


def _long(body: Json, rng: random.Random) -> Json:
    text = rng.choice(("a", "א", "\u0000", "(", '"', "\n", "<", "é"))
    return _replaced(body, rng, lambda _: text * rng.randint(1_000, LONG))


def _many(body: Json, rng: random.Random) -> Json:
    return _replaced(body, rng, lambda old: [old] * rng.randint(2, MANY) if _small(old) else old)


def _deep(body: Json, rng: random.Random) -> Json:
    def nested(old: Json) -> Json:
        for _ in range(rng.randint(2, DEPTH)):
            old = [old] if rng.random() < 0.5 else {"a": old}
        return old

    return _replaced(body, rng, nested)


def _retyped(body: Json, rng: random.Random) -> Json:
    return _replaced(body, rng, lambda old: rng.choice((str, repr, lambda v: [v], bool))(old))


def _small(value: Json) -> bool:
    return len(json.dumps(value)) < 300


CHANGES = (
    *(_alike,) * 12,
    *(_odd,) * 3,
    *(_dropped,) * 4,
    *(_long,) * 2,
    _renamed,
    _swapped,
    _many,
    _deep,
    _retyped,
)


def _cut(sent: bytes, rng: random.Random) -> bytes:
    return sent[: rng.randrange(len(sent) + 1)]


def _flipped(sent: bytes, rng: random.Random) -> bytes:
    changed = bytearray(sent or b"x")
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _stuffed(sent: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(sent) + 1)
    return sent[:at] + rng.randbytes(rng.randint(1, 40)) + sent[at:]


def _bracketed(sent: bytes, rng: random.Random) -> bytes:
    return b"[" * rng.randint(100, 100_000) + sent


SPOILINGS = (_cut, _flipped, _stuffed, _bracketed)
