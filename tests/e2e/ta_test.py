"""End-to-end tests of `lockwood ta`: every operation as a user would call it, alone and in pipes.

    ta_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from processor_time import PATIENCE, with_a_limit  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])

OPERATIONS = ["empty", "universal", "finite", "member", "included", "equivalent", "union", "intersect", "minus",
              "complement", "determinize", "minimize", "reduce", "trim", "project", "rename", "image", "preimage", "random",
              "witness", "enumerate", "count", "sample", "info", "convert", "dot"]
QUESTIONS = ["empty", "universal", "finite", "member", "included", "equivalent"]

LISTS = """Ops zero:0 s:1 cons:2 nil:0
Automaton Lists
States nat list
Final States list
Transitions
zero -> nat
s(nat) -> nat
cons(nat, list) -> list
nil -> list
"""
EVEN_LISTS = """Ops zero:0 s:1 cons:2 nil:0
Automaton EvenLists
States even odd list
Final States list
Transitions
zero -> even
s(even) -> odd
s(odd) -> even
cons(even, list) -> list
nil -> list
"""
FEWER = """Transducer Fewer
Final States list
Transitions
zero -> nat(zero)
s(nat(n)) -> nat(s(n))
nil -> list(nil)
cons(nat(n), list(l)) -> list(cons(n, l))
cons(nat(n), list(l)) -> list(l)
"""
NOTHING = "Ops a:0\nStates q\nFinal States q\nTransitions\n"


def shared_folder():
    """The shared Timbuk files, beside the sources or a folder that holds them; None if they are not there."""
    above = SOURCE
    while above != os.path.dirname(above):
        above = os.path.dirname(above)
        folder = os.path.join(above, "shared/data/timbuk")
        if os.path.isdir(folder):
            return folder
    return None


SHARED = shared_folder()


class Automaton:
    """A bottom-up automaton as plain sets, and its language by brute force: the twin of the program."""

    def __init__(self, symbols, final, transitions):
        self.symbols = symbols  # {(name, rank)}
        self.final = final
        self.transitions = transitions  # [(name, children, target)]

    @staticmethod
    def at_random(seed):
        generator = random.Random(seed)
        symbols = {("a", 0), ("b", 0), ("g", 1), ("f", 2)}
        if generator.random() < 0.3:
            symbols.add(("h", 1))
        states = [f"q{number}" for number in range(generator.randint(1, 4))]
        transitions = []
        for _ in range(generator.randint(2, 9)):
            name, rank = generator.choice(sorted(symbols))
            transitions.append((name, tuple(generator.choice(states) for _ in range(rank)), generator.choice(states)))
        return Automaton(symbols, {state for state in states if generator.random() < 0.5}, transitions)

    def text(self):
        lines = ["Ops " + " ".join(f"{name}:{rank}" for name, rank in sorted(self.symbols)), "Automaton A"]
        lines.append("States " + " ".join(sorted({state for _, children, target in self.transitions
                                                  for state in (*children, target)} | self.final)))
        lines += ["Final States " + " ".join(sorted(self.final)), "Transitions"]
        for name, children, target in self.transitions:
            lines.append((f"{name}({', '.join(children)})" if children else name) + f" -> {target}")
        return "\n".join(lines) + "\n"

    def states_of(self, tree):
        name, *subtrees = tree
        below = [self.states_of(subtree) for subtree in subtrees]
        return {target for symbol, children, target in self.transitions
                if symbol == name and len(children) == len(below) and all(map(lambda q, s: q in s, children, below))}

    def accepts(self, tree):
        return bool(self.states_of(tree) & self.final)

    def language(self, trees):
        return {term(tree) for tree in trees if self.accepts(tree)}

    def states_without(self, tree, erased):
        """The states that some tree may have of which this one is left if the erased symbols are taken out."""
        name, *subtrees = tree
        below = [self.states_without(subtree, erased) for subtree in subtrees]
        found = {target for symbol, children, target in self.transitions
                 if symbol == name and len(children) == len(below) and all(map(lambda q, s: q in s, children, below))}
        while True:
            more = {target for symbol, children, target in self.transitions if symbol in erased and children[0] in found}
            if more <= found:
                return found
            found |= more


class Transducer:
    """A bottom-up transducer as plain rules, and its outputs by brute force."""

    def __init__(self, symbols, states, final, rules):
        self.symbols = symbols
        self.states = states
        self.final = final
        self.rules = rules  # [(name, children, target, output)], the output with numbers for children

    @staticmethod
    def at_random(seed, keeping=False, copying=False):
        """Rules that keep all that was put out below have it in their output once, under one more node at least."""
        generator = random.Random(seed)
        symbols = {("a", 0), ("b", 0), ("g", 1), ("f", 2), ("h", 1)}
        states = [f"s{number}" for number in range(generator.randint(1, 3))]
        rules = []
        for _ in range(generator.randint(6, 12)):
            name, rank = generator.choice(sorted(symbols))
            free = list(range(rank))
            def output(depth):
                if depth > 0 and free and not keeping and generator.random() < 0.5:
                    number = generator.choice(free)
                    if not copying:
                        free.remove(number)
                    return number
                name, rank = generator.choice([each for each in sorted(symbols) if depth < 2 or each[1] == 0])
                return (name, *(output(depth + 1) for _ in range(rank)))
            if keeping:
                generator.shuffle(free)
                put_out = (("a",) if rank == 0 else ("g", free[0]) if rank == 1 else ("f", *free))
            else:
                put_out = output(1 if generator.random() < 0.3 else 0)
            rules.append((name, tuple(generator.choice(states) for _ in range(rank)), generator.choice(states), put_out))
        return Transducer(symbols, states, {states[0]}, rules)

    def text(self):
        def shown(output):
            return f"x{output}" if isinstance(output, int) else term((output[0], *([each] for each in map(shown, output[1:]))))
        lines = ["Ops " + " ".join(f"{name}:{rank}" for name, rank in sorted(self.symbols))]
        lines.append("Output " + lines[0] + "\nTransducer T\nStates " + " ".join(self.states))
        lines += ["Final States " + " ".join(sorted(self.final)), "Transitions"]
        for name, children, target, output in self.rules:
            left = ", ".join(f"{state}(x{number})" for number, state in enumerate(children))
            lines.append((f"{name}({left})" if left else name) + f" -> {target}({shown(output)})")
        return "\n".join(lines) + "\n"

    def all_outputs(self, tree):
        """The pairs of a state and an output."""
        def filled(output, below):
            return below[output] if isinstance(output, int) else (output[0], *(filled(each, below) for each in output[1:]))
        name, *subtrees = tree
        choices = [self.all_outputs(subtree) for subtree in subtrees]
        found = set()
        for symbol, children, target, output in self.rules:
            if symbol == name and len(children) == len(choices):
                for choice in itertools.product(*choices):
                    if all(map(lambda state, chosen: state == chosen[0], children, choice)):
                        found.add((target, filled(output, [each for _, each in choice])))
        return found

    def outputs(self, tree):
        return {output for state, output in self.all_outputs(tree) if state in self.final}


def all_trees(symbols, nodes):
    """All trees over the symbols with up to so many nodes, as nested tuples."""
    by_size = {0: []}
    for size in range(1, nodes + 1):
        by_size[size] = []
        for name, rank in sorted(symbols):
            for sizes in itertools.product(range(1, size), repeat=rank):
                if sum(sizes) == size - 1:
                    for subtrees in itertools.product(*(by_size[each] for each in sizes)):
                        by_size[size].append((name, *subtrees))
    return [tree for size in range(1, nodes + 1) for tree in by_size[size]]


def term(tree):
    return tree[0] + (f"({','.join(map(term, tree[1:]))})" if len(tree) > 1 else "")


def single(text):
    """The rules of an automaton for this tree alone, q0 being the state of its root."""
    numbers = itertools.count()
    names = iter(re.findall(r"\w+", text))
    rank = {"a": 0, "b": 0, "g": 1, "h": 1, "f": 2}
    def rules():
        number, name = next(numbers), next(names)
        children, below = [], []
        for _ in range(rank[name]):
            child, more = rules()
            children.append(f"q{child}")
            below += more
        return number, [(name, tuple(children), f"q{number}"), *below]
    return rules()[1]


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file("lists", LISTS)
        self.file("even", EVEN_LISTS)
        self.file("fewer", FEWER)
        self.file("nothing", NOTHING)

    def file(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)
        return name

    def run_ta(self, *arguments, stdin="", timeout=PATIENCE):
        return subprocess.run([PROGRAM, "ta", *arguments], input=stdin, capture_output=True, text=True, cwd=self.folder,
                              timeout=timeout, check=False)

    def ta(self, *arguments, stdin=""):
        """Standard output of an operation that must succeed without a word."""
        result = self.run_ta(*arguments, stdin=stdin)
        self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
        return result.stdout

    def ask(self, *arguments, stdin=""):
        """The answer to a question: True or False, and the tree on the second line if there is one."""
        result = self.run_ta(*arguments, stdin=stdin)
        lines = result.stdout.splitlines()
        self.assertIn((result.returncode, lines[:1]), [(0, ["yes"]), (1, ["no"])], (arguments, result.stderr))
        self.assertLessEqual(len(lines), 2)
        return result.returncode == 0, lines[1] if len(lines) > 1 else None

    def shell(self, line, folder=None, stderr=subprocess.PIPE):
        environment = dict(os.environ, PATH=os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"])
        return subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, stderr=stderr, text=True,
                              cwd=folder or self.folder, env=environment, timeout=PATIENCE, check=False)

    def assert_refused(self, result, *patterns):
        """Exit status 2, nothing on standard output, and the patterns on standard error."""
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        for pattern in patterns:
            self.assertRegex(result.stderr, pattern)


class Help(Case):
    def test_help_lists_every_operation_and_the_exit_status(self):
        result = self.run_ta("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for operation in OPERATIONS:
            self.assertRegex(result.stdout, rf"(?m)^  {operation}  +\w")
        self.assertRegex(result.stdout, r"(?m)^  0 +yes, or done$")
        self.assertEqual(self.shell("lockwood help ta").stdout, result.stdout)

    def test_each_operation_has_help_in_the_usual_sections_with_an_example(self):
        order = ["Input", "Analysis", "Limits", "Output", "General", "Exit status", "Examples"]
        for operation in OPERATIONS:
            with self.subTest(operation):
                text = self.ta(operation, "--help")
                files = {"random": "\n", "image": " TRANSDUCER FILE\n", "preimage": " TRANSDUCER FILE\n"}.get(operation, " F")
                self.assertTrue(text.startswith(f"Usage: lockwood ta {operation} [OPTIONS]{files}"), text)
                titles = re.findall(r"(?m)^(\w[\w ]*):$", text)
                self.assertEqual(titles, [title for title in order if title in titles])
                for title in ("Input", "Limits", "Output", "General", "Exit status", "Examples"):
                    self.assertIn(title, titles)
                self.assertIn("--timeout", text)
                self.assertIn("--strict", text)
                self.assertEqual("  1      no\n" in text, operation in QUESTIONS)
                self.assertLess(max(map(len, text.splitlines())), 121)
                self.assertEqual(self.shell(f"lockwood help ta {operation}").stdout, text)

    def test_operations_that_do_not_exist_are_refused_with_the_nearest(self):
        self.assert_refused(self.run_ta("unoin", "lists", "even"), "unknown operation 'unoin'; did you mean 'union'?")
        self.assert_refused(self.run_ta(), "lockwood ta: no operation")
        self.assert_refused(self.shell("lockwood help ta dotty"), "unknown operation 'dotty'")

    def test_options_and_values_that_do_not_exist_are_refused_with_the_nearest(self):
        self.assert_refused(self.run_ta("union", "lists", "even", "--stat"), "lockwood ta union: unknown option",
                            "did you mean '--stats'?")
        self.assert_refused(self.run_ta("included", "lists", "even", "--method=upwards"), "did you mean 'upward'?")
        self.assert_refused(self.run_ta("convert", "lists", "--to=jsom"), "did you mean 'json'?")
        self.assert_refused(self.run_ta("info", "lists", "even"), "unexpected argument 'even'")

    def test_missing_arguments_are_named(self):
        self.assert_refused(self.run_ta("info"), "FILE is missing")
        self.assert_refused(self.run_ta("minus", "lists"), "SECOND")
        self.assert_refused(self.run_ta("union", "lists"), "FILE")
        self.assert_refused(self.run_ta("member", "lists"), "no tree")
        self.assert_refused(self.run_ta("sample", "lists"), "--size")
        self.assert_refused(self.run_ta("image", "fewer"), "FILE")
        self.assert_refused(self.run_ta("rename", "lists"), "OLD=NEW")
        self.assert_refused(self.run_ta("project", "lists"), "which symbols are to be taken out", "--onto=SYMBOL")
        for size in ("x", "-1", "3..", "5..3", "99999999999999999999"):
            self.assert_refused(self.run_ta("count", "lists", f"--size={size}"), "--size")

    def test_a_file_may_have_the_name_of_an_operation_or_command(self):
        for name in ("union", "show", "ta"):
            self.file(name, LISTS)
            self.assertTrue(self.ask("equivalent", name, "lists")[0])

    def test_bash_completes_operations_options_values_and_files(self):
        def complete(*words):
            script = ('eval "$("$0" completions bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lockwood; '
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            return subprocess.run(["bash", "-c", script, PROGRAM, *words], cwd=self.folder, capture_output=True,
                                  text=True, check=True).stdout.split()
        self.assertEqual(complete("lockwood", "ta", "min"), ["minus", "minimize"])
        self.assertEqual(set(complete("lockwood", "ta", "")), {*OPERATIONS, "--help", "-h"})
        self.assertEqual(complete("lockwood", "ta", "included", "--met"), ["--method"])
        self.assertEqual(complete("lockwood", "ta", "included", "--method", "=", "down"),
                         ["downward", "downward-simulation"])
        self.assertEqual(complete("lockwood", "ta", "union", "lis"), ["lists"])
        self.assertEqual(complete("lockwood", "ta", "union", "lists", "ev"), ["even"])
        self.assertEqual(complete("lockwood", "ta", "member", "--tree", "no"), ["nothing"])
        self.assertEqual(complete("lockwood", "convert", "--automat"), [])
        for shell in ("zsh", "fish"):
            script = self.shell(f"lockwood completions {shell}").stdout
            for operation in OPERATIONS:
                self.assertIn(operation, script)


class Documentation(Case):
    def test_the_worked_session_goes_as_printed(self):
        with open(os.path.join(SOURCE, "docs/tree-automata.md"), encoding="utf-8") as page:
            blocks = re.findall(r"(?m)(?:^    .*\n|^\n(?=    ))+", page.read())
        commands = 0
        for block in blocks:
            lines = [line[4:] for line in block.splitlines()]
            if not any(line.startswith("$ ") for line in lines):
                continue
            for part in "\n".join(lines).strip("\n").split("$ ")[1:]:
                command, _, printed = part.partition("\n")
                if command == "cd docs/examples":
                    continue
                commands += 1
                result = self.shell(command, os.path.join(SOURCE, "docs/examples"), stderr=subprocess.STDOUT)
                with self.subTest(command):
                    self.assertEqual(result.stdout.rstrip("\n"), printed.rstrip("\n"))
        self.assertGreater(commands, 10)


class Operations(Case):
    def test_info_tells_sizes_and_properties_as_text_and_json(self):
        text = self.ta("info", "even")
        for line in ("name               EvenLists", "states             3", "transitions        5",
                     "size               9", "deterministic      yes", "complete           no",
                     "finite             no"):
            self.assertIn(line, text)
        report = json.loads(self.ta("info", "even", "--symbols", "--json"))
        self.assertEqual(report["command"], "ta info")
        self.assertEqual(report["report"]["automaton"]["useful_states"], 3)
        self.assertEqual(report["report"]["symbols"][1], {"symbol": "s", "rank": 1, "transitions": 2})

    def test_union_and_intersect_take_any_number_of_automata(self):
        self.file("odd", EVEN_LISTS.replace("cons(even", "cons(odd"))
        self.file("all", self.ta("union", "even", "odd", "lists"))
        self.assertTrue(self.ask("equivalent", "all", "lists")[0])
        self.file("both", self.ta("intersect", "even", "odd", "lists"))
        self.assertEqual(self.ta("enumerate", "both"), "nil\n")

    def test_trim_leaves_out_what_takes_part_in_no_acceptance(self):
        self.file("useless", LISTS.replace("States nat list", "States nat list lost") + "s(lost) -> list\n")
        self.assertEqual(self.ta("trim", "useless"), LISTS)

    def test_reduce_joins_equivalent_states_and_leaves_out_transitions(self):
        doubled = self.ta("union", "lists", "lists")
        self.assertIn(" 4\n", re.search(r"states +\d+\n", self.ta("info", "-", stdin=doubled)).group())
        for by in ("both", "downward", "upward"):
            reduced = self.ta("reduce", "-", f"--by={by}", stdin=doubled)
            self.assertTrue(self.ask("equivalent", "lists", "-", stdin=reduced)[0])
        self.assertEqual(self.ta("reduce", "-", stdin=doubled).count("->"), 4)
        kept = self.ta("reduce", "-", "--keep-transitions", stdin=self.ta("union", "lists", "even"))
        self.assertTrue(self.ask("equivalent", "lists", "-", stdin=kept)[0])
        self.assertGreater(kept.count("->"), 4)

    def test_determinize_and_minimize_give_deterministic_automata_complete_ones_if_asked(self):
        for operation in ("determinize", "minimize"):
            for options, complete in (([], False), (["--complete"], True)):
                result = self.ta(operation, "-", *options, stdin=self.ta("union", "lists", "even"))
                properties = json.loads(self.ta("info", "-", "--json", stdin=result))["report"]["automaton"]
                self.assertEqual((properties["deterministic"], properties["complete"]), (True, complete))
                self.assertTrue(self.ask("equivalent", "-", "lists", stdin=result)[0])

    def test_minimize_gives_the_smallest(self):
        self.assertEqual(self.ta("minimize", "-", stdin=self.ta("union", "lists", "even")).count("->"), 4)

    def test_complement_and_universal_are_about_the_declared_symbols_and_those_asked_for(self):
        self.file("a", "Ops a:0 b:0\nFinal States q\nTransitions\na -> q\n")
        self.assertEqual(self.ta("enumerate", "-", stdin=self.ta("complement", "a")), "b\n")
        self.file("all", "Ops a:0\nFinal States q\nTransitions\na -> q\n")
        self.file("more", "Ops a:0 c:0\nTransitions\n")
        self.assertEqual(self.ta("enumerate", "-", stdin=self.ta("complement", "all", "--over=more")), "c\n")
        self.assertEqual(self.ask("universal", "all"), (True, None))
        self.assertEqual(self.ask("universal", "all", "--over=more"), (False, "c"))

    def test_questions_are_answered_on_standard_output_and_by_the_exit_status(self):
        for question, answer in ((["empty", "nothing"], "yes"), (["empty", "lists"], "no"), (["finite", "lists"], "no"),
                                 (["finite", "nothing"], "yes"), (["universal", "nothing"], "no\na"),
                                 (["member", "even", "cons(zero, nil)"], "yes"),
                                 (["member", "even", "cons(s(zero), nil)"], "no"),
                                 (["included", "even", "lists"], "yes"),
                                 (["included", "lists", "even"], "no\ncons(s(zero),nil)"),
                                 (["equivalent", "lists", "lists"], "yes"),
                                 (["equivalent", "even", "lists"], "no\ncons(s(zero),nil)")):
            with self.subTest(question):
                result = self.run_ta(*question)
                self.assertEqual(result.stdout, answer + "\n")
                self.assertEqual(result.returncode, 0 if answer == "yes" else 1)
                differ = question[0] == "equivalent" and answer != "yes"
                note = "lockwood: only lists accepts this tree\n" if differ else ""
                self.assertEqual(result.stderr, note)
                self.assertEqual(self.run_ta(*question, "-o", "answer").stdout, "")
                with open(os.path.join(self.folder, "answer"), encoding="utf-8") as stream:
                    self.assertEqual(stream.read(), answer + "\n")

    def test_all_methods_of_inclusion_agree(self):
        for method in ("auto", "upward", "upward-simulation", "downward", "downward-simulation"):
            self.assertEqual(self.ask("included", "even", "lists", f"--method={method}"), (True, None))
            holds, tree = self.ask("included", "lists", "even", f"--method={method}")
            self.assertFalse(holds)
            self.assertTrue(self.ask("member", "lists", tree)[0])
            self.assertFalse(self.ask("member", "even", tree)[0])
            self.assertFalse(self.ask("equivalent", "lists", "even", f"--method={method}")[0])

    def test_member_takes_a_tree_from_the_command_line_a_file_or_standard_input(self):
        self.file("tree", "  cons( s(zero()) ,\n nil ) \n")
        self.assertTrue(self.ask("member", "lists", "--tree=tree")[0])
        self.assertTrue(self.ask("member", "lists", "--tree", "-", stdin="cons(zero,nil)")[0])
        self.assertTrue(self.ask("member", "-", "cons(zero,nil)", stdin=LISTS)[0])

    def test_member_answers_no_for_foreign_symbols_only_if_asked_to(self):
        self.assert_refused(self.run_ta("member", "lists", "snoc(nil, zero)"),
                            "<term>:1:1: error: unknown symbol 'snoc'")
        self.assertFalse(self.ask("member", "lists", "snoc(nil, zero)", "--any-symbol")[0])

    def test_witness_is_a_smallest_tree_and_its_absence_exit_status_1(self):
        self.assertEqual(self.ta("witness", "lists"), "nil\n")
        result = self.run_ta("witness", "nothing")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("accepts no tree", result.stderr)

    def test_enumerate_goes_by_size_up_to_the_limit(self):
        self.assertEqual(self.ta("enumerate", "even", "--limit=3").splitlines(),
                         ["nil", "cons(zero,nil)", "cons(s(s(zero)),nil)"])
        self.assertEqual(self.ta("enumerate", "even", "--limit=0"), "")
        self.assertEqual(len(self.ta("enumerate", "lists").splitlines()), 100)
        self.assertEqual(self.ta("enumerate", "lists", "--size=5").splitlines(),
                         ["cons(s(s(zero)),nil)", "cons(zero,cons(zero,nil))"])
        self.assertEqual(self.ta("enumerate", "nothing"), "")
        self.assertEqual(self.ta("enumerate", "nothing", "--size=1..1000000000"), "")
        result = self.run_ta("enumerate", "lists", "--max-nodes=3")
        self.assertEqual((result.returncode, result.stdout), (3, "nil\ncons(zero,nil)\n"))
        self.assertIn("--max-nodes allows 3 nodes", result.stderr)
        self.ta("enumerate", "lists", "-o", "trees")
        with open(os.path.join(self.folder, "trees"), encoding="utf-8") as stream:
            self.assertEqual(stream.read(), self.ta("enumerate", "lists"))

    def test_count_is_exact_however_large(self):
        self.assertEqual(self.ta("count", "lists", "--size=1..6"), "1 1\n2 0\n3 1\n4 1\n5 2\n6 3\n")
        previous, current = 0, 1  # lists with n + 2 nodes are counted by Fibonacci's numbers
        for _ in range(300):
            previous, current = current, previous + current
        self.assertEqual(self.ta("count", "lists", "--size=302"), f"{previous}\n")

    def test_count_without_a_size_counts_all_trees_of_a_finite_language(self):
        self.file("finite", "Final States q\nTransitions\na -> p\nb -> p\nf(p, p) -> q\na -> q\n")
        self.assertEqual(self.ta("count", "finite"), "5\n")
        self.assertEqual(self.ta("count", "nothing"), "0\n")
        self.assert_refused(self.run_ta("count", "lists"), "infinitely many")

    def test_samples_have_the_size_and_are_repeatable(self):
        first = self.ta("sample", "lists", "--size=40", "--number=5", "--seed=3")
        self.assertEqual(first, self.ta("sample", "lists", "--size=40", "--number=5", "--seed=3"))
        self.assertNotEqual(first, self.ta("sample", "lists", "--size=40", "--number=5", "--seed=4"))
        self.assertEqual(len(first.splitlines()), 5)
        for tree in first.splitlines():
            self.assertEqual(len(re.findall(r"\w+", tree)), 40)
            self.assertTrue(self.ask("member", "lists", tree)[0])
        result = self.run_ta("sample", "lists", "--size=2")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("no tree with 2 nodes", result.stderr)

    def test_samples_are_about_equally_frequent(self):
        trees = self.ta("sample", "lists", "--size=6", "--number=3000").splitlines()
        frequencies = [trees.count(tree) for tree in self.ta("enumerate", "lists", "--size=6").splitlines()]
        self.assertEqual(sum(frequencies), 3000)
        for frequency in frequencies:
            self.assertAlmostEqual(frequency, 1000, delta=150)

    def test_dot_writes_a_picture(self):
        picture = self.ta("dot", "lists")
        self.assertTrue(picture.startswith("digraph"))
        self.assertIn("doublecircle", picture)

    def test_stats_tell_sizes_and_times_on_standard_error_only(self):
        result = self.run_ta("union", "lists", "even", "--stats")
        self.assertEqual(result.stdout, self.ta("union", "lists", "even"))
        self.assertRegex(result.stderr, r"lists: 2 states \(1 final\), 4 transitions, 4 symbols; read in \d+\.\d+ s")
        self.assertRegex(result.stderr,
                         r"result: 5 states \(2 final\), 9 transitions, 4 symbols; computed in \d+\.\d+ s")
        for arguments in (["empty", "lists"], ["count", "lists", "--size=3"], ["witness", "lists"], ["info", "lists"]):
            self.assertRegex(self.run_ta(*arguments, "--stats").stderr, r"computed in \d+\.\d+ s; [\d.]+ \w+ of memory")


class Mappings(Case):
    """project, rename, image and preimage, and random automata."""

    def language(self, name, nodes):
        return set(self.ta("enumerate", name, f"--size=1..{nodes}", "--limit=1000000").split())

    def test_project_leaves_out_nodes_with_one_child(self):
        self.file("numbers", self.ta("project", "lists", "--without=s"))
        self.assertEqual(self.language("numbers", 5), {"nil", "cons(zero,nil)", "cons(zero,cons(zero,nil))"})
        self.assertNotIn("s:1", self.ta("info", "numbers", "--symbols"))
        self.assertEqual(self.ta("project", "lists", "--onto=zero,cons:2,nil"), self.ta("project", "lists", "--without", "s:1"))
        self.assert_refused(self.run_ta("project", "lists", "--onto=s,cons,nil"), "'zero' has rank 0: only a node with one child")
        self.assert_refused(self.run_ta("project", "lists", "--without=cons"), "'cons' has rank 2", "ta image --help")
        self.assert_refused(self.run_ta("project", "lists", "--without=con"), "no symbol 'con'", "did you mean 'cons'")
        self.assert_refused(self.run_ta("project", "lists", "--without=s:2"), "no symbol 's:2'", "did you mean 's:1'")
        self.assert_refused(self.run_ta("project", "lists", "--without=s", "--onto=s"), "exclude each other")

    def test_projections_are_those_of_the_twin(self):
        sizes = set()
        for seed in range(25):
            automaton = Automaton.at_random(seed)
            self.file("a", automaton.text())
            erased = {"g"} if seed % 2 else {"g", "h"} & {name for name, _ in automaton.symbols}
            self.file("result", self.ta("project", "a", "--without=" + ",".join(sorted(erased))))
            trees = all_trees({symbol for symbol in automaton.symbols if symbol[0] not in erased}, 7)
            expected = {term(tree) for tree in trees if automaton.states_without(tree, erased) & automaton.final}
            self.assertEqual(self.language("result", 7), expected, automaton.text())
            sizes.add(len(expected))
        self.assertGreater(len(sizes), 5)

    def test_rename_gives_all_symbols_their_names_at_once(self):
        self.file("other", self.ta("rename", "lists", "zero=nil", "nil=zero"))
        self.assertEqual(self.language("other", 3), {"zero", "cons(nil,zero)"})
        self.assertEqual(self.ta("rename", "other", "zero=nil", "nil=zero").replace("nil:0 s:1 cons:2 zero:0", "zero:0 s:1 cons:2 nil:0"),
                         self.ta("convert", "lists"))
        self.file("joined", self.ta("rename", "lists", "zero:0=nil"))
        self.assertEqual(self.language("joined", 3), {"nil", "cons(nil,nil)"})
        self.file("ranks", "Ops f:0 f:1 x=y:1\nFinal States q\nTransitions\nf -> q\nf(q) -> q\nx=y(q) -> q\n")
        self.file("renamed", self.ta("rename", "ranks", "f=g", "x=y=h"))
        self.assertEqual(self.language("renamed", 2), {"g", "g(g)", "h(g)"})
        self.file("one", self.ta("rename", "ranks", "f:1=g"))
        self.assertEqual(self.language("one", 2), {"f", "g(f)", "x=y(f)"})
        self.assert_refused(self.run_ta("rename", "lists", "sero=a"), "no symbol 'sero'", "did you mean 'zero'")
        self.assert_refused(self.run_ta("rename", "lists", "s"), "'s' should be OLD=NEW")
        self.assert_refused(self.run_ta("rename", "lists", "s="), "'s=' gives no new name")
        self.assert_refused(self.run_ta("rename", "lists", "s=a", "s:1=b"), "'s' gets two names: 'a' and 'b'")
        self.assert_refused(self.run_ta("rename", "lists", "s=a(b"), "a\\(b")

    def test_renamed_trees_are_those_of_the_twin(self):
        def renamed(tree, names):
            return (names.get(tree[0], tree[0]), *(renamed(each, names) for each in tree[1:]))
        for seed in range(15):
            automaton = Automaton.at_random(seed)
            self.file("a", automaton.text())
            names = {"a": "b"} if seed % 3 == 0 else {"a": "b", "b": "a"} if seed % 3 == 1 else {"a": "c", "g": "f"}
            self.file("result", self.ta("rename", "a", *(f"{old}={new}" for old, new in names.items())))
            expected = {term(renamed(tree, names)) for tree in all_trees(automaton.symbols, 6) if automaton.accepts(tree)}
            self.assertEqual(self.language("result", 6), expected, automaton.text())

    def test_image_and_preimage_go_both_ways_along_a_transducer(self):
        self.file("image", self.ta("image", "fewer", "even"))
        self.assertTrue(self.ask("equivalent", "image", "even")[0])
        self.file("preimage", self.ta("preimage", "fewer", "even"))
        self.assertTrue(self.ask("equivalent", "preimage", "lists")[0])
        self.assertEqual(self.ta("image", "-", "even", stdin=FEWER), self.ta("image", "fewer", "even"))
        self.assertIn("fewer: a transducer with 2 states and 5 rules", self.run_ta("image", "fewer", "even", "--stats").stderr)
        self.file("copies", "Final States q\nTransitions\na -> q(b)\ng(q(x)) ->\n  q(f(x, x))\n")
        self.assert_refused(self.run_ta("image", "copies", "lists"), r"copies:4:1: error: this rule copies a variable",
                            r"\n    g\(q\(x\)\) ->\n    \^\n")
        self.file("pairs", "Final States q\nTransitions\nb -> q\nf(q, q) -> q\n")
        self.assertEqual(self.language(self.file("both", self.ta("preimage", "copies", "pairs")), 3), {"a", "g(a)", "g(g(a))"})

    def test_preimages_are_those_of_the_twin(self):
        sizes = set()
        for seed in range(40):
            automaton, transducer = Automaton.at_random(seed), Transducer.at_random(seed, copying=seed % 2 == 0)
            self.file("a", automaton.text())
            self.file("t", transducer.text())
            self.file("result", self.ta("preimage", "t", "a"))
            expected = {term(tree) for tree in all_trees(transducer.symbols, 5)
                        if any(automaton.accepts(output) for output in transducer.outputs(tree))}
            self.assertEqual(self.language("result", 5), expected, transducer.text() + automaton.text())
            sizes.add(len(expected))
        self.assertGreater(len(sizes), 8)

    def test_images_are_those_of_the_twin(self):
        """Where nothing is left out, no output is smaller than its tree. In general, each tree of the image comes from
        an accepted one, which the preimage tells."""
        sizes = set()
        for seed in range(40):
            automaton, transducer = Automaton.at_random(seed), Transducer.at_random(seed, keeping=seed % 2 == 0)
            self.file("a", automaton.text())
            self.file("t", transducer.text())
            self.file("result", self.ta("image", "t", "a"))
            outputs = {output for tree in all_trees(transducer.symbols, 5) if automaton.accepts(tree)
                       for output in transducer.outputs(tree)}
            image = self.language("result", 5)
            small = {term(tree) for tree in outputs if len(re.findall(r"\w+", term(tree))) <= 5}
            if seed % 2 == 0:
                self.assertEqual(image, small, transducer.text() + automaton.text())
                sizes.add(len(image))
                continue
            self.assertLessEqual(small, image, transducer.text() + automaton.text())
            for tree in sorted(image - small)[:3]:
                name = self.file("one", Automaton(transducer.symbols, {"q0"}, list(single(tree))).text())
                self.file("from", self.ta("preimage", "t", name))
                self.file("both", self.ta("intersect", "from", "a"))
                self.assertFalse(self.ask("empty", "both")[0], tree)
        self.assertGreater(len(sizes), 5)

    def test_errors_in_transducers_have_their_place(self):
        self.assert_refused(self.run_ta("image", "lists", "lists"), r"lists:2:1: error: this is an automaton, and a transducer is",
                            "a transducer says 'Transducer' here")
        self.file("broken", "Transitions\na -> q(b\nf(q(x), q(x)) -> q(x)\na -> q\n")
        self.assert_refused(self.run_ta("preimage", "broken", "lists"), r"broken:3:1: error: expected '\)' after what is put out",
                            r"broken:3:11: error: the variable 'x' stands on the left", r"broken:5:1: error: the file ends within")
        self.assert_refused(self.run_ta("image", "fewer", "lists", "--strict"), "the state 'nat' is not declared")
        self.assert_refused(self.run_ta("image", "absent", "lists"), "absent: error: No such file")
        self.assert_refused(self.run_ta("image", "-", "-", stdin=FEWER), "standard input can be read only once")

    def test_random_automata_have_the_sizes_asked_for_and_are_repeatable(self):
        first = self.ta("random", "--states=7", "--final=3", "--transitions=40", "--seed=5")
        self.assertEqual(first, self.ta("random", "--states=7", "--final=3", "--transitions=40", "--seed=5"))
        self.assertNotEqual(first, self.ta("random", "--states=7", "--final=3", "--transitions=40", "--seed=6"))
        facts = json.loads(self.ta("info", "-", "--json", stdin=first))["report"]["automaton"]
        self.assertEqual((facts["states"], facts["final_states"], facts["transitions"]), (7, 3, 40))
        over = self.ta("random", "--over=lists", "--transitions=5")
        self.assertTrue(over.startswith("Ops zero:0 s:1 cons:2 nil:0\n"), over)
        self.assertTrue(self.ta("random", "--symbols=c:3,e:0", "--states=2").startswith("Ops c:3 e:0\n"))
        everything = self.ta("random", "--symbols=e:0,g:1", "--states=2", "--transitions=6", "--final=2")
        self.assertTrue(self.ask("universal", "-", stdin=everything)[0])
        self.assertEqual(json.loads(self.ta("random", "--to=json"))["format"], "lockwood/tree-automaton/1")
        for symbols, message in (("a", "'a' should be a name and a rank, such as f:2"), ("a:x", "--symbols: 'x' is not a number"),
                                 ("a:0,a:0", "'a:0' is given twice"), (":1", "':1' should be"), ("a:1000001", "at most 1000000"),
                                 (",", "'' should be")):
            self.assert_refused(self.run_ta("random", f"--symbols={symbols}"), message)
        self.assert_refused(self.run_ta("random", "--symbols=a:0", "--over=lists"), "exclude each other")
        self.assert_refused(self.run_ta("random", "--states=1"), "--transitions=12 are more than .* --states=1: 4")
        self.assert_refused(self.run_ta("random", "--final=5"), "5 final states are more than --states=4")
        self.assert_refused(self.run_ta("random", "--symbols=f:30", "--states=9"), r"2\^63 or more")
        self.assert_refused(self.run_ta("random", "--states=10000001"), "--states can be at most 10000000")
        self.assert_refused(self.run_ta("random", "lists"), "unexpected argument 'lists'")


class Formats(Case):
    def test_timbuk_and_json_are_told_apart_by_name_by_text_or_by_option(self):
        self.ta("convert", "lists", "-o", "lists.json")
        with open(os.path.join(self.folder, "lists.json"), encoding="utf-8") as stream:
            text = stream.read()
        self.assertEqual(json.loads(text)["format"], "lockwood/tree-automaton/1")
        self.assertEqual(self.ta("convert", "lists", "--to=json"), text)
        self.assertEqual(self.ta("convert", "lists.json"), LISTS)
        self.assertEqual(self.ta("convert", "-", stdin=text), LISTS)
        self.assertEqual(self.ta("convert", "-", "--from=json", "--to=json", stdin=text), text)
        self.assert_refused(self.run_ta("convert", "lists.json", "--from=timbuk"), "lists.json:1:")
        self.assert_refused(self.run_ta("convert", "lists", "--from=json"), "lists:1:")

    def test_what_is_written_in_timbuk_is_read_back_the_same(self):
        self.assertEqual(self.ta("convert", "lists"), LISTS)
        odd = "Ops f:2 f:1 x:0\nAutomaton\nStates [<x>=1|y] q9223372036854775809\nFinal States\nTransitions\n"
        odd += "f([<x>=1|y], q9223372036854775809) -> [<x>=1|y]\n"
        self.assertEqual(self.ta("convert", "-", stdin=odd), odd)

    def test_a_name_that_timbuk_cannot_express_is_refused_and_goes_as_json(self):
        automaton = json.loads(self.ta("convert", "lists", "--to=json").replace('"list"', '"a list"'))
        self.assert_refused(self.run_ta("convert", "-", "--to=timbuk", stdin=json.dumps(automaton)),
                            "output: error: .*'a list'")
        self.assertIn("a list", self.ta("convert", "-", "--to=json", stdin=json.dumps(automaton)))

    def test_one_automaton_of_a_specification_can_be_taken(self):
        self.file("specification", "Ops a:0 f:1\nVars x\nTRS R\nf(x) -> x\nAutomaton One\nStates q\nFinal States q\n"
                  "Transitions\na -> q\n\nAutomaton Two\nStates p\nFinal States p\nTransitions\na -> p\nf(p) -> p\n")
        result = self.run_ta("convert", "specification", "--automaton=Two")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Automaton Two\nStates p\n", result.stdout)
        self.assertIn("TRS", result.stderr)
        self.assert_refused(self.run_ta("convert", "specification", "--automaton=Tow"), "no automaton 'Tow'",
                            "did you mean 'Two'?")
        self.assert_refused(self.run_ta("convert", "specification"), r"specification:\d+:\d+: error")

    def test_files_of_windows_and_without_a_last_newline_are_read(self):
        self.assertEqual(self.ta("convert", "-", stdin=LISTS.replace("\n", "\r\n")), LISTS)
        self.assertEqual(self.ta("convert", "-", stdin=LISTS.rstrip("\n")), LISTS)

    @unittest.skipUnless(SHARED, "the shared Timbuk files are not there")
    def test_shared_files_go_through_all_formats_unchanged(self):
        files = [os.path.join(folder, name) for folder, _, names in os.walk(SHARED) for name in names
                 if name != "suite.txt"]
        self.assertGreater(len(files), 20)
        for path in sorted(files)[::4]:
            with self.subTest(path):
                text = self.ta("convert", path)
                self.assertEqual(self.ta("convert", "-", stdin=text), text)
                self.assertEqual(self.ta("convert", "-", stdin=self.ta("convert", path, "--to=json")), text)

    @unittest.skipUnless(SHARED, "the shared Timbuk files are not there")
    def test_laws_hold_on_shared_files(self):
        with open(os.path.join(SHARED, "suite.txt"), encoding="utf-8") as suite:
            pairs = [line.split()[2:] for line in suite if line.startswith("pair artmc-s")]
        for names in pairs[:6]:
            first, second = (os.path.join(SHARED, name) for name in names)
            with self.subTest(names):
                included, tree = self.ask("included", first, second)
                difference = self.ta("minus", first, second)
                self.assertEqual(self.ask("empty", "-", stdin=difference)[0], included)
                if not included:
                    self.assertTrue(self.ask("member", first, tree)[0])
                    self.assertFalse(self.ask("member", second, tree, "--any-symbol")[0])
                both = self.ta("intersect", first, second)
                self.assertTrue(self.ask("included", "-", first, stdin=both)[0])
                self.assertTrue(self.ask("included", "-", second, stdin=both)[0])
                self.assertTrue(self.ask("equivalent", "-", first, stdin=self.ta("reduce", first))[0])


class Pipes(Case):
    def test_operations_join_by_pipes(self):
        result = self.shell("lockwood ta minus lists even | lockwood ta reduce - | lockwood ta enumerate - --limit=2")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "cons(s(zero),nil)\ncons(zero,cons(s(zero),nil))\n")

    def test_a_reader_that_goes_away_ends_the_operation_quietly(self):
        result = self.shell("lockwood ta enumerate lists --limit=100000000 | head -2; echo ${PIPESTATUS[0]}")
        self.assertEqual(result.stdout, "nil\ncons(zero,nil)\n141\n")
        self.assertEqual(result.stderr, "")

    def test_pipes_can_stand_for_files(self):
        result = self.shell("lockwood ta equivalent <(lockwood ta union lists even) <(lockwood ta trim lists)")
        self.assertEqual((result.returncode, result.stdout), (0, "yes\n"))

    def test_standard_input_can_be_read_only_once(self):
        self.assert_refused(self.run_ta("union", "-", "-", stdin=LISTS), "only once")
        self.assert_refused(self.run_ta("member", "-", "--tree=-", stdin=LISTS), "only once")

    def test_a_witness_of_the_difference_is_a_member_of_the_first_only(self):
        for name, answer in (("lists", "yes\n"), ("even", "no\n")):
            self.assertEqual(self.shell("lockwood ta minus lists even | lockwood ta witness - | "
                                        f"lockwood ta member {name} --tree=-").stdout, answer)

    def test_an_output_that_cannot_be_written_is_an_error(self):
        for arguments in (["union", "lists", "even"], ["empty", "lists"], ["enumerate", "lists"], ["dot", "lists"]):
            for place in ("/absent/out", "/dev/full"):
                result = self.run_ta(*arguments, "-o", place)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(place, result.stderr)


class Laws(Case):
    """Random automata through the command line, compared with sets of trees by brute force."""

    def language(self, text):
        return set(self.ta("enumerate", "-", "--size=1..5", "--limit=1000000", stdin=text).split())

    def test_operations_are_those_of_sets(self):
        for seed in range(25):
            with self.subTest(seed):
                first, second = Automaton.at_random(2 * seed), Automaton.at_random(2 * seed + 1)
                symbols = first.symbols | second.symbols
                trees = all_trees(symbols, 5)
                everything = {term(tree) for tree in trees}
                one, other = first.language(trees), second.language(trees)
                self.file("first", first.text())
                self.file("second", second.text())
                self.assertEqual(self.language(first.text()), one)
                self.assertEqual(self.language(self.ta("union", "first", "second")), one | other)
                self.assertEqual(self.language(self.ta("intersect", "first", "second")), one & other)
                self.assertEqual(self.language(self.ta("minus", "first", "second")), one - other)
                self.assertEqual(self.language(self.ta("complement", "first", "--over=second")), everything - one)
                for operation in ("determinize", "minimize", "reduce", "trim"):
                    self.assertEqual(self.language(self.ta(operation, "first")), one)
                counts = [int(line.split()[1]) for line in self.ta("count", "first", "--size=1..5").splitlines()]
                sizes = [len(re.findall(r"\w", tree)) for tree in one]
                self.assertEqual(counts, [sizes.count(size) for size in range(1, 6)])

    def test_de_morgan(self):
        for seed in range(10):
            with self.subTest(seed):
                self.file("first", Automaton.at_random(100 + seed).text())
                self.file("second", Automaton.at_random(200 + seed).text())
                self.file("outside", self.shell("lockwood ta union first second | lockwood ta complement -").stdout)
                for name, over in (("first", "second"), ("second", "first")):
                    self.file(f"not-{name}", self.ta("complement", name, f"--over={over}"))
                self.file("neither", self.ta("intersect", "not-first", "not-second"))
                self.assertTrue(self.ask("equivalent", "outside", "neither")[0])
                self.assertTrue(self.ask("universal", "-", "--over=outside",
                                         stdin=self.ta("union", "first", "not-first"))[0])

    def test_inclusion_is_an_empty_difference_and_its_counterexample_is_one(self):
        answers = set()
        for seed in range(25):
            with self.subTest(seed):
                self.file("first", Automaton.at_random(300 + seed).text())
                self.file("second", Automaton.at_random(400 + seed).text())
                if seed % 3 == 0:
                    self.file("second", self.ta("union", "first", "second"))
                included, tree = self.ask("included", "first", "second")
                answers.add(included)
                difference = self.ta("minus", "first", "second")
                self.assertEqual(self.ask("empty", "-", stdin=difference)[0], included)
                self.assertEqual(tree is None, included)
                if tree:
                    self.assertTrue(self.ask("member", "first", tree)[0])
                    self.assertFalse(self.ask("member", "second", tree, "--any-symbol")[0])
                    self.assertGreaterEqual(len(re.findall(r"\w", tree)),
                                            len(re.findall(r"\w", self.ta("witness", "-", stdin=difference))))
        self.assertEqual(answers, {True, False})


class BadInput(Case):
    def test_files_that_cannot_be_read_are_named(self):
        for path, reason in (("absent", "No such file"), (".", "is a directory")):
            for operation in (["info", path], ["union", "lists", path], ["member", "lists", f"--tree={path}"]):
                self.assert_refused(self.run_ta(*operation), rf"{re.escape(path)}: error: {reason}")

    def test_errors_in_timbuk_have_line_and_column(self):
        for text, place, message in (
                ("", "1:1", "Transitions"),
                ("garbage\n", "1:1", ""),
                ("\x00\x01\xff\x7f", "1:1", ""),
                ("Ops a:0\nStates q\n", "3:1", "Transitions"),
                ("Transitions\na -> q\nf(q", "3:", ""),
                ("Transitions\na -> q\nf(q,", "3:", ""),
                ("Transitions\na -> q\nf(q,q)", "3:", ""),
                ("Transitions\na -> q\nf(q,q) ->", "3:", ""),
                ("Transitions\na -> q\nf(q,) -> q\n", "3:5", ""),
                ("Transitions\na q\n", "2:", ""),
                ("Ops f:99999999999999999999999\nTransitions\n", "1:7", "rank"),
                ("Ops f:1000001\nTransitions\n", "1:7", "rank"),
                ("Ops f:x\nTransitions\n", "1:7", ""),
                ("Ops a:0\nOps b:0\nTransitions\n", "2:1", "Ops")):
            with self.subTest(text):
                self.assert_refused(self.run_ta("info", "-", stdin=text),
                                    rf"(?m)^<stdin>:{place}[^ ]*: error: .*{message}")

    def test_strict_reading_refuses_what_is_not_declared(self):
        for text, place, message in (
                ("Ops a:0\nStates q\nFinal States q\nTransitions\nb -> q\n", "5:1", "'b'"),
                ("Ops a:0 f:1\nStates q\nFinal States q\nTransitions\na -> q\nf(q, q) -> q\n", "6:1", "f"),
                ("Ops a:0\nStates q\nFinal States q\nTransitions\na -> r\n", "5:6", "'r'"),
                ("Ops a:0 f:1\nStates q\nFinal States q\nTransitions\nf(r) -> q\n", "5:3", "'r'"),
                ("Ops a:0\nStates q\nFinal States r\nTransitions\na -> q\n", "3:14", "'r'")):
            with self.subTest(text):
                self.ta("info", "-", stdin=text)
                self.assert_refused(self.run_ta("info", "-", "--strict", stdin=text),
                                    rf"(?m)^<stdin>:{place}: error: .*{message}")

    def test_errors_in_json_have_a_place_or_a_path(self):
        good = json.loads(self.ta("convert", "lists", "--to=json"))
        for member, value, path in (("transitions", [{"symbol": "s", "children": ["lost"], "target": "nat"}],
                                     "/transitions/0"),
                                    ("transitions", [{"symbol": "s", "children": ["nat", "nat"], "target": "nat"}],
                                     "/transitions/0"),
                                    ("final", ["lost"], "/final/0"),
                                    ("symbols", [{"name": "f", "rank": 1e30}], "/symbols/0"),
                                    ("symbols", [{"name": "f", "rank": -1}], "/symbols/0"),
                                    ("states", "q", "/states"), ("format", "other", "/format")):
            with self.subTest(member):
                self.assert_refused(self.run_ta("info", "-", stdin=json.dumps({**good, member: value})),
                                    rf"<stdin>:1:\d+: error: {path}")
        text = json.dumps(good, indent=1)
        self.assert_refused(self.run_ta("info", "-", stdin=text[:len(text) // 2]), r"<stdin>:\d+:\d+: error")
        self.assert_refused(self.run_ta("info", "-", stdin="{" * 100000), r"<stdin>:1:\d+: error")

    def test_strict_errors_come_in_the_order_of_the_text(self):
        result = self.run_ta("info", "-", "--strict", stdin="Ops\nFinal States r\nStates q:1\nTransitions\nb -> q\n")
        self.assertEqual(re.findall(r"(?m)^<stdin>:(\d+):", result.stderr), ["2", "3", "5"])

    def test_errors_in_terms_have_line_and_column(self):
        for text, place, message in (("", "1:1", "expected a symbol"), ("cons(zero", "1:10", "missing"),
                                     ("cons(zero,)", "1:11", "expected a symbol"), ("cons(zero)", "1:1", "rank 1"),
                                     ("nul", "1:1", "unknown symbol 'nul'"), ("nil nil", "1:5", "nothing more"),
                                     ("nil)", "1:4", "nothing more")):
            with self.subTest(text):
                self.assert_refused(self.run_ta("member", "lists", text), f"<term>:{place}: error: .*{message}")
        self.file("tree", "cons(zero,\n  cons(zerro, nil))")
        self.assert_refused(self.run_ta("member", "lists", "--tree=tree"), r"tree:2:8: error", "did you mean 'zero'?")

    def test_every_truncation_of_a_file_is_read_or_refused(self):
        for end in range(0, len(EVEN_LISTS), 3):
            result = self.run_ta("info", "-", "--strict", stdin=EVEN_LISTS[:end])
            self.assertIn(result.returncode, (0, 2), EVEN_LISTS[:end])
            if result.returncode == 2:
                self.assertRegex(result.stderr, r"^<stdin>:\d+:\d+: error: ")


class Size(Case):
    # Whether the letter k places below the root is a: deterministic automata need 2 to the power of k states.
    HARD = "".join(["Ops e:0 a:1 b:1\nFinal States q60\nTransitions\n"
                    "e -> q0\na(q0) -> q0\nb(q0) -> q0\na(q0) -> q1\n"] +
                   [f"{letter}(q{k}) -> q{k + 1}\n" for k in range(1, 60) for letter in "ab"])

    def test_a_timeout_gives_3_and_a_sentence(self):
        self.file("hard", self.HARD)
        for operation in (["determinize"], ["minimize"], ["count", "--size=70"]):
            with self.subTest(operation):
                result = self.run_ta(operation[0], "hard", *operation[1:], "--timeout=300ms")
                self.assertEqual((result.returncode, result.stdout), (3, ""), result.stderr)
                self.assertIn("time limit reached", result.stderr)

    def test_a_memory_limit_gives_3_and_a_sentence(self):
        self.file("hard", self.HARD)
        result = self.run_ta("determinize", "hard", "--max-memory=80M")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("memory limit reached", result.stderr)

    def test_a_timeout_keeps_the_trees_found_so_far(self):
        path = os.path.join(self.folder, "trees")
        for options in ([], ["-o", "trees"]):
            result = with_a_limit(  # there are no trees yet if it is stopped while it reads
                lambda limit, options=options: self.run_ta("enumerate", "lists", "--limit=1000000000",
                                                           f"--timeout={limit}", *options),
                lambda result: result.stdout or os.path.exists(path))
            self.assertEqual(result.returncode, 3)
            self.assertNotIn("no more is known", result.stderr)  # it was not cut off, and lost nothing
            text = result.stdout
            if options:
                with open(path, encoding="utf-8") as stream:
                    text = stream.read()
            self.assertTrue(text.startswith("nil\ncons(zero,nil)\n"))
            self.assertTrue(text.endswith("\n"))

    def test_a_tree_of_depth_one_million_is_a_member(self):
        depth = 1_000_000
        self.file("deep", "s(" * depth + "zero" + ")" * depth)
        self.file("numbers", LISTS.replace("Final States list", "Final States nat"))
        self.assertTrue(self.ask("member", "numbers", "--tree=deep")[0])
        self.assertFalse(self.ask("member", "lists", "--tree=deep")[0])
        self.assertTrue(self.ask("member", "numbers", "--tree=deep", "--any-symbol")[0])
        self.file("deep", "cons(zero," * depth + "nil" + ")" * depth)
        self.assertTrue(self.ask("member", "lists", "--tree=deep")[0])
        self.file("deep", "s(" * depth)
        self.assert_refused(self.run_ta("member", "lists", "--tree=deep"), "deep:1:2000001: error: expected a symbol")

    def test_an_automaton_whose_trees_are_deep_is_no_problem(self):
        depth = 200_000
        self.file("chain", f"Ops a:0 g:1\nFinal States q{depth}\nTransitions\na -> q0\n" +
                  "".join(f"g(q{k}) -> q{k + 1}\n" for k in range(depth)))
        self.assertEqual(self.ta("witness", "chain").strip(), "g(" * depth + "a" + ")" * depth)
        self.assertFalse(self.ask("empty", "chain")[0])
        self.assertTrue(self.ask("finite", "chain")[0])
        self.file("trimmed", self.ta("trim", "chain"))
        self.assertTrue(self.ask("included", "trimmed", "chain")[0])
        self.assertEqual(self.ta("intersect", "chain", "trimmed").count("->"), depth + 1)

    def test_a_size_beyond_all_measure_is_not_told_as_if_it_were_exact(self):
        self.file("nothing", "Ops a:0 f:2\nFinal States q\nTransitions\n")
        for levels, size in ((62, str(2 ** 63 - 1)), (63, f"at least {2 ** 64 - 1}"), (80, f"at least {2 ** 64 - 1}")):
            self.file("huge", f"Ops a:0 f:2\nFinal States q{levels}\nTransitions\na -> q0\n" +
                      "".join(f"f(q{k}, q{k}) -> q{k + 1}\n" for k in range(levels)))
            for operation in (["witness", "huge"], ["enumerate", "huge"]):
                self.assertIn(f"the smallest tree has {size} nodes", self.run_ta(*operation).stderr)
            self.assertIn(f"a tree that shows it has {size} nodes", self.run_ta("included", "huge", "nothing").stderr)

    def test_trees_too_large_to_write_are_told_about(self):
        levels = 61
        self.file("huge", f"Ops a:0 f:2\nFinal States q{levels}\nTransitions\na -> q0\n" +
                  "".join(f"f(q{k}, q{k}) -> q{k + 1}\n" for k in range(levels)))
        result = self.run_ta("witness", "huge")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn(f"the smallest tree has {2 ** (levels + 1) - 1} nodes", result.stderr)
        result = self.run_ta("enumerate", "huge")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn(f"the smallest tree has {2 ** (levels + 1) - 1} nodes", result.stderr)
        result = self.run_ta("included", "huge", "nothing")
        self.assertEqual((result.returncode, result.stdout), (1, "no\n"))
        self.assertIn(f"has {2 ** (levels + 1) - 1} nodes", result.stderr)
        self.assertEqual(self.run_ta("witness", "lists", "--max-nodes=0").returncode, 3)
        self.assertEqual(self.ta("count", "huge"), "1\n")

    def test_a_symbol_of_high_rank_is_no_problem(self):
        rank = 10_000
        self.file("wide", f"Ops a:0 f:{rank}\nFinal States q\nTransitions\na -> p\nf({', '.join(['p'] * rank)}) -> q\n")
        self.assertEqual(self.ta("witness", "wide").strip(), f"f({','.join(['a'] * rank)})")
        self.assertTrue(self.ask("equivalent", "wide", "wide")[0])
        self.assertEqual(self.ta("count", "wide"), "1\n")

    def test_the_enumeration_of_a_finite_set_of_wide_trees_ends(self):
        rank = 200
        self.file("wide", f"Final States q\nTransitions\na -> p\ng({', '.join(['p'] * rank)}) -> q\n")
        self.assertEqual(self.ta("enumerate", "wide").strip(), f"g({','.join(['a'] * rank)})")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
