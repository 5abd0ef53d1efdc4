"""What is only possible in the model of a program is settled by a search with its values; runs are kept and replayed.

    settling_test.py LOCKWOOD SOURCE

The programs of models/values/ say in comments what is to be found out about them: `race x #1` and `deadlock a b` are
executed, `excluded race x #1` and `excluded deadlock a b` are possible in the model only.
"""
import glob
import json
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import SOURCE, Case, run  # noqa: E402

PROGRAMS = sorted(os.path.relpath(path, SOURCE) for path in glob.glob(os.path.join(SOURCE, "models/values/*.lw")))
# Two of them have too many states for a quick test.
FAULTY = sorted(os.path.relpath(path, SOURCE) for path in glob.glob(os.path.join(SOURCE, "bench/explorer/faulty/*.lw"))
                if not path.endswith(("bounded-buffer.lw", "readers-writers-deadlock.lw")))
REMARK = re.compile(r"(excluded )?race (\w+)((?: #\d+)+)")
RING = re.compile(r"(excluded )?deadlock((?: \w+){2,})")

GUARDED = """var x, y;
proc main() { spawn t(); x = 1; }
proc t() { if (y == %s) { x = 2; } }
"""


def expectations(program):
    """Races and deadlocks, executed and excluded: sets of (verdict, subject, lines)."""
    pairs = {}
    rings = {}
    with open(os.path.join(SOURCE, program), encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if "//" not in line:
                continue
            for remark in line.split("//", 1)[1].split(";"):
                if match := REMARK.fullmatch(remark.strip()):
                    for pair in match[3].split():
                        pairs.setdefault((bool(match[1]), match[2], pair), set()).add(number)
                elif match := RING.fullmatch(remark.strip()):
                    rings.setdefault((bool(match[1]), frozenset(match[2].split())), set()).add(number)
    races = {(excluded, variable, frozenset(lines)) for (excluded, variable, _), lines in pairs.items()}
    deadlocks = {(excluded, locks, frozenset(lines)) for (excluded, locks), lines in rings.items()}
    return races, deadlocks


class ValuesDecide(Case):
    def settled(self, command, program):
        """All findings, and the exit status; none of them is only possible."""
        result = run(command, program, "--json", "--settle=10m")  # the whole space, however slow the machine is
        report = self.assert_valid(result.stdout)
        for finding in report["findings"]:
            self.assertNotEqual(finding.get("certainty"), "possible", finding["message"])
            if finding["verdict"].startswith("no "):
                self.assertEqual(finding["settled"]["verdict"], "excluded")
                self.assertNotIn("schedule", finding)
            else:
                self.assertEqual(finding["certainty"], "executed")
        return report["findings"], result.returncode

    @staticmethod
    def lines(finding):
        return frozenset(site["at"]["line"] for site in finding["sites"])

    def test_there_are_programs_of_the_usual_kinds(self):
        self.assertGreaterEqual(len(PROGRAMS), 20)

    def test_every_race_is_settled_as_expected(self):
        for program in PROGRAMS:
            with self.subTest(program):
                races, _ = expectations(program)
                found, status = self.settled("race", program)
                self.assertEqual({(race["verdict"] != "race", race["subject"], self.lines(race)) for race in found},
                                 races)
                self.assertEqual(status, 1 if any(not excluded for excluded, _, _ in races) else 0)

    def test_every_deadlock_is_settled_as_expected(self):
        for program in PROGRAMS:
            with self.subTest(program):
                _, deadlocks = expectations(program)
                found, status = self.settled("deadlock", program)
                self.assertEqual({(ring["verdict"] != "deadlock", frozenset(ring["subject"].split(", ")),
                                   self.lines(ring)) for ring in found}, deadlocks)
                self.assertEqual(status, 1 if any(not excluded for excluded, _, _ in deadlocks) else 0)

    def test_the_explorer_finds_the_same_races(self):
        for program in PROGRAMS:
            with self.subTest(program):
                races, _ = expectations(program)
                report = self.assert_valid(run("explore", program, "--json").stdout)
                self.assertTrue(report["report"]["summary"]["complete"])
                self.assertEqual({(False, race["subject"], self.lines(race)) for race in report["findings"]
                                  if race["rule"] == "race"}, {race for race in races if not race[0]})


class Settling(Case):
    def test_what_no_run_does_is_excluded(self):
        result = run("race", "-", "--json", stdin=GUARDED % 1)
        report = self.assert_valid(result.stdout)
        self.assertEqual([finding["verdict"] for finding in report["findings"]], ["no race"])
        self.assertEqual(report["report"]["summary"]["excluded_by_values"], 1)
        self.assertEqual(report["report"]["summary"]["undecided"], 0)
        self.assertEqual(result.returncode, 0)
        text = run("race", "-", stdin=GUARDED % 1).stdout
        self.assertIn("excluded by the program's values", text)
        self.assertIn("in the way: the schedule does", text)

    def test_without_a_search_it_stays_possible_and_tells_the_branch(self):
        result = run("race", "-", "--settle=off", "--json", stdin=GUARDED % 1)
        [finding] = self.assert_valid(result.stdout)["findings"]
        self.assertEqual(finding["certainty"], "possible")
        self.assertIn("<stdin>:3", finding["obstacle"])
        self.assertNotIn("settled", finding)
        self.assertEqual(result.returncode, 1)

    def test_a_time_is_a_budget_too(self):
        self.assertEqual(run("race", "-", "--settle=10s", stdin=GUARDED % 1).returncode, 0)
        self.assert_refused(run("race", "-", "--settle=soon", stdin=GUARDED % 1), "--settle", "10s")

    def test_a_budget_that_is_used_up_is_told(self):
        endless = """var n, x;
            proc main() { spawn t(); while (n != 1000000000) { n = n + 1; } x = 1; }
            proc t() { x = 2; }"""
        result = run("race", "-", "--json", stdin=endless)
        [finding] = [each for each in self.assert_valid(result.stdout)["findings"] if each["subject"] == "x"]
        self.assertEqual(finding["certainty"], "possible")
        self.assertEqual(finding["settled"]["left_out"], ["max states"])
        self.assertEqual(result.returncode, 1)

    def test_places_are_settled_also_where_nothing_visible_happens(self):
        program = """var x;
            proc main() { local k = x; if (k == 1) { never: skip; } if (k == 0) { always: skip; } }"""
        never = run("reach", "-", "never", "--json", stdin=program)
        [answer] = self.assert_valid(never.stdout)["queries"]
        self.assertEqual((answer["verdict"], answer["settled"]["verdict"]), ("unreachable", "excluded"))
        self.assertEqual(never.returncode, 0)
        always = run("reach", "-", "always", "--json", stdin=program)
        [answer] = self.assert_valid(always.stdout)["queries"]
        self.assertEqual((answer["verdict"], answer["certainty"]), ("reachable", "executed"))
        self.assertEqual(always.returncode, 1)

    def test_a_flow_to_what_is_never_done_is_excluded(self):
        program = """var x, y;
            proc main() { spawn t(); from: x = 1; }
            proc t() { if (y == 1) { to: print(x); } }"""
        result = run("flow", "-", "--from=from", "--to=to", "--json", stdin=program)
        [finding] = self.assert_valid(result.stdout)["findings"]
        self.assertEqual((finding["verdict"], result.returncode), ("no flow", 0))

    def test_the_answer_is_the_same_each_time(self):
        for program in PROGRAMS[:4]:
            self.assertEqual(run("race", program, "--json").stdout, run("race", program, "--json").stdout)

    def test_sarif_and_the_page_tell_it(self):
        with tempfile.TemporaryDirectory() as folder:
            sarif, page = os.path.join(folder, "r.sarif"), os.path.join(folder, "r.html")
            run("race", "-", "--sarif", sarif, "--html", page, stdin=GUARDED % 1)
            with open(sarif, encoding="utf-8") as file:
                [result] = json.load(file)["runs"][0]["results"]
            self.assertEqual((result["kind"], result["properties"]["settled"]), ("pass", "excluded"))
            with open(page, encoding="utf-8") as file:
                self.assertIn('"settled"', file.read())


class Runs(Case):
    WAITING = """lock m; var f;
        proc main() { spawn t(); sync (m) { notify(m); } }
        proc t() { sync (m) { wait(m); } }"""

    def test_kept_runs_are_replayed(self):
        with tempfile.TemporaryDirectory() as folder:
            explored = run("explore", "models/values/philosophers-seats.lw", "--traces", folder, "--json")
            findings = self.assert_valid(explored.stdout)["findings"]
            self.assertTrue(findings)
            self.assertEqual(sorted(os.listdir(folder)), sorted(each["id"] + ".trace" for each in findings))
            for finding in findings:
                trace = os.path.join(folder, finding["id"] + ".trace")
                replayed = run("replay", trace, "--json")
                self.assertEqual(replayed.returncode, 1)
                [again] = self.assert_valid(replayed.stdout)["findings"]
                self.assertEqual(again["schedule"], finding["schedule"])
                self.assertIn("seats = ", run("replay", trace, "--step").stdout)

    def test_a_run_of_another_program_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "p.lw")
            with open(program, "w", encoding="utf-8") as file:
                file.write(GUARDED % 0)
            run("explore", program, "--traces", folder)
            [trace] = glob.glob(os.path.join(folder, "*.trace"))
            with open(program, "a", encoding="utf-8") as file:
                file.write("// changed\n")
            self.assert_refused(run("replay", trace), "another version")
            self.assert_refused(run("replay", program), "header")

    def test_waiting_for_ever_and_lost_notifications_are_told(self):
        result = run("explore", "-", "--json", stdin=self.WAITING)
        [finding] = self.assert_valid(result.stdout)["findings"]
        self.assertEqual((finding["rule"], finding["verdict"]), ("waiting", "waits for ever"))
        self.assertIn("a notification is lost", finding["explanation"][0])
        self.assertEqual(result.returncode, 1)

    def test_reports_of_explore_go_into_files(self):
        with tempfile.TemporaryDirectory() as folder:
            sarif = os.path.join(folder, "r.sarif")
            run("explore", "-", "--sarif", sarif, stdin=self.WAITING)
            with open(sarif, encoding="utf-8") as file:
                self.assertEqual([result["ruleId"] for result in json.load(file)["runs"][0]["results"]], ["waiting"])

    def test_a_search_that_is_stopped_keeps_what_it_has_found(self):
        endless = "var n, x;\nproc main() { spawn t(); x = 1; while (true) { n = n + 1; } }\nproc t() { x = 2; }\n"
        result = run("explore", "-", "--timeout=1s", "--json", stdin=endless)
        report = self.assert_valid(result.stdout)
        self.assertEqual([finding["subject"] for finding in report["findings"]], ["x"])
        self.assertFalse(report["report"]["summary"]["complete"])
        self.assertEqual(result.returncode, 1)

    def test_oracles_do_not_change_what_is_found(self):
        for program in PROGRAMS[:6]:
            ids = [[finding["id"] for finding in self.assert_valid(
                run("explore", program, "--json", option).stdout)["findings"]]
                   for option in ("--oracles=0", "--oracles=0,1", "--oracles=0,2", "--oracles=0,1,2", "--por=none")]
            self.assertTrue(all(each == ids[0] for each in ids), program)

    def test_value_schedules_find_the_same(self):
        for program in PROGRAMS + FAULTY:
            with self.subTest(program):
                plain, by_values = (self.assert_valid(run("explore", program, "--json", option).stdout)
                                    for option in ("--strategy=bfs", "--strategy=values"))
                self.assertTrue(by_values["report"]["summary"]["complete"])
                self.assertEqual({finding["id"] for finding in by_values["findings"]},
                                 {finding["id"] for finding in plain["findings"]})
        clean = run("explore", "models/values/handover.lw", "--strategy=values")
        self.assertEqual(clean.returncode, 0)
        self.assertEqual(run("explore", FAULTY[0], "--strategy=values", "--first").returncode, 1)
        self.assertEqual(run("explore", "models/values/handover.lw", "--strategy=values", "--max-states=1").returncode, 3)
        self.assert_refused(run("explore", FAULTY[0], "--strategy=values", "--jobs=2"), "--strategy=bfs")
        self.assert_refused(run("explore", FAULTY[0], "--strategy=values", "--por=none"), "--strategy=values")
        self.assert_refused(run("explore", FAULTY[0], "--strategy=values", "--store=hash64"), "--store=exact")

    def test_runs_without_a_store_find_the_same(self):
        programs = ["models/values/semaphore-two.lw", "models/values/pool-countdown.lw", "models/values/lazy-twice.lw",
                    "bench/explorer/faulty/philosophers.lw", "bench/explorer/faulty/linked-list.lw"]
        for program in programs:
            with self.subTest(program):
                plain, source, optimal = (self.assert_valid(run("explore", program, "--json", option).stdout)
                                          for option in ("--por=frozen", "--por=source", "--por=optimal"))
                for report in (source, optimal):
                    self.assertTrue(report["report"]["summary"]["complete"])
                    self.assertEqual({finding["id"] for finding in report["findings"]},
                                     {finding["id"] for finding in plain["findings"]})
                counts = [report["report"]["summary"]["executions"] for report in (source, optimal)]
                self.assertEqual(counts[0], counts[1])
                self.assertEqual(optimal["report"]["summary"]["given_up"], 0)
        five = self.assert_valid(run("explore", programs[3], "--json", "--por=optimal").stdout)
        self.assertEqual(five["report"]["summary"]["executions"], 2**5 - 1)  # one of them is the deadlock
        endless = run("explore", "-", "--por=optimal", "--json", "--max-states=20",
                      stdin="var f; proc main() { spawn t(); while (f == 0) { skip; } } proc t() { f = 1; }")
        summary = self.assert_valid(endless.stdout)["report"]["summary"]
        self.assertFalse(summary["complete"])
        self.assertTrue(summary["left_out"])
        for options in (["--strategy=bfs"], ["--jobs=2"], ["--store=hash64"], ["--save=x"]):
            self.assert_refused(run("explore", programs[0], "--por=source", *options), options[0].split("=")[0])

    def test_a_quick_look_at_a_change_never_says_that_there_is_nothing(self):
        before = "var f, h; proc main() { spawn t0(); spawn t1(); } proc t0() { if (f == 1) { skip; } }\n" \
                 "proc t1() { f = 1; f = 0; assert(h == 0); }\n"
        now = before.replace("skip", "h = 1")
        with tempfile.TemporaryDirectory() as folder:
            old, new, store = (os.path.join(folder, name) for name in ("old.lw", "new.lw", "old.store"))
            for path, text in ((old, before), (new, now)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            run("explore", old, "--save", store)
            found = {}
            for level in (0, 2):
                result = run("explore", new, "--since", old, "--change=quick", f"--max-level={level}", "--json")
                report = self.assert_valid(result.stdout)
                summary = report["report"]["summary"]
                self.assertEqual((summary["complete"], summary["level"]), (False, level))
                self.assertEqual(summary["left_out"], [f"beyond level {level}"])
                found[level] = summary["assertions"]
            self.assertEqual(found, {0: 0, 2: 1})
            by_store = self.assert_valid(run("explore", new, "--since", store, "--change=quick", "--json").stdout)
            self.assertEqual(by_store["report"]["summary"]["assertions"], 1)
            clean = os.path.join(folder, "clean.lw")
            with open(clean, "w", encoding="utf-8") as file:
                file.write("var x; proc main() { x = 1; }\n")
            same = run("explore", clean, "--since", clean, "--change=quick")
            self.assertEqual(same.returncode, 3)
            self.assertIn("no procedure differs", same.stderr)
            self.assert_refused(run("explore", new, "--change=quick"), "--since")
            self.assert_refused(run("explore", new, "--since", old), "--change=quick")
            self.assert_refused(run("explore", new, "--change=quick", "--since", old, "--jobs=2"), "--jobs")

    def test_a_heuristic_finds_the_same(self):
        for program in PROGRAMS[:6]:
            plain, directed = (self.assert_valid(run("explore", program, "--json", *options).stdout)
                               for options in ([], ["--direct=ariadne"]))
            self.assertTrue(directed["report"]["summary"]["complete"])
            self.assertEqual({finding["id"] for finding in directed["findings"]},
                             {finding["id"] for finding in plain["findings"]})
        self.assert_refused(run("explore", PROGRAMS[0], "--direct=ariadne", "--strategy=dfs"), "--strategy")

    def test_jobs_and_shards_find_the_same(self):
        program = "models/values/readers-writers-hasty.lw"
        whole = self.assert_valid(run("explore", program, "--json").stdout)
        ids = [finding["id"] for finding in whole["findings"]]
        parallel = self.assert_valid(run("explore", program, "--json", "--jobs=3").stdout)
        self.assertEqual([finding["id"] for finding in parallel["findings"]], ids)
        self.assertTrue(parallel["report"]["summary"]["complete"])
        with tempfile.TemporaryDirectory() as folder:
            parts = []
            for number in (1, 2, 3):
                parts.append(os.path.join(folder, f"{number}.json"))
                run("explore", program, f"--shard={number}/3", f"--json={parts[-1]}")
            merged = run("merge", *parts)
            report = self.assert_valid(merged.stdout)
            self.assertEqual([finding["id"] for finding in report["findings"]], ids)
            self.assertTrue(report["report"]["summary"]["complete"])
            self.assertEqual(merged.returncode, 1)
            some = self.assert_valid(run("merge", *parts[:2]).stdout)
            self.assertFalse(some["report"]["summary"]["complete"])
            self.assert_refused(run("merge", parts[0], parts[0]), "twice")
        self.assert_refused(run("explore", program, "--shard=4/3"), "--shard")
        self.assert_refused(run("explore", program, "--jobs=2", "--strategy=dfs"), "--strategy=bfs")

    def test_after_a_change_the_same_is_found_with_fewer_states(self):
        with open(os.path.join(SOURCE, "models/values/pool-countdown.lw"), encoding="utf-8") as file:
            text = file.read()
        with tempfile.TemporaryDirectory() as folder:
            path, store = os.path.join(folder, "p.lw"), os.path.join(folder, "p.store")

            def explored(text, *arguments):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                return self.assert_valid(run("explore", path, "--json", *arguments).stdout)

            fresh = explored(text, "--save", store)
            again = explored(text + "// a comment\n", "--since", store)
            self.assertEqual(again["report"]["summary"]["pruned"], 1)
            self.assertEqual(again["report"]["summary"]["states"], 1)
            self.assertEqual(again["findings"], fresh["findings"])
            changed = text.replace("total == 60", "total == 61")
            self.assertEqual([finding["rule"] for finding in explored(changed, "--since", store)["findings"]],
                             [finding["rule"] for finding in explored(changed)["findings"]])
            other = run("explore", path, "--since", store, "--max-frames=7")
            self.assertIn("does not count", other.stderr)
            self.assert_refused(run("explore", path, "--since", path), "not a store")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
