"""End-to-end tests of the commands on programs: race, deadlock, defuse, flow, guards, repro, diff.

    findings_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

The programs in models/ tell in comments what is to be found at their lines (docs/language.md, "Expected findings"). Every
expected finding must be reported, and nothing else.
"""

import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import SOURCE, Case, run, run_on_terminal, start  # noqa: E402
from processor_time import PATIENCE, with_a_limit  # noqa: E402

PROGRAMS = sorted(os.path.relpath(path, SOURCE) for path in glob.glob(os.path.join(SOURCE, "models", "*.lw")))

RACE = re.compile(r"race (\w+)((?: #\d+)+)")
DEADLOCK = re.compile(r"deadlock((?: \w+){2,})")
FLOW = re.compile(r"(no )?flow (\w+) (\w+)")


def text_of(program):
    with open(os.path.join(SOURCE, program), encoding="utf-8") as file:
        return file.read()


def rotated(ring):
    """The ring, beginning with its least lock."""
    first = ring.index(min(ring))
    return tuple(ring[first:] + ring[:first])


class Expectations:
    """What the comments of a program say."""

    def __init__(self, text):
        pairs = {}  # (variable, number) -> lines
        self.deadlocks = set()  # (ring, line)
        self.flows = {}  # (from, to) -> whether there is one
        for number, line in enumerate(text.splitlines(), start=1):
            if "//" not in line:
                continue
            for remark in line.split("//", 1)[1].split(";"):
                remark = remark.strip()
                if match := RACE.fullmatch(remark):
                    for pair in match[2].split():
                        pairs.setdefault((match[1], pair), set()).add(number)
                elif match := DEADLOCK.fullmatch(remark):
                    self.deadlocks.add((rotated(match[1].split()), number))
                elif match := FLOW.fullmatch(remark):
                    self.flows[match[2], match[3]] = match[1] is None
        self.races = {(variable, frozenset(lines)) for (variable, _), lines in pairs.items()}


def findings(report, verdict):
    """The findings of a report with this verdict that are not suppressed."""
    return [finding for finding in report["findings"] if finding["verdict"] == verdict and "suppressed" not in finding]


def reported_races(report):
    return {(race["subject"], frozenset(site["at"]["line"] for site in race["sites"]))
            for race in findings(report, "race")}


class Programs(Case):
    def test_there_are_the_programs_of_the_paper_and_a_dozen_others(self):
        self.assertGreaterEqual(len(PROGRAMS), 19)
        for number in range(1, 7):
            self.assertIn(f"models/table1-{number}.lw", PROGRAMS)

    def test_exactly_the_expected_races_are_reported(self):
        for program in PROGRAMS:
            with self.subTest(program):
                expected = Expectations(text_of(program)).races
                result = run("race", program, "--settle=off", "--json")
                report = self.assert_valid(result.stdout)
                self.assertEqual(reported_races(report), expected)
                self.assertEqual(result.returncode, 1 if expected else 0, result.stderr)
                self.assertEqual(report["report"]["summary"]["undecided"], 0)

    def test_exactly_the_expected_deadlocks_are_reported(self):
        for program in PROGRAMS:
            with self.subTest(program):
                expected = Expectations(text_of(program)).deadlocks
                result = run("deadlock", program, "--settle=off", "--json")
                report = self.assert_valid(result.stdout)
                reported = {(rotated(deadlock["subject"].split(", ")), site["at"]["line"])
                            for deadlock in findings(report, "deadlock") for site in deadlock["sites"]}
                self.assertEqual(reported, expected)
                self.assertEqual(result.returncode, 1 if expected else 0, result.stderr)

    def test_exactly_the_expected_flows_are_found(self):
        asked = 0
        for program in PROGRAMS:
            for (source, sink), expected in Expectations(text_of(program)).flows.items():
                with self.subTest(program, source=source, sink=sink):
                    asked += 1
                    result = run("flow", program, "--from", source, "--to", sink, "--settle=off", "--json")
                    report = self.assert_valid(result.stdout)
                    self.assertEqual([finding["verdict"] for finding in report["findings"]],
                                     ["flow" if expected else "no flow"])
                    self.assertEqual(result.returncode, 1 if expected else 0)
        self.assertGreater(asked, 12)

    def test_a_wrong_expectation_would_be_noticed(self):
        text = "var x;\nlock a;\nproc main() {  // race x #1\n  x = 1;  // no flow s t; deadlock a b\n}\n"
        expected = Expectations(text)
        self.assertEqual(expected.races, {("x", frozenset({3}))})
        self.assertEqual(expected.deadlocks, {(("a", "b"), 4)})
        self.assertEqual(expected.flows, {("s", "t"): False})


class PaperTable1(Case):
    """42 is not printed by any of the programs [Table 1], which an analysis without locks could not tell."""

    def pairs(self, number):
        report = self.assert_valid(run("defuse", f"models/table1-{number}.lw", "--json").stdout)
        text = text_of(f"models/table1-{number}.lw").splitlines()
        result = {}
        for finding in report["findings"]:
            definition, use = (text[site["at"]["line"] - 1].strip() for site in finding["sites"])
            result[definition.split(";")[0], use.split(";")[0]] = finding["verdict"]
        return result, report["report"]["summary"]

    def test_the_definition_of_42_reaches_no_print(self):
        for number in (1, 2, 3, 5, 6):
            with self.subTest(number):
                pairs, summary = self.pairs(number)
                verdicts = {verdict for (definition, use), verdict in pairs.items()
                            if "x = 42" in definition and "print" in use}
                self.assertEqual(verdicts, {"infeasible"})
                if number != 1:
                    self.assertGreater(summary["kept_without_locks"], summary["feasible"])

    def test_in_program_4_both_links_are_feasible_and_the_chain_is_not(self):
        pairs, _ = self.pairs(4)
        self.assertEqual(pairs["source: y = 42", "transfer: x = y"], "feasible")
        self.assertEqual(pairs["transfer: x = y", "sink: print(x)"], "feasible")
        result = run("flow", "models/table1-4.lw", "--from", "source", "--to", "sink")
        self.assertEqual(result.returncode, 0)
        self.assertIn("no flow", result.stdout)
        self.assertIn("each link is feasible, but no execution has all of them", result.stdout)

    def test_only_the_last_program_has_races(self):
        for number in range(1, 7):
            report = json.loads(run("race", f"models/table1-{number}.lw", "--json").stdout)
            self.assertEqual(len(findings(report, "race")), 2 if number == 6 else 0)


