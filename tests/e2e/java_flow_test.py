"""Definitions, uses and flows of Java programs: Table 1, the traps, and flows within one thread.

    java_flow_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

All of it is skipped where there is no javac.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
MODELS = os.path.join(SOURCE, "models/java")
PATIENCE = 300
PRINT = "java.io.PrintStream.println(*)"

# By program: the source files, below models/java.
PROGRAMS = {f"Row{i}": f"table1/Row{i}.java" for i in range(1, 7)}
PROGRAMS |= {name: f"{name}.java" for name in ("T46", "T47", "T48", "T49")}
PROGRAMS |= {"Taint": "flow/Taint.java", "Levels": "flow/Levels.java", "Implicit": "flow/Implicit.java"}


@unittest.skipIf(shutil.which("javac") is None, "there is no javac")
class JavaFlows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for name, path in PROGRAMS.items():
            classes = os.path.join(cls.folder.name, name)
            subprocess.run(["javac", "-g", "-nowarn", "-d", classes, os.path.join(MODELS, path)], check=True,
                           capture_output=True)
            shutil.copy(os.path.join(MODELS, path), classes)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_command(self, command, name, *options, status=(0, 1)):
        done = subprocess.run([PROGRAM, command, os.path.join(self.folder.name, name), "--json", *options],
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertIn(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def pairs(self, name, field, *options):
        """Verdicts of definitions and uses of a field, by their lines."""
        report = self.run_command("defuse", name, *options)
        return {tuple(site["at"]["line"] for site in finding["sites"]): finding["verdict"]
                for finding in report["findings"] if finding["subject"] == field}, report["report"]["summary"]

    def flows(self, name, *options):
        """Verdicts by source and sink."""
        report = self.run_command("flow", name, *options)
        return {tuple(finding["subject"].split(", ")): finding for finding in report["findings"]}, \
            report["report"]["summary"]

    # ---- Table 1

    def test_links_of_table_1(self):
        infeasible = {"Row1": (8, 6), "Row2": (12, 14), "Row3": (9, 14), "Row5": (13, 20), "Row6": (21, 16)}
        for name, lines in infeasible.items():
            with self.subTest(name=name):
                found, summary = self.pairs(name, f"{name}.x", "--verify")
                self.assertEqual(found[lines], "infeasible")
                self.assertEqual(summary["claims"], summary["claims_proved"])
                self.assertEqual(summary["pairs"],
                                 summary["feasible"] + summary["removed_by_threads"] + summary["removed_by_locks"])

    def test_other_links_of_table_1_are_feasible(self):
        for name, lines in {"Row3": (13, 14), "Row5": (19, 20), "Row6": (14, 16)}.items():
            with self.subTest(name=name):
                self.assertEqual(self.pairs(name, f"{name}.x")[0][lines], "feasible")

    def test_flows_of_table_1(self):
        for number in range(1, 7):
            with self.subTest(row=number):
                found, summary = self.flows(f"Row{number}", "--verify")
                answer = found.pop(("answer", "printed"))
                self.assertEqual(answer["verdict"], "no flow")
                self.assertEqual({finding["verdict"] for finding in found.values()} - {"flow"}, set())
                self.assertEqual(summary.get("claims"), summary.get("claims_proved"))

    def test_row_4_is_refuted_as_a_chain(self):
        found, summary = self.flows("Row4")
        self.assertEqual(summary["chains_refuted_as_a_whole"], 1)
        text = " ".join(found["answer", "printed"]["explanation"])
        self.assertIn("each link is feasible, but no execution has all of them", text)
        self.assertIn("Row4.a suffices for that", text)
        both, _ = self.pairs("Row4", "Row4.x")
        self.assertEqual(both[11, 16], "feasible")

    # ---- traps

    def test_46_an_overwritten_value_does_not_reach(self):
        report = self.run_command("defuse", "T46", "--verify")
        verdicts = sorted(finding["verdict"] for finding in report["findings"] if finding["subject"] == "T46.v")
        self.assertEqual(verdicts, ["feasible", "infeasible"])

    def test_47_each_link_but_not_both(self):
        found, summary = self.flows("T47", "--from", "T47.y=", "--to", PRINT, "--verify")
        self.assertEqual([finding["verdict"] for finding in found.values()], ["no flow"])
        self.assertEqual(summary["chains_refuted_as_a_whole"], 1)

    def test_48_with_control_only(self):
        ends = ("--from", "T48.secret", "--to", PRINT)
        self.assertNotIn("flow", [finding["verdict"] for finding in self.flows("T48", *ends)[0].values()])
        found = self.flows("T48", *ends, "--control")[0]
        self.assertIn("flow", [finding["verdict"] for finding in found.values()])

    def test_49_from_the_environment(self):
        found, _ = self.flows("T49", "--from", "java.lang.System.getenv", "--to", PRINT)
        self.assertIn("flow", [finding["verdict"] for finding in found.values()])
        steps = [line for finding in found.values() for line in finding["explanation"]]
        self.assertTrue(any("T49.java:7" in line for line in steps), steps)

    # ---- one thread

    def test_flows_within_one_thread(self):
        found, _ = self.flows("Taint")
        with open(os.path.join(MODELS, PROGRAMS["Taint"]), encoding="utf-8") as file:
            sinks = re.findall(r"lockwood: sink (\S+)", file.read())
        self.assertGreater(len(sinks), 20)
        for sink in sinks:
            number = re.sub(r"\D", "", sink)
            with self.subTest(sink=sink):
                verdicts = {source: finding["verdict"] for (source, to), finding in found.items() if to == sink}
                flowing = {source for source, verdict in verdicts.items() if verdict == "flow"}
                self.assertEqual(flowing, {number} if sink.startswith("yes") else set())

    # ---- sources and sinks

    def test_annotations_and_levels(self):
        found, _ = self.flows("Levels")
        flowing = {ends for ends, finding in found.items() if finding["verdict"] == "flow"}
        self.assertEqual(flowing, {("Levels.password", "Levels.log(1)"), ("Levels.user #2", "Levels.store(1)")})
        ends = os.path.join(self.folder.name, "ends.json")
        with open(ends, "w", encoding="utf-8") as file:
            json.dump({"levels": [["PUBLIC", "SECRET"]]}, file)
        found, summary = self.flows("Levels", "--ends", ends)
        flowing = {ends for ends, finding in found.items() if finding["verdict"] == "flow"}
        self.assertEqual(flowing, {("Levels.password", "Levels.log(1)")})
        self.assertGreater(summary["allowed_by_levels"], 0)

    def test_a_file_of_ends(self):
        ends = os.path.join(self.folder.name, "file.json")
        for document, status in (
                ({"sources": [{"at": "java.lang.System.getenv"}], "sinks": [{"at": PRINT}]}, 1),
                ({"sources": [{"at": "java.lang.System.getenv", "level": "low"}], "sinks": []}, 2),
                ({"levels": [["a", "b"], ["b", "a"]]}, 2), ({"sauces": []}, 2), ({"sources": [{}]}, 2)):
            with self.subTest(document=document):
                with open(ends, "w", encoding="utf-8") as file:
                    json.dump(document, file)
                done = subprocess.run([PROGRAM, "flow", os.path.join(self.folder.name, "T49"), "--ends", ends],
                                      capture_output=True, text=True, timeout=PATIENCE, check=False)
                self.assertEqual(done.returncode, status, done.stderr)

    def test_lines_fields_and_arguments(self):
        for options in (("--from", "Row3.java:13", "--to", "Row3.java:14"), ("--from", "Row3.x=", "--to", PRINT),
                        ("--from", "Row3.x", "--to", "java.io.PrintStream.println(1)")):
            with self.subTest(options=options):
                found, _ = self.flows("Row3", *options)
                self.assertIn("flow", [finding["verdict"] for finding in found.values()])
        done = subprocess.run([PROGRAM, "flow", os.path.join(self.folder.name, "Row3"), "--from", "Row3.nothing", "--to",
                               PRINT], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("nothing that runs in the program is this", done.stderr)

    # ---- what is done because of a value

    def test_implicit_flows(self):
        expected = {"branch", "loop", "exception", "called", "chosen", "thrown"}
        without, _ = self.flows("Implicit")
        self.assertEqual({to for (_, to), finding in without.items() if finding["verdict"] == "flow"}, set())
        found, _ = self.flows("Implicit", "--control")
        flowing = {to for (_, to), finding in found.items() if finding["verdict"] == "flow"}
        self.assertEqual(flowing, expected)

    def test_what_the_order_of_threads_tells(self):
        ends = ("--to", PRINT, "--observational")
        found, summary = self.flows("T47", "--from", "T47.y=", *ends)
        self.assertIn(("order", "T47.x"), found)
        self.assertGreater(summary["orders"], 0)
        # The thread is started behind the print.
        found, summary = self.flows("Row1", "--from", "Row1.x=", *ends)
        self.assertEqual([ends for ends in found if ends[0] == "order"], [])
        self.assertEqual(summary["orders"], 0)

    def test_dataflow(self):
        report = self.run_command("dataflow", "Row3")
        rows = {row["fact"]: row["reaches"] for row in report["report"]["facts"]}
        written = [fact for fact in rows if fact.startswith("write Row3.x")]
        self.assertEqual(len(written), 2)
        for fact in written:
            self.assertTrue(rows[fact])

    def test_the_same_bytes_each_time(self):
        command = [PROGRAM, "flow", os.path.join(self.folder.name, "Row4")]
        first, second = (subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False) for _ in range(2))
        self.assertEqual(first.stdout, second.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
