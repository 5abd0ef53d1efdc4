"""Random sequences of what one may type: the REPL against scripts, queries of a batch against queries asked alone.

    sequences_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

A sequence on which both differ is made smaller, as long as they still differ, before it is shown.
"""

import fcntl
import json
import os
import random
import re
import struct
import sys
import termios
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import FIG1, Case, run  # noqa: E402
from repl_test import FURTHER, PROMPT, Talk as Dialogue  # noqa: E402

SYMBOLS = ["p1", "p2", "p3", "r1", "q1", "q2", "s1", "s2"]


def smallest(sequence, fails):
    """A sequence without anything that could be left out so that it still fails."""
    position = 0
    while position < len(sequence):
        shorter = sequence[:position] + sequence[position + 1:]
        if fails(shorter):
            sequence = shorter
        else:
            position += 1
    return sequence


class Talk:
    """Statements as somebody types them: some are nonsense, later ones use what earlier ones have defined."""

    def __init__(self, seed):
        self.choice = random.Random(seed)
        self.names = []
        self.statements = [self.statement() for _ in range(14)]

    def symbols(self):
        return "{" + ", ".join(self.choice.sample(SYMBOLS, self.choice.randint(1, 2))) + "}"

    def set(self, depth=0):
        kinds = ["init", "stand", "stand2", "post", "fired", "threads"] + (["and", "or", "minus"] if depth < 2 else [])
        kind = self.choice.choice(kinds + ["name"] * (3 if self.names else 0))
        if kind == "name":
            return self.choice.choice(self.names)
        if kind == "post":
            restriction = self.choice.choice(["", ", nolocks", ", avoiding {v0}", ", only {v0, v42}"])
            return f"post*({'init' if depth > 0 else 'init & stand({p1})'}{restriction})"
        if kind in ("and", "or", "minus"):
            operator = {"and": "&", "or": "|", "minus": "-"}[kind]
            return f"({self.set(depth + 1)} {operator} {self.set(depth + 1)})"
        return {"init": "init", "stand": f"stand({self.symbols()})", "fired": "fired({v42})", "threads": "threads >= 2",
                "stand2": f"stand({self.symbols()}, {self.symbols()})"}[kind]

    def statement(self):
        kind = self.choice.randrange(10)
        if kind < 4:
            name = self.choice.choice("ABCDE")
            text = f"let {name} = {self.set()}"
            if name not in self.names:
                self.names.append(name)
            return text
        if kind < 6:
            return f"check empty({self.set()} & post*(init))"
        if kind == 6:
            return f"check {self.set(1)} <= {self.set(1)}"
        if kind == 7:
            return f"states({self.set(1)} & init)"
        return self.choice.choice(["check empty(Nobody)", "let = 3", "stand({nowhere})", "check init &", "let X = \"", "(((", ")",
                                   "load \"nothing.dpn\"", "size(post*(init) | Nobody)", "??", "check 3 + 4", "let A = (B | Nobody)", "let B = Nobody"])


def script_answer(good, statement):
    """What the statement gives at the end of a script: its value, or "refused"."""
    result = run("query", "-", stdin="\n".join([f'load "{FIG1}"', *good, statement]) + "\n")
    if result.returncode not in (0, 1):
        return "refused"
    found = re.findall(re.escape(statement) + r": (\w+)", result.stdout)
    return found[-1] if found else ""


def repl_answers(statements):
    """What a person is told who types the statements one after the other."""
    answers = []
    with Dialogue(FIG1) as talk:
        fcntl.ioctl(talk.main, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 1000, 0, 0))
        talk.expect(re.escape(PROMPT))
        for statement in statements:
            talk.type(statement + "\r")
            shown = talk.expect(re.escape(PROMPT) + "|" + re.escape(FURTHER))
            if shown.endswith(FURTHER):  # a blank line ends what is not complete
                talk.type("\r")
                shown = talk.expect(re.escape(PROMPT))
            lines = [line.strip() for line in shown.removesuffix(PROMPT).split("\r\n")]
            lines = [line for line in lines if line and not line.endswith(statement) and line != FURTHER.strip()]
            refused = any("error:" in line for line in lines)
            answers.append("refused" if refused else re.match(r"\w*", lines[0])[0] if lines else "")
    return answers


class Sequences(Case):
    def test_the_repl_says_what_a_script_of_the_statements_before_it_says(self):
        def expected(statements):
            good, answers = [], []
            for statement in statements:
                answers.append(script_answer(good, statement))
                if answers[-1] != "refused":
                    good.append(statement)
            return answers

        def differ(statements):
            return repl_answers(statements) != expected(statements)

        seen = set()
        for seed in range(10):
            statements = Talk(seed).statements
            answers = expected(statements)
            if repl_answers(statements) != answers:
                statements = smallest(statements, differ)
                self.fail("the REPL and a script differ:\n" + "\n".join(statements) +
                          f"\nscript: {expected(statements)}\nREPL: {repl_answers(statements)}")
            seen |= set(answers)
        self.assertLessEqual({"", "holds", "fails", "refused"}, seen)

    def test_a_batch_answers_as_if_each_query_were_asked_alone(self):
        def answers(queries):
            lines = "".join(json.dumps({"id": i, "query": query}) + "\n" for i, query in enumerate(queries))
            result = run("batch", "-", FIG1, "--jobs=2", stdin=lines)
            found = {}
            for line in result.stdout.splitlines():
                answer = json.loads(line)
                found[answer["id"]] = answer.get("verdict", "refused")
            return [found.get(i) for i in range(len(queries))]

        def differ(queries):
            return answers(queries) != [answers([query])[0] for query in queries]

        verdicts = set()
        for seed in range(6):
            choice = random.Random(seed)
            queries = []
            for _ in range(12):
                sets = ["{" + ", ".join(choice.sample(SYMBOLS, choice.randint(1, 3))) + "}" for _ in range(3)]
                queries.append(choice.choice([f"reach {sets[0]}", f"conflict {sets[0]} and {sets[1]}",
                                              f"conflict nolocks {sets[0]} and {sets[1]}",
                                              f"iterate {sets[0]}, {sets[1]} avoiding {{v0}}", f"reach {{nowhere}}", "conflict"]))
            if differ(queries):
                self.fail("a batch and its queries differ:\n" + "\n".join(smallest(queries, differ)))
            verdicts |= set(answers(queries))
        self.assertEqual(verdicts, {"reachable", "unreachable", "refused"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