class Race(Case):
    def test_text_tells_places_and_a_schedule(self):
        result = run("race", "models/bank-racy.lw", "--var", "balance")
        self.assertEqual(result.returncode, 1)
        self.assertIn("race on balance: write at models/bank-racy.lw:11 and write at models/bank-racy.lw:11",
                      result.stdout)
        self.assertIn("spawn deposit as main.1", result.stdout)
        self.assertIn("executed", result.stdout)

    def test_call_stacks_lead_to_the_access(self):
        report = json.loads(run("race", "models/lock-through-calls.lw", "--json").stdout)
        site = next(site for race in report["findings"] for site in race["sites"] if "holds" not in site)
        self.assertEqual([entry["at"]["procedure"] for entry in site["stack"]], ["append", "report", "careless"])

    def test_explanations_tell_locks_spawn_order_and_threads_apart(self):
        def sentences(program):
            report = self.assert_valid(run("race", program, "--explain", "--json").stdout)
            return "\n".join(line for finding in findings(report, "no race") for line in finding["explanation"])
        self.assertIn("both are done while holding a", sentences("models/table1-3.lw"))
        self.assertIn("excluded by a, b", sentences("models/table1-5.lw"))
        self.assertIn("even without locks", sentences("models/table1-1.lw"))

    def test_explanations_tell_orders_apart(self):
        def sentence(program):
            report = json.loads(run("race", "-", "--explain", "--json", stdin=program).stdout)
            return findings(report, "no race")[1]["explanation"][0]
        self.assertIn("write at <stdin>:1 is over before", sentence("var x; proc main() { x = 1;\nspawn t(); } proc t() { x = 2; }"))
        self.assertIn("done in either order",
                      sentence("var x; proc main() { spawn t(); } proc t() { while (*) { x = 1;\nx = 2; } }"))
        self.assertIn("no execution does both",
                      sentence("var x; proc main() { choose { x = 1;\n} or { spawn t(); } } proc t() { x = 2; }"))

    def test_without_schedules_races_are_warnings(self):
        self.assertIn(": warning: race on", run("race", "models/alarm-clock.lw", "--brief").stdout)
        self.assertNotIn(": error: race on", run("race", "models/alarm-clock.lw", "--brief").stdout)

    def test_ids_do_not_depend_on_accesses_to_other_variables(self):
        text = "var x, y; proc main() { spawn t(); x = 1; } proc t() { x = 2; }"
        ids = [json.loads(run("race", "-", "--json", stdin=source).stdout)["findings"][0]["id"]
               for source in (text, text.replace("main() {", "main() { print(y); y = 1; print(x);"))]
        self.assertEqual(ids[0], ids[1])

    def test_code_that_is_never_run_changes_nothing(self):
        text = "var x; lock a; proc main() { spawn t(); sync (a) { x = 1; DEAD } } proc t() { sync (a) { x = 2; } }"
        for dead in ("", "if (false) { wait(a); }", "while (false) { pause(); }", "bool b = false; if (b) { pause(); }"):
            program = text.replace("DEAD", dead) + "proc pause() { wait(a); }"
            with self.subTest(dead):
                self.assertEqual(run("race", "-", stdin=program).returncode, 0)

    def test_a_remark_in_front_of_a_statement_is_one_on_its_line(self):
        text = "var x;\nproc main() {\n  spawn t();\n  /* lockwood: ignore race(x) -- r */ x = 1;\n}\nproc t() { x = 2; }\n"
        self.assertEqual(run("race", "-", stdin=text).returncode, 0)
        alone = text.replace("-- r */ x", "-- r */\n  x")
        self.assertEqual(run("race", "-", stdin=alone).returncode, 0)
        long = text.replace("-- r */ x", "-- r\n  */ x")
        self.assertEqual(run("race", "-", stdin=long).returncode, 0)

    def test_ids_do_not_depend_on_lines(self):
        text = text_of("models/table1-6.lw")
        moved = "\n\n// other lines\n" + text.replace("spawn t2();", "spawn\n\n  t2();")
        ids = [{race["id"] for race in json.loads(run("race", "-", "--json", stdin=source).stdout)["findings"]}
               for source in (text, moved)]
        self.assertEqual(ids[0], ids[1])
        self.assertEqual(len(ids[0]), 2)

    def test_reports_are_the_same_in_each_run(self):
        arguments = ("race", "models/double-checked.lw", "--json", "--explain")
        self.assertEqual(run(*arguments).stdout, run(*arguments).stdout)

    def test_misspelt_names_are_shown_with_what_was_meant(self):
        self.assert_refused(run("race", "models/bank-racy.lw", "--var", "balanse"), "did you mean 'balance'?")
        self.assert_refused(run("flow", "models/fig1.lw", "--from", "sourc", "--to", "sink"), "no label 'sourc'")
        self.assert_refused(run("flow", "models/fig1.lw", "--from", "sink", "--to", "zero"), "writes no variable",
                            "sink: ")

    def test_what_values_exclude_is_only_possible(self):
        report = json.loads(run("race", "-", "--settle=off", "--json", stdin="""
            var x, y;
            proc main() { spawn t(); x = 1; }
            proc t() { if (y == 1) { x = 2; } }""").stdout)
        self.assertEqual([race["certainty"] for race in report["findings"]], ["possible"])

    def test_a_write_behind_a_division_by_zero_is_never_reached(self):
        program = "var x;\nproc main() { spawn f(); x = (x + x) / %s; }\nproc f() { x = 1; }\n"
        thrown = json.loads(run("race", "-", "--brief", "--json", stdin=program % "0").stdout)
        self.assertEqual(thrown["report"]["summary"]["races"], 2)  # of both reads with the write of the other thread
        divided = json.loads(run("race", "-", "--brief", "--json", stdin=program % "2").stdout)
        self.assertEqual(divided["report"]["summary"]["races"], 3)

    def test_exit_status_follows_the_options(self):
        self.assertEqual(run("race", "models/bank-racy.lw", "--exit-zero").returncode, 0)
        self.assertEqual(run("race", "models/bank-racy.lw", "--fail-on=none").returncode, 0)
        self.assertEqual(run("race", "models/bank-fixed.lw").returncode, 0)
        self.assert_refused(run("race", "models/bank-fixed.lw", "--fail-on=findings"), "did you mean 'finding'?")

    # The model does not know that `go` is 0; that it is nobody has settled.
    POSSIBLE = """var x, y, go;
        proc main() { spawn t(); y = 1; if (go == 1) { x = 1; } }
        proc t() { y = 2; x = 2; }"""

    def test_what_was_executed_can_be_told_apart(self):
        unsettled = ["race", "-", "--settle=off"]

        def status(*options):
            return run(*unsettled, *options, stdin=self.POSSIBLE).returncode
        self.assertEqual([status(), status("--var=x"), status("--var=y")], [1, 1, 1])
        self.assertEqual([status("--var=x", "--fail-on=executed"), status("--var=y", "--fail-on=executed")], [0, 1])
        self.assertEqual([status(f"--fail-on={kind}") for kind in ("race", "deadlock", "flow", "deadlock,race")], [1, 0, 0, 1])
        shown = run(*unsettled, "--only=executed", "--json", stdin=self.POSSIBLE)
        report = self.assert_valid(shown.stdout)
        self.assertEqual([finding["subject"] for finding in report["findings"]], ["y"])
        self.assertIn("1 finding is only possible and not written", shown.stderr)
        self.assertEqual(status("--only=executed", "--var=x"), 0)
        self.assert_refused(run("race", "-", "--only=possible", stdin=self.POSSIBLE), "--only")

    def test_the_first_race_is_enough(self):
        result = run("race", "models/bank-racy.lw", "--first", "--json")
        report = self.assert_valid(result.stdout)
        self.assertEqual((result.returncode, len(report["findings"])), (1, 1))
        summary = report["report"]["summary"]
        self.assertEqual(summary["races"], 1)
        self.assertIn(f"ended with the first race: {summary['undecided']} pairs", result.stderr)
        self.assertFalse(summary["complete"])
        self.assertEqual(run("race", "models/bank-fixed.lw", "--first").stdout, run("race", "models/bank-fixed.lw").stdout)

    def test_what_is_not_written_is_not_called_fixed(self):
        with tempfile.TemporaryDirectory() as folder:
            all_of_it, some, log = (os.path.join(folder, name) for name in ("all.json", "some.json", "log.sarif"))
            run("race", "models/bank-racy.lw", f"--json={all_of_it}")
            run("race", "models/bank-racy.lw", "--max-findings=1", f"--json={some}", f"--baseline={all_of_it}",
                f"--sarif={log}")
            told = run("diff", all_of_it, some).stdout
            self.assertNotIn("fixed: 2", told)
            with open(log, encoding="utf-8") as file:
                states = [each["baselineState"] for each in json.load(file)["runs"][0]["results"]]
            self.assertEqual(states, ["unchanged"])

    def test_so_many_findings_are_written_and_the_others_count(self):
        result = run("race", "models/bank-racy.lw", "--max-findings=1", "--json")
        self.assertEqual(len(self.assert_valid(result.stdout)["findings"]), 1)
        self.assertEqual(json.loads(result.stdout)["report"]["summary"]["races"], 3)
        self.assertIn("2 findings are not written (--max-findings)", result.stderr)
        result = run("race", "models/bank-racy.lw", "--max-findings=0", "--json")
        self.assertEqual((result.returncode, json.loads(result.stdout)["findings"]), (1, []))


