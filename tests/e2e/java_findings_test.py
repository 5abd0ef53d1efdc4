"""Races and deadlocks of Java programs: the programs in models/java and their verdicts.

    java_findings_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

All of it is skipped where there is no javac.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
MODELS = os.path.join(SOURCE, "models/java")
PATIENCE = 300

# The fields that races are on, by program. A field that begins with ? may have a possible race, but no certain one.
RACES = {
    "T01": [], "T02": ["T02.x"], "T03": [], "T04": ["T04.x"], "T05": ["T05.x"], "T06": [], "T07": ["T07.x"],
    "T08": [], "T09": ["T09.x"], "T10": [], "T11": ["T11.n"], "T12": [], "T13": ["T13.m", "T13.n"], "T14": ["T14.n"],
    "T15": ["T15.x"], "T16": [], "T17": ["T17.x"], "T18": [], "T19": [], "T20": [], "T21": [], "T22": [], "T23": [],
    "T24": [], "T25": [], "T27": [], "T28": ["T28.x"], "T29": [], "T30": ["?T30.r", "T30.w"], "T31": ["?T31.x"],
    "T32": [], "T33": ["T33$W.v"], "T34": [], "T35": ["elements of int[]"], "T36": ["T36.x"], "T37": [], "T38": [],
    "T39": ["contents of java.util.ArrayList"], "T40": ["T40.n"], "T41": ["T41.inst"], "T42": ["T42$A.n"],
    "T43": ["T43.n"], "T44": [], "T45": ["T45.x"], "T50": ["T50$Q.q"],
}
# Programs in models/java/twins, and what they are the twins of.
TWINS = {"BankRacy": "bank-racy", "BankFixed": "bank-fixed", "BankDeadlock": "bank-deadlock",
         "Philosophers": "philosophers", "PhilosophersOrdered": "philosophers-ordered",
         "DoubleChecked": "double-checked", "LockThroughCalls": "lock-through-calls",
         "ReentrantCallback": "reentrant-callback", "Exceptions": "exception", "DivideAndConquer": "divide-and-conquer"}
DEADLOCKS = {"T22": 1, "T23": 0, "T26": 1, "T28": 0}


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, cwd=MODELS)


@unittest.skipIf(shutil.which("javac") is None, "there is no javac")
class Findings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for name in sorted(set(RACES) | set(DEADLOCKS)):
            subprocess.run(["javac", "-g", "-nowarn", "-d", os.path.join(cls.folder.name, name),
                            os.path.join(MODELS, name + ".java")], check=True, capture_output=True)
        for name in TWINS:
            subprocess.run(["javac", "-g", "-d", os.path.join(cls.folder.name, name),
                            os.path.join(MODELS, "twins", name + ".java")], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def findings(self, command, name, *options):
        result = run(command, os.path.join(self.folder.name, name), "--source-path", MODELS, "--json", *options)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return [finding for finding in json.loads(result.stdout)["findings"]
                if finding["verdict"] in ("race", "deadlock")], result

    def test_races(self):
        for name, fields in RACES.items():
            with self.subTest(name=name):
                found, _ = self.findings("race", name)
                subjects = {finding["subject"] for finding in found}
                tolerated = {field[1:] for field in fields if field.startswith("?")}
                self.assertEqual(subjects - tolerated, set(fields) - {"?" + field for field in tolerated})
                for finding in found:
                    if finding["subject"] in tolerated:
                        self.assertEqual(finding["certainty"], "possible")

    def test_every_race_has_a_schedule_and_every_no_stands_up_to_the_verifier(self):
        for name in ("T02", "T03", "T06", "T10", "T11", "T12", "T18", "T19", "T27", "T44"):
            with self.subTest(name=name):
                found, result = self.findings("race", name, "--verify")
                for finding in found:
                    self.assertTrue(finding["schedule"])
                self.assertEqual(result.returncode, 1 if RACES[name] else 0, result.stderr)

    def test_deadlocks(self):
        for name, count in DEADLOCKS.items():
            with self.subTest(name=name):
                found, _ = self.findings("deadlock", name)
                self.assertEqual(len(found), count)

    def test_the_accesses_of_one_boolean_are_told_apart(self):
        # x++ under the lock, x-- by main alone: no pair of two x++, and none of two x--.
        found, _ = self.findings("race", "T45")
        self.assertEqual(len(found), 3)

    def test_twins_have_the_same_findings(self):
        def short(finding):
            sites = [(site["role"].split()[0], site["at"]["procedure"].split(".")[-1].split("#")[0])
                     for site in finding["sites"]]
            names = sorted(part.split(".")[-1] for part in finding["subject"].replace(",", " ").split())
            return finding["rule"], tuple(names), tuple(sorted(sites))

        for twin, name in TWINS.items():
            for command in ("race", "deadlock"):
                with self.subTest(twin=twin, command=command):
                    # Models of Java programs have no values: these must not exclude anything.
                    result = run(command, os.path.join(SOURCE, "models", name + ".lw"), "--json", "--settle=off")
                    expected = [finding for finding in json.loads(result.stdout)["findings"]
                                if finding["verdict"] in ("race", "deadlock")]
                    self.assertEqual(collections.Counter(map(short, self.findings(command, twin)[0])),
                                     collections.Counter(map(short, expected)))

    def test_the_same_bytes_each_time(self):
        first = run("race", os.path.join(self.folder.name, "T14"))
        self.assertEqual(first.stdout, run("race", os.path.join(self.folder.name, "T14")).stdout)

    def test_other_commands(self):
        folder = os.path.join(self.folder.name, "T02")
        self.assertEqual(run("lower", folder).returncode, 0)
        self.assertIn("T02.x", run("guards", folder).stdout)
        self.assertEqual(run("mhp", folder).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
