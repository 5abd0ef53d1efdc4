"""End-to-end tests of what is told about threads that wait in joins: deadlocks and reasons.

    joins_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import Case, run  # noqa: E402

HELD = """var x;
lock a;
proc main() {
  sync (a) {
    thread t = spawn worker();
    join t;
  }
}
proc worker() {
  sync (a) { x = 1; }
}
"""

LATER = HELD.replace("    join t;\n  }\n", "  }\n  join;\n").replace("thread t = spawn", "spawn")

# main holds a and waits for t, which waits for u, which wants b; g holds b and wants a.
CHAIN = """lock a, b;
proc main() {
  spawn g();
  sync (a) { thread t = spawn between(); join t; }
}
proc between() { thread u = spawn worker(); join u; }
proc worker() { sync (b) { skip; } }
proc g() { sync (b) { sync (a) { skip; } } }
"""


class Deadlocks(Case):
    def report(self, *arguments, **options):
        result = run("deadlock", *arguments, "--json", "--verify", **options)
        return result.returncode, self.assert_valid(result.stdout)

    def test_a_program_that_joins_a_thread_which_wants_its_lock(self):
        status, report = self.report("-", stdin=HELD)
        self.assertEqual(status, 1)
        [deadlock] = [finding for finding in report["findings"] if finding["verdict"] == "deadlock"]
        self.assertIn("a thread holds a and waits at a join for one that wants a", deadlock["message"])
        self.assertEqual([(site["role"], site["at"]["line"], site["thread"]) for site in deadlock["sites"]],
                         [("holds a, waits at the join for a thread that wants a", 6, "main"),
                          ("wants a, and is waited for", 10, "main.1")])
        self.assertTrue(deadlock["schedule"])
        self.assertTrue(report["report"]["summary"]["complete"])

    def test_a_join_outside_of_the_region_is_no_deadlock(self):
        status, report = self.report("-", "--all", stdin=LATER)
        self.assertEqual((status, report["report"]["summary"]["deadlocks"]), (0, 0))
        self.assertTrue(report["report"]["summary"]["complete"])

    def test_a_ring_through_several_threads_and_locks(self):
        status, report = self.report("-", stdin=CHAIN)
        self.assertEqual(status, 1)
        messages = {finding["message"] for finding in report["findings"]}
        self.assertIn("deadlock: a thread holds a and waits at a join for one that wants b, "
                      "another holds b and wants a", messages)
        [ring] = [finding for finding in report["findings"] if "another holds b" in finding["message"]]
        self.assertEqual([(site["role"], site["thread"]) for site in ring["sites"]],
                         [("holds a, waits at the join for a thread that wants b", "main"),
                          ("waits at a join for the next one", "main.2"),
                          ("wants b, and is waited for", "main.2.1"), ("holds b, wants a", "main.1")])

    def test_a_model(self):
        status, report = self.report("models/joins/hold-and-join.dpn")
        self.assertEqual(status, 1)
        [query] = report["queries"]
        self.assertEqual(query["query"], "deadlock: a thread holds x and waits at a join for one that wants x")
        self.assertEqual([(thread["thread"], thread["stack"][0]) for thread in query["schedule"]["threads"]],
                         [("main", "m3"), ("main.1", "t1")])

    def test_text_names_the_join(self):
        result = run("deadlock", "-", stdin=HELD)
        self.assertIn("join t;", result.stdout)
        self.assertIn("waits at the join for a thread that wants a", result.stdout)

    def test_an_ignored_ring(self):
        text = HELD.replace("    join t;", "    // lockwood: ignore deadlock(a) -- known\n    join t;")
        self.assertEqual(run("deadlock", "-", stdin=text).returncode, 0)


class Reasons(Case):
    def test_what_is_never_parallel_because_of_a_join(self):
        text = "var x;\nproc main() {\n  thread t = spawn w();\n  join t;\n  x = 1;\n}\nproc w() { x = 2; }\n"
        result = run("race", "-", "--explain", stdin=text)
        self.assertEqual(result.returncode, 0)
        self.assertIn("main.t has ended by then: joined at main:4 join t", result.stdout)

    def test_a_join_that_does_not_matter_is_no_reason(self):
        text = "var x;\nproc main() {\n  x = 1;\n  thread t = spawn w();\n  join t;\n}\nproc w() { x = 2; }\n"
        result = run("race", "-", "--explain", stdin=text)
        self.assertEqual(result.returncode, 0)
        self.assertNotIn("has ended by then", result.stdout)

    def test_a_query(self):
        result = run("check", "models/joins/handle.dpn", "--explain")
        self.assertIn("h has ended by then: joined at m3", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
