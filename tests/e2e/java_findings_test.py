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
    "T24": [], "T25": [], "T26": [], "T27": [], "T28": ["T28.x"], "T29": [], "T30": ["T30.w"], "T31": ["?T31.x"],
    "T32": [], "T33": ["T33$W.v"], "T34": [], "T35": ["elements of int[]"], "T36": ["T36.x"], "T37": [], "T38": [],
    "T39": ["contents of java.util.ArrayList"], "T40": ["T40.n"], "T41": ["T41.inst"], "T42": ["T42$A.n"],
    "T43": ["T43.n"], "T44": [], "T45": ["T45.x"], "T46": [], "T47": [], "T50": ["T50$Q.q"],
}
# Nothing on the way to these races is a guess.
CERTAIN = ("T02", "T05", "T07", "T09", "T33", "T39", "T42", "T43", "T45", "T50")
# What a race depends on.
POSSIBLE = {"T11": "the branch at T11.java:8", "T15": "the branch at T15.java:", "T17": "the branch at T17.java:7",
            "T31": "a value at T31.java:8"}
# How many deadlocks there are, and the exit status: 3 where a lock is left out of the model, so that more may be there.
DEADLOCKS = {"T10": (0, 0), "T12": (0, 0), "T20": (0, 3), "T28": (0, 0), "T29": (0, 3),
             "T22": (1, 1), "T23": (0, 0), "T24": (1, 1), "T26": (1, 1), "T43": (0, 0), "T44": (0, 0)}
# Programs in models/java/twins, and what they are the twins of.
TWINS = {"BankRacy": "bank-racy", "BankFixed": "bank-fixed", "BankDeadlock": "bank-deadlock",
         "Philosophers": "philosophers", "PhilosophersOrdered": "philosophers-ordered",
         "DoubleChecked": "double-checked", "LockThroughCalls": "lock-through-calls",
         "ReentrantCallback": "reentrant-callback", "Exceptions": "exception", "DivideAndConquer": "divide-and-conquer"}

