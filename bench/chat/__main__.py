"""Evaluate the chat: intent resolution, answers and latency.

    python -m bench.chat [understanding|held|answers|latency ...] [--missed] [--cache DIR] [--turns 40]
    python -m bench.chat --model-url URL [--limit 5] [--only LIBRARY ...]
    python -m bench.chat --model-url URL --out DIR [--only CORPUS ...] [--parts questions ...] [--limit 50]
    python -m bench.chat --out DIR

`understanding` evaluates intent resolution on the labelled tuning messages, `held` on the held-out ones
(see `bench/data/README.md`), with the configured model if there is one. `answers` searches the manuals of
the retrieval benchmark (apt, 42 MB, into the cache); `latency` times a real server with 10,000 of their
chunks. `--model-url` evaluates answers with a model in the loop.

`--out` evaluates on the corpora of `bench/data/corpora` (fetched into the cache from PyPI, npm and Debian)
and resumes an earlier run. Without a model it prints the results so far and writes the claims to be graded
to `claims.jsonl`; grades in `graded.jsonl`, one `{"id": ..., "true": ...}` a line, are included.
"""

import argparse
import asyncio
import json
from pathlib import Path

from bench.chat.answers import answers
from bench.chat.intent import understanding
from bench.chat.latency import latency
from bench.chat.reasoner import evaluate_reasoner
from bench.corpora.measurement import PARTS as CORPUS_PARTS
from bench.corpora.measurement import claims, measure, report
from bench.corpora.sets import names

PARTS = {
    "understanding": ("tuned on", "tuned on, two"),
    "held": ("kept apart", "kept apart, two"),
    "answers": (),
    "latency": (),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/tabwright-manuals"))
    parser.add_argument(
        "--missed", action="store_true", help="print the wrong results of the tuning set"
    )
    parser.add_argument("--turns", type=int, default=40, help="turns of each kind to time")
    parser.add_argument("--model-url", help="a Gemini-compatible endpoint")
    parser.add_argument("--limit", type=int, default=5, help="questions per kind and library")
    parser.add_argument("--only", nargs="*", default=[], help="libraries, or corpora with --out")
    parser.add_argument("--out", type=Path, help="folder for the results of the corpora")
    parser.add_argument(
        "--parts", dest="measured", nargs="*", choices=CORPUS_PARTS, default=CORPUS_PARTS
    )
    parser.add_argument(
        "--whole-tokens",
        type=int,
        default=60_000,
        help="tokens up to which a document is read whole",
    )
    given = parser.parse_args()
    if given.out:
        if given.model_url:
            measure(
                given.model_url,
                given.only or names(),
                given.measured,
                cache=given.cache,
                out=given.out,
                limit=given.limit,
                whole_tokens=given.whole_tokens,
            )
        rows = (json.dumps(one, ensure_ascii=False) for one in claims(given.out))
        (given.out / "claims.jsonl").write_text("\n".join(rows), "utf-8")
        report(given.out)
        return
    if given.model_url:
        evaluate_reasoner(given.model_url, given.only, given.limit)
        return
    parts = given.parts or list(PARTS)
    if sets := [name for part in parts for name in PARTS[part]]:
        asyncio.run(understanding(sets, missed=given.missed))
    if "answers" in parts:
        asyncio.run(answers(given.cache, missed=given.missed))
    if "latency" in parts:
        latency(given.cache, given.turns)


if __name__ == "__main__":
    main()
