#!/usr/bin/env python3
"""Prints the tables of docs/tree-automata.md, as Markdown, from one run of treeauto_bench:

    treeauto_bench --benchmark_min_time=0.2 --benchmark_out=treeauto.json --benchmark_out_format=json
    treeauto_table.py treeauto.json
"""

import collections
import json
import math
import sys

# In the order of the tables: operations on one file, then on two.
UNARY = ["load", "write", "trim", "emptiness", "witness", "reduction", "determinise", "minimise", "complement"]
BINARY = ["union", "intersection", "difference", "inclusion"]
GROUPS = ["artmc-s", "artmc-m", "artmc-l", "forester", "armc-fa", "rand-fa", "hard", "mixed"]
RATE_GROUPS = ["artmc-m", "armc-fa"]
GROWTH = {
    "intersection/growth/unreachable": "intersection of two chains that share one tree",
    "intersection/growth/fan": "intersection of a fan with itself",
    "minimise/growth/chain": "minimisation of a chain",
    "inclusion/growth/antichain": "inclusion of all words in a chain",
}


def two_digits(number):
    """Two significant digits, and all those before the point."""
    if number == 0:
        return "0"
    digits = max(0, 1 - math.floor(math.log10(abs(number))))
    return f"{number:,.{min(digits, 3)}f}"


def rate(number):
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= unit:
            return two_digits(number / unit) + name
    return two_digits(number)


def milliseconds(entry):
    factor = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}[entry["time_unit"]]
    return entry["cpu_time"] * factor


def time_cell(entry):
    if entry is None:
        return ""
    if entry["stopped"] > 0:
        count = int(entry["stopped"])
        return "(stopped)" if "/random/" in entry["name"] else f"({count} stopped)"
    return two_digits(milliseconds(entry))


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---" + "|---:" * (len(header) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def count_row(title, entries, counter):
    return [f"*{title}*"] + [f"{int(entry[counter]):,}" if entry else "" for entry in entries]


def print_groups(found):
    groups = [group for group in GROUPS if any(f"{name}/{group}" in found for name in UNARY + BINARY)]
    if not groups:
        return
    print("Milliseconds of processor time to run the operation once on each file, or pair of files, of a group:\n")
    rows = []
    for title, names in (("files", UNARY), ("pairs", BINARY)):
        measured = {name: [found.get(f"{name}/{group}") for group in groups] for name in names}
        known = [next(filter(None, column), None) for column in zip(*measured.values())]
        rows.append(count_row(f"transitions of the {title}", known, "transitions"))
        for name in names:
            if not any(measured[name]):
                continue
            rows.append([name] + [time_cell(entry) for entry in measured[name]])
            if name == "intersection":
                rows.append(count_row("transitions of the result", measured[name], "results"))
    table(["operation"] + groups, rows)


def print_random(found):
    sizes = sorted({int(name.split("/")[2]) for name in found if "/random/" in name})
    if not sizes:
        return
    print("Random automata, by their number of transitions (one automaton, or two of that size each):\n")
    rows = []
    for name in UNARY + BINARY:
        entries = [found.get(f"{name}/random/{size}") for size in sizes]
        if any(entries):
            rows.append([name] + [time_cell(entry) for entry in entries])
    table(["operation"] + [f"{size:,}" for size in sizes], rows)


def print_rates(found):
    groups = [group for group in RATE_GROUPS if f"load/{group}" in found]
    if not groups:
        return
    print("Operands per second of processor time, and the most memory in MB beyond what was there before:\n")
    rows = [["*group*"] + [cell for group in groups for cell in (group, "", "")]]
    for name in UNARY + BINARY:
        row = [name]
        for group in groups:
            entry = found.get(f"{name}/{group}")
            row += ["", "", ""] if entry is None else [
                rate(entry["states_per_second"]), rate(entry["transitions_per_second"]), two_digits(entry["peak_MB"])]
        rows.append(row)
    table(["operation"] + ["states/s", "transitions/s", "MB"] * len(groups), rows)


def print_growth(found):
    by_family = collections.defaultdict(dict)
    for name, entry in found.items():
        family, _, size = name.rpartition("/")
        if family in GROWTH:
            by_family[family][int(size)] = entry
    if not by_family:
        return
    sizes = sorted({size for entries in by_family.values() for size in entries})
    print("Families on which simple algorithms are quadratic, milliseconds by their number of states, and memory in MB "
          "for the last:\n")
    rows = []
    for family, title in GROWTH.items():
        entries = [by_family[family].get(size) for size in sizes]
        if any(entries):
            rows.append([title] + [time_cell(entry) for entry in entries] +
                        [two_digits(entries[-1]["peak_MB"]) if entries[-1] else ""])
    table(["operation"] + [f"{size:,}" for size in sizes] + ["MB"], rows)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: treeauto_table.py RESULTS.json")
    with open(sys.argv[1], encoding="utf-8") as file:
        results = json.load(file)
    found = {entry["name"]: entry for entry in results["benchmarks"] if entry.get("run_type") != "aggregate"}
    context = results["context"]
    load = ", ".join(f"{number:.1f}" for number in context.get("load_avg", []))
    print(f"Measured {context['date'][:10]} on {context['num_cpus']} cores at {context['mhz_per_cpu'] / 1000:.1f} GHz; "
          f"load average at the start {load}.\n")
    print_groups(found)
    print_random(found)
    print_rates(found)
    print_growth(found)


if __name__ == "__main__":
    main()
