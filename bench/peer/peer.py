"""Runs the tabled logic programs of this folder on a model: as a program of its own, on one query.

    peer.py LOCKWOOD MODEL QUERY
"""

import json
import os
import subprocess
import sys

import facts

FOLDER = os.path.dirname(os.path.abspath(__file__))


def models_as_json(lockwood, path):
    """The model, as `lockwood convert` writes it."""
    text = subprocess.run([lockwood, "convert", path, "--to", "json"], capture_output=True, text=True, check=True).stdout
    return json.loads(text)


def write_facts(model, number, path):
    """Writes the facts for the query with this number, from 1; returns the command that answers it."""
    query = model["queries"][number - 1]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(facts.facts(model, query)) + "\n")
    program = "one_phase.pl" if len(query["steps"]) == 1 else "two_phases.pl"
    # A large model needs more than the default table space of 1 GiB and stack of 1 GiB.
    return ["swipl", "-q", "--stack-limit=4g", "--table-space=4g", "-g", "answer", "-t", "halt",
            *(os.path.join(FOLDER, name) for name in ("lock_graph.pl", "subsumption.pl", program)), path]


def main():
    model = models_as_json(sys.argv[1], sys.argv[2])
    command = write_facts(model, int(sys.argv[3]), f"/tmp/lockwood-peer-{os.getpid()}.pl")
    try:
        sys.exit(subprocess.run(command, check=False).returncode)
    finally:
        os.remove(command[-1])


if __name__ == "__main__":
    main()
