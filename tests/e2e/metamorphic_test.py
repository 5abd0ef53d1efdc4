"""What does not matter in a model changes no answer of a command: the order of rules, names, a copied rule, an unused lock.

    metamorphic_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

Each model of models/ is changed in these ways, and asked by every command that takes a model; the answers are compared with
those about the model as it is. tests/solver/test_metamorphic.cpp does the same inside, on many random models.
"""

import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import PROGRAM, SOURCE, environment  # noqa: E402

KINDS = ("controls", "stacks", "actions", "locks")


def lockwood(*arguments):
    """What a command says in JSON, and its exit status, which must not be that of a failure."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=environment(), check=False)
    if done.returncode not in (0, 1, 3):  # 3: a bound was reached, which exploration is allowed to
        raise AssertionError(f"lockwood {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout, done.returncode


def name_of(symbol):
    return symbol["name"] if isinstance(symbol, dict) else symbol


class Renaming:
    """Other names for all symbols, in another order; definitions keep theirs, since `dataflow` reads them."""

    def __init__(self, model, chance):
        self.names = {}
        for kind in KINDS:
            names = [name_of(symbol) for symbol in model.get(kind, [])]
            numbers = list(range(len(names)))
            chance.shuffle(numbers)
            self.names[kind] = {name: name if name.startswith("def(") else f"new_{kind}_{number}"
                                for name, number in zip(names, numbers)}
        self.back = {new: old for names in self.names.values() for old, new in names.items()}

    def head(self, head):
        return [self.names["controls"][head[0]], self.names["stacks"][head[1]]]

    def rule(self, rule):
        new = dict(rule, action=self.names["actions"][rule["action"]])
        for key in ("from", "to", "spawn", "enter"):
            if key in rule:
                new[key] = self.head(rule[key])
        for key, kind in (("return_to", "stacks"), ("control", "controls"), ("lock", "locks")):
            if key in rule:
                new[key] = self.names[kind][rule[key]]
        return new

    def query(self, query):
        steps = []
        for step in query["steps"]:
            new = dict(step)
            if "positions" in step:
                new["positions"] = [[self.names["stacks"][symbol] for symbol in symbols] for symbols in step["positions"]]
            for key in ("avoiding", "requiring"):
                if key in step:
                    new[key] = [self.names["actions"][action] for action in step[key]]
            steps.append(new)
        return dict(query, steps=steps)

    def model(self, model, chance):
        new = dict(model, initial=self.head(model["initial"]), rules=[self.rule(rule) for rule in model["rules"]],
                   queries=[self.query(query) for query in model["queries"]])
        for kind in KINDS:
            new[kind] = list(self.names[kind].values())
            chance.shuffle(new[kind])
        return new


def without_labels(model):
    """Answers show labels; names can be told apart."""
    return dict(model, **{kind: [name_of(symbol) for symbol in model.get(kind, [])] for kind in KINDS})


def variants(model, chance):
    shuffled = list(model["rules"])
    chance.shuffle(shuffled)
    renaming = Renaming(model, chance)
    yield "rules in another order", dict(model, rules=shuffled), {}
    yield "other names", renaming.model(model, chance), renaming.back
    if model["rules"]:
        yield "a copied rule", dict(model, rules=model["rules"] + [chance.choice(model["rules"])]), {}
    yield "an unused lock", dict(model, locks=model["locks"] + ["unused"]), {}


class Answers:
    """What all commands say about a model, in the names of the original."""

    def __init__(self, folder, model, back):
        self.path = os.path.join(folder, "model.json")
        self.back = back
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(model, file)
        self.model = model

    def original(self, name):
        return self.back.get(name, name)

    def json(self, command, *arguments):
        text, status = lockwood(command, "--json", *arguments, self.path)
        return json.loads(text), status

    def verdicts(self, command, *arguments):
        answer, status = self.json(command, *arguments)
        return [query["verdict"] for query in answer["queries"]], status

    def explore(self):
        answer, status = self.json("explore", "--max-configurations=20000")
        # How many are visited before a goal is found depends on the order of rules.
        return [(query["verdict"], query["statistics"]["configurations"] if query["verdict"] == "unreachable" else None)
                for query in answer["queries"]], status

    def batch(self):
        queries = os.path.join(os.path.dirname(self.path), "queries.json")
        with open(queries, "w", encoding="utf-8") as file:
            for query in self.model["queries"]:
                known = {key: value for key, value in query.items() if key not in ("expected", "semantics", "nolocks", "form")}
                file.write(json.dumps(dict(known, form="iterate", nolocks=bool(query.get("nolocks", False)))) + "\n")
        text, status = lockwood("batch", queries, self.path)
        return [json.loads(line)["verdict"] for line in text.splitlines()], status

    def mhp(self):
        answer, status = self.json("mhp", "--list")
        return sorted(sorted(map(self.original, (pair["first"], pair["second"])))
                      for pair in answer["report"].get("pairs", [])), status

    def deadlock(self):
        answer, status = self.json("deadlock")
        return answer["report"]["summary"], sorted(query["verdict"] for query in answer["queries"]), status

    def dataflow(self):
        if not any(name.startswith("def(") for name in self.model["actions"]):
            return None
        answer, status = self.json("dataflow")
        return {fact["fact"]: sorted(map(self.original, fact["reaches"])) for fact in answer["report"]["facts"]}, status

    def all(self):
        yield "check", self.verdicts("check", "--witness=none")
        yield "check with witnesses", self.verdicts("check")
        yield "check in diagrams", self.verdicts("check", "--domain=zdd", "--verify")
        yield "explore", self.explore()
        yield "batch", self.batch()
        yield "mhp", self.mhp()
        yield "deadlock", self.deadlock()
        yield "dataflow", self.dataflow()


class Metamorphic(unittest.TestCase):
    def test_what_does_not_matter_changes_no_answer(self):
        models = sorted(glob.glob(os.path.join(SOURCE, "models/*.dpn")))
        self.assertGreater(len(models), 10)
        for path in models:
            chance = random.Random(os.path.basename(path))
            model = without_labels(json.loads(lockwood("convert", "--to=json", path)[0]))
            for query in model["queries"]:
                query.pop("expected", None)
            with tempfile.TemporaryDirectory() as folder:
                expected = dict(Answers(folder, model, {}).all())
                self.assertTrue(expected["check"][0], path)
                self.assertEqual(expected["check"][0], expected["batch"][0], path)
                self.assertNotIn("unknown", expected["check"][0], path)
                for what, variant, back in variants(model, chance):
                    for command, answer in Answers(folder, variant, back).all():
                        with self.subTest(model=os.path.basename(path), change=what, command=command):
                            self.assertEqual(answer, expected[command])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
