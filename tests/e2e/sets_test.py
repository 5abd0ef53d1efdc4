"""End-to-end tests of `lockwood query`: scripts about sets of execution trees.

    sets_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import ENGINE_SLOW, FIG1, PROGRAM, SOURCE, Case, environment, run  # noqa: E402
from processor_time import PATIENCE, with_a_limit  # noqa: E402

LOAD = f'load "{FIG1}"\n'


def query(script, *options):
    return run("query", "-", *options, stdin=script)


class Page(Case):
    """docs/sets.md shows a script in pieces, and what each of them prints."""

    def test_the_walk_through_the_paper_prints_what_the_page_says(self):
        with open(os.path.join(SOURCE, "docs/sets.md"), encoding="utf-8") as page:
            text = page.read()
        pieces = re.findall(r"```lwq\n(.*?)```", text, re.DOTALL)
        outputs = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
        with open(os.path.join(SOURCE, "docs/examples/fig1.lwq"), encoding="utf-8") as script:
            self.assertEqual("\n".join(pieces), script.read())
        result = run("query", "docs/examples/fig1.lwq")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual("".join(outputs), result.stdout)
        self.assertGreaterEqual(len(pieces), 4)

    def test_the_propositions_hold(self):
        result = run("query", "docs/examples/propositions.lwq")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertGreater(len(lines), 100)
        for line in lines:
            self.assertTrue(line.endswith(": holds"), line)


class Scripts(Case):
    def test_the_exit_status_tells_whether_all_checks_hold(self):
        self.assertEqual(query(LOAD + "check init <= post*(init)").returncode, 0)
        failing = query(LOAD + "check empty(init)\ncheck true")
        self.assertEqual(failing.returncode, 1)
        self.assertEqual(failing.stdout, "check empty(init): fails\n  tree: NIL.p1\n  main is at P: q.start();\ncheck true: holds\n")

    def test_the_size_of_a_set_is_how_many_trees_it_has(self):
        result = query(LOAD + "let R = post*(init)\ncheck size(R) == count(R)\nsize(R & stand({r1}))\nsize(R - R)\nsize(init)")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.splitlines(), ["check size(R) == count(R): holds", "size(R & stand({r1})): 3",
                                                      "size(R - R): 0", "size(init): 1"])
        self.assert_refused(query('load "models/unbounded-spawn.dpn"\nsize(post*(init))'), "infinitely many trees",
                            "count(S, nodes = n)")

    def test_limits_are_no_verdicts(self):
        limited = query(LOAD + "check post*(init) == init\nstates(post*(init))", "--max-states=3")
        self.assertEqual(limited.returncode, 3)
        self.assertRegex(limited.stdout, r"^check post\*\(init\) == init: unknown\n  an automaton has more than 3 states")
        self.assertIn("states(post*(init)): unknown\n", limited.stdout)
        # What fails stays a finding.
        self.assertEqual(query(LOAD + "check false\nstates(post*(init))", "--max-states=3").returncode, 1)

    def test_operations_are_limited_while_they_run(self):
        """With twenty locks there are so many acquisition histories that no automaton with them is ever complete."""
        script = 'load "models/twenty-locks.lw"\nstates(post*(init))\ncheck true\n'
        limited = query(script, "--max-states=2000")
        self.assertEqual(limited.returncode, 3, limited.stderr)
        self.assertIn("an automaton has more than 2000 states, which is the limit", limited.stdout)
        self.assertIn("check true: holds", limited.stdout)  # only the one statement is given up

    def test_time_limits_end_a_script_with_what_is_known(self):
        script = LOAD + "check true\n" + "".join(
            f"let f{i}(S) = f{i - 1}(f{i - 1}(S))\n" for i in range(1, 40)).replace("f0(f0(S))", "~S") + "f39(init)\n"
        # Each function doubles the nesting, so that this ends by a limit of depth: an error, not a crash.
        deep = query(script)
        self.assertEqual(deep.returncode, 2)
        self.assertIn("deep", deep.stderr)
        slow = LOAD + "check true\nlet g0(p) = p & p\n" + "".join(
            f"let g{i}(p) = g{i - 1}(p) & g{i - 1}(p)\n" for i in range(1, 60)) + "check g59(true)\ncheck true\n"
        late = with_a_limit(lambda limit: query(slow, f"--timeout={limit}", "--json"),
                            lambda result: '"holds": 1' in result.stdout and '"unknown": 1' in result.stdout, first=2)
        self.assertEqual(late.returncode, 3, late.stderr)
        report = self.assert_valid(late.stdout)
        self.assertEqual(report["script"]["checks"], {"holds": 1, "fails": 0, "unknown": 1})
        self.assertIn("stopped", report)

    def test_a_file_that_cannot_be_written_is_an_error_at_its_place(self):
        script = LOAD + 'check true\nsave init "/absent/a.tmb"\ndot(init) "/absent/a.dot"\ncheck true\n'
        failed = query(script)
        self.assertEqual(failed.returncode, 2)
        self.assertEqual(failed.stdout, "check true: holds\n" * 2)
        self.assertIn("<stdin>:3:1: error: this cannot be written: /absent/a.tmb: No such file", failed.stderr)
        self.assertRegex(failed.stderr, r'save init "/absent/a.tmb"\n +\^~')
        self.assertIn("<stdin>:4:1: error: ", failed.stderr)
        report = self.assert_valid(query(script, "--json").stdout)
        self.assertEqual(report["script"]["checks"], {"holds": 2, "fails": 0, "unknown": 0})

    def test_places_of_a_program_are_labels_and_lines(self):
        load = 'load "docs/examples/counter.lw"\nlet R = post*(init)\n'
        checks = ['stand({safe}) == stand({"worker:13"})', 'stand({safe}) < stand({"line 13"})',
                  'stand({"line 13"}) == stand({"worker:13", "worker:13.2"})', 'stand({unsafe}) < stand({"line 16"})',
                  'stand({"line 16"}) == stand({"counter.lw:16"})', 'stand({"worker:8"}) | init == init',
                  'stand({"worker:11"}) == stand({"worker:11 [careful]", "worker:11 [!careful]"})',
                  'thread(/.* safe/) == stand({safe})', 'empty(R & stand({safe}, {safe}))',
                  '~empty(R & stand({safe}, {"line 16"}))']
        result = query(load + "".join(f"check {check}\n" for check in checks) +
                       "for s in symbols { check stand({s}) <= stand(symbols) }")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertGreater(result.stdout.count(": holds"), len(checks) + 10)
        self.assert_refused(query(load + "show stand({saef})"), "<stdin>:3:13: error: unknown place 'saef'",
                            "did you mean 'safe'")
        self.assert_refused(query(load + 'show stand({"line 1"})'), "<stdin>:3:13: error: there is no statement in line 1")

    def test_the_engine_decides_about_large_models_without_making_trees(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "big.dpn")
            with open(path, "w", encoding="utf-8") as file:
                file.write(run("gen", "application", "--rules=1500", "--threads=6", "--locks=8").stdout)
            script = (f'load "{path}"\nlet R = post*(init)\ncheck ~empty(R & threads >= 3)\ncheck empty(R & threads >= 64)\n'
                      "check ~empty(R & depth >= 2)\ncheck ~empty(R & depth > 63)\nexplain empty(R & threads >= 60)\n")
            result = query(script)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
            self.assertEqual(result.stdout.count(": holds"), 4)
            self.assertIn("by the engine", result.stdout)

    def test_a_check_that_the_engine_is_stopped_at_is_unknown(self):
        script = 'load "models/twenty-locks.lw"\ncheck true\n' + "\n".join(ENGINE_SLOW) + "\n"
        late = with_a_limit(lambda limit: query(script, f"--timeout={limit}"),
                            lambda result: "holds" in result.stdout and "unknown" in result.stdout)
        self.assertEqual(late.returncode, 3, late.stderr)
        self.assertRegex(late.stdout, r"(?s)check true: holds\ncheck .*: unknown\n  time limit reached\n$")
        late = with_a_limit(lambda limit: query(script, f"--timeout={limit}", "--json"),
                            lambda result: '"holds": 1' in result.stdout and '"unknown": 1' in result.stdout)
        report = self.assert_valid(late.stdout)
        self.assertEqual(report["script"]["checks"], {"holds": 1, "fails": 0, "unknown": 1})
        self.assertIn("stopped", report)

    def test_on_a_terminal_each_check_is_told_with_its_time(self):
        main, other = pty.openpty()
        process = subprocess.Popen([PROGRAM, "query", "-", "--color=never"], stdin=subprocess.PIPE, stdout=other, cwd=SOURCE,
                                   env=environment())
        process.communicate((LOAD + "check init <= init\nsize(init)\n").encode(), timeout=PATIENCE)
        os.close(other)
        shown = os.read(main, 10000).decode()
        os.close(main)
        self.assertRegex(shown, r"^check init <= init: holds \(\d+\.\d{3} s\)\r\nsize\(init\): 1\r\n$")
        piped = query(LOAD + "check init <= init\n")
        self.assertEqual(piped.stdout, "check init <= init: holds\n")
        timed = query(LOAD + "check init <= init\n", "--timing")
        self.assertRegex(timed.stdout, r"^check init <= init: holds \(\d+\.\d{3} s\)\n$")

    def test_a_definition_that_a_loop_hides_is_warned_of(self):
        result = query(LOAD + "let A = init\nfor s in {s1} { let A = A | stand({s}) }\ncheck A == init\n")
        self.assertEqual((result.returncode, result.stdout), (0, "check A == init: holds\n"))
        self.assertIn("<stdin>:3:17: warning: 'A' gets this meaning only until the round ends", result.stderr)
        self.assertIn("union(x in {…}, S)", result.stderr)

    def test_errors_point_at_the_place(self):
        result = query(LOAD + "let A = stand({s9})\ncheck empty(A)\ncheck init == init\n")
        self.assertEqual(result.returncode, 2)
        self.assertIn("<stdin>:2:16: error: the model has no stack symbol 's9'", result.stderr)
        self.assertIn("did you mean 's", result.stderr)
        self.assertIn("^", result.stderr)
        self.assertEqual(result.stdout, "check init == init: holds\n")
        self.assert_refused(query("check (\nlet = 3\n"), "<stdin>:2:1: error:", "<stdin>:2:5: error:")
        self.assert_refused(query('load "absent.dpn"\ncheck empty(init)'), "absent.dpn", "<stdin>:1:1: note: the file is")
        with tempfile.TemporaryDirectory() as folder:
            broken = os.path.join(folder, "broken.dpn")
            with open(broken, "w", encoding="utf-8") as file:
                file.write("dpn {\n  initial (p1)\n  rules { (p1) -> }\n}\n")
            result = query(f'// a script\n  load "{broken}"\ncheck empty(init)')
            self.assert_refused(result, f"{broken}:3:", "<stdin>:2:3: note: the file is read here", "  ^~~~")
            result = query(LOAD + f'let A = automaton "{broken}"')
            self.assert_refused(result, f"{broken}:1:", "<stdin>:2:9: note: the file is read here")
        self.assert_refused(run("query", "absent.lwq"), "absent.lwq")

    def test_reports_are_of_the_published_format_and_always_the_same(self):
        script = LOAD + ('let A = post*(init)\ncheck empty(A)\nfor x in {s1 s2} { witness(A & stand({x})) }\n'
                         'explain empty(A)\n{a b}\ncount(A, nodes = 4)\nshow A\nshow true\nlet f(x) = x\nf\n'
                         'states(A)\nwitness(A - A)\n')
        first = query(script, "--json")
        report = self.assert_valid(first.stdout)
        self.assertEqual(first.stdout, query(script, "--json").stdout)
        self.assertEqual(report["script"]["checks"], {"holds": 0, "fails": 1, "unknown": 0})
        kinds = [statement["kind"] for statement in report["script"]["statements"]]
        self.assertEqual(kinds, ["load", "check", "show", "show", "explain"] + ["show"] * 7)
        self.assertEqual(report["script"]["statements"][3]["variables"], {"x": "s2"})
        self.assertEqual(report["script"]["statements"][5]["value"], ["a", "b"])
        self.assertNotIn("seconds", first.stdout)
        timed = self.assert_valid(query(script + "time states(A)", "--json", "--timing").stdout)
        for statement in timed["script"]["statements"]:
            self.assertIn("seconds", statement)
        self.assertRegex(query(LOAD + "time states(init)").stdout, r"^time states\(init\): 1 \(\d+\.\d{3} s\)\n$")

    def test_tables_have_a_row_for_each_choice(self):
        grid = query(LOAD + "let R = post*(init)\ntable for a in {p2, r1}, b in {s1, s2} : empty(R & stand({a}, {b}))")
        self.assertEqual((grid.returncode, grid.stderr), (0, ""))
        self.assertEqual(grid.stdout, "table for a in {p2, r1}, b in {s1, s2} : empty(R & stand({a}, {b})):\n"
                         "      s1     s2\n  p2  false  false\n  r1  true   true\n")
        rows = query(LOAD + "table for s in {s1 s2} : empty(stand({s})), count(stand({s}))")
        self.assertRegex(rows.stdout, r"\n  s +empty\(stand\(\{s\}\)\)  count\(stand\(\{s\}\)\)\n  s1  false +\d+\n  s2  false ")
        report = self.assert_valid(query(LOAD + "table for s in {s1}, t in {p2} : count(stand({s}, {t}))", "--json").stdout)
        table = report["script"]["statements"][1]
        self.assertEqual(table["kind"], "table")
        self.assertEqual(table["rows"][0]["variables"], {"s": "s1", "t": "p2"})
        self.assertEqual(table["rows"][0]["cells"][0]["type"], "a number")
        limited = query(LOAD + "table for s in {s1} : count(init), count(post*(init))", "--max-states=3")
        self.assertEqual(limited.returncode, 3)
        self.assertRegex(limited.stdout, r"s1  1 +unknown\n  unknown: an automaton has more than 3 states")
        self.assert_refused(query("table for x : 1"), "expected 'in' after the variable")
        self.assert_refused(query(LOAD + "table for x in {s1} : y"), "unknown name 'y'")

    def test_patterns_are_about_whole_stacks(self):
        checks = ["thread(/.* s1/) == stand({s1})", "thread(/q2 s1/) == stand({s1})", "thread(/. . .*/) == depth >= 2",
                  "thread(/.*/) == stand(symbols)", "empty(thread(/s1/))", "thread(/(p1 | q2? {s1, s2})/) == P",
                  "thread(/~{p1 p2 p3 p4 q1 q2}/) == empty_stack", 'thread(/"q2" "s1"+ s1*/) == stand({s1})']
        script = LOAD + ("let U = post*(init, nolocks)\nlet empty_stack = U - U\nlet P = stand({p1, s1, s2})\n"
                         + "".join(f"check {check}\n" for check in checks) +
                         "for s in {s1 s2} { check thread(/q2 s/) == stand({s}) }\n"
                         "explain empty(post*(init) & thread(/q2 s1/))")
        result = query(script)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertEqual(result.stdout.count(": holds"), len(checks) + 2)
        self.assertIn("by the engine", result.stdout)
        self.assert_refused(query(LOAD + "show thread(/q2 s9/)"), "<stdin>:2:17: error: the model has no stack symbol 's9'")
        self.assert_refused(query(LOAD + "show thread(/q2 (s1/)"), "expected ')' in the pattern")
        self.assert_refused(query(LOAD + "show thread(/q2\ns1/)"), "expected '/'")
        self.assert_refused(query(LOAD + "show thread(/*/)"), "expected a symbol")

    def test_a_comparison_that_fails_tells_the_side_and_a_schedule(self):
        script = LOAD + "let R = post*(init)\ncheck init == R\ncheck post*(init, nolocks) <= R\ncheck R < R\n"
        result = query(script)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertRegex(result.stdout, r"^check init == R: fails\n  only in R: SPAWN\.p1\.spawnQ\(NIL\.q1,NIL\.p2\)\n"
                         r"    1  main  P: q\.start\(\); -- spawn Q --> P: v = 0;  spawns main\.1\n"
                         r"  main is at P: v = 0;\n  main\.1 is at Q: synchronized \(x\)\n"
                         r"check post\*\(init, nolocks\) <= R: fails\n  only in post\*\(init, nolocks\): SPAWN\.\S+\n"
                         r"  no schedule respects the locks; without them:\n(    \d  main.*\n)+(  main.* is at .*\n)+"
                         r"check R < R: fails\n  both are the same set\n$")
        first, second, third = self.assert_valid(query(script, "--json").stdout)["script"]["statements"][1:]
        self.assertEqual((first["sentence"], first["because"]), ("only in R", "SPAWN.p1.spawnQ(NIL.q1,NIL.p2)"))
        self.assertEqual(first["details"][-1], "main.1 is at Q: synchronized (x)")
        self.assertEqual(second["sentence"], "only in post*(init, nolocks)")
        self.assertEqual((third["sentence"], "because" in third), ("both are the same set", False))

    def test_trees_are_listed_and_counted_by_ranges(self):
        result = query(LOAD + "let R = post*(init)\nenumerate(R, nodes = 1..4)\nenumerate(R, limit = 2)\n"
                       "table for n in 1..4 : count(R, nodes = n)\ncount(R, nodes = 1..4)\n"
                       "for t in enumerate(R, nodes = 3..3) { t }\n")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.startswith(
            "enumerate(R, nodes = 1..4): 4 trees\n  NIL.p1\n  SPAWN.p1.spawnQ(NIL.q1,NIL.p2)\n"
            "  SPAWN.p1.spawnQ(NIL.q1,BASE.p2.v0(NIL.p3))\n  SPAWN.p1.spawnQ(ACQ.q1.syncS.x(NIL.s1),NIL.p2)\n"
            "enumerate(R, limit = 2): 2 trees\n  NIL.p1\n  SPAWN.p1.spawnQ(NIL.q1,NIL.p2)\n"
            "  and more; limit = k asks for up to k trees\n"
            "table for n in 1..4 : count(R, nodes = n):\n  n  count(R, nodes = n)\n  1  1\n  2  0\n  3  1\n  4  2\n"
            "count(R, nodes = 1..4): 4\nt [t = SPAWN.p1.spawnQ(NIL.q1,NIL.p2)]: SPAWN.p1.spawnQ(NIL.q1,NIL.p2)\n"),
                        result.stdout)
        endless = query('load "models/unbounded-spawn.dpn"\nlet R = post*(init)\nenumerate(R, limit = 7)\n'
                        "check size(R - R) < count(R, nodes = 1..30)")
        self.assertEqual(endless.stdout.count("\n"), 10, endless.stdout)
        report = self.assert_valid(query(LOAD + "enumerate(init)\nlet n = 1..2\nvars\n", "--json").stdout)
        listed, names = report["script"]["statements"][1:]
        self.assertEqual((listed["type"], listed["value"], listed["details"]), ("a list of trees", "1 tree", ["NIL.p1"]))
        self.assertEqual((names["kind"], names["columns"]), ("table", ["type", "value"]))
        self.assertEqual(names["rows"][0]["variables"], {"name": "n"})
        self.assertEqual([cell["value"] for cell in names["rows"][0]["cells"]], ["a range", "1..2"])
        self.assert_refused(query(LOAD + "enumerate(init, limt = 3)"), "did you mean 'limit'")
        self.assert_refused(query(LOAD + "count(init, nodes = 4..3)"), "<stdin>:2:21: error: there is no number from 4 to 3")

    def test_vars_lists_names_with_their_sizes(self):
        script = LOAD + "let R = post*(init)\nlet f(S, T) = S & T\nlet limit_of = 3\nvars\n"
        result = query(script)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"^vars:\n  name      type        value\n"
                         r"  R         a set       27 trees; an automaton with \d+ states and \d+ transitions\n"
                         r"  f         a function  f\(S, T\)\n  limit_of  a number    3\n$")
        limited = query(script, "--max-states=3")
        self.assertEqual(limited.returncode, 3)
        self.assertRegex(limited.stdout, r"R +a set +unknown\n(.*\n)*  unknown: an automaton has more than 3 states")

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not there")
    def test_sets_and_trees_are_drawn_for_a_browser(self):
        with tempfile.TemporaryDirectory() as folder:
            script = LOAD + f'svg(init) "{folder}/a.svg"\nsvg(witness(stand({{s2}}))) "{folder}/t.svg"\n'
            result = query(script)
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            for name in ("a.svg", "t.svg"):
                with open(os.path.join(folder, name), encoding="utf-8") as picture:
                    self.assertIn("<svg", picture.read())
            without = run("query", "-", stdin=script, env=dict(environment(), PATH="/nowhere"))
            self.assertEqual(without.returncode, 2)
            self.assertRegex(without.stderr, r"<stdin>:2:1: error: this cannot be drawn: .*Graphviz.* not installed\n(.*\n)*? +dot\(")

    def test_pre_star_is_what_can_go_on_to_a_set(self):
        """Figure 3: at the cut each thread is inside a lock that it can only leave after using the lock of the other."""
        load = 'load "models/fig3-release.dpn"\nlet R = post*(init)\nlet end = R & stand({m6}) & stand({t5})\n'
        checks = ["empty(pre*(end) & stand({m3}, {t2}))", "~empty(pre*(end, nolocks) & stand({m3}, {t2}))",
                  "~empty(pre*(end) & stand({m3}, {t1}))", "~empty(pre*(end) & stand({m2}, {t2}))",
                  "R - pre*(end) - stand({m3}, {t2}) - holding(x) - holding(y) == R - R",
                  "pre*(end, only {release}) & stand({m2}) == R - R", "pre*(end, avoiding {acquire}) == end | "
                  "pre*(end, only {release})", "~empty(pre*(end, only {release}) & stand({m4}) & stand({t5}))"]
        result = query(load + "".join(f"check {check}\n" for check in checks))
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertEqual(result.stdout.count(": holds"), len(checks))
        self.assertIn("the tree at the end of phase 1 is in the set", query(load + "explain empty(pre*(end))").stdout)
        both = load + "".join(f"check {check}\n" for check in checks)
        self.assertEqual(query(both, "--way=automata").stdout, result.stdout)
        self.assert_refused(query(load + "pre*(end, locks)"), "<stdin>:4:11: error: expected 'nolocks', 'only' or 'avoiding'")
        self.assert_refused(query(load + "pre*(end, only {realease})"), "the model has no action 'realease'",
                            "did you mean 'release'")
        self.assert_refused(query(load + "pre*({m6})"), "this should be a set of trees, and is a list")
        self.assert_refused(query(load + "pre* end"), "expected '(' after 'pre*'")

    def test_files_are_beside_the_script(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(SOURCE, FIG1), folder)
            with open(os.path.join(folder, "a.lwq"), "w", encoding="utf-8") as script:
                script.write('load "fig1.dpn"\nlet A = post*(init, avoiding {v0})\nsave A "a.tmb"\ndot(A) "a.dot"\n'
                             'dot(witness(A & stand({s2}))) "t.dot"\ncheck automaton "a.tmb" == A\n')
            result = run("query", os.path.join(folder, "a.lwq"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout, 'check automaton "a.tmb" == A: holds\n')
            self.assertIn("wrote", result.stderr)
            self.assertEqual(run("ta", "empty", os.path.join(folder, "a.tmb")).stdout, "no\n")
            for name in ("a.dot", "t.dot"):
                with open(os.path.join(folder, name), encoding="utf-8") as picture:
                    self.assertTrue(picture.read().startswith("digraph"))

    def test_both_ways_give_the_same_answers(self):
        script = LOAD + "".join(f"empty(post*(post*(init) & stand({{{a}}}), avoiding {{v0}}) & stand({{{b}}}))\n"
                                for a in ("p1", "p2", "p3", "s1", "s2") for b in ("r1", "r2", "q2", "p4"))
        result = query(script)
        self.assertEqual(result.stdout, query(script, "--way=automata").stdout)
        self.assertIn(": true", result.stdout)
        self.assertIn(": false", result.stdout)
        self.assertIn("by automata: as asked for", query(LOAD + "explain init", "--way=automata").stdout)

    def test_help_describes_it(self):
        result = run("query", "--help")
        self.assertEqual(result.returncode, 0)
        for word in ("--max-states", "--way", "--json", "some check fails", "docs/sets.md"):
            self.assertIn(word, result.stdout)
        self.assertIn("query", run("--help").stdout)

    def test_any_bytes_are_refused_or_run(self):
        """Pieces of a good script, cut anywhere, end with a message, never with a crash."""
        with open(os.path.join(SOURCE, "docs/examples/fig1.lwq"), encoding="utf-8") as script:
            text = script.read()
        for end in range(0, 420, 7):
            result = subprocess.run([PROGRAM, "query", "-"], input=text[:end].replace("../../", "").encode() + b"\n\xff{(",
                                    capture_output=True, cwd=SOURCE, timeout=PATIENCE, env=environment(), check=False)
            self.assertEqual(result.returncode, 2, text[:end])
            self.assertIn(b"error:", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
