"""Command-line options of the scene benchmarks."""

import argparse
from collections.abc import Sequence


def read_options(about: str | None, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the options; `about` is the module's docstring, whose first line is the description."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--mode", choices=["commands", "eager"], default="commands")
    parser.add_argument("--model-url", default="", help="a Gemini-compatible endpoint")
    parser.add_argument("--at-once", type=int, default=1, help="concurrent runs with --model-url")
    parser.add_argument(
        "--only", default="", help="cases whose name, kind or goal contains these words"
    )
    parser.add_argument("--shown", action="store_true", help="print each outcome")
    return parser.parse_args(arguments)
