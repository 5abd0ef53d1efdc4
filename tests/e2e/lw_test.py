"""End-to-end tests of programs as inputs of `lockwood`.

    lw_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from processor_time import PATIENCE  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
COUNTER = "docs/examples/counter.lw"

with open(os.path.join(SOURCE, "docs/results.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)


def run(*arguments, stdin=""):
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True, cwd=SOURCE, timeout=PATIENCE,
                          check=False)


def in_main(statements):
    return "var x; lock a;\nproc main() { spawn main(); sync (a) { x = 1; }\n" + statements + "\n}\n"


class Programs(unittest.TestCase):
    maxDiff = None

    def verdict(self, *arguments, stdin=""):
        result = run(*arguments, stdin=stdin)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return result.stdout.split("\n", maxsplit=1)[0].rsplit(": ", maxsplit=1)[1]

    def assert_refused(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def test_every_command_on_models_takes_programs(self):
        for command in (["show"], ["mhp", "--list"], ["deadlock"], ["dataflow"], ["explore", "--states"], ["simulate"],
                        ["convert"], ["lower"], ["check"], ["reach", "done"], ["conflict", "safe", "unsafe"],
                        ["iterate", "{safe}", "{done}"]):
            with self.subTest(command[0]):
                result = run(command[0], COUNTER, *command[1:])
                self.assertIn(result.returncode, (0, 1), result.stderr)
                self.assertNotIn("error", result.stderr)

    def test_programs_are_explored_with_their_values(self):
        report = run("explore", "-", "--json", stdin=in_main("assert(x == 0);").replace("spawn main();", "spawn f();")
                     + "proc f() { x = 2; }\n")
        self.assertEqual(report.returncode, 1, report.stderr)
        found = json.loads(report.stdout)
        jsonschema.validate(found, SCHEMA)
        self.assertEqual({finding["rule"] for finding in found["findings"]}, {"race", "assertion"})
        self.assertEqual({finding["certainty"] for finding in found["findings"]}, {"executed"})
        clean = run("explore", "-", stdin="var x; lock a;\nproc main() { spawn f(); f(); }\n"
                                          "proc f() { sync (a) { x = x + 1; } }\n")
        self.assertEqual((clean.returncode, clean.stderr), (0, ""), clean.stdout)
        for option in ("--strategy=dfs", "--strategy=preemptions", "--por=none"):
            with self.subTest(option):
                other = run("explore", "models/bank-racy.lw", option)
                self.assertEqual(other.returncode, 1)
                self.assertEqual(other.stdout.count("[race]"), run("explore", "models/bank-racy.lw").stdout.count("[race]"))

    def test_an_incomplete_exploration_says_so(self):
        endless = "var x;\nproc main() { while (true) { x = x + 1; } }\n"
        result = run("explore", "-", "--max-states=100", stdin=endless)
        self.assertEqual(result.returncode, 3)
        self.assertIn("max states", result.stderr)
        deep = "proc main() { main(); }\n"
        result = run("explore", "-", stdin=deep)
        self.assertEqual(result.returncode, 3)
        self.assertIn("stack depth", result.stderr)
        result = run("explore", "-", "--store=hash64", stdin="proc main() { skip; }\n")
        self.assertEqual(result.returncode, 3)
        self.assertIn("hashing", result.stderr)

    def test_places_have_several_names(self):
        answers = {run("reach", COUNTER, place).stdout
                   for place in ("safe", "line 13", "counter.lw:13", COUNTER + ":13", "worker:13")}
        # The line has two steps, the label is before the first of them.
        self.assertEqual({answer.split(":")[0] for answer in answers}, {"reach {'worker"})
        self.assertIn("reach {'worker:13'}: reachable", run("reach", COUNTER, "safe").stdout)
        self.assertIn("reach {'worker:13', 'worker:13.2'}: reachable", run("reach", COUNTER, "line 13").stdout)
        self.assertIn("reach {'worker:13.2'}: reachable", run("reach", COUNTER, "'worker:13.2'").stdout)
        self.assertEqual(run("conflict", COUNTER, "line 13", "unsafe").stdout,
                         run("conflict", COUNTER, "{worker:13}", "{ unsafe }").stdout)
        self.assertEqual(self.verdict("iterate", COUNTER, "{unsafe}", "{done} avoiding {def(count,worker,2)}"),
                         "reachable")

    def test_places_that_do_not_exist_are_refused(self):
        self.assert_refused(run("reach", COUNTER, "saef"), "unknown place 'saef'", "did you mean 'safe'?")
        self.assert_refused(run("reach", COUNTER, "line 1"), "there is no statement in line 1")
        self.assert_refused(run("reach", COUNTER, "wroker:13"), "neither the file nor a procedure", "'worker'")
        self.assert_refused(run("mhp", COUNTER, "--between", "safe", "none"), "unknown place 'none'")

    def test_code_that_is_never_run_is_unreachable_but_exists(self):
        text = in_main("return; dead: skip;")
        self.assertEqual(self.verdict("reach", "-", "dead", stdin=text), "unreachable")
        self.assertEqual(self.verdict("reach", "-", "line 3", stdin=text), "reachable")

    def test_lowered_models_are_models_with_the_same_answers(self):
        lowered = run("lower", COUNTER).stdout
        self.assertIn("// label unsafe: 'worker:16'\n", lowered)
        self.assertIn("-- def(count,worker,2) -->", lowered)
        self.assertIn("  // 13:13: write count\n", lowered)
        for pair in (("'worker:13'", "'worker:16'"), ("'worker:13'", "'worker:13'")):
            self.assertEqual(self.verdict("conflict", "-", *pair, stdin=lowered),
                             self.verdict("conflict", COUNTER, *pair))
        self.assertEqual(run("convert", "-", stdin=lowered).stdout, run("convert", COUNTER).stdout)
        as_json = run("lower", COUNTER, "--to=json").stdout
        self.assertEqual(run("convert", "-", "--to=dpn", stdin=as_json).stdout, run("convert", COUNTER).stdout)
        self.assert_refused(run("lower", "models/fig1.dpn"), "this is a model already")

    def test_definitions_of_programs_reach_what_they_reach(self):
        report = json.loads(run("dataflow", COUNTER, "--json").stdout)
        jsonschema.validate(report, SCHEMA)
        facts = {fact["fact"]: fact["reaches"] for fact in report["report"]["facts"]}
        self.assertEqual(set(facts), {"write count in line 13", "write count in line 16"})
        self.assertIn("worker:16", facts["write count in line 13"])

    def test_steps_in_json_know_their_lines(self):
        report = json.loads(run("reach", COUNTER, "safe", "--json").stdout)
        jsonschema.validate(report, SCHEMA)
        steps = report["queries"][0]["schedule"]["steps"]
        self.assertEqual([(step["line"], step["column"]) for step in steps], [(6, 3), (11, 7), (12, 5)])
        self.assertNotIn("line", run("reach", "models/fig1.dpn", "s2", "--json").stdout)

    def test_standard_input_is_a_program_if_it_begins_like_one(self):
        with open(os.path.join(SOURCE, COUNTER), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(self.verdict("reach", "-", "safe", stdin=text), "reachable")
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "program.lw")
            with open(path, "w", encoding="utf-8") as file:
                file.write("dpn { }")
            self.assert_refused(run("show", path), "expected 'var', 'lock' or 'proc'")

    def test_errors_show_their_lines(self):
        result = run("show", "-", stdin=in_main("y = 1;\n  sync (b) {}"))
        self.assert_refused(result, "<stdin>:3:1: error: unknown name 'y'", "    y = 1;\n    ^\n", "<stdin>:4:9: error:")

    def test_warnings_can_be_silenced(self):
        text = in_main("local i = 1; sync (a) { sync (a) { skip; } }")
        result = run("show", "-", stdin=text)
        self.assertEqual(result.returncode, 0)
        self.assertIn("warning: the value of 'i' is never used [unused-local]", result.stderr)
        self.assertIn("[reentrant-sync]", result.stderr)
        self.assertNotIn("unused-local", run("show", "-", "--no-warn=unused-local", stdin=text).stderr)
        self.assertEqual(run("show", "-", "--no-warn=unused-local,reentrant-sync", stdin=text).stderr, "")
        self.assertEqual(run("show", "-", "--no-warn=all", stdin=text).stderr, "")
        self.assertEqual(run("show", "-", "-q", stdin=text).stderr, "")
        self.assert_refused(run("show", "-", "--no-warn=unused-locals", stdin=text), "did you mean 'unused-local'?")

    def test_monitors_that_wait_are_noted(self):
        result = run("show", "-", stdin=in_main("sync (a) { pause(); }") + "proc pause() { wait(a); }")
        self.assertIn("<stdin>:3:1: note: the model ignores lock 'a' here", result.stderr)
        self.assertNotIn("ignores", run("show", "-", stdin=in_main("sync (a) { wait(a); }")).stderr)

    def test_a_byte_order_mark_is_no_text(self):
        text = "\ufeff" + in_main("skip;")
        self.assertEqual(run("race", "-", stdin=text).returncode, 0)

    def test_a_program_without_main_is_refused_at_a_position(self):
        self.assert_refused(run("race", "-", stdin="proc mian() { }\n"), "<stdin>:1:1: error: there is no procedure 'main'",
                            "should 'mian' be it?")

    def test_lowered_models_tell_labels_and_can_be_json(self):
        text = "var x;\nproc main() {\n  here: x = 1;\n}\n"
        self.assertIn('"main:3 here: write x"', run("lower", "-", stdin=text).stdout)
        self.assertEqual(run("lower", "-", "--json", stdin=text).stdout, run("lower", "-", "--to=json", stdin=text).stdout)
        self.assertIn("as .lw text", run("lower", "--help").stdout)

    def test_labels_are_names_in_lowered_models(self):
        text = "var x;\nproc main() {\n  spawn t(); bool b = *;\n  here: x = 1; print(b);\n}\nproc t() {\n  there: x = 3; gone: skip;\n}\n"
        for form in ("dpn", "json"):
            lowered = run("lower", "-", "--to", form, stdin=text).stdout
            with self.subTest(form):
                self.assertEqual(self.verdict("reach", "-", "here", stdin=lowered), "reachable")
                self.assertEqual(self.verdict("conflict", "-", "here", "there", stdin=lowered), "reachable")
                self.assertEqual(self.verdict("conflict", "-", "there", "gone", stdin=lowered), "unreachable")
                pairs = json.loads(run("mhp", "-", "--json", "--between", "here", "there", stdin=lowered).stdout)
                self.assertEqual(len(pairs["report"]["pairs"]), 2)  # with b and without
                self.assert_refused(run("reach", "-", "hree", stdin=lowered), "unknown stack symbol 'hree'",
                                    "did you mean 'here'?")
        with_query = run("lower", "-", stdin=text).stdout + "reach {gone}  // expect: reachable\nconflict {here} {gone}\n"
        checked = json.loads(run("check", "-", "--json", stdin=with_query).stdout)["queries"]
        self.assertEqual([each["verdict"] for each in checked], ["reachable", "reachable"])
        as_json = json.loads(run("lower", "-", "--to=json", stdin=text).stdout)
        as_json["queries"] = [{"form": "reach", "steps": [{"positions": [["gone"]]}]}]
        self.assertEqual(json.loads(run("check", "-", "--json", stdin=json.dumps(as_json)).stdout)["queries"][0]["verdict"],
                         "reachable")
        as_json["queries"][0]["steps"][0]["positions"] = [["gnoe"]]
        self.assert_refused(run("check", "-", stdin=json.dumps(as_json)), "did you mean 'gone'?")

    def test_pairs_of_a_program_are_told_by_line_label_or_symbol(self):
        text = "var x;\nproc main() {\n  spawn t();\n  here: x = 1; x = 2;\n}\nproc t() {\n  there: x = 3;\n}\n"
        pairs = json.loads(run("mhp", "-", "--json", stdin=text).stdout)["report"]["pairs"]
        self.assertIn({"first": "main:4", "second": "t:7", "first_at": "<stdin>:4:9", "second_at": "<stdin>:7:10"}, pairs)
        labels = json.loads(run("mhp", "-", "--json", "--by=label", stdin=text).stdout)["report"]["pairs"]
        self.assertEqual([(row["first"], row["second"]) for row in labels], [("here", "there")])
        self.assertIn("main:4.2", run("mhp", "-", "--list", "--by=symbol", stdin=text).stdout)
        self.assertRegex(run("mhp", "-", "--matrix", stdin=text).stdout, r"t:7  x")
        self.assert_refused(run("mhp", "models/fig1.dpn", "--by=line"), "it has no lines and labels")

    def test_too_many_bools_are_refused_until_some_are_abstracted(self):
        bools = [f"b{i}" for i in range(13)]
        text = in_main("".join(f"bool {name} = *; " for name in bools) + f"\nprint({', '.join(bools)});")
        result = run("show", "-", stdin=text)
        self.assert_refused(result, "procedure 'main' has more than 4096 valuations of its 13 bools here",
                            "--abstract=main.b12")
        self.assertEqual(run("show", "-", "--abstract=main.b12", "--abstract=main.b11", stdin=text).returncode, 0)
        self.assert_refused(run("show", "-", "--abstract=main.b11", "--max-valuations=64", stdin=text), "more than 64")
        self.assert_refused(run("show", "-", "--abstract=main.c1", stdin=text), "has no bool 'c1'", "did you mean")
        self.assert_refused(run("show", "-", "--abstract=mian.b1", stdin=text), "no procedure 'mian'", "did you mean")
        self.assert_refused(run("show", "-", "--abstract=b1", stdin=text), "'b1' is not PROCEDURE.NAME")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
