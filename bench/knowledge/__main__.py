"""Run the benchmarks of the document knowledge, one table after the other.

    python -m bench.knowledge [tables|speed|retrieval|latency|crawl ...]

Each is its own module with its own options; see `RUNS`.
"""

import argparse
import subprocess
import sys

RUNS = {
    "tables": ["bench.knowledge.tables"],
    "speed": ["bench.knowledge.speed"],
    "retrieval": ["bench.knowledge.retrieval"],
    "fresh": ["bench.knowledge.retrieval", "--questions", "fresh"],
    "short": ["bench.knowledge.retrieval", "--short"],
    "latency": ["bench.knowledge.retrieval", "--speed"],
    "crawl": ["bench.knowledge.crawl"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*RUNS, []], help="all of them, unless named")
    failed = []
    for part in parser.parse_args().parts or RUNS:
        print(f"\n{part}\n", flush=True)
        if subprocess.run([sys.executable, "-m", *RUNS[part]], check=False).returncode:
            failed.append(part)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
