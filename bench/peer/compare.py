#!/usr/bin/env python3
"""Compares the verdicts of the tabled logic programs with ours, on random models; the first difference is shown.

    compare.py LOCKWOOD [MODELS [FIRST_SEED]]

Half of the models have rules of all kinds between any heads, half are small programs that quarrel over locks.
"""

import collections
import os
import subprocess
import sys
import tempfile

import peer


TIME_LIMIT = 10  # seconds; without a cut the peer never needs them, with one its states may be very many


def verdicts_of(lockwood, path):
    result = subprocess.run([lockwood, "check", path, "--witness=none", "--exit-zero"], capture_output=True, text=True,
                            check=True)
    return [line.split()[-1] for line in result.stdout.splitlines()]


def parameters(seed):
    if seed % 2 == 0:
        return ["random-small", f"--rules={8 + seed % 17}", f"--locks={1 + seed // 2 % 2}", "--queries=4", f"--seed={seed}"]
    return ["lock-programs", f"--locks={1 + seed % 3}", "--queries=4", f"--seed={seed}"]


def main():
    lockwood = sys.argv[1]
    count, first = (int(text) for text in (sys.argv[2:] + ["100", "1"][len(sys.argv) - 2:]))
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.dpn")
        for seed in range(first, first + count):
            subprocess.run([lockwood, "gen", *parameters(seed), "-o", path], check=True)
            model = peer.models_as_json(lockwood, path)
            for number, (query, ours) in enumerate(zip(model["queries"], verdicts_of(lockwood, path)), 1):
                if len(query["steps"]) > 2:
                    continue
                command = peer.write_facts(model, number, os.path.join(folder, "facts.pl"))
                try:
                    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT)
                except subprocess.TimeoutExpired:
                    seen[len(query["steps"]), "no answer of the peer in time"] += 1
                    continue
                theirs = result.stdout.strip()
                if theirs != ours or result.stderr:
                    print(f"lockwood gen {' '.join(parameters(seed))}: query {number} is {ours}, but the peer says "
                          f"{theirs or 'nothing'}{result.stderr}")
                    return 1
                seen[len(query["steps"]), ours] += 1
    for (steps, verdict), times in sorted(seen.items()):
        print(f"{steps} phase{'s' if steps > 1 else ''}, {verdict}: {times}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
