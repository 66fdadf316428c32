"""What the fake Gemini answers to `batchEmbedContents`: directions that follow from the words."""

import hashlib
from typing import Any

import numpy as np

FULL = 3_072  # numbers of gemini-embedding-001 where none are asked for


def embeddings(body: dict[str, Any]) -> dict[str, Any]:
    """As generativelanguage.googleapis.com answers: one for each request, in their order."""
    return {"embeddings": [{"values": _values(one)} for one in body["requests"]]}


def _values(request: dict[str, Any]) -> list[float]:
    """The sum of a direction for each word, of no particular length, as a cut vector has."""
    size = request.get("outputDimensionality", FULL)
    text = " ".join(part.get("text", "") for part in request["content"]["parts"])
    total = np.zeros(size)
    for word in text.lower().split() or [""]:
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        total += np.random.default_rng(seed).standard_normal(size)
    return [round(float(one), 6) for one in total]
