"""End-to-end tests of what people see besides text: SARIF, the page in a browser, pictures, statistics.

    reports_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

The page is opened in headless Chromium and stepped through by keys, as a reader would.
"""

import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import SANITIZED, SOURCE, Case, environment, run, run_on_terminal  # noqa: E402
from processor_time import PATIENCE, with_a_limit  # noqa: E402

PROGRAMS = sorted(os.path.relpath(path, SOURCE) for path in glob.glob(os.path.join(SOURCE, "models", "*.lw")))

with open(os.path.join(SOURCE, "tests/data/sarif-schema-2.1.0.json"), encoding="utf-8") as schema_file:
    SARIF = jsonschema.Draft4Validator(json.load(schema_file))


class Folder(Case):
    """A folder of its own for each test."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def log(self, *arguments):
        """The only run of the log that the command writes, which is valid."""
        target = self.path("log.sarif")
        self.result = run(*arguments, f"--sarif={target}")
        self.assertIn(self.result.returncode, (0, 1), self.result.stderr)
        with open(target, encoding="utf-8") as file:
            log = json.load(file)
        errors = [f"{list(error.absolute_path)}: {error.message}" for error in SARIF.iter_errors(log)]
        self.assertEqual(errors[:3], [], arguments)
        return log["runs"][0]


RACY = "var x;\nproc main() { spawn t(); x = 1; }\nproc t() { x = 2; }\n"
FIXED = "var x;\nlock a;\nproc main() { spawn t(); sync (a) { x = 1; } }\nproc t() { sync (a) { x = 2; } }\n"



def long_program(calls):
    """A program whose race needs four steps for each of the calls."""
    calling = "".join(f"  f{i}();\n" for i in range(calls))
    called = "".join(f"proc f{i}() {{ sync (a) {{ skip; }} }}\n" for i in range(calls))
    return f"var x;\nlock a;\nproc main() {{\n  spawn t();\n{calling}  x = 1;\n}}\n{called}proc t() {{ x = 2; }}\n"


def large_program(threads):
    """A program on which every command takes longer than anybody waits: each thread writes each variable under locks."""
    names = range(12)
    text = "".join(f"lock l{i};\nvar v{i};\n" for i in names) + "var n;\nproc main() {\n"
    text += "".join(f"  spawn t{i}();\n" for i in range(threads)) + "}\n"
    for thread in range(threads):
        text += f"proc t{thread}() {{\n  n = n + 1;\n"
        for i in names:
            a, b, c = (f"l{(thread + i + k) % len(names)}" for k in (0, 1 + thread % 5, 6 + thread % 5))
            text += f"  sync ({a}) {{ v{i} = n; sync ({b}) {{ n = v{i}; sync ({c}) {{ v{(i + 1) % 12} = v{i}; }} }} }}\n"
        text += "}\n"
    return text


class Sarif(Folder):
    def test_every_program_has_a_valid_log_with_the_findings_of_the_report(self):
        for program in PROGRAMS:
            for command in ("race", "deadlock", "defuse"):
                with self.subTest(f"{command} {program}"):
                    log = self.log(command, program)
                    report = json.loads(run(command, program, "--json").stdout)
                    self.assertEqual([result["partialFingerprints"]["lockwood/1"] for result in log["results"]],
                                     [finding["id"] for finding in report["findings"]])

    def test_the_log_is_dense_and_its_lines_and_rules_can_be_told_apart(self):
        log = self.log("race", "models/bank-racy.lw")
        with open(self.path("log.sarif"), encoding="utf-8") as file:
            self.assertEqual(file.read().count("\n"), 1)
        lines = [result["partialFingerprints"]["primaryLocationLineHash"] for result in log["results"]]
        at = [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in log["results"]]
        self.assertEqual(len(set(lines)), len(set(at)))
        self.assertTrue(all(re.fullmatch("[0-9a-f]+:[1-9][0-9]*", line) for line in lines))
        tags = {rule["id"]: rule["properties"]["tags"] for rule in log["tool"]["driver"]["rules"]}
        self.assertIn("external/cwe/cwe-362", tags["race"])
        self.assertEqual(tags["flow"], ["concurrency"])

    def test_queries_of_models_are_results(self):
        for model in ("models/fig1.dpn", "models/philosophers-3.dpn", "models/recursion.dpn"):
            log = self.log("check", model)
            report = json.loads(run("check", model, "--json").stdout)
            kinds = {"reachable": "fail", "unreachable": "pass", "unknown": "open"}
            self.assertEqual([result["kind"] for result in log["results"]],
                             [kinds[query["verdict"]] for query in report["queries"]])
            self.assertEqual([result["locations"][0]["physicalLocation"]["region"]["startLine"]
                              for result in log["results"]], [query["line"] for query in report["queries"]])

    def test_a_flow_is_a_result(self):
        log = self.log("flow", "models/fig1.lw", "--from", "answer", "--to", "sink")
        self.assertEqual([result["ruleId"] for result in log["results"]], ["flow"])

    def test_the_first_flow_is_the_merged_schedule_and_the_second_has_a_flow_for_each_thread(self):
        result = self.log("race", "models/fig1.lw")["results"][0]
        self.assertEqual((result["kind"], result["level"], result["ruleId"]), ("fail", "error", "race"))
        merged, by_thread = result["codeFlows"]
        self.assertEqual(len(merged["threadFlows"]), 1)
        steps = merged["threadFlows"][0]["locations"]
        texts = [step["location"]["message"]["text"] for step in steps]
        self.assertEqual(texts[:2], ["main: spawn q, spawns main.1", "main.1: sync x, acquires x"])
        self.assertEqual(steps[1]["kinds"], ["acquire", "lock"])
        orders = [step["executionOrder"] for step in steps]
        self.assertEqual(orders, sorted(orders))
        self.assertEqual([flow["id"] for flow in by_thread["threadFlows"]], ["main", "main.1"])
        together = sorted(step["executionOrder"] for flow in by_thread["threadFlows"] for step in flow["locations"])
        self.assertEqual(together, orders)
        self.assertEqual([stack["message"]["text"] for stack in result["stacks"]],
                         ["main: write", "main.1: write, holds x"])
        self.assertEqual([place["message"]["text"] for place in result["relatedLocations"]],
                         ["main.1: write, holds x", "main spawns main.1", "main.1 acquires x"])
        where = result["locations"][0]["physicalLocation"]
        self.assertEqual(where["artifactLocation"], {"uri": "models/fig1.lw"})

    def test_calls_are_nested(self):
        result = self.log("race", "models/lock-through-calls.lw")["results"][0]
        levels = [step["nestingLevel"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
        self.assertGreaterEqual(max(levels), 2)

    def test_long_schedules_are_shortened(self):
        program = self.write("long.lw", long_program(300))
        steps = len(json.loads(run("race", program, "--json").stdout)["findings"][0]["schedule"])
        self.assertGreater(steps, 1000)
        flow = self.log("race", program)["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertLessEqual(len(flow), 1000)
        self.assertEqual(flow[-1]["executionOrder"], steps + 1)

    def test_where_expectations_count_only_what_contradicts_them_fails(self):
        with open(os.path.join(SOURCE, "models/fig1.dpn"), encoding="utf-8") as file:
            text = file.read()
        results = self.log("check", self.write("m.dpn", text), "--expect")["results"]
        self.assertEqual(self.result.returncode, 0)
        self.assertEqual({(result["kind"], result["level"]) for result in results}, {("pass", "none")})
        text = text.replace("conflict {p2} and {s1}  // expect: reachable", "conflict {p2} and {s1}  // expect: unreachable")
        results = self.log("check", self.write("m.dpn", text), "--expect")["results"]
        self.assertEqual(self.result.returncode, 1)
        self.assertEqual([result["message"]["text"].splitlines()[0] for result in results if result["kind"] == "fail"],
                         ["conflict {p2} and {s1}: reachable"])
        self.assertEqual([result["level"] for result in results if result["kind"] == "fail"], ["error"])

    def test_a_log_has_a_bound_and_says_what_it_lacks(self):
        # Three races that were executed, and three behind a branch that is never taken, which come first in the text.
        text = ("var x, y;\nproc main() { spawn t(); spawn t(); }\n"
                "proc t() { local n = 0; if (n == 1) { y = 1; y = 2; } x = 1; x = 2; }\n")
        program = self.write("six.lw", text)

        def facts(log):
            return [(result["level"], "codeFlows" in result) for result in log["results"]]

        def notes(log):
            return [note["message"]["text"] for note in log["invocations"][0].get("toolExecutionNotifications", [])]

        whole = self.log("race", program, "--settle=off")
        self.assertEqual((sorted(facts(whole)), notes(whole)), ([("error", True)] * 3 + [("warning", True)] * 3, []))
        log = self.log("race", program, "--settle=off", "--sarif-flows=4")
        self.assertEqual(sorted(facts(log)), [("error", True)] * 3 + [("warning", False)] * 2 + [("warning", True)])
        self.assertEqual(notes(log), ["only 4 of 6 results have flows and stacks, the most important ones (--sarif-flows)"])
        self.assertIn("log.sarif: only 4 of 6 results have flows", self.result.stderr)
        short = [result for result in log["results"] if "codeFlows" not in result]
        for result in short:
            self.assertTrue(result["locations"] and result["partialFingerprints"])
            self.assertNotIn("stacks", result)
        self.assertEqual([result["partialFingerprints"] for result in log["results"]],
                         [result["partialFingerprints"] for result in whole["results"]])
        log = self.log("race", program, "--settle=off", "--sarif-results=4", "--sarif-flows=0")
        self.assertEqual(sorted(facts(log)), [("error", False)] * 3 + [("warning", False)])
        self.assertEqual(notes(log), ["only 4 of 6 results are in the log, the most important ones (--sarif-results)",
                                      "only 0 of 4 results have flows and stacks, the most important ones (--sarif-flows)"])
        self.assertTrue(log["invocations"][0]["executionSuccessful"])
        # What the text ignores is the first to be left out.
        ignored = self.write("ignored.lw", text.replace("x = 2; }", "x = 2;\n// lockwood: ignore race -- known\n x = 3; }"))
        log = self.log("race", ignored, "--settle=off", "--sarif-results=6")
        self.assertEqual([result for result in log["results"] if "suppressions" in result], [])

    def test_what_was_not_executed_is_a_warning(self):
        result = self.log("race", "models/fig1.lw", "--brief")["results"][0]
        self.assertEqual((result["kind"], result["level"]), ("fail", "warning"))
        self.assertIn(": warning: race on v", self.result.stdout)

    def test_a_definition_is_the_step_that_does_it_and_a_use_where_a_thread_stands(self):
        for command in (("defuse", "models/table1-3.lw"), ("flow", "models/fig1.lw", "--from", "answer", "--to", "sink")):
            result = next(result for result in self.log(*command)["results"] if "codeFlows" in result)
            merged, by_thread = result["codeFlows"]
            steps = merged["threadFlows"][0]["locations"]
            roles = ("definition", "use") if command[0] == "defuse" else ("from", "to")
            essential = [step for step in steps if step["importance"] == "essential"]
            self.assertEqual(len(essential), 2)
            for step, role in zip(essential, roles):
                self.assertRegex(step["location"]["message"]["text"], rf"^main[.0-9]*: .*{role}")
            self.assertLess(essential[0]["executionOrder"], essential[1]["executionOrder"])
            self.assertEqual(steps[-1], essential[1])
            orders = sorted(step["executionOrder"] for flow in by_thread["threadFlows"] for step in flow["locations"])
            self.assertEqual(orders, [step["executionOrder"] for step in steps])
            self.assertEqual(len(result["stacks"]), 2)

    def test_deadlocks_of_models_are_deadlocks_with_places_and_stacks(self):
        [result] = self.log("deadlock", "models/philosophers-3.dpn")["results"]
        self.assertEqual((result["ruleId"], result["kind"], result["level"]), ("deadlock", "fail", "error"))
        self.assertRegex(result["message"]["text"], "^deadlock: a thread holds fork1 and wants fork2, .* wants fork1$")
        self.assertEqual(len(result["stacks"]), 3)
        with open(os.path.join(SOURCE, "models/philosophers-3.dpn"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        for place in [result["locations"][0], *[step["location"] for step in steps]]:
            region = place["physicalLocation"]["region"]
            self.assertEqual(lines[region["startLine"] - 1][region["startColumn"] - 1], "(")
            self.assertIn("-->", lines[region["startLine"] - 1])
        self.assertIn("fork", lines[result["locations"][0]["physicalLocation"]["region"]["startLine"] - 1])

    def test_queries_have_the_stacks_of_the_threads_at_the_end(self):
        result = self.log("conflict", "models/fig1.dpn", "p2", "s1")["results"][0]
        self.assertEqual([stack["message"]["text"] for stack in result["stacks"]], ["main", "main.1: holds x"])

    def test_excluded_pairs_pass(self):
        results = self.log("race", "models/table1-2.lw", "--explain")["results"]
        self.assertEqual({(result["kind"], result["level"]) for result in results}, {("pass", "none")})

    def test_columns_count_characters_and_paths_are_escaped(self):
        text = RACY.replace("x = 1;", "/* é→ü */ x = 1;")
        result = self.log("race", self.write("a b#ü.lw", text))["results"][0]
        where = result["locations"][0]["physicalLocation"]
        self.assertTrue(where["artifactLocation"]["uri"].startswith("file:///"))
        self.assertTrue(where["artifactLocation"]["uri"].endswith("/a%20b%23%C3%BC.lw"))
        line = text.splitlines()[1]
        region = where["region"]
        self.assertEqual(line[region["startColumn"] - 1:region["endColumn"] - 1], "x = 1")

    def test_what_the_text_ignores_is_suppressed(self):
        path = self.write("s.lw", RACY.replace("x = 1; }", "x = 1; }  // lockwood: ignore race(x) -- known"))
        result = self.log("race", path)["results"][0]
        self.assertEqual(result["suppressions"], [{"kind": "inSource", "justification": "known"}])

    def test_the_log_is_the_same_in_each_run_and_leaves_no_other_file(self):
        self.log("race", "models/bank-racy.lw")
        with open(self.path("log.sarif"), "rb") as file:
            first = file.read()
        self.log("race", "models/bank-racy.lw")
        with open(self.path("log.sarif"), "rb") as file:
            self.assertEqual(file.read(), first)
        self.assertEqual(os.listdir(self.folder), ["log.sarif"])

    def test_a_file_that_cannot_be_written_is_an_error(self):
        for option in ("--sarif", "--html"):
            result = run("race", "models/fig1.lw", f"{option}={self.path('no/such/file')}")
            self.assertEqual(result.returncode, 2)
            self.assertIn("no/such/file", result.stderr)


class Stopped(Folder):
    """Runs that a limit ends: what is known is written, and nothing else is claimed."""

    def setUp(self):
        super().setUp()
        self.program = self.write("large.lw", large_program(150))

    def stopped(self, command, *options, **surroundings):
        """How it ends by a time limit that lets it begin to answer: on a busy machine, to read alone takes a while."""
        return with_a_limit(
            lambda limit: run(command, self.program, f"--timeout={limit}", *options, **surroundings),
            lambda result: result.stdout != "" or result.returncode != 3, first=2)

    def test_files_are_written_and_claim_nothing(self):
        for command in ("race", "deadlock", "defuse"):
            with self.subTest(command):
                for _ in range(5):  # on a busy machine, the last second may not be enough to write both
                    result = self.stopped(command, f"--sarif={self.path('s')}", f"--html={self.path('h')}")
                    if "no more is known" not in result.stderr:
                        break
                self.assertIn(result.returncode, (1, 3), result.stderr)
                if SANITIZED and "no more is known" in result.stderr:
                    continue  # what is written in a tenth of its second otherwise takes longer than that there
                self.assertNotIn("no more is known", result.stderr)
                with open(self.path("s"), encoding="utf-8") as file:
                    [log] = json.load(file)["runs"]
                self.assertFalse(log["invocations"][0]["executionSuccessful"])
                with open(self.path("h"), encoding="utf-8") as file:
                    data = re.search(r'(?s)id="data">(.*?)</script>', file.read())[1]
                page = json.loads(data)
                self.assertRegex(page["stopped"], r"^time limit reached after \d+\.\d\d s$")
                # There is a little time for the model. What it is not enough for is said not to be there.
                model = page["model"]
                if not {"statistics", "lock_order", "parallel"} <= model.keys():
                    self.assertEqual(model["incomplete"], "time limit reached")
                for name in ("s", "h"):
                    os.remove(self.path(name))

    def test_the_page_shows_the_model_though_the_time_is_over(self):
        locks = range(10)
        text = "lock " + ", ".join(f"l{i}" for i in locks) + ";\nproc main() {\n"
        text += "".join(f"  spawn t{i}();\n" for i in locks) + "}\n"
        for i in locks:
            inner = " } or { ".join(f"sync (l{j}) {{ skip; }}" for j in locks if j != i)
            text += f"proc t{i}() {{ sync (l{i}) {{ choose {{ {inner} }} }} }}\n"
        program = self.write("rings.lw", text)
        result = with_a_limit(lambda limit: run("deadlock", program, f"--timeout={limit}", f"--html={self.path('h')}"),
                              lambda _: os.path.exists(self.path("h")), first=0.5)
        self.assertIn("time limit reached", result.stderr)  # there are more than 10,000 rings
        with open(self.path("h"), encoding="utf-8") as file:
            model = json.loads(re.search(r'(?s)id="data">(.*?)</script>', file.read())[1])["model"]
        self.assertIn("statistics", model)

    def test_undecided_pairs_are_counted_by_variable(self):
        result = self.stopped("race", "--brief")
        self.assertRegex(result.stdout, r"unknown whether there are races on \w+: \d+ pairs of accesses are not decided")
        self.assertLess(len(re.findall("unknown whether", result.stdout)), 300)

    def test_a_message_takes_the_place_of_the_status_line(self):
        # To determinize this takes 2 to the power of 60 states.
        rules = [f"{letter}(q{k}) -> q{k + 1}\n" for k in range(1, 60) for letter in "ab"]
        hard = self.write("hard", "Ops e:0 a:1 b:1\nFinal States q60\nTransitions\ne -> q0\na(q0) -> q0\nb(q0) -> q0\n"
                                  "a(q0) -> q1\n" + "".join(rules))
        status = r"\r\x1b\[K[^\r\n]+\d s, "
        _, screen = with_a_limit(lambda limit: run_on_terminal("ta", "determinize", hard, f"--timeout={limit}"),
                                 lambda result: re.search(status, result[1]), first=1.5)
        self.assertRegex(screen, status)
        self.assertIn("\r\x1b[Klockwood: time limit reached", screen)

    def test_guards_tell_that_they_are_not_complete(self):
        result = self.stopped("guards")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stdout, r"races: \d+, .*not complete")

    @unittest.skipUnless(os.path.exists("/proc/self/schedstat"), "the system does not tell who waits for a processor")
    @unittest.skipIf(SANITIZED, "with a sanitizer, what is known takes too long to be written in time")
    def test_whoever_waits_for_a_processor_is_not_cut_off(self):
        one = {min(os.sched_getaffinity(0))}  # processor for both: a loop, and a program that has to stand back

        def stand_back():
            os.sched_setaffinity(0, one)
            os.nice(10)

        loop = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda: os.sched_setaffinity(0, one))
        try:
            result = self.stopped("guards", preexec_fn=stand_back)
        finally:
            loop.kill()
            loop.wait()
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stdout, r"races: \d+, .*not complete")


class Screen(Folder):
    def test_standard_output_has_one_answer(self):
        log = json.loads(run("race", "models/fig1.lw", "--sarif=-").stdout)
        self.assertEqual(log["version"], "2.1.0")
        self.assertTrue(run("race", "models/fig1.lw", "--html=-").stdout.startswith("<!DOCTYPE html>"))
        self.assert_refused(run("race", "models/fig1.lw", "--html=-", "--sarif=-"), "want standard output")
        self.assert_refused(run("race", "models/fig1.lw", "--json", "--sarif=-"), "want standard output")
        text = run("race", "models/fig1.lw", "--sarif=-", "-o", self.path("text")).stdout
        self.assertEqual(json.loads(text), log)
        with open(self.path("text"), encoding="utf-8") as file:
            self.assertEqual(file.read(), run("race", "models/fig1.lw").stdout)


class Baseline(Folder):
    def states(self, log):
        return [result["baselineState"] for result in log["results"]]

    def test_what_is_known_no_longer_counts_in_either_format(self):
        program = self.write("p.lw", RACY)
        for option in ("--json", "--sarif"):
            old = self.path("old")
            self.assertEqual(run("race", program, f"{option}={old}").returncode, 1)
            log = self.log("race", program, f"--baseline={old}")
            self.assertEqual((self.result.returncode, self.states(log)), (0, ["unchanged"]))
            known, *rest = self.result.stdout.splitlines()  # one line, and the summary
            self.assertRegex(known, r"known from the baseline: race on x: .* \[race [0-9a-f]{12}\]$")
            self.assertEqual(len(rest), 1)
            report = self.assert_valid(run("race", program, f"--baseline={old}", "--json").stdout)
            self.assertEqual([finding["baseline"] for finding in report["findings"]], ["unchanged"])

    def test_new_races_count_and_fixed_ones_are_absent(self):
        program = self.write("p.lw", FIXED)
        old = self.path("old")
        self.assertEqual(run("race", program, f"--json={old}").returncode, 0)
        self.write("p.lw", RACY)
        log = self.log("race", program, f"--baseline={old}")
        self.assertEqual((self.result.returncode, self.states(log)), (1, ["new"]))
        run("race", program, f"--json={old}")
        self.write("p.lw", FIXED)
        log = self.log("race", program, f"--baseline={old}")
        self.assertEqual((self.result.returncode, self.states(log)), (0, ["absent"]))

    def test_a_run_that_looks_at_one_variable_calls_nothing_else_absent(self):
        program = self.write("p.lw", RACY.replace("var x;", "var x, y;"))
        old = self.path("old")
        run("race", program, f"--json={old}")
        self.assertEqual(self.states(self.log("race", program, "--var=y", f"--baseline={old}")), [])

    def test_bad_baselines_are_refused(self):
        for text in ("no json", "{}", '{"runs": [{}]}'):
            self.assert_refused(run("race", "models/fig1.lw", f"--baseline={self.write('b', text)}"), "error: ")
        self.assert_refused(run("race", "models/fig1.lw", "--baseline=/no/file"), "/no/file")
        self.assert_refused(run("deadlock", "models/philosophers-3.dpn", f"--baseline={self.write('b', '{}')}"),
                            "--baseline is about programs")


class Terminal(Folder):
    def test_findings_look_like_those_of_a_compiler(self):
        lines = run("race", "models/fig1.lw").stdout.splitlines()
        self.assertRegex(lines[0], r"^models/fig1\.lw:8:\d+: error: race on v: .* \[race\]$")
        self.assertRegex(lines[2], r"^ +\^~~~~ write by main$")
        self.assertEqual(lines[1].index("v = 0"), lines[2].index("^"))
        self.assertRegex(lines[3], r"^models/fig1\.lw:16:\d+: note: write by main\.1, which holds x$")

    def test_threads_have_columns_if_they_fit(self):
        text = run("race", "models/fig1.lw").stdout
        head = next(line for line in text.splitlines() if re.fullmatch(r" +main +main\.1", line))
        step = next(line for line in text.splitlines() if "acquires x" in line)
        self.assertEqual(step.index("15: acquires x"), head.index("main.1"))
        # A terminal of 80 columns has no room for four threads.
        _, screen = run_on_terminal("deadlock", "models/philosophers.lw", "--color=never")
        steps = re.findall(r"(?m)^ +\d+  main.*$", screen)
        self.assertEqual(len(steps), 9)
        self.assertLessEqual(max(len(step.rstrip()) for step in steps), 80)

    def test_colours_are_for_terminals_that_want_them(self):
        status, screen = run_on_terminal("race", "models/fig1.lw")
        self.assertEqual(status, 1)
        self.assertIn("\x1b[31m", screen)
        status, screen = run_on_terminal("race", "models/fig1.lw", env=environment(NO_COLOR="1"))
        self.assertNotIn("\x1b[3", screen)

    def test_statistics_are_one_line_of_json_on_standard_error(self):
        result = run("check", "models/fig1.dpn", "--stats=json")
        statistics = json.loads(result.stderr.splitlines()[-1])
        self.assertEqual(statistics["command"], "check")
        self.assertGreater(statistics["queries"][0]["statistics"]["contexts"], 0)
        self.assertNotIn("seconds", result.stdout)
        statistics = json.loads(run("race", "models/fig1.lw", "--stats=json").stderr.splitlines()[-1])
        self.assertGreater(statistics["engine"]["contexts"], 0)
        self.assert_refused(run("race", "models/fig1.lw", "--stats=xml"), "json")

    def test_every_command_that_runs_the_engine_tells_what_it_did(self):
        queries = self.write("q.jsonl", '{"id": 1, "query": "reach {s1}"}\n')
        for command in (["check", "models/fig1.dpn"], ["reach", "models/fig1.dpn", "s1"], ["mhp", "models/fig1.dpn"],
                        ["conflict", "models/fig1.dpn", "p2", "s1"], ["iterate", "models/fig1.dpn", "{s2}", "{r1}"],
                        ["deadlock", "models/philosophers-3.dpn"], ["deadlock", "models/bank-deadlock.lw"],
                        ["dataflow", "models/definitions.dpn"], ["batch", queries, "models/fig1.dpn"],
                        ["race", "models/fig1.lw"], ["defuse", "models/table1-3.lw"], ["guards", "models/bank-racy.lw"],
                        ["flow", "models/fig1.lw", "--from", "answer", "--to", "sink"], ["repro", "models/fig1.lw"]):
            with self.subTest(command):
                result = run(*command, "-v", "--stats=json")
                *notes, line = result.stderr.splitlines()
                engine = json.loads(line)["engine"]
                self.assertGreater(engine["runs"], 0)
                self.assertGreater(engine["contexts"], 0)
                self.assertEqual(engine["domain"], "explicit")
                for note in (r"runs: \d+", r"contexts: \d+", r"facts: \d+", r"widest antichain: \d+", "domain: explicit",
                             r"\d+\.\d\d s, .*"):
                    self.assertTrue(any(re.fullmatch("lockwood: " + note, told) for told in notes), (note, notes))
        self.assertRegex(run("race", "models/fig1.lw", "-v").stderr, r"(?m)^lockwood: rules left: \d+ of \d+$")
        query = run("query", "docs/examples/fig1.lwq", "--stats=json")
        self.assertEqual(json.loads(query.stderr.splitlines()[-1])["command"], "query")

    def test_a_terminal_gets_a_summary_with_the_time(self):
        _, screen = run_on_terminal("check", "models/fig1.dpn", "--color=never")
        self.assertRegex(screen.splitlines()[-1], r"^9 queries: 6 reachable, 3 unreachable, \d+\.\d\d s$")
        _, screen = run_on_terminal("guards", "models/bank-racy.lw", "--color=never")
        self.assertRegex(screen.splitlines()[-1], r"^races: \d+, pairs of accesses: \d+.*, \d+\.\d\d s$")
        self.assertNotIn("queries:", run("check", "models/fig1.dpn").stdout)

    def test_a_value_that_reaches_its_use_is_not_red(self):
        screen = run("defuse", "models/table1-3.lw", "--color=always").stdout
        self.assertIn("feasible", screen)
        self.assertNotRegex(screen, r"\x1b\[31m[^\n]*: feasible")

    def test_tables_fit_and_keep_lines(self):
        for columns in (80, 60):
            _, screen = run_on_terminal("guards", "models/bounded-buffer.lw", "--color=never", columns=columns)
            self.assertLessEqual(max(len(line) for line in screen.splitlines()), columns)
            text = run("guards", "models/bounded-buffer.lw").stdout
            lines = set(re.findall(r"bounded-buffer\.lw(:\d+)", text))
            self.assertTrue(lines)
            for line in lines:
                self.assertRegex(screen, line + r"\b")


class Pictures(Folder):
    def test_networks_trees_lock_orders_and_automata_are_drawn(self):
        commands = [("show", "models/fig1.dpn", "--svg"),
                    ("show", "models/fig1.dpn", "--tree", "conflict {p2} and {s1}", "--svg"),
                    ("show", "models/philosophers-3.dpn", "--lock-order", "--svg"),
                    ("ta", "dot", "docs/examples/lists.timbuk", "--svg")]
        for command, word in zip(commands, ["v = 42", "v = 42", "fork2", "cons"]):
            with self.subTest(command):
                result = run(*command)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("<svg", result.stdout)
                self.assertIn(word, result.stdout)

    def test_without_graphviz_it_says_so(self):
        result = run("show", "models/fig1.dpn", "--svg", env=environment(PATH="/nowhere"))
        self.assert_refused(result, "Graphviz", "not installed")

    def test_what_cannot_be_drawn_is_refused(self):
        self.assert_refused(run("show", "models/fig1.dpn", "--tree", "conflict {r1} and {s1}", "--svg"), "unreachable")
        self.assert_refused(run("show", "models/fig1.dpn", "--lock-order"), "--svg")


try:
    import selenium
except ModuleNotFoundError:
    selenium = None
LACKING = [name for name, there in (("the Python package selenium", selenium), ("chromium", shutil.which("chromium")),
                                    ("chromedriver", shutil.which("chromedriver"))) if not there]


def browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1200,1000"):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


@unittest.skipUnless(shutil.which("chromium"), "the page was not opened in a browser, for want of chromium")
class PageInBrowser(Folder):
    """The page in headless Chromium, which a script of ours works with as a reader would; nothing else is needed."""

    # Names that are in no path: folders for tests have random ones, of a few letters.
    PROGRAM = "var left_one, right_one;\nlock m;\n" \
              "proc main() { spawn t(); spawn t(); left_one = 1; right_one = 1; }\n" \
              "proc t() { left_one = 2; right_one = 2; sync (m) { skip; } }\n"

    def told(self, page, script, address=""):
        """What the script returns at the end."""
        with open(page, encoding="utf-8") as file:
            text = file.read()
        worker = "<script>document.body.append(make('pre', {id: 'told'}, JSON.stringify((() => {" + script + "})())));</script>"
        copy = self.write("worked.html", text.replace("</body>", worker + "</body>"))
        result = subprocess.run([shutil.which("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu",
                                 "--disable-dev-shm-usage", "--virtual-time-budget=2000", "--dump-dom",
                                 f"--user-data-dir={self.path('profile')}", f"file://{copy}{address}"],
                                capture_output=True, text=True, timeout=PATIENCE, check=True)
        return json.loads(html.unescape(re.search(r'(?s)<pre id="told">(.*?)</pre>', result.stdout)[1]))

    def page(self):
        target = self.path("page.html")
        self.report = json.loads(run("race", self.write("p.lw", self.PROGRAM), f"--html={target}", "--json").stdout)
        return target

    LIST = "[...document.querySelectorAll('[data-finding]')].map(link => link.textContent)"

    def test_findings_can_be_searched_chosen_and_grouped(self):
        page = self.page()
        messages = [finding["message"] for finding in self.report["findings"]]
        enter = "const word = document.getElementById('search'); word.value = '%s'; word.dispatchEvent(new Event('input'));"
        self.assertEqual(self.told(page, f"return {self.LIST};"), messages)
        self.assertEqual(self.told(page, enter % "ON RIGHT_ONE:4" + f"return {self.LIST};"), [])
        on_y = [message for message in messages if message.startswith("race on right_one")]
        self.assertEqual(self.told(page, enter % "on RIGHT_one" + f"return {self.LIST};"), on_y)
        shown = self.told(page, enter % "on right_one" + "return document.getElementById('shown').textContent;")
        self.assertEqual(shown, f"{len(on_y)} of {len(messages)} findings")
        one = self.report["findings"][1]["id"]
        self.assertEqual(self.told(page, enter % one + f"return {self.LIST};"), [messages[1]])
        groups = self.told(page, "const box = document.getElementById('together'); box.checked = true;"
                                 "box.dispatchEvent(new Event('input'));"
                                 "return [...document.querySelectorAll('tr.group')].map(row => row.textContent);")
        self.assertEqual(groups, [f"left_one: {len(messages) - len(on_y)}", f"right_one: {len(on_y)}"])
        kinds = self.told(page, "return [...document.querySelectorAll('#kind option')].map(option => option.textContent);")
        self.assertEqual(kinds, ["all", "race, executed"])

    def test_how_sure_a_finding_is_stands_in_the_list(self):
        target = self.path("possible.html")
        text = "var x, go;\nproc main() { spawn t(); if (go == 1) { x = 1; } }\nproc t() { x = 2; }\n"
        run("race", self.write("q.lw", text), "--settle=off", f"--html={target}")
        row = self.told(target, "return [...document.querySelector('[data-finding]').closest('tr').cells].map(cell => cell.textContent);")
        self.assertEqual((row[0], row[3]), ("race", "possible"))
        self.assertIn("in the way", self.told(target, "return document.getElementById('detail').textContent;"))

    def test_an_address_by_id_and_keys_lead_to_a_finding(self):
        page = self.page()
        third = self.report["findings"][2]
        title = "return document.querySelector('#detail h3').textContent;"
        self.assertIn(third["message"], self.told(page, title, address="#" + third["id"]))
        opened = "return document.querySelector('[aria-current=true]').textContent;"
        messages = [finding["message"] for finding in self.report["findings"]]
        press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}));"
        self.assertEqual(self.told(page, press % "j" + press % "j" + press % "k" + opened), messages[1])
        self.assertEqual(self.told(page, press % "k" + opened), messages[0])

    def test_the_source_is_there_with_its_findings_and_the_theme_can_be_chosen(self):
        page = self.page()
        marked = self.told(page, "const box = document.querySelector('#source details'); box.open = true;"
                                 "box.dispatchEvent(new Event('toggle'));"
                                 "return [...box.querySelectorAll('mark')].map(mark => mark.textContent);")
        self.assertEqual(marked, self.PROGRAM.splitlines()[2:4])
        colours = self.told(page, "const colour = () => getComputedStyle(document.body).backgroundColor, before = colour();"
                                  "document.getElementById('theme').click(); const after = colour();"
                                  "document.getElementById('theme').click(); return [before, after, colour()];")
        self.assertNotEqual(colours[0], colours[1])
        self.assertEqual(colours[0], colours[2])


@unittest.skipIf(LACKING, f"the page was not opened in a browser, for want of {', '.join(LACKING)}: .ci/setup test")
class Page(Folder):
    @classmethod
    def setUpClass(cls):
        cls.driver = browser()
        cls.addClassCleanup(cls.driver.quit)

    def open(self, *arguments):
        target = self.path("report.html")
        result = run(*arguments, f"--html={target}")
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.driver.get("file://" + target)
        self.assert_quiet()

    def assert_quiet(self):
        """No errors in the console, and nothing was asked of anyone."""
        self.assertEqual(self.driver.get_log("browser"), [])
        self.assertEqual(self.driver.execute_script("return performance.getEntriesByType('resource').length"), 0)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def text(self, selector):
        return self.all(selector)[0].text

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver).send_keys(*keys).perform()

    def threads(self):
        """What the table of threads says: name -> (stands, inside of, holds)."""
        rows = self.all(".timeline > .scroll tbody tr")
        return {row.find_element("css selector", "th").text:
                tuple(cell.text for cell in row.find_elements("css selector", "td")) for row in rows}

    def test_a_race_is_stepped_through_by_keys(self):
        from selenium.webdriver.common.keys import Keys
        self.open("race", "models/fig1.lw")
        self.assertIn("Step 2 of 2: main.1: sync x, acquires x", self.text(".live"))
        self.assertIn("x", self.threads()["main.1"][2])
        self.press(Keys.ARROW_LEFT)
        self.assertIn("Step 1 of 2: main: spawn q, spawns main.1", self.text(".live"))
        self.assertEqual(self.threads()["main.1"][2], "–")
        self.press(Keys.ARROW_LEFT)
        self.assertIn("Before the first of 2 steps", self.text(".live"))
        self.assertEqual(list(self.threads()), ["main"])
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertIn("Step 2 of 2", self.text(".live"))
        self.assertEqual([mark.text for mark in self.all(".side mark")], ["v = 0", "v = 42"])
        self.assertEqual(len(self.all(".region")), 1)
        self.assertEqual([name.text for name in self.all(".bar-name")], ["x"])
        self.assertEqual([end.text for end in self.all(".stands")], ["before write v (8)", "before write v (16)"])
        self.assert_quiet()

    def pixels(self, element):
        """What the screen shows of the element, as rows of (red, green, blue)."""
        import base64
        script = """
            const image = new Image(), done = arguments[1];
            image.onload = () => {
              const canvas = document.createElement('canvas');
              canvas.width = image.width; canvas.height = image.height;
              const pen = canvas.getContext('2d');
              pen.drawImage(image, 0, 0);
              done([image.width, [...pen.getImageData(0, 0, image.width, image.height).data]]);
            };
            image.src = 'data:image/png;base64,' + arguments[0];"""
        picture = base64.b64encode(element.screenshot_as_png).decode()
        width, values = self.driver.execute_async_script(script, picture)
        pixels = [tuple(values[i:i + 3]) for i in range(0, len(values), 4)]
        return [pixels[i:i + width] for i in range(0, len(pixels), width)]

    def test_the_screen_shows_lanes_and_locks_where_the_page_says(self):
        self.open("race", "models/fig1.lw")
        lanes = self.all(".lanes")[0]
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", lanes)
        shown = self.pixels(lanes)
        colour = "return getComputedStyle(arguments[0])[arguments[1]].match(/\\d+/g).slice(0, 3).map(Number)"
        rectangle = "const r = arguments[0].getBoundingClientRect(); return [r.x, r.y, r.width, r.height]"

        def at(element, right=0.5, down=0.5):
            box = self.driver.execute_script(rectangle, element)
            begin = self.driver.execute_script(rectangle, lanes)
            return shown[int(box[1] - begin[1] + down * box[3])][int(box[0] - begin[0] + right * box[2])]

        def near(seen, wanted):
            return all(abs(a - b) <= 24 for a, b in zip(seen, wanted))

        self.assertGreater(len({pixel for row in shown for pixel in row}), 20)  # not blank: letters have many shades
        self.assertAlmostEqual(len(shown[0]), lanes.rect["width"], delta=2)
        [region] = self.all(".region")
        self.assertTrue(near(at(region, 0.1), self.driver.execute_script(colour, region, "fill")), at(region, 0.1))
        for step in self.all(".step"):
            self.assertTrue(near(at(step), self.driver.execute_script(colour, step, "fill")))
        [now] = self.all(".row-now")
        self.assertTrue(near(at(now, 0.98, 0.2), self.driver.execute_script(colour, now, "fill")))
        self.assertEqual([head.text for head in self.all(".lane-heads span")], ["main", "main.1"])

    def test_stepping_keeps_the_acting_lane_and_the_names_in_sight(self):
        from selenium.webdriver.common.keys import Keys
        target = self.path("p14.dpn")
        run("gen", "philosophers", "14", "-o", target)
        self.open("deadlock", target)
        self.assertIn("1 × deadlock", self.text("#summary"))
        script = """const lanes = document.querySelector('.lanes').getBoundingClientRect();
            const row = document.querySelector('.row-now').getBoundingClientRect();
            const name = /: ([a-z.0-9]+): /.exec(document.querySelector('.live').textContent)[1];
            const head = [...document.querySelectorAll('.lane-heads span')].find(s => s.title === name).getBoundingClientRect();
            return head.left >= lanes.left && head.right <= lanes.right && head.top >= lanes.top - 1 && head.bottom <= row.top + 1;"""
        for _ in range(12):
            self.assertTrue(self.driver.execute_script(script), self.text(".live"))
            self.press(Keys.ARROW_LEFT)

    def test_findings_have_addresses(self):
        self.open("check", "models/fig1.dpn")
        self.driver.execute_script("location.hash = '#finding-4'")
        self.assertEqual(len(self.all("section#finding-4")), 1)
        self.all("[data-finding='1']")[0].click()
        self.assertTrue(self.driver.current_url.endswith("#finding-1"))
        self.assertEqual(len(self.all("section#finding-1")), 1)
        self.driver.back()
        self.assertEqual(len(self.all("section#finding-4")), 1)

    def test_what_is_ignored_and_what_is_held_apart_is_not_counted_as_found(self):
        text = ("var x, y;\nlock a;\nproc main() { spawn t(); x = 1; sync (a) { y = 1; }\n"
                "  x = 3; // lockwood: ignore race(x) -- known\n}\nproc t() { x = 2; sync (a) { y = 2; } }\n")
        self.open("race", self.write("ignored.lw", text), "--explain")
        self.assertEqual(self.text("#summary"), "1 × race, 1 × ignored")
        self.assertIn("Findings (2)", self.text("#findings h2"))
        self.assertRegex(self.text("#apart h2"), r"Excluded \([1-9]\d*\)")

    def test_of_very_many_findings_the_page_has_the_most_severe(self):
        for writes, shown in ((40, 820), (50, 1000)):
            body = "".join(f"  x = {i};\n" for i in range(writes))
            text = f"var x;\nproc main() {{ spawn t(); spawn t(); }}\nproc t() {{\n{body}}}\n"
            self.open("race", self.write("many.lw", text), "--brief")
            self.assertEqual(len(self.all("[data-finding]")), shown)
        self.assertIn("Only the 1000 most severe of 1275", self.text("#findings"))

    def test_it_has_landmarks_headings_and_tables_with_heads(self):
        self.open("race", "models/bank-racy.lw")
        for landmark in ("header", "nav[aria-label]", "main", "footer"):
            self.assertEqual(len(self.all(f"body > {landmark}")), 1, landmark)
        self.assertEqual(len(self.all("h1")), 1)
        for table in self.all("table"):
            self.assertTrue(table.find_elements("css selector", "caption"))
            self.assertTrue(table.find_elements("css selector", "th[scope=col]"))
        self.assertTrue(self.all(".live[aria-live=polite]"))
        self.assertTrue(all(picture.get_attribute("aria-label") for picture in self.all("svg, canvas")))
        targets = [link.get_attribute("href").split("#")[1] for link in self.all("nav a")]
        self.assertEqual([len(self.all("#" + target)) for target in targets], [1] * len(targets))

    def test_pairs_held_apart_are_explained_without_being_asked_for(self):
        self.open("race", "models/table1-5.lw")
        self.assertIn("excluded by a, b", self.text("#apart"))
        self.assertNotIn("excluded by", run("race", "models/table1-5.lw").stdout)

    def test_deadlocks_show_the_ring_and_the_order_of_locks(self):
        self.open("deadlock", "models/bank-deadlock.lw")
        self.assertEqual(len(self.all("#locks .hot")), 2)
        self.assertIn("savings_lock", self.text("#locks table"))

    def test_cuts_of_definitions_and_uses_are_drawn(self):
        self.open("defuse", "models/table1-3.lw")
        self.assertEqual(len(self.all(".lanes .cut")), 1)

    def test_queries_of_a_model_and_flows_have_a_page(self):
        from selenium.webdriver.common.keys import Keys
        self.open("check", "models/fig1.dpn")
        self.all("[data-finding='2']")[0].click()
        self.press(Keys.ARROW_LEFT)
        self.assertRegex(self.text(".live"), r"Step 1 of 2: main: .*spawns main\.1")
        self.open("flow", "models/fig1.lw", "--from", "answer", "--to", "sink")
        self.assertIn("flow", self.text("#findings"))

    def test_the_matrix_tells_what_lockwood_mhp_tells(self):
        from selenium.webdriver.common.keys import Keys
        self.open("check", "models/fig1.dpn")
        pairs = {(pair["first"], pair["second"])
                 for pair in json.loads(run("mhp", "models/fig1.dpn", "--json").stdout)["report"]["pairs"]}
        shown = self.driver.execute_script("return data.model.parallel")
        marked = {(shown["places"][row], shown["places"][begin + i]) for row, runs in enumerate(shown["rows"])
                  for begin, length in zip(runs[::2], runs[1::2]) for i in range(length)}
        self.assertEqual(marked, pairs | {(second, first) for first, second in pairs})
        self.driver.execute_script("document.querySelector('canvas').focus()")
        before = self.driver.execute_script("return document.querySelector('canvas').width")
        self.press("+", Keys.ARROW_DOWN)
        self.assertGreater(self.driver.execute_script("return document.querySelector('canvas').width"), before)
        self.assertRegex(self.text("#matrix-live"), "parallel")

    def test_hostile_text_stays_text(self):
        program = RACY + "// </script><script>document.title='broken'</script><img src=x onerror=alert(1)><!--\n"
        self.open("race", self.write("h.lw", program.replace("x = 1;", "x = 1; /* </script><b>bold</b> */")))
        self.assertIn("race", self.driver.title)
        self.assertEqual(self.all(".side b"), [])
        self.assertIn("<b>bold</b>", self.text(".side pre"))

    def test_of_a_long_schedule_a_window_is_drawn(self):
        self.open("race", self.write("long.lw", long_program(300)))
        total = int(re.search(r"of (\d+)", self.text(".live"))[1])
        self.assertGreater(total, 1000)
        self.assertEqual(len(self.all(".lanes .step")), 600)
        self.driver.execute_script("document.querySelector('.controls button').click()")
        self.assertIn(f"Before the first of {total} steps", self.text(".live"))
        self.assertEqual(self.all(".lanes .small")[0].text, "1")

    def test_nothing_found_is_said(self):
        self.open("race", self.write("f.lw", FIXED))
        self.assertIn("Nothing was found", self.text("#findings"))

    def test_it_is_dark_for_those_who_want_that_and_fits_narrow_screens(self):
        self.open("race", "models/fig1.lw")
        colour = "return getComputedStyle(document.body).backgroundColor"
        light = self.driver.execute_script(colour)
        media = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
        self.assertNotEqual(self.driver.execute_script(colour), light)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.driver.set_window_size(500, 900)
        self.addCleanup(self.driver.set_window_size, 1200, 1000)
        self.assertTrue(self.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