def run_stopped(first, *arguments, stdin):
    """Runs the program until a time limit that lets it say something: a slow machine needs more for that."""
    return with_a_limit(lambda limit: run(*arguments, f"--timeout={limit}", stdin=stdin), lambda result: result.stdout,
                        first=first)


def dense_program(procedures, variables, locks):
    """Every procedure is run by threads of its own, and most of them can be at any two of its statements."""
    choice = random.Random(1)
    lines = ["var " + ", ".join(f"x{i}" for i in range(variables)) + ";",
             "lock " + ", ".join(f"a{i}" for i in range(locks)) + ";",
             "proc main() {", *(f"  spawn f{i}();" for i in range(procedures)), "}"]

    def statement():
        kind = choice.randrange(10)
        if kind < 6:
            return f"  x{choice.randrange(variables)} = x{choice.randrange(variables)} + 1;"
        if kind < 7:
            return f"  sync (a{choice.randrange(locks)}) {{ x{choice.randrange(variables)} = 2; }}"
        return f"  {'spawn ' if kind < 9 else ''}f{choice.randrange(procedures)}();"

    for number in range(procedures):
        lines += [f"proc f{number}() {{", *(statement() for _ in range(8)), "}"]
    return "\n".join(lines) + "\n"


class ManyRaces(Case):
    def test_brief_names_thousands_of_races_and_looks_for_no_schedules(self):
        program = dense_program(40, 20, 4)
        self.assertGreater(program.count("\n"), 400)
        report = json.loads(run("race", "-", "--brief", "--json", stdin=program).stdout)
        self.assertGreater(report["report"]["summary"]["races"], 2000)
        self.assertEqual(report["report"]["summary"]["undecided"], 0)
        for race in report["findings"]:
            self.assertFalse({"schedule", "certainty"} & set(race))

    def test_brief_finds_the_races_that_have_schedules(self):
        program = dense_program(5, 4, 2)
        brief, full = (self.assert_valid(run("race", "-", "--json", *options, stdin=program).stdout)
                       for options in (["--brief"], []))
        self.assertEqual({race["id"] for race in brief["findings"]}, {race["id"] for race in full["findings"]})
        self.assertEqual(brief["report"], full["report"])
        self.assertTrue(all(race["schedule"] and race["certainty"] for race in full["findings"]))

    def test_races_on_a_variable_are_written_before_those_on_the_next_are_known(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lw") as file:
            file.write(dense_program(60, 30, 1))
            file.flush()
            process = start("race", file.name, "--jsonl")
            try:
                first = json.loads(process.stdout.readline())
                self.assertEqual((first["subject"], process.poll()), ("x0", None))
            finally:
                process.kill()
                process.communicate()

    def test_large_programs_are_looked_at_a_few_variables_at_a_time(self):
        program = dense_program(250, 150, 2)  # more places than one run takes
        result = run("race", "-", "--brief", "--json", stdin=program)
        report = json.loads(result.stdout)
        for variable in ("x0", "x75", "x149"):
            alone = json.loads(run("race", "-", "--brief", "--json", f"--var={variable}", stdin=program).stdout)
            self.assertEqual([race["id"] for race in alone["findings"]],
                             [race["id"] for race in report["findings"] if race["subject"] == variable])
            self.assertGreater(len(alone["findings"]), 10)

    def test_a_run_that_is_stopped_before_the_last_variable_says_so(self):
        program = dense_program(1000, 300, 2)
        result = run_stopped(1.5, "race", "-", "--brief", "--json", stdin=program)
        summary = json.loads(result.stdout)["report"]["summary"]
        self.assertGreater(summary["undecided"] + summary["races"], 0)
        self.assertRegex(result.stderr, "of the variables were not looked at|more races were found and not written")
        self.assertIn(result.returncode, (1, 3))

    def test_the_status_tells_how_far_the_engine_is_and_the_last_line_how_long_it_took(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lw") as file:
            file.write(dense_program(100, 50, 20))
            file.flush()
            status = r"\r\x1b\[Kpairs of accesses \d of \d, \d+ contexts, \d+ facts, "
            screen = with_a_limit(
                lambda limit: run_on_terminal("race", file.name, "--brief", f"--timeout={limit}", "--color=never")[1],
                lambda screen: re.search(status, screen), first=2.5)
        self.assertRegex(screen, status)
        self.assertRegex(screen, r"races: \d+, pairs of accesses: \d+,.* \d\.\d\d s\r\n")

    def test_what_is_known_when_the_time_is_over_is_said(self):
        result = run_stopped(0.7, "race", "-", "--json", stdin=dense_program(60, 30, 1))
        report = json.loads(result.stdout)
        summary = report["report"]["summary"]
        unknown = findings(report, "unknown")
        # A few pairs of a variable are told one by one, more of them by their number.
        numbers = [re.search(r": (\d+) pairs of accesses are not decided", finding["message"]) for finding in unknown]
        self.assertGreater(summary["undecided"], 100)
        self.assertEqual(summary["undecided"], sum(int(number[1]) if number else 1 for number in numbers))
        self.assertEqual(summary["races"] + summary["apart"] + summary["undecided"], summary["pairs_of_accesses"])
        self.assertIn(unknown[0]["explanation"][0], ("no schedule was found in time", "time limit reached"))
        self.assertEqual(result.returncode, 1 if summary["races"] else 3)


class Suppressions(Case):
    PROGRAM = """var x, y;
proc main() { spawn t(); x = 1;{0}
{1}
  y = 1; }
proc t() { x = 2; y = 2; }
"""

    def report(self, first, second):
        result = run("race", "-", "--json", stdin=self.PROGRAM.replace("{0}", first).replace("{1}", second))
        return result, self.assert_valid(result.stdout)

    def test_suppressed_races_stay_in_the_report_and_do_not_count(self):
        result, report = self.report(" // lockwood: ignore race(x) -- only a test", "")
        self.assertEqual(result.returncode, 1)
        self.assertEqual([race["subject"] for race in findings(report, "race")], ["y"])
        suppressed = [race for race in report["findings"] if "suppressed" in race]
        self.assertEqual([(race["subject"], race["suppressed"]["reason"]) for race in suppressed],
                         [("x", "only a test")])
        self.assertEqual(report["report"]["summary"]["ignored"], 1)

    def test_a_remark_on_its_own_line_concerns_the_next(self):
        result, report = self.report(" // lockwood: ignore race(x) -- a", "// lockwood: ignore race(y) -- b")
        self.assertEqual((result.returncode, findings(report, "race")), (0, []))

    def test_unused_and_malformed_remarks_are_reported(self):
        result, report = self.report(" // lockwood: ignore race(y) -- wrong variable", "")
        self.assertIn("<stdin>" if "<stdin>" in result.stderr else ":2:", result.stderr)
        self.assertIn("no race on y to ignore here", result.stderr)
        self.assertEqual(report["report"]["summary"]["unused_suppressions"], 1)
        for remark in ("race(x)", "race(x) --", "race(x -- reason", "warnings -- reason"):
            result, report = self.report(" // lockwood: ignore " + remark, "")
            self.assertIn("write: // lockwood: ignore race(x) -- reason", result.stderr)
            self.assertEqual(len(findings(report, "race")), 2)
        result, _ = self.report(" // lockwood: suppress race(x) -- reason", "")
        self.assertIn("all that a remark can say is what to ignore", result.stderr)

    def test_a_remark_of_several_lines_concerns_the_line_that_it_begins_on(self):
        result, report = self.report(" /* lockwood: ignore race(x) -- a\n long reason */", "// lockwood: ignore race(y) -- b")
        self.assertEqual((result.returncode, findings(report, "race")), (0, []), result.stderr)


class Diff(Case):
    def reports(self, folder, *sources):
        paths = []
        for number, source in enumerate(sources):
            paths.append(os.path.join(folder, f"{number}.json"))
            run("race", "-", f"--json={paths[-1]}", stdin=source)
        return paths

    def test_introduced_fixed_and_unchanged_are_told_apart(self):
        old = "var x, y; proc main() { spawn t(); x = 1; y = 1; } proc t() { x = 2; }"
        new = "\n\nvar x, y; proc main() { spawn t(); x = 1; y = 1; }\nproc t() { x = 2; y = 2; }"
        with tempfile.TemporaryDirectory() as folder:
            before, after = self.reports(folder, old, new)
            result = run("diff", before, after, "--json")
            self.assertEqual(result.returncode, 1)
            report = self.assert_valid(result.stdout)["report"]
            self.assertEqual([row["subject"] for row in report["introduced"]], ["y"])
            self.assertEqual([row["subject"] for row in report["unchanged"]], ["x"])
            self.assertEqual(report["fixed"], [])
            back = run("diff", after, before)
            self.assertEqual(back.returncode, 0)
            self.assertIn("race on y", back.stdout)
            self.assertEqual(run("diff", before, before).returncode, 0)

    def test_only_what_was_looked_for_to_the_end_is_fixed(self):
        source = "var x, y; lock a; proc main() { spawn t(); x = 1; y = 1; } proc t() { x = 2; y = 2; }"
        with tempfile.TemporaryDirectory() as folder:
            [before] = self.reports(folder, source)
            after = os.path.join(folder, "after.json")
            with open(before, encoding="utf-8") as file:
                stopped = dict(json.load(file), findings=[], stopped="time limit reached")
            for options in (["race", "-", "--var=x"], ["deadlock", "-"], None):
                if options:
                    run(*options, f"--json={after}", stdin=source)
                else:
                    with open(after, "w", encoding="utf-8") as file:
                        json.dump(stopped, file)
                report = self.assert_valid(run("diff", before, after, "--json").stdout)["report"]
                self.assertEqual((report["fixed"], report["introduced"]), ([], []), options)
                self.assertIn("y", [row["subject"] for row in report["undecided"]])
            run("race", "-", f"--json={after}", stdin=source.replace("y = 2;", ""))
            report = self.assert_valid(run("diff", before, after, "--json").stdout)["report"]
            self.assertEqual([row["subject"] for row in report["fixed"]], ["y"])
            self.assertNotIn("undecided", report)

    def test_what_is_no_report_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            for text, message in (("{", "malformed JSON"), ("[1]", "not a report"), ("{}", "not a report"),
                                  ('{"schema": "lockwood/results/1"}', "no findings"),
                                  ('{"schema": "lockwood/results/1", "findings": [{"id": 1}]}', "lacks its id")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                self.assert_refused(run("diff", path, path), message)


class Deadlock(Case):
    OPPOSITE = "proc t() { sync (b) { sync (a) { skip; } } }"

    def test_a_ring_of_locks_is_told_of_at_all_its_places(self):
        program = """lock a, b; var x;
            proc main() { spawn t();
              if (x == 5) {
                sync (a) { sync (b) { skip; } }  // lockwood: ignore deadlock -- x is never 5
              }
              real(); }
            proc real() { skip; sync (a) { sync (b) { skip; } } }
            """ + self.OPPOSITE
        result = run("deadlock", "-", "--json", stdin=program)
        self.assertEqual(result.returncode, 1)
        report = self.assert_valid(result.stdout)
        self.assertEqual([("suppressed" in each, each["certainty"]) for each in report["findings"]],
                         [(True, "possible"), (False, "executed")])
        self.assertEqual(len({each["id"] for each in report["findings"]}), 2)
        # Ids do not depend on other places, nor on lines.
        [moved] = json.loads(run("deadlock", "-", "--json", stdin="\n" + program.replace(
            "sync (a) { sync (b) { skip; } }  // lockwood: ignore deadlock -- x is never 5", "skip;")).stdout)["findings"]
        self.assertEqual(moved["id"], report["findings"][1]["id"])

    def test_of_many_places_each_is_told_of(self):
        there, back = (" ".join([f"sync ({one}) {{ sync ({two}) {{ skip; }} }}"] * 20) for one, two in ("ab", "ba"))
        program = f"lock a, b; proc main() {{ spawn t(); {there} }} proc t() {{ {back} }}"
        report = json.loads(run("deadlock", "-", "--json", stdin=program).stdout)
        self.assertEqual(report["report"]["summary"]["deadlocks"], 40)

    def test_a_ring_of_too_many_threads_stays_unknown(self):
        model = run("gen", "philosophers", "65").stdout
        result = run("deadlock", "-", stdin=model)
        self.assertEqual(result.returncode, 3)
        self.assertIn("more than 64 threads", result.stdout)

    def test_a_lock_that_is_waited_for_is_held_and_wanted(self):
        for wait in ("if (false) { wait(a); }", "wait(a);", "while (x == 0) { wait(a); }"):
            program = f"var x; lock a, b; proc main() {{ spawn t(); sync (a) {{ sync (b) {{ skip; }} {wait} }} }}"
            with self.subTest(wait):
                self.assertEqual(run("deadlock", "-", stdin=program + self.OPPOSITE).returncode, 1)
        taken_again = "lock a, b; proc main() { spawn t(); sync (b) { sync (a) { wait(a); } } }"
        other = "proc t() { sync (a) { notify(a); sync (b) { skip; } } }"
        self.assertEqual(run("deadlock", "-", stdin=taken_again + other).returncode, 1)

    def test_what_the_model_ignores_is_not_claimed_to_be_free_of_deadlocks(self):
        program = "lock a, b; proc main() { spawn t(); spawn n(); sync (a) { sync (b) { skip; } pause(); } } " \
                  "proc pause() { wait(a); } proc n() { sync (a) { notify(a); } }"
        result = run("deadlock", "-", "--json", stdin=program + self.OPPOSITE)
        self.assertEqual(result.returncode, 3)
        self.assertFalse(json.loads(result.stdout)["report"]["summary"]["complete"])
        self.assertIn("there may be more deadlocks with a", result.stderr)


class Waiting(Case):
    """Threads that wait for notifications: what the model can say of them, and what it does not claim."""

    def deadlock(self, program, *options):
        result = run("deadlock", "-", "--json", *options, stdin=program)
        return result, self.assert_valid(result.stdout)

    def test_who_is_notified_by_nobody_waits_for_ever(self):
        program = """var q; lock m;
            proc main() { spawn t(); sync (m) { q = 1; } }
            proc t() { sync (m) { while (q == 0) { wait(m); } } }"""
        result, report = self.deadlock(program)
        self.assertEqual(result.returncode, 1, result.stderr)
        [finding] = report["findings"]
        self.assertEqual((finding["rule"], finding["verdict"], finding["subject"]), ("waiting", "waits for ever", "m"))
        self.assertEqual(finding["certainty"], "executed")
        self.assertEqual([(site["at"]["line"], site["role"]) for site in finding["sites"]], [(3, "waits for m")])
        self.assertIn("nobody notifies it", finding["message"])
        self.assertEqual(report["report"]["summary"]["waiting_for_ever"], 1)
        self.assertNotIn("not covered", result.stderr)
        # Somebody who notifies may do so too early, which is not looked for.
        result, report = self.deadlock(program.replace("q = 1;", "q = 1; notify(m);"))
        self.assertEqual((result.returncode, report["findings"]), (0, []), result.stderr)
        self.assertEqual(report["report"]["summary"]["waits_not_covered"], 1)
        self.assertIn("waiting for ever is not covered: 1 wait", result.stderr)

    def test_a_notification_that_is_over_before_or_by_the_same_thread_wakes_nobody(self):
        result, report = self.deadlock("lock m; proc main() { sync (m) { notify(m); } sync (m) { wait(m); } }")
        [finding] = report["findings"]
        self.assertIn("no notification is done while it waits", finding["message"])
        self.assertEqual(result.returncode, 1)

    NESTED = """lock outer, inner;
        proc main() { spawn t(); sync (outer) { sync (inner) { wait(inner); } } }
        proc t() { sync (outer) { sync (inner) { notify(inner); } } }"""

    def test_a_nested_monitor_lockout_is_a_deadlock(self):
        result, report = self.deadlock(self.NESTED)
        self.assertEqual(result.returncode, 1, result.stderr)
        [finding] = report["findings"]
        self.assertEqual((finding["rule"], finding["subject"]), ("deadlock", "outer, inner"))
        self.assertIn("nested-monitor lockout", finding["message"])
        self.assertEqual(finding["certainty"], "executed")
        self.assertEqual(finding["sites"][0]["holds"], ["outer"])
        self.assertTrue(finding["schedule"])
        # Who notifies without the outer lock gets through.
        result, report = self.deadlock(self.NESTED.replace("sync (outer) { sync (inner) { notify(inner); } }",
                                                           "sync (inner) { notify(inner); }"))
        self.assertEqual((result.returncode, report["findings"]), (0, []))

    def test_a_lockout_on_one_way_to_a_wait_is_found(self):
        program = self.NESTED.replace("sync (outer) { sync (inner) { wait(inner); } }",
                                      "f(); sync (outer) { f(); }") + " proc f() { sync (inner) { wait(inner); } }"
        _, report = self.deadlock(program)
        [finding] = report["findings"]
        self.assertIn("nested-monitor lockout", finding["message"])
        self.assertEqual(finding["sites"][0]["holds"], ["outer"])

    def test_values_exclude_a_wait_that_is_never_come_to(self):
        program = """var q = 1; lock m;
            proc main() { sync (m) { if (q == 0) { wait(m); } } }"""
        result, report = self.deadlock(program)
        self.assertEqual([finding["verdict"] for finding in report["findings"]], ["goes on"])
        self.assertEqual(result.returncode, 0)

    @staticmethod
    def random_program(choice):
        """Threads without loops that take two locks in turn, wait and notify."""
        def body(held, depth):
            statements = []
            for _ in range(choice.randrange(1, 3)):
                kind = choice.randrange(6)
                lock = choice.choice("ab")
                if kind < 2 and depth > 0:
                    statements.append(f"sync ({lock}) {{ {body(held | {lock}, depth - 1)} }}")
                elif kind == 2 and held:
                    statements.append(f"wait({choice.choice(sorted(held))});")
                elif kind < 5 and held:
                    statements.append(f"notifyAll({choice.choice(sorted(held))});")
                else:
                    statements.append("skip;")
            return " ".join(statements)
        threads = [f"proc t{i}() {{ {body(set(), 2)} }}" for i in range(2)]
        return f"lock a, b; proc main() {{ spawn t0(); spawn t1(); {body(set(), 2)} }} " + " ".join(threads)

    def test_all_states_of_random_programs_agree(self):
        choice = random.Random(7)
        endless = quiet = 0
        for _ in range(60):
            program = self.random_program(choice)
            with self.subTest(program):
                _, report = self.deadlock(program)
                found = [finding for finding in findings(report, "waits for ever") + findings(report, "deadlock")
                         if "waits for" in finding["message"] and finding["certainty"] == "executed"]
                summary = report["report"]["summary"]
                explored = json.loads(run("explore", "-", "--json", stdin=program).stdout)["findings"]
                stuck = [each for each in explored if each["rule"] in ("waiting", "deadlock")]
                if found:
                    self.assertTrue(stuck)
                    endless += 1
                elif not summary.get("waits_not_covered") and summary["complete"] and not report["findings"]:
                    self.assertEqual([each["message"] for each in stuck], [])
                    quiet += 1
        self.assertGreater(endless, 10)
        self.assertGreater(quiet, 10)

    def test_it_can_be_ignored_and_known_from_before(self):
        program = """lock m;
            proc main() {
              sync (m) { wait(m); }  // lockwood: ignore waiting(m) -- ends the program
            }"""
        result, report = self.deadlock(program)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([finding["suppressed"]["reason"] for finding in report["findings"]], ["ends the program"])
        with tempfile.TemporaryDirectory() as folder:
            path, before = os.path.join(folder, "p.lw"), os.path.join(folder, "before.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.NESTED.replace("notify(inner)", "skip"))
            self.assertEqual(run("deadlock", path, f"--json={before}").returncode, 1)
            self.assertEqual(run("deadlock", path, f"--baseline={before}").returncode, 0)


class Verify(Case):
    def test_answers_about_programs_are_proved(self):
        for arguments in (["race", "models/table1-6.lw"], ["defuse", "models/table1-3.lw"],
                          ["flow", "models/table1-4.lw", "--from", "source", "--to", "sink"],
                          ["flow", "models/table1-4.lw", "--from", "transfer", "--to", "sink"]):
            with self.subTest(arguments):
                plain, proved = (json.loads(run(*arguments, "--json", *more).stdout) for more in ([], ["--verify"]))
                summary = proved["report"]["summary"]
                self.assertGreater(summary["claims"], 0)
                self.assertEqual(summary["claims"], summary["claims_proved"])
                self.assertEqual(plain["findings"], proved["findings"])


class Flow(Case):
    def verdict(self, program):
        result = run("flow", "-", "--from", "src", "--to", "sink", "--json", stdin=program)
        (finding,) = json.loads(result.stdout)["findings"]
        self.assertEqual(result.returncode, {"flow": 1, "no flow": 0, "unknown": 3}[finding["verdict"]])
        return finding["verdict"], finding.get("certainty")

    def test_values_go_through_locals_parameters_and_results(self):
        start = "var x, y; proc main() { src: x = 1; "
        for rest in ("y = get(); sink: print(y); } proc get() { return x; }",
                     "local i = x; y = i; sink: print(y); }",
                     "sink: print(get()); } proc get() { return x; }",
                     "local i = x; sink: print(i); }",
                     "put(x); sink: print(y); } proc put(n) { y = n; }"):
            with self.subTest(rest):
                self.assertEqual(self.verdict(start + rest), ("flow", "executed"))
        self.assertEqual(self.verdict(start + "bool b = x > 0 && true; sink: assert(b); }")[0], "flow")
        self.assertEqual(self.verdict("var x; proc main() { src: local i = 7; x = i; sink: print(x); }"),
                         ("flow", "executed"))

    def test_values_stay_in_locals_while_a_thread_waits_for_others(self):
        other = " proc other() { }"
        for waits in ("thread t = spawn other(); join t;", "spawn other(); join;", "finish { spawn other(); }",
                      "thread t = spawn other(); t = spawn other();"):
            with self.subTest(waits):
                program = "var x; proc main() { src: local i = 7; " + waits + " x = i; sink: print(x); }" + other
                self.assertEqual(self.verdict(program)[0], "flow")

    def test_what_a_local_has_lost_does_not_flow(self):
        lost = "var x, y; proc main() { src: x = 1; local i = x; i = 0; y = i; sink: print(y); }"
        self.assertEqual(self.verdict(lost), ("no flow", None))
        self.assertEqual(self.verdict(lost.replace("i = 0;", "")), ("flow", "executed"))
        self.assertEqual(self.verdict(lost.replace("y = i;", "local j; y = j;")), ("no flow", None))
        made = "var x; proc main() { src: local i = 7; i = 0; x = i; sink: print(x); }"
        self.assertEqual(self.verdict(made), ("no flow", None))
        self.assertEqual(self.verdict(made.replace("i = 0;", "i = i + 1;")), ("flow", "executed"))
        self.assertEqual(self.verdict("var x; proc main() { x = get(); sink: print(x); } proc get() { src: return 7; }"),
                         ("flow", "executed"))

    def test_labels_must_stand_where_values_are(self):
        program = "var x; proc main() { src: f(); sink: print(1); } proc f() { x = 1; }"
        for label in ("src", "sink"):
            other = "src: x = 2;" if label == "sink" else "sink: print(x);"
            text = program.replace("src: f();" if label == "sink" else "sink: print(1);", other)
            self.assert_refused(run("flow", "-", "--from", "src", "--to", "sink", stdin=text),
                                "the label must be at the statement", f"{label}: ")


class Guards(Case):
    def test_the_access_that_forgets_the_lock_is_found(self):
        report = self.assert_valid(run("guards", "models/twenty-locks.lw", "--no-advice", "--json").stdout)["report"]
        breaking = [row for row in report["accesses"] if row["breaks_rule"]]
        self.assertEqual([(row["variable"], row["procedure"]) for row in breaking], [("account7", "audit")])
        protected = {row["variable"]: row["protected_by"] for row in report["variables"]}
        self.assertEqual(protected["account1"], ["lock1"])
        self.assertEqual(protected["account7"], [])

    def test_advice_removes_the_race(self):
        program = """var x; lock a, b;
            proc main() { spawn t(); sync (a) { x = 1; } }
            proc t() { sync (b) { skip; } x = x + 1; }"""
        report = self.assert_valid(run("guards", "-", "--json", stdin=program).stdout)["report"]
        self.assertEqual({row["lock"] for row in report["additions"]}, {"a"})
        self.assertEqual(report["locks"]["nothing_changes_without"], ["a", "b"])
        repaired = program.replace("x = x + 1;", "sync (a) { x = x + 1; }")
        self.assertEqual(run("race", "-", stdin=repaired).returncode, 0)

    def test_one_lock_removes_all_races_of_a_variable_and_protects_most_already(self):
        program = """var x; lock a, b;
            proc main() { spawn t(); spawn u(); spawn u(); sync (a) { x = 1; } }
            proc t() { sync (b) { x = 2; } x = 3; }
            proc u() { sync (b) { x = 4; } }"""
        report = self.assert_valid(run("guards", "-", "--json", stdin=program).stdout)["report"]
        [advice] = report["advice"]
        self.assertEqual((advice["variable"], advice["lock"], advice["adds_deadlock"]), ("x", "b", False))
        self.assertEqual([place.rsplit(":", 1)[1] for place in advice["around"]], ["2", "3"])
        self.assertEqual({row["lock"] for row in report["additions"]}, {"b"})
        repaired = program.replace("x = 1;", "sync (b) { x = 1; }").replace("x = 3;", "sync (b) { x = 3; }")
        self.assertEqual(run("race", "-", stdin=repaired).returncode, 0)

    def test_a_lock_that_adds_no_deadlock_is_preferred(self):
        program = """var x; lock a, b, c;
            proc main() { spawn t(); sync (a) { sync (b) { skip; } } sync (a) { x = 1; } }
            proc t() { sync (a) { x = 3; } sync (b) { x = 2; } }"""
        [advice] = self.assert_valid(run("guards", "-", "--json", stdin=program).stdout)["report"]["advice"]
        # a protects most, but t would take it inside of b, and main takes b inside of a.
        self.assertEqual((advice["lock"], advice["adds_deadlock"]), ("b", False))

    def test_advice_that_deadlocks_says_so(self):
        program = """var x; lock a, b;
            proc main() { spawn t(); sync (b) { sync (a) { x = 1; } } }
            proc t() { sync (a) { skip; } x = 2; }
            """
        report = json.loads(run("guards", "-", "--json", stdin=program).stdout)["report"]
        self.assertEqual([row["adds_deadlock"] for row in report["additions"]], [False])
        inverse = program.replace("sync (a) { skip; } x = 2;", "spawn t(); x = 2;")
        report = json.loads(run("guards", "-", "--json", stdin=inverse).stdout)["report"]
        self.assertTrue(report["additions"])

    def test_advice_that_deadlocks_in_a_known_ring_at_a_new_place_says_so(self):
        program = """var x; lock a, b;
            proc main() { spawn t1(); spawn t2(); spawn t3(); sync (a) { x = 1; } }
            proc t1() { sync (a) { sync (b) { skip; } } }
            proc t2() { sync (b) { sync (a) { skip; } } }
            proc t3() { sync (b) { x = 2; } }"""
        result = run("guards", "-", "--json", "--verify", stdin=program)
        self.assertEqual(result.returncode, 0, result.stderr)
        advice = self.assert_valid(result.stdout)["report"]["additions"]
        self.assertEqual([row["adds_deadlock"] for row in advice], [True])
        deadlocks = [len(json.loads(run("deadlock", "-", "--json", stdin=text).stdout)["findings"])
                     for text in (program, program.replace("x = 1;", "sync (b) { x = 1; }"))]
        self.assertEqual(deadlocks, [1, 2])
        # Without t2 there is no ring; with t1 alone, b may be taken inside of a once more.
        one = program.replace("spawn t2(); ", "")
        advice = self.assert_valid(run("guards", "-", "--json", stdin=one).stdout)["report"]["additions"]
        self.assertEqual([(row["lock"], row["statement"], row["adds_deadlock"]) for row in advice], [("b", ["x = 1"], False)])

    def test_advice_does_not_claim_what_the_model_cannot_see(self):
        program = """var x; lock b, c;
            proc main() { spawn t(); sync (b) { notify(b); } sync (c) { x = 1; sync (b) { skip; } } }
            proc t() { sync (b) { if (*) { h(); } x = 2; } }
            proc h() { wait(b); }"""
        result = run("guards", "-", "--json", stdin=program)
        advice = self.assert_valid(result.stdout)["report"]["additions"]
        self.assertEqual([(row["lock"], row["statement"], row["adds_deadlock"]) for row in advice],
                         [("c", ["x = 2"], "unknown")])
        self.assertIn("advice does not see deadlocks with b", result.stderr)

    def test_advice_tries_locks_that_only_the_text_shows_to_exclude(self):
        program = """var x; lock b, c;
            proc main() { spawn t(); x = 1; }
            proc t() { sync (b) { sync (c) { wait(b); } x = 2; } }"""
        result = run("guards", "-", "--json", "--verify", stdin=program)
        self.assertEqual(result.returncode, 0, result.stderr)
        advice = self.assert_valid(result.stdout)["report"]["additions"]
        self.assertEqual([(row["lock"], row["statement"]) for row in advice], [("b", ["x = 1"])])
        repaired = program.replace("x = 1;", "sync (b) { x = 1; }")
        self.assertEqual(run("race", "-", stdin=repaired).returncode, 0)
        # Outside of the region with the wait, nobody holds b: then it takes a lock on both sides.
        advice = self.assert_valid(run("guards", "-", "--json", stdin=program.replace("} x = 2; }", "} } x = 2;")).stdout)
        self.assertEqual([(row["lock"], row["statement"]) for row in advice["report"]["additions"]],
                         [("c", ["x = 1", "x = 2"])])

    def test_what_advice_is_founded_on_is_proved(self):
        for model in ("models/table1-6.lw", "models/lock-through-calls.lw", "models/bank-racy.lw", "models/alarm-clock.lw"):
            with self.subTest(model):
                plain = self.assert_valid(run("guards", model, "--json").stdout)["report"]
                report = self.assert_valid(run("guards", model, "--verify", "--json").stdout)["report"]
                self.assertGreater(report["summary"]["claims"], 0)
                self.assertEqual(report["summary"].pop("claims"), report["summary"].pop("claims_proved"))
                self.assertEqual(report, plain)
        # Two races and seven pairs apart. Without a or b there would be more races, and b removes each race.
        claims = [json.loads(run("guards", "models/table1-6.lw", "--verify", "--json", *options).stdout)
                  ["report"]["summary"]["claims"] for options in (["--no-advice"], [])]
        self.assertEqual(claims[0], 9)
        self.assertGreaterEqual(claims[1], 9 + 2 + 2)

    def test_a_lock_that_is_needed_is_not_idle(self):
        report = json.loads(run("guards", "models/table1-5.lw", "--json").stdout)["report"]
        self.assertEqual(report["locks"]["nothing_changes_without"], [])

    def test_locks_that_are_waited_for_are_held_at_accesses(self):
        for program in (text_of("models/alarm-clock.lw"),
                        text_of("models/alarm-clock.lw").replace("wait(clock);", "pause();") +
                        "proc pause() { wait(clock); }"):
            report = json.loads(run("guards", "-", "--json", stdin=program).stdout)["report"]
            self.assertEqual({row["variable"]: row["protected_by"] for row in report["variables"]},
                             {"time": ["clock"], "alarms": []})


@unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
class Repro(Case):
    """ThreadSanitizer as a referee: it knows nothing of us."""

    def compiled(self, folder, name, source):
        path = os.path.join(folder, name)
        with open(path + ".c", "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run(["gcc", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=thread", path + ".c", "-o", path,
                        "-pthread"], check=True, capture_output=True, timeout=PATIENCE)
        return path

    def executed(self, path):
        environment = dict(os.environ, TSAN_OPTIONS="exitcode=66")
        result = subprocess.run([path], capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment)
        if "unexpected memory mapping" in result.stderr:  # the kernel randomises addresses more than it can bear
            result = subprocess.run(["setarch", "-R", path], capture_output=True, text=True, timeout=PATIENCE, check=False,
                                    env=environment)
        return result

    def test_locks_in_both_orders_are_no_matter(self):
        program = """var x; lock a, b;
            proc main() { sync (a) { sync (b) { skip; } } spawn t(); x = 1; }
            proc t() { sync (b) { sync (a) { skip; } } x = 2; }"""
        with tempfile.TemporaryDirectory() as folder:
            for options, warnings in (([], 1), (["--repaired"], 0)):
                result = self.executed(self.compiled(folder, "c", run("repro", "-", *options, stdin=program).stdout))
                self.assertEqual(result.stderr.count("WARNING: ThreadSanitizer"), warnings, result.stderr)

    def test_every_race_of_the_models_is_confirmed_and_its_repair_is_silent(self):
        confirmed = 0
        with tempfile.TemporaryDirectory() as folder:
            for program in PROGRAMS:
                for race in findings(json.loads(run("race", program, "--json").stdout), "race"):
                    with self.subTest(program, race=race["message"]):
                        doubt = [] if race["certainty"] == "executed" else ["--possible"]
                        racy = self.compiled(folder, "racy", run("repro", program, race["id"], *doubt).stdout)
                        result = self.executed(racy)
                        self.assertEqual(result.returncode, 66, result.stderr)
                        self.assertIn("WARNING: ThreadSanitizer: data race", result.stderr)
                        self.assertEqual(result.stderr.count("WARNING: ThreadSanitizer"), 1)
                        self.assertIn(f"'var_{race['subject']}'", result.stderr)
                        for site in race["sites"]:
                            self.assertIn(f"{site['at']['file']}:{site['at']['line']}", result.stderr)
                        repaired = run("repro", program, race["id"][:8], "--repaired", *doubt).stdout
                        result = self.executed(self.compiled(folder, "repaired", repaired))
                        self.assertEqual((result.returncode, result.stderr), (0, ""))
                        self.assertEqual(result.stdout, "done\n")
                        confirmed += 1
        self.assertGreater(confirmed, 20)

    def test_a_finding_can_be_named_by_the_results_that_have_it(self):
        with tempfile.TemporaryDirectory() as folder:
            results = os.path.join(folder, "race.json")
            run("race", "models/fig1.lw", f"--json={results}")
            with open(results, encoding="utf-8") as file:
                (race,) = findings(json.load(file), "race")
            named = run("repro", "models/fig1.lw", race["id"])
            self.assertEqual(named.returncode, 0)
            for arguments in (["models/fig1.lw"], [results], [results, race["id"]]):
                self.assertEqual(run("repro", *arguments).stdout, named.stdout, arguments)
            run("race", "models/bank-racy.lw", f"--json={results}")
            self.assert_refused(run("repro", results), "there are 3 races", "such as")
            self.assert_refused(run("repro", "models/bank-fixed.lw"), "there is no race")
            run("deadlock", "models/bank-racy.lw", f"--json={results}")
            self.assert_refused(run("repro", results), "there is no race")

    def test_results_that_are_none_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            results = os.path.join(folder, "race.json")
            for text in ('{"command":3,"model":4}', '{"command":"race","model":4}', '{"command":"race","model":{"path":7}}',
                         '{"schema":"lockwood/results/1","model":4,"findings":[]}',
                         '{"schema":"lockwood/results/1","model":{"path":7},"findings":[]}',
                         '{"schema":"lockwood/results/1","model":{"path":"models/fig1.lw"},"findings":[1,2]}',
                         '{"schema":"lockwood/results/1","model":{"path":"models/fig1.lw"},"findings":7}',
                         '{"schema":"lockwood/results/1","findings":[]}', '[]', '{'):
                with self.subTest(text):
                    with open(results, "w", encoding="utf-8") as file:
                        file.write(text)
                    self.assert_refused(run("repro", results), "error")

    def test_the_program_says_what_it_leaves_out(self):
        waiting = """var x; lock a;
            proc main() { spawn t(); sync (a) { pause(); x = 1; } }
            proc t() { sync (a) { notify(a); } x = 2; }
            proc pause() { wait(a); }"""
        self.assertIn("order that the program's model allows", run("repro", "-", stdin=waiting).stdout)
        self.assertIn("// Not taken, where the program waits for them in a call or another region inside: a.",
                      run("repro", "-", stdin=waiting).stdout)
        self.assertIn("an order that the program allows", run("repro", "models/fig1.lw").stdout)

    def test_what_is_only_possible_is_refused_unless_asked_for(self):
        program = Race.POSSIBLE.replace("y = 1; ", "").replace("y = 2; ", "")
        self.assert_refused(run("repro", "-", stdin=program), "no run of the program", "--possible")
        self.assert_refused(run("repro", "-", "--settle=off", stdin=program), "this race is only possible", "--possible")
        given = run("repro", "-", "--possible", "--settle=off", stdin=program)
        self.assertEqual(given.returncode, 0, given.stderr)
        self.assertIn("this race is only possible", given.stderr)
        self.assertIn("int main", given.stdout)

    def test_what_does_not_race_has_no_reproducer(self):
        report = json.loads(run("race", "models/table1-3.lw", "--explain", "--json").stdout)
        self.assert_refused(run("repro", "models/table1-3.lw", report["findings"][0]["id"]), "do not race")
        self.assert_refused(run("repro", "models/table1-3.lw", "123456789abc"), "no pair of accesses")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
