#!/usr/bin/env python3
"""Writes the facts about a model and one of its queries for the tabled logic programs beside this file.

    lockwood convert MODEL --to json | facts.py QUERY > facts.pl

QUERY is its number in the file, from 1. Then, by the number of its steps:

    swipl -q -g answer -t halt lock_graph.pl subsumption.pl one_phase.pl facts.pl
    swipl -q -g answer -t halt lock_graph.pl subsumption.pl two_phases.pl facts.pl
"""

import json
import sys

ARITIES = {"base": 5, "return": 4, "spawn": 7, "enter": 7, "stands": 3}


def numbers(symbols):
    """Names to numbers: small integers are what Prolog indexes and compares fastest."""
    names = [symbol if isinstance(symbol, str) else symbol["name"] for symbol in symbols]
    return {name: number for number, name in enumerate(names)}


def marks_of(steps):
    """By action: 1 and 2 if the first or second step avoids it, 4 and 8 if it requires it."""
    marks = {}
    for index, step in enumerate(steps):
        for kind, bit in (("avoiding", 1), ("requiring", 4)):
            for action in step.get(kind, []):
                marks[action] = marks.get(action, 0) | bit << index
    return marks


def facts(model, query):
    controls, stacks, locks = (numbers(model[key]) for key in ("controls", "stacks", "locks"))
    steps = query["steps"]
    marks = marks_of(steps)
    result = {name: [] for name in ARITIES}

    def head(pair):
        return f"{controls[pair[0]]}, {stacks[pair[1]]}"

    for rule in model["rules"]:
        control, top = rule["from"]
        start = f"{stacks[top]}, {controls[control]}, {marks.get(rule['action'], 0)}"
        kind = rule["kind"]
        if kind == "base":
            result["base"].append(f"{start}, {head(rule['to'])}")
        elif kind == "return":
            result["return"].append(f"{start}, {controls[rule['control']]}")
        elif kind == "spawn":
            result["spawn"].append(f"{start}, {head(rule['to'])}, {head(rule['spawn'])}")
        else:
            locked = kind == "monitor" and not query.get("nolocks")
            lock = f"lock({locks[rule['lock']]})" if locked else "none"
            result["enter"].append(f"{start}, {head(rule['enter'])}, {stacks[rule['return_to']]}, {lock}")
    for number, step in enumerate(steps, 1):
        for index, symbols in enumerate(step["positions"]):
            result["stands"] += [f"{number}, {stacks[symbol]}, {1 << index}" for symbol in sorted(set(symbols))]
    for name, rows in result.items():
        if not rows:
            yield f":- dynamic {name}/{ARITIES[name]}."
        for row in rows:
            yield f"{name}({row})."

    control, top = model["initial"]
    yield f"initial({stacks[top]}, {controls[control]})."
    yield f"lock_count({len(locks)})."
    # In one phase, a required action is one more goal of its step; in two phases it is kept apart.
    bits = [1 << len(step["positions"]) if step.get("requiring") and len(steps) == 1 else 0 for step in steps]
    for number, (step, bit) in enumerate(zip(steps, bits), 1):
        yield f"goal({number}, {(1 << len(step['positions'])) - 1 | bit})."
    yield f"required_bit(1, {bits[0]})."
    required = sum(4 << index for index, step in enumerate(steps) if step.get("requiring"))
    yield f"required({required})."


def main():
    model = json.load(sys.stdin)
    query = model["queries"][int(sys.argv[1]) - 1]
    if len(query["steps"]) > 2:
        sys.exit("facts.py: only queries of one or two steps")
    print("\n".join(facts(model, query)))


if __name__ == "__main__":
    main()
