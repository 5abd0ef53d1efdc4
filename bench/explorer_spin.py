#!/usr/bin/env python3
"""Compares `lockwood explore` with SPIN on programs that were written twice, in bench/explorer/spin/.

    explorer_spin.py LOCKWOOD [--runs N]

Both visit all states, without reduction: `--por=none --strategy=dfs`, and pan compiled with -O2 -DSAFETY -DNOREDUCE, and
with -DCOLLAPSE, too. Times are processor times of whole processes, medians; pan is compiled before. Bytes are those of the
store for each state: of ours all tables; of SPIN what it says its states need, without its hash table.
"""

import argparse
import glob
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "explorer", "spin")


def timed(command, folder, runs):
    """The output of the command, and its processor time."""
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return output, max(0.001, statistics.median(times))


def ours(lockwood, program, runs):
    output, seconds = timed([lockwood, "explore", program, "--por=none", "--strategy=dfs", "--json"], FOLDER, runs)
    summary = json.loads(output)["report"]["summary"]
    if not summary["complete"]:
        sys.exit(f"{program}: not all states were visited")
    return summary["states"], seconds, summary["store_bytes"] / summary["states"]


def spin(folder, flags, runs):
    subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)
    output, seconds = timed(["./pan", "-E", "-m1000000"], folder, runs)
    states = int(re.search(r"(\d+) states, stored", output)[1])
    megabytes = re.search(r"([\d.]+)\s+actual memory usage for states", output) or \
        re.search(r"([\d.]+)\s+equivalent memory usage for states", output)
    return states, seconds, float(megabytes[1]) * 2**20 / states


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockwood")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    lockwood = os.path.abspath(options.lockwood)
    print(f"{'program':22} {'states':>9} {'states/s':>9} {'bytes':>6}   {'SPIN':>9} {'states/s':>9} {'bytes':>6}"
          f"   {'COLLAPSE/s':>10} {'bytes':>6}   {'ratio':>6} {'ratio':>6}")
    ratios = []
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.pml"))):
        name = os.path.splitext(os.path.basename(path))[0]
        states, seconds, size = ours(lockwood, name + ".lw", options.runs)
        with tempfile.TemporaryDirectory() as folder:
            for file in glob.glob(os.path.join(FOLDER, "*")):
                shutil.copy(file, folder)
            subprocess.run(["spin", "-a", name + ".pml"], cwd=folder, check=True, capture_output=True)
            plain = spin(folder, [], options.runs)
            collapse = spin(folder, ["-DCOLLAPSE"], options.runs)
        rate = states / seconds
        ratios.append((rate / (plain[0] / plain[1]), rate / (collapse[0] / collapse[1])))
        print(f"{name:22} {states:9} {rate:9.0f} {size:6.1f}   {plain[0]:9} {plain[0] / plain[1]:9.0f} {plain[2]:6.1f}"
              f"   {collapse[0] / collapse[1]:10.0f} {collapse[2]:6.1f}   {ratios[-1][0]:6.2f} {ratios[-1][1]:6.2f}",
              flush=True)
    print(f"median ratios: {statistics.median(each[0] for each in ratios):.2f} of SPIN, "
          f"{statistics.median(each[1] for each in ratios):.2f} of SPIN with COLLAPSE")


if __name__ == "__main__":
    main()