# What the model ignores or assumes, each with a program and what it is told with.
NOTES = {
    "Jumps": ("a lock is ignored: it is not taken and given back in the order of nested regions",
              "static final ReentrantLock l = new ReentrantLock(); public static void main(String[] a) {"
              " if (a.length > 0) l.lock(); System.out.println(); if (a.length > 0) l.unlock(); }"),
    "Halves": ("a lock is ignored: it is not taken and given back in one method",
               "static final ReentrantLock l = new ReentrantLock(); static void take() { if (l.tryLock()) { } }"
               " public static void main(String[] a) { take(); }"),
    "Stray": ("a join waits for nobody, since it is not known which start it belongs to",
              "static Thread t; public static void main(String[] a) throws Exception {"
              " for (int i = 0; i < 2; i++) { t = new Thread(() -> { }); t.start(); } t.join(); }"),
    "Latch": ("is not looked at",
              "public static void main(String[] a) throws Exception { CountDownLatch l = new CountDownLatch(1);"
              " new Thread(l::countDown).start(); l.await(); }"),
    "Stamped": ("StampedLock.writeLock is not looked at",
                "public static void main(String[] a) { java.util.concurrent.locks.StampedLock l ="
                " new java.util.concurrent.locks.StampedLock(); l.writeLock(); }"),
    "Stranger": ("the library method javax.swing",
                 "public static void main(String[] a) { new javax.swing.undo.UndoManager().discardAllEdits(); }"),
    "Mirror": ("gap:", "public static void main(String[] a) throws Exception {"
               " Class.forName(a[0]).getDeclaredConstructor().newInstance(); }"),
    "Halted": ("gap: Thread.stop", "@SuppressWarnings(\"removal\") public static void main(String[] a) {"
               " Thread t = new Thread(() -> { }); t.start(); t.stop(); }"),
}
# Several objects of one class whose monitors are taken in a cycle: two are looked at, three are not.
RINGS = {
    # Only an order of three closes: each takes its own and the next one's.
    "Nested": (3, "synchronized void f(Nested o) { synchronized (o) { } } public static void main(String[] a) {"
               " Nested[] t = new Nested[2]; for (int i = 0; i < 2; i++) t[i] = new Nested(); t[0].f(t[1]); }"),
    # The monitor is taken again, which is not an order of two.
    "Again": (0, "synchronized void f() { g(); } synchronized void g() { } public static void main(String[] a) {"
              " for (int i = 0; i < 2; i++) { Again t = new Again(); new Thread(t::f).start(); t.f(); } }"),
    # Outer before inner, always.
    "Layers": (0, "static class Inner { synchronized void g() { } } final Inner in = new Inner();"
               " synchronized void f() { in.g(); } public static void main(String[] a) {"
               " for (int i = 0; i < 2; i++) { Layers t = new Layers(); new Thread(t::f).start(); t.f(); } }"),
}
# tryLock(): the lock is held where it has returned true, and nobody waits for it there. By name: the number of races and
# of deadlocks, and the program.
LOCKS = "static int x; static final Lock l = new ReentrantLock(), k = new ReentrantLock();"
MAIN = " public static void main(String[] a) { new Thread(%s::g).start(); f(); }"
TRIES = {
    "TryBoth": (0, 0, " static void f() { if (l.tryLock()) try { if (k.tryLock()) try { x++; } finally { k.unlock(); } }"
                      " finally { l.unlock(); } }"
                      " static void g() { if (k.tryLock()) try { if (l.tryLock()) try { x++; } finally { l.unlock(); } }"
                      " finally { k.unlock(); } }"),
    "TryOne": (0, 0, " static void f() { l.lock(); try { if (k.tryLock()) try { x++; } finally { k.unlock(); } }"
                     " finally { l.unlock(); } }"
                     " static void g() { k.lock(); try { l.lock(); try { x++; } finally { l.unlock(); } }"
                     " finally { k.unlock(); } }"),
    "TryOuter": (0, 1, " static void f() { if (l.tryLock()) try { k.lock(); try { x++; } finally { k.unlock(); } }"
                       " finally { l.unlock(); } }"
                       " static void g() { k.lock(); try { l.lock(); try { x++; } finally { l.unlock(); } }"
                       " finally { k.unlock(); } }"),
    "TryNot": (1, 0, " static void f() { if (!l.tryLock()) { x = 1; return; } try { x++; } finally { l.unlock(); } }"
                     " static void g() { boolean got = l.tryLock(); if (got) try { x++; } finally { l.unlock(); } }"),
    "TryTimed": (0, 0, " static void f() { try { if (l.tryLock(1, TimeUnit.SECONDS)) try { x++; } finally { l.unlock(); } }"
                       " catch (InterruptedException e) { } }"
                       " static void g() { l.lock(); try { x++; } finally { l.unlock(); } }"),
}
IMPORTS = "import java.util.*; import java.util.concurrent.*; import java.util.concurrent.locks.*;\n"


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, cwd=MODELS)


def findings_of(result):
    return [finding for finding in json.loads(result.stdout)["findings"] if finding["verdict"] in ("race", "deadlock")]


