"""Evaluate tier 1 verification on transitions with a known outcome.

Run: `python -m bench.transitions` scores the stored set; `--record [PART ...]` plays all scenes (or those
whose names start with a PART) in Chromium and stores them again. `dataset.Recorded` describes a label.
"""

import argparse
import asyncio
import sys

from bench.transitions.dataset import load, store
from bench.transitions.scenes import SCENES
from bench.transitions.stage import Say, record_scenes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", nargs="*", metavar="PART", help="record (these scenes) again")
    parser.add_argument("--wrong", action="store_true", help="list wrong and undecided transitions")
    parser.add_argument("--held-out", action="store_true", help="list those of held-out pages too")
    given = parser.parse_args()
    if given.record is not None:
        return record(tuple(given.record))
    from bench.transitions.score import show  # noqa: PLC0415 - recording needs no engine

    show(load(), wrong=given.wrong, held_out=given.held_out)
    return 0


def record(parts: tuple[str, ...]) -> int:
    """Play the scenes and store the results; 1 if one could not be played."""
    scenes = [scene for scene in SCENES if not parts or scene.name.startswith(parts)]
    say = Say()
    new = asyncio.run(record_scenes(scenes, say))
    order = {scene.name: at for at, scene in enumerate(SCENES)}
    played = {scene.name for scene in scenes}
    kept = [item for item in load() if item.scene in order and item.scene not in played]
    for file in store(sorted([*kept, *new], key=lambda item: order[item.scene])):
        print(f"{file.name}: {file.stat().st_size:,} bytes")
    print(f"{len(new)} transitions recorded, {len(say.said)} scenes could not be played")
    return 1 if say.said else 0


if __name__ == "__main__":
    sys.exit(main())
