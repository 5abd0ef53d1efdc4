"""End-to-end tests of the commands that ask the solver: check, reach, conflict, iterate, mhp, deadlock, dataflow.

    query_test.py PROGRAM SOURCE_DIRECTORY VERIFIER [unittest arguments]
"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import FIG1, SOURCE, Case, run  # noqa: E402
from processor_time import PATIENCE, with_a_limit  # noqa: E402

VERIFIER = os.path.abspath(sys.argv[3])


def verify(model, proof):
    return subprocess.run([VERIFIER, model, proof], capture_output=True, text=True, cwd=SOURCE, timeout=PATIENCE, check=False)


GATE = """dpn { locks { x y g } initial (m1) rules { (m1)--start-->(m2 :> t1)
  (m2)--eg - g-->(m3,m9) (m3)--ex - x-->(m4,m8) (m4)--ey - y-->(m5,m7) (m5)--l-->() (m7)--l-->() (m8)--l-->()
  (t1)--eg - g-->(t3,t9) (t3)--ey - y-->(t4,t8) (t4)--ex - x-->(t5,t7) (t5)--l-->() (t7)--l-->() (t8)--l-->() } }"""
GATE_PROGRAM = """lock g; lock x; lock y;
proc main() { spawn other(); sync (g) { sync (x) { sync (y) { skip; } } } }
proc other() { sync (g) { sync (y) { sync (x) { skip; } } } }"""


def accepting_everything(model):
    """An automaton in the Timbuk format over the execution trees of the model."""
    table = json.loads(run("show", model, "--alphabet", "--json").stdout)["report"]["alphabet"]
    rules = [row["symbol"] + ("(" + ", ".join(["q"] * row["rank"]) + ")" if row["rank"] else "") + " -> q"
             for row in table if not row["symbol"].startswith("CUT")]
    return "Ops\nAutomaton all\nStates q\nFinal States q\nTransitions\n" + "\n".join(rules) + "\n"


class Check(Case):
    def test_every_expected_verdict_of_the_models_holds_and_is_proved(self):
        models = sorted(glob.glob(os.path.join(SOURCE, "models", "*.dpn")))
        self.assertGreater(len(models), 20)
        for model in models:
            with self.subTest(model):
                result = run("check", model, "--expect", "--verify")
                self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
                self.assertNotIn("unknown", result.stdout)

    def test_a_verdict_is_the_last_word_of_its_line(self):
        lines = run("check", FIG1).stdout.splitlines()
        self.assertEqual(len(lines), 9)
        for line in lines:
            self.assertIn(line.split()[-1], ("reachable", "unreachable"))

    def test_what_is_reachable_is_a_finding(self):
        self.assertEqual(run("check", FIG1, "--query=3").returncode, 1)
        self.assertEqual(run("check", FIG1, "--query=4").returncode, 0)
        self.assertEqual(run("check", FIG1, "--query=4", "--nolocks").returncode, 1)
        self.assertEqual(run("check", FIG1, "--exit-zero").returncode, 0)

    def test_reports_are_of_the_published_format_and_always_the_same(self):
        first = run("check", FIG1, "--json", "--explain", "--schedule", "--removal")
        report = self.assert_valid(first.stdout)
        self.assertEqual(first.stdout, run("check", FIG1, "--json", "--explain", "--schedule", "--removal").stdout)
        apart = [query for query in report["queries"] if query["query"] == "conflict {r1} and {s1}"]
        self.assertIn("excluded by lock x", apart[0]["explanation"][0])

    def test_proofs_are_accepted_by_the_verifier_and_refused_for_another_model(self):
        with tempfile.TemporaryDirectory() as folder:
            proofs = os.path.join(folder, "new", "proofs")
            run("check", FIG1, f"--proofs={proofs}")
            files = sorted(os.listdir(proofs))
            self.assertEqual(len(files), 9)
            self.assertIn("4.certificate.json", files)
            for name in files:
                accepted = verify(FIG1, os.path.join(proofs, name))
                self.assertEqual(accepted.returncode, 0, accepted.stdout + accepted.stderr)
                self.assertTrue(accepted.stdout.startswith("accepted: "))
            with open(os.path.join(SOURCE, FIG1), encoding="utf-8") as model:
                unlocked = model.read().replace(" - x -->", " -->")
            other = os.path.join(folder, "unlocked.dpn")
            with open(other, "w", encoding="utf-8") as file:
                file.write(unlocked)
            self.assertNotEqual(verify(other, os.path.join(proofs, "4.certificate.json")).returncode, 0)

    def test_the_domain_that_decided_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "choices.dpn")
            run("gen", "choices", "10", "-o", model)
            verdicts = set()
            for option, domain in (("explicit", "explicit"), ("zdd", "zdd"), ("auto", "zdd")):
                report = self.assert_valid(run("check", model, f"--domain={option}", "--witness=none", "--json").stdout)
                wide = report["queries"][1]
                self.assertEqual(wide["statistics"]["domain"], domain)
                verdicts.add(tuple(query["verdict"] for query in report["queries"]))
        self.assertEqual(len(verdicts), 1)
        for option in ("auto", "explicit"):
            report = self.assert_valid(run("check", FIG1, f"--domain={option}", "--json").stdout)
            self.assertEqual({query["statistics"]["domain"] for query in report["queries"]}, {"explicit"})
        self.assert_refused(run("check", FIG1, "--domain=bdd"), "'bdd'", "zdd")

    def test_limits_give_unknown_and_exit_status_3(self):
        model = run("gen", "philosophers", "30").stdout
        result = run("check", "-", "--timeout=300ms", "--no-reduce=goals", stdin=model)
        self.assertIn(result.returncode, (1, 3))  # the first queries are reachable, if there was time for them
        self.assertIn("time limit reached", result.stdout + result.stderr)
        result = run("check", "-", "--timeout=300ms", "--no-reduce=goals", "--query=5", stdin=model)
        self.assertEqual(result.returncode, 3)


class Ask(Case):
    def test_a_query_on_the_command_line_is_answered_with_its_schedule(self):
        result = run("conflict", FIG1, "p2", "s1")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.startswith("conflict {p2} and {s1}: reachable\n    1  main "), result.stdout)
        self.assertIn("acquires x", result.stdout)
        self.assertEqual(run("reach", FIG1, "s2", "r2").stdout.splitlines()[0], "reach {s2, r2}: reachable")
        self.assertEqual(run("conflict", FIG1, "{p2, r1}", "s1").stdout.splitlines()[0],
                         "conflict {p2, r1} and {s1}: reachable")
        self.assertEqual(run("iterate", FIG1, "{p2} and {s2}", "{r1} avoiding {v0}").stdout,
                         "iterate {p2} and {s2}, {r1} avoiding {v0}: unreachable\n")
        self.assertEqual(run("iterate", FIG1, "requiring {v42} avoiding {v0}", "{p2}", "--witness=none").stdout,
                         "iterate avoiding {v0} requiring {v42}, {p2}: reachable\n")

    def test_misspelt_symbols_are_shown_with_what_was_meant(self):
        self.assert_refused(run("reach", FIG1, "s9"), "unknown stack symbol 's9'", "did you mean")
        self.assert_refused(run("iterate", FIG1, "{s1} avoiding {v43}"), "unknown action 'v43'", "did you mean")
        self.assert_refused(run("iterate", FIG1, "{s1} requiring {}"), "'requiring' needs an action")
        self.assert_refused(run("conflict", FIG1, "s1"), "SET")
        self.assert_refused(run("iterate", FIG1, "{s1} reach {s2}"))

    def test_explanations_name_a_minimal_set_of_locks(self):
        result = run("conflict", "models/table1-5.dpn", "m5 m6", "t4", "--explain", "--removal")
        self.assertEqual(result.returncode, 0)
        self.assertIn("excluded by locks a, b, which together suffice", result.stdout)
        self.assertIn("main holds a", result.stdout)
        self.assertIn("this would be reachable without lock", result.stdout)
        self.assertIn("even without locks", run("conflict", FIG1, "p1", "s1", "--explain").stdout)

    def test_witness_trees_are_drawn_one_graph_for_each_reachable_query(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "trees.dot")
            shown = run("check", FIG1, f"--dot={picture}").stdout
            self.assertEqual(shown, run("check", FIG1).stdout)
            with open(picture, encoding="utf-8") as file:
                graphs = [line for line in file if line.startswith("digraph ")]
            verdicts = run("check", FIG1, "--json").stdout
            reachable = [query["query"] for query in json.loads(verdicts)["queries"] if query["verdict"] == "reachable"]
            self.assertEqual(graphs, [f'digraph "{query}" {{\n' for query in reachable])
            for command in (("reach", FIG1, "s2"), ("conflict", FIG1, "s2", "p2"), ("iterate", FIG1, "{s2}", "{p3}")):
                for option in ("--witness=smallest", "--witness=none"):
                    self.assertEqual(run(*command, f"--dot={picture}", option).returncode, 1)
                    with open(picture, encoding="utf-8") as file:
                        text = file.read()
                    self.assertEqual(text.count("digraph "), 1)
                    self.assertIn(f'label="{command[0]} {{', text)
                    self.assertIn("Nil ", text)
                    self.assertTrue(text.endswith("}\n"))
            run("deadlock", "models/philosophers-3.dpn", f"--dot={picture}")
            with open(picture, encoding="utf-8") as file:
                self.assertIn('digraph "deadlock: a thread holds', file.read())
            self.assertEqual(run("reach", FIG1, "p9", f"--dot={picture}").returncode, 2)
            self.assertEqual(run("conflict", FIG1, "r1", "s1", f"--dot={picture}").returncode, 0)
            self.assertEqual(os.path.getsize(picture), 0)
            failed = run("reach", FIG1, "s2", f"--dot={folder}/no/such.dot")
            self.assertNotIn(failed.returncode, (0, 1))
            self.assertIn("such.dot", failed.stderr)

    def test_witnesses_follow_the_objective(self):
        for objective in ("smallest", "fewest-threads", "fewest-switches"):
            result = run("conflict", "models/philosophers-3.dpn", "eat1", "think2", f"--witness={objective}", "--verify")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("acquires fork2", result.stdout)
        self.assert_refused(run("reach", FIG1, "s1", "--witness=smalest"), "smallest")

    def test_an_automaton_observes_the_execution(self):
        # Accepts executions in which nobody has done v = 0.
        table = json.loads(run("show", FIG1, "--alphabet", "--json").stdout)["report"]["alphabet"]
        symbols = [row for row in table if not row["symbol"].startswith(("CUT", "BASE.p2.v0"))]
        rules = [row["symbol"] + ("(" + ", ".join(["q"] * row["rank"]) + ")" if row["rank"] else "") + " -> q"
                 for row in symbols]
        automaton = "Ops\nAutomaton no_v0\nStates q\nFinal States q\nTransitions\n" + "\n".join(rules) + "\n"
        with tempfile.NamedTemporaryFile("w", suffix=".tmb") as file:
            file.write(automaton)
            file.flush()
            self.assertEqual(run("reach", FIG1, "s2", f"--observer={file.name}").returncode, 1)
            self.assertEqual(run("reach", FIG1, "p3", f"--observer={file.name}").returncode, 0)
            self.assertEqual(run("iterate", FIG1, "{s2}", "{p3}", f"--observer=1={file.name}").returncode, 1)
            self.assertEqual(run("iterate", FIG1, "{s2}", "{p3}", f"--observer=2={file.name}").returncode, 0)
            self.assert_refused(run("reach", FIG1, "s2", f"--observer=2={file.name}"), "no step 2")
            self.assertEqual(run("reach", FIG1, "s2", f"--observer={file.name}", "--verify").returncode, 1)
            self.assertEqual(run("reach", FIG1, "p3", f"--observer={file.name}", "--verify").returncode, 0)
            self.assertEqual(run("iterate", FIG1, "{s2}", "{p3}", f"--observer=2={file.name}", "--verify").returncode, 0)
        with tempfile.NamedTemporaryFile("w", suffix=".tmb") as file:
            file.write(automaton.replace("NIL.p1", "NIL.px"))
            file.flush()
            self.assert_refused(run("reach", FIG1, "s2", f"--observer={file.name}"), "NIL.px", "did you mean")


    def test_what_locks_do_is_explained_also_under_observation(self):
        everything = accepting_everything(FIG1)
        with tempfile.NamedTemporaryFile("w", suffix=".tmb") as file:
            file.write(everything)
            file.flush()
            options = ("--explain", "--removal")
            self.assertEqual(run("conflict", FIG1, "r1", "s1", *options, f"--observer={file.name}").stdout,
                             run("conflict", FIG1, "r1", "s1", *options).stdout)
            self.assert_refused(run("reach", FIG1, "s2", f"--observer=99999999999999999999={file.name}"), "no step 999")
        self.assertIn("because of the actions that are avoided",
                      run("iterate", FIG1, "{s2} avoiding {v42}", "--explain").stdout)

    def test_an_explanation_does_not_say_that_other_locks_would_not_do(self):
        model = """dpn { initial (m) rules { (m)--s-->(a :> b) (a)--e - x-->(a1,r) (a1)--e - y-->(a2,r)
                   (b)--e - x-->(b1,r) (b1)--e - y-->(b2,r) (r)--l-->() } }"""
        result = run("conflict", "-", "a2", "b2", "--explain", "--removal", stdin=model)
        self.assertRegex(result.stdout, "excluded by lock [xy], which alone suffices\n")
        self.assertIn("this would be reachable without locks x, y", result.stdout)
        model = """dpn { initial (m) rules { (m)--e - x-->(a,r) (a)--s-->(b :> t) (b)--w-->(b) (t)--e - x-->(c,r) } }"""
        self.assertIn("kept out by lock x, which alone suffices", run("reach", "-", "c", "--explain", stdin=model).stdout)

    def test_a_set_without_symbols_is_refused(self):
        for command in (("reach", FIG1, ""), ("reach", FIG1, "{}"), ("conflict", FIG1, "s1", " "), ("iterate", FIG1, "{}")):
            self.assert_refused(run(*command), "no symbols")
        self.assert_refused(run("mhp", FIG1, "--between", "s1", ""), "no symbols")

    def test_a_query_for_too_many_threads_is_unknown_and_the_others_are_answered(self):
        model = f"dpn {{ initial (m) rules {{ (m)--s-->(m :> t) }} }} iterate {' and '.join(['{t}'] * 65)}\nreach {{t}}\n"
        result = run("check", "-", "--json", stdin=model)
        self.assertEqual(result.returncode, 1)
        first, second = self.assert_valid(result.stdout)["queries"]
        self.assertEqual((first["verdict"], second["verdict"]), ("unknown", "reachable"))
        self.assertIn("more than 64", first["because"])
        with tempfile.NamedTemporaryFile("w", suffix=".dpn") as file:
            file.write(model)
            file.flush()
            result = run("cross", file.name, "--engines=fast,reference")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def test_a_witness_above_the_limit_is_not_written_out(self):
        rules = " ".join(f"(p{i})--c-->({f'p{i + 1}' if i < 30 else 'l'},b{i}) (b{i})--c-->({f'p{i + 1}' if i < 30 else 'l'},c{i}) "
                         f"(c{i})--r-->()" for i in range(31))
        model = f"dpn {{ initial (m) rules {{ (m)--c-->(p0,n) (l)--r-->() {rules} }} }} reach {{n}}"
        result = run("check", "-", "--json", "--verify", stdin=model)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        query = self.assert_valid(result.stdout)["queries"][0]
        self.assertEqual(query["verdict"], "reachable")
        self.assertEqual(query["statistics"]["witness_nodes"], 2 ** 33 - 1)
        self.assertIn("not written out, not replayed, not proved", query["explanation"][0])
        self.assertNotIn("schedule", query)
        self.assertIn("schedule", json.loads(run("reach", FIG1, "s2", "--json").stdout)["queries"][0])
        self.assertIn("has 5 nodes", run("reach", FIG1, "s2", "--witness-limit=3").stdout)

    def test_an_answer_whose_proof_is_not_checked_in_time_is_unknown(self):
        model = run("gen", "choices", "12").stdout
        result = with_a_limit(
            lambda limit: run("check", "-", "--verify", f"--timeout={limit}", "--json", "--witness=none", stdin=model),
            lambda result: '"verdict": "reachable"' in result.stdout, first=5)
        self.assertIn(result.returncode, (1, 3), result.stderr)
        verdicts = self.assert_valid(result.stdout)["queries"]
        self.assertEqual(verdicts[0]["verdict"], "reachable")
        if len(verdicts) < model.count("// expect:"):  # the rest was not begun, since a proof took all the time
            self.assertEqual(verdicts[-1]["verdict"], "unknown")
            self.assertIn("queries were not begun", result.stderr)


class Computations(Case):
    def test_parallel_pairs_are_those_of_the_conflicts(self):
        pairs = {(row["first"], row["second"])
                 for row in self.assert_valid(run("mhp", FIG1, "--json").stdout)["report"]["pairs"]}
        symbols = ["p1", "p2", "p3", "p4", "q1", "q2", "s1", "s2", "r1", "r2"]
        for i, first in enumerate(symbols):
            for second in symbols[i:]:
                expected = run("conflict", FIG1, first, second, "--witness=none").returncode == 1
                self.assertEqual((first, second) in pairs or (second, first) in pairs, expected, (first, second))
        self.assertEqual(run("mhp", FIG1).returncode, 0)

    def test_parallel_pairs_between_sets_and_as_a_matrix(self):
        listed = run("mhp", FIG1, "--between", "p2 r1", "s1", "--list").stdout
        self.assertRegex(listed, r"(?m)^ *p2 +s1$")
        self.assertNotIn("r1", listed)
        self.assertIn("x", run("mhp", FIG1, "--matrix").stdout.splitlines()[4])
        self.assert_refused(run("mhp", FIG1, "--between", "p2", "s9"), "unknown stack symbol 's9'")

    def test_answers_to_many_questions_at_once_are_proved_one_by_one(self):
        for question, cases in ((["mhp", FIG1, "--between", "p2 r1", "s1 s2"], 3),
                                (["dataflow", FIG1, "--generate=v42", "--kill=v0"], 2)):
            with tempfile.TemporaryDirectory() as proofs:
                result = run(*question, "--verify", f"--proofs={proofs}", "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                summary = self.assert_valid(result.stdout)["report"]["summary"]
                self.assertEqual(summary["claims"], summary["claims_proved"])
                self.assertGreaterEqual(summary["claims"], cases)
                written = os.listdir(proofs)
                self.assertEqual(len(written), summary["claims"])
                self.assertEqual({name.split(".", 1)[1] for name in written}, {"witness.json", "certificate.json"})
                for name in written:
                    self.assertEqual(verify(FIG1, os.path.join(proofs, name)).returncode, 0, name)
        self.assertNotIn("claims", run("mhp", FIG1).stdout)

    def test_deadlocks_are_findings_with_a_schedule(self):
        result = run("deadlock", "models/philosophers-3.dpn", "--verify")
        self.assertEqual(result.returncode, 1)
        self.assertIn("another holds fork3 and wants fork1: reachable", result.stdout)
        self.assertIn("acquires fork1", result.stdout)
        self.assertEqual(run("deadlock", "models/philosophers-ordered-3.dpn").returncode, 0)
        self.assertIn("no --nolocks", run("deadlock", "--help").stdout)
        self.assertEqual(run("deadlock", "models/reentrant.dpn").returncode, 0)

    def test_a_ring_that_cannot_close_is_explained(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("gate.dpn", GATE), ("gate.lw", GATE_PROGRAM)):
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                result = run("deadlock", path, "--all", "--explain", "--removal", "--verify")
                self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
                self.assertIn("excluded by lock g, which alone suffices", result.stdout)
                self.assertIn("this would be reachable without lock g", result.stdout)
            ring = os.path.join(folder, "ring.lw")
            with open(ring, "w", encoding="utf-8") as file:
                file.write(GATE_PROGRAM.replace("sync (g)", ""))
            picture = os.path.join(folder, "ring.dot")
            self.assertEqual(run("deadlock", ring, f"--dot={picture}").returncode, 1)
            with open(picture, encoding="utf-8") as file:
                self.assertIn('digraph "deadlock: a thread holds', file.read())

    def test_undecided_rings_are_no_deadlocks(self):
        model = run("gen", "philosophers", "30").stdout
        result = with_a_limit(
            lambda limit: run("deadlock", "-", f"--timeout={limit}", "--no-reduce=goals", "--json", stdin=model),
            lambda result: '"rings_undecided": 1' in result.stdout)
        self.assertEqual(result.returncode, 3, result.stderr)
        summary = self.assert_valid(result.stdout)["report"]["summary"]
        self.assertEqual((summary["deadlocks"], summary["rings_undecided"], summary["complete"]), (0, 1, False))

    def test_dataflow_takes_facts_from_options_files_and_names(self):
        report = json.loads(run("dataflow", "models/definitions.dpn", "--json").stdout)["report"]["facts"]
        self.assertEqual([row["fact"] for row in report], ["def(x,17)", "def(x,42)", "def(y)"])
        self.assertNotIn("m4", report[1]["reaches"])
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"facts": [{"name": "v is 42", "generating": ["v42"], "killing": ["v0"]}]}, file)
            file.flush()
            from_file = json.loads(run("dataflow", FIG1, f"--facts={file.name}", "--json").stdout)
        from_options = json.loads(run("dataflow", FIG1, "--generate=v42", "--kill=v0", "--json").stdout)
        self.assertEqual(from_file["report"]["facts"][0]["reaches"], from_options["report"]["facts"][0]["reaches"])
        self.assertIn("r1", from_options["report"]["facts"][0]["reaches"])
        self.assert_refused(run("dataflow", FIG1, "--generate=v43"), "unknown action 'v43'", "did you mean")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"facts": [{"name": "v is 42", "generating": ["v42"], "kills": ["v0"]}]}, file)
            file.flush()
            self.assert_refused(run("dataflow", FIG1, f"--facts={file.name}"), "unknown member 'kills'; expected name, generating, killing")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"facts": [{"name": "f", "generating": ["v42"]}, {"name": "f", "generating": ["v0"]}]}, file)
            file.flush()
            self.assert_refused(run("dataflow", FIG1, f"--facts={file.name}"), "two facts are named 'f'")
        both = json.loads(run("dataflow", "--generate", "v42", "--generate=v0", FIG1, "--json").stdout)
        self.assertEqual(both["report"]["facts"][0]["fact"], "v42,v0")

    def test_facts_that_share_a_run_are_told_in_their_order_and_proved(self):
        alone = {}
        facts = [{"name": "is 42", "generating": ["v42"], "killing": ["v0"]},
                 {"name": "after an acquisition", "generating": ["other"]},
                 {"name": "is 0", "generating": ["v0"], "killing": ["v42"]},
                 {"name": "is set", "generating": ["v0", "v42"]}]
        model = """dpn { initial (a) rules { (a) -- s --> (b :> t) (b) -- v42 --> (c) (c) -- other --> (d) (d) -- v0 --> (e)
            (t) -- get - l --> (u, w) (u) -- v0 --> (x) (x) -- put --> () } }"""
        for fact in facts:
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump({"facts": [fact]}, file)
                file.flush()
                alone |= {row["fact"]: row["reaches"] for row in json.loads(run(
                    "dataflow", "-", f"--facts={file.name}", "--json", stdin=model).stdout)["report"]["facts"]}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"facts": facts}, file)
            file.flush()
            report = json.loads(run("dataflow", "-", f"--facts={file.name}", "--json", "--verify", stdin=model).stdout)["report"]
        self.assertEqual([row["fact"] for row in report["facts"]], [fact["name"] for fact in facts])
        self.assertEqual({row["fact"]: row["reaches"] for row in report["facts"]}, alone)
        self.assertIn("c", alone["is 42"])
        self.assertNotIn("e", alone["is 42"])
        self.assertGreater(report["summary"]["claims"], 20)
        self.assertEqual(report["summary"]["claims"], report["summary"]["claims_proved"])


class Verifier(unittest.TestCase):
    def test_it_is_small_and_knows_nothing_of_the_solver(self):
        lines = 0
        for path in glob.glob(os.path.join(SOURCE, "verify", "*.[ch]pp")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            lines += text.count("\n")
            self.assertNotRegex(text, r'#include "solver/(?!query/)', path)
        self.assertGreater(lines, 100)
        self.assertLess(lines, 1100)

    def test_what_is_no_proof_is_refused_with_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            run("check", FIG1, f"--proofs={folder}")
            with open(os.path.join(folder, "3.witness.json"), encoding="utf-8") as file:
                witness = file.read()
            for text, message in (("{}", "proof.json:1:1: error: there is no member 'problem'"), ("[", "malformed JSON"),
                                  (witness.replace('"claim"', '"claim":"reachable","claim"'), "the member 'claim' already"),
                                  (witness.replace('"thread"', '"note":1,"thread"', 1), "steps/0/note: there cannot be"),
                                  (witness.replace('"thread":"main"', '"thread":"m"', 1), "steps/0/thread: there is no thread"),
                                  (witness.replace('"phase":1', '"phase":2', 1), "steps/0/phase: there should be the number"),
                                  (witness.replace('"semantics":"lock', '"semantics":["lock', 1).replace(
                                      '-sensitive"', '-sensitive"]', 1), "/problem/semantics: the semantics is neither"),
                                  (witness.replace('"thread":"main"', '"thread":7', 1), "a string instead of some number")):
                path = os.path.join(folder, "proof.json")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                result = verify(FIG1, path)
                self.assertEqual(result.returncode, 2, text[:40])
                self.assertIn(message, result.stderr)
            program = verify("models/table1-5.lw", path)
            self.assertEqual(program.returncode, 2)
            self.assertIn("lockwood lower", program.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