@unittest.skipIf(shutil.which("javac") is None, "there is no javac")
class Findings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        sources = [os.path.join(MODELS, name + ".java") for name in sorted(set(RACES) | set(DEADLOCKS))]
        sources += [os.path.join(MODELS, "twins", name + ".java") for name in TWINS]
        tries = {name: (0, LOCKS + body + MAIN % name) for name, (_, _, body) in TRIES.items()}
        for name, (_, body) in {**NOTES, **RINGS, **tries}.items():
            sources.append(os.path.join(cls.folder.name, name + ".java"))
            with open(sources[-1], "w", encoding="utf-8") as file:
                file.write(f"{IMPORTS}public class {name} {{ {body} }}\n")
        classes = os.path.join(cls.folder.name, "classes")
        subprocess.run(["javac", "-g", "-nowarn", "-d", classes, *sources], check=True, capture_output=True)
        for name in os.listdir(classes):
            own = os.path.join(cls.folder.name, name[:-len(".class")].split("$")[0])
            os.makedirs(own, exist_ok=True)
            os.rename(os.path.join(classes, name), os.path.join(own, name))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def ask(self, command, name, *options):
        return run(command, os.path.join(self.folder.name, name), "--source-path", MODELS, "--json", *options)

    def findings(self, command, name, *options):
        result = self.ask(command, name, *options)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return findings_of(result), result

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
                if name in CERTAIN:
                    self.assertIn("exact", {finding["certainty"] for finding in found})
                if name in POSSIBLE:
                    self.assertEqual({finding["certainty"] for finding in found}, {"possible"})
                    self.assertIn(POSSIBLE[name], json.dumps(found))

    def test_every_race_has_a_schedule_and_every_no_stands_up_to_the_verifier(self):
        for name in ("T02", "T03", "T06", "T10", "T11", "T12", "T18", "T19", "T27", "T30", "T44"):
            with self.subTest(name=name):
                found, result = self.findings("race", name, "--verify")
                for finding in found:
                    self.assertTrue(finding["schedule"])
                self.assertEqual(result.returncode, 1 if RACES[name] else 0, result.stderr)

    def test_deadlocks(self):
        for name, (count, status) in DEADLOCKS.items():
            with self.subTest(name=name):
                result = self.ask("deadlock", name)
                self.assertEqual(len(findings_of(result)), count, result.stdout)
                self.assertEqual(result.returncode, status, result.stderr)

    def test_cycles_of_more_than_two_locks_of_one_kind_are_not_excluded(self):
        for name, (status, _) in RINGS.items():
            with self.subTest(name=name):
                result = self.ask("deadlock", name)
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)
                self.assertEqual("more than two locks of one kind" in result.stderr, status == 3)

    def test_locks_that_are_tried(self):
        for name, (races, deadlocks, _) in TRIES.items():
            with self.subTest(name=name):
                found, _ = self.findings("race", name, "--verify")
                self.assertEqual(len({finding["subject"] for finding in found}), races, found)
                found, result = self.findings("deadlock", name, "--verify")
                self.assertEqual(len(found), deadlocks, result.stdout)
        # The branch without the lock, with itself and with both accesses of the other; never these with each other.
        self.assertEqual(len(self.findings("race", "T28")[0]), 3)

    def test_the_accesses_of_one_boolean_are_told_apart(self):
        # x++ under the lock, x-- by main alone: no pair of two x++, and none of two x--.
        found, _ = self.findings("race", "T45")
        self.assertEqual(len(found), 3)

    def test_what_is_left_out_only_adds_races(self):
        # By what is left out, a program in which that is seen.
        seen = {"isolation": "T10", "joins": "T03", "waits": None, "merging": None}
        for option, program in seen.items():
            for name in ("T03", "T06", "T10", "T12", "T16", "T19", "T20", "T21", "T24", "T37", "T44"):
                with self.subTest(option=option, name=name):
                    exact = {finding["subject"] for finding in self.findings("race", name)[0]}
                    rough = {finding["subject"] for finding in self.findings("race", name, "--without", option)[0]}
                    self.assertLessEqual(exact, rough)
                    if option == "merging":
                        self.assertEqual(exact, rough)
                    if name == program:
                        self.assertLess(exact, rough)
        # Without exact waits, what the lock excludes is excluded by the text only; deadlocks with it may be missed.
        self.assertEqual(self.ask("deadlock", "T19").returncode, 0)
        self.assertEqual(self.ask("deadlock", "T19", "--without=waits").returncode, 3)

    def test_merged_copies_are_one_procedure(self):
        symbols = [json.loads(self.ask("race", "T16", *options).stdout)["model"]["symbols"]
                   for options in ((), ("--without=merging",))]
        self.assertLess(*symbols)

    def test_what_is_ignored_is_told(self):
        for name, (text, _) in NOTES.items():
            with self.subTest(name=name):
                self.assertIn(text, self.ask("race", name, "--verbose").stderr)

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
                    result = run(command, os.path.join(SOURCE, "models", name + ".lw"), "--json", "--no-warn=all",
                                 "--settle=off")
                    expected = collections.Counter(map(short, findings_of(result)))
                    self.assertEqual(collections.Counter(map(short, self.findings(command, twin)[0])), expected)

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
