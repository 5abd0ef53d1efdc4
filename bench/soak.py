#!/usr/bin/python3
"""A long run: one batch of many queries in one process, and what becomes of its memory and its pace.

    bench/soak.py PROGRAM [--queries=100000] [--rules=1000] [--jobs=1]

Prints, for each tenth of the queries, the resident memory at its end and the time per query; the last lines compare the
last tenth with the second (the first one reads the model and warms up).
"""

import argparse
import json
import random
import re
import subprocess
import tempfile
import threading
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--rules", type=int, default=1_000)
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def symbols_of(model):
    """The stack symbols that rules of the model start from."""
    found = re.findall(r"^\s*\((?:[^(),\s]+\s*,\s*)?([^(),\s]+)\)\s*--", model, re.MULTILINE)
    return sorted(set(found))


def query(number, symbols, chosen):
    """Conflicts, single places, iterations and nonsense, in turn: every way through the program is taken again and again."""
    a, b, c = chosen.choice(symbols), chosen.choice(symbols), chosen.choice(symbols)
    forms = [{"form": "conflict", "positions": [[a], [b]]},
             {"form": "reach", "positions": [[a, b]]},
             {"form": "iterate", "steps": [{"positions": [[a]]}, {"positions": [[b]]}]},
             {"form": "conflict", "positions": [[a, c], [b]], "nolocks": True},
             {"form": "reach", "positions": [["no such symbol"]]}]
    return json.dumps({"id": number, **forms[number % len(forms)]}) + "\n"


def resident(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s*(\d+) kB", status.read()).group(1)) / 1024


def main():
    options = arguments()
    with tempfile.NamedTemporaryFile("w+", suffix=".dpn") as model:
        subprocess.run([options.program, "gen", "application", f"--rules={options.rules}", "--locks=4", "--seed=1", "-o",
                        model.name], check=True)
        with open(model.name, encoding="utf-8") as text:
            symbols = symbols_of(text.read())
        process = subprocess.Popen([options.program, "batch", "-", model.name, f"--jobs={options.jobs}"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def ask():
            chosen = random.Random(1)
            for number in range(options.queries):
                process.stdin.write(query(number, symbols, chosen))
            process.stdin.close()

        threading.Thread(target=ask, daemon=True).start()
        tenth = max(1, options.queries // 10)
        marks = []  # (megabytes, seconds a query), by tenth
        counts = {}
        begun = time.monotonic()
        print("queries  memory MB  ms a query")
        for number, line in enumerate(process.stdout, 1):
            answer = json.loads(line)
            verdict = answer.get("verdict", "refused")
            counts[verdict] = counts.get(verdict, 0) + 1
            if number % tenth == 0:
                now = time.monotonic()
                marks.append((resident(process), (now - begun) / tenth))
                begun = now
                print(f"{number:7}  {marks[-1][0]:9.1f}  {marks[-1][1] * 1000:10.3f}", flush=True)
        status = process.wait()
    answered = sum(counts.values())
    print(f"{answered} of {options.queries} answered: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
    if answered != options.queries or status not in (0, 1, 2) or len(marks) < 10:
        raise SystemExit(f"the batch ended early, with status {status}")
    print(f"last tenth against the second: memory x {marks[-1][0] / marks[1][0]:.2f}, time x {marks[-1][1] / marks[1][1]:.2f}")


if __name__ == "__main__":
    main()
