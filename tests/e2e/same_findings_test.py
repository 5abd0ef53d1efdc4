"""Command line, language server and Python find the same in every program of models/.

    same_findings_test.py PROGRAM SOURCE_DIRECTORY FOLDER_OF_THE_PACKAGE [unittest arguments]
"""

import glob
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.abspath(sys.argv.pop(3))
sys.path.insert(0, PACKAGE)
import lockwood  # noqa: E402
from cli_test import SOURCE, run  # noqa: E402
from lsp_test import Client  # noqa: E402

PROGRAMS = sorted(os.path.relpath(path, SOURCE)
                  for pattern in ("models/*.lw", "models/values/*.lw", "models/joins/*.lw")
                  for path in glob.glob(os.path.join(SOURCE, pattern)))
RULES = ("race", "deadlock", "waiting")


def told(findings):
    """What matters of findings of a report or of Python."""
    return sorted((each["id"], each["rule"], each["verdict"], each["subject"], each.get("certainty"))
                  for each in findings)


class SameFindings(unittest.TestCase):
    maxDiff = None

    def reports(self, program):
        return {command: json.loads(run(command, program, "--json").stdout) for command in ("race", "deadlock")}

    def test_there_are_programs_with_findings_of_each_kind(self):
        self.assertGreater(len(PROGRAMS), 40)

    def test_python_finds_what_the_command_line_finds(self):
        seen = set()
        for program in PROGRAMS:
            with self.subTest(program):
                model = lockwood.load(os.path.join(SOURCE, program))
                for command, report in self.reports(program).items():
                    found = model.find_races() if command == "race" else model.find_deadlocks()
                    self.assertEqual(told(vars(each) for each in found), told(report["findings"]))
                    summary = report["report"]["summary"]
                    self.assertEqual(found.counts, {key: summary[key] for key in found.counts})
                    seen.update((each.rule, each.verdict) for each in found)
        self.assertLessEqual({("race", "race"), ("deadlock", "deadlock"), ("race", "no race")}, seen)

    def test_values_that_reach_uses_and_flows_are_the_same(self):
        for program in ("models/table1-3.lw", "models/table1-5.lw", "models/worker-pool.lw"):
            model = lockwood.load(os.path.join(SOURCE, program))
            report = json.loads(run("defuse", program, "--json").stdout)
            self.assertEqual(told(vars(each) for each in model.find_def_uses()), told(report["findings"]))
        for program, source, sink in (("models/fig1.lw", "answer", "sink"), ("models/table1-4.lw", "source", "sink")):
            model = lockwood.load(os.path.join(SOURCE, program))
            report = json.loads(run("flow", program, "--from", source, "--to", sink, "--json").stdout)
            self.assertEqual(told(vars(each) for each in model.find_flows(source, sink)), told(report["findings"]))

    def test_the_editor_is_told_what_the_command_line_finds(self):
        client = Client("--pause=10ms")
        self.addCleanup(client.stop)
        client.initialize()
        compared = 0
        for number, program in enumerate(PROGRAMS):
            with self.subTest(program):
                wanted = {(each["id"], each["certainty"])
                          for report in self.reports(program).values() for each in report["findings"]
                          if each["verdict"] in ("race", "deadlock", "waits for ever") and "suppressed" not in each}
                uri = f"file:///tmp/{number}.lw"
                with open(os.path.join(SOURCE, program), encoding="utf-8") as file:
                    client.open(uri, file.read())
                # Races of a line on one variable are one diagnostic.
                client.diagnostics(uri, lambda diagnostics: wanted == {
                    (told["id"], told["certainty"]) for each in diagnostics if each.get("code") in RULES
                    for told in each["data"]["findings"]})
                compared += len(wanted)
        self.assertGreater(compared, 40)
        self.assertEqual(client.end(), 0)

    def test_queries_have_the_same_verdicts_reasons_and_proofs(self):
        proved = 0
        for name in ("models/fig1.dpn", "models/fig2-schedulable.dpn"):
            model = lockwood.load(os.path.join(SOURCE, name))
            report = json.loads(run("check", name, "--json", "--explain").stdout)["queries"]
            answers = model.check(explain=True, proofs=True)
            batch = model.batch(model.queries, jobs=2)
            for answer, quick, told in zip(answers, batch, report, strict=True):
                self.assertEqual((answer.query, answer.verdict), (told["query"], told["verdict"]))
                self.assertEqual((quick.query, quick.verdict), (told["query"], told["verdict"]))
                self.assertEqual(answer.explanation, told.get("explanation", []))
                self.assertTrue(model.verify(answer), model.rejection_reason(answer))
                proved += 1
        self.assertGreater(proved, 12)

    def test_pages_are_the_same_bytes(self):
        # A page tells the path as it was given.
        before = os.getcwd()
        os.chdir(SOURCE)
        self.addCleanup(os.chdir, before)
        for program in ("models/bank-racy.lw", "models/table1-5.lw"):
            for command in ("race", "deadlock", "defuse"):
                wanted = run(command, program, "--html=-").stdout
                self.assertEqual(lockwood.load(program).page(command), wanted, f"{command} {program}")
        wanted = run("flow", "models/fig1.lw", "--from=answer", "--to=sink", "--html=-").stdout
        self.assertEqual(lockwood.load("models/fig1.lw").page("flow", source="answer", sink="sink"), wanted)

    def test_differences_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            paths, found = [], []
            for name in ("account.lw", "account-fixed.lw"):
                paths.append(os.path.join(folder, name + ".json"))
                program = os.path.join(SOURCE, "docs/examples", name)
                run("race", program, f"--json={paths[-1]}")
                found.append(lockwood.load(program).find_races())
            for old, new in ((0, 1), (1, 0), (0, 0)):
                report = json.loads(run("diff", paths[old], paths[new], "--json").stdout)["report"]
                for difference in (lockwood.diff(found[old], found[new]), lockwood.diff(paths[old], paths[new])):
                    for kind in ("introduced", "fixed", "unchanged"):
                        self.assertEqual(getattr(difference, kind), report[kind], kind)
                    self.assertEqual(difference.undecided, report.get("undecided", []))
            # What was not looked for is not fixed.
            with self.assertRaises(lockwood.InputError):
                lockwood.diff(os.path.join(SOURCE, "docs/examples/account.lw"), found[0])
            deadlocks = lockwood.load(os.path.join(SOURCE, "docs/examples/account.lw")).find_deadlocks()
            self.assertEqual(len(lockwood.diff(found[0], deadlocks).undecided), 1)

    def test_guards_are_the_same(self):
        for program in ("models/table1-6.lw", "models/bank-racy.lw", "models/lock-through-calls.lw"):
            given = lockwood.load(os.path.join(SOURCE, program)).guards()
            report = json.loads(run("guards", program, "--json").stdout)["report"]
            self.assertEqual(given.idle, report["locks"]["nothing_changes_without"])
            self.assertEqual([(each["variable"], each["protected_by"]) for each in given.variables],
                             [(row["variable"], row["protected_by"]) for row in report["variables"]])
            self.assertEqual([(each["variable"], each.get("lock", "-"), len(each["races"])) for each in given.additions],
                             [(row["variable"], row["lock"], row["races"]) for row in report["advice"]])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
