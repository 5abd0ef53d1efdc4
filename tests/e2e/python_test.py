"""The Python package: networks, programs, queries, sets, pictures, interruption; and the examples of docs/python.md.

    python_test.py FOLDER_OF_THE_PACKAGE SOURCE_DIRECTORY [unittest arguments]
"""

import ast
import contextlib
import dataclasses
import glob
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import unittest
import xml.etree.ElementTree

PACKAGE = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
sys.path.insert(0, PACKAGE)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lockwood  # noqa: E402
from processor_time import PATIENCE, wait_until_it_works  # noqa: E402

SLOW = """
import sys, lockwood
model = lockwood.load("models/twenty-locks.lw").limit(max_states=10**9)
start = model.init
slow = start.post()
"""


def model(name):
    return lockwood.load(os.path.join(SOURCE, "models", name))


class Package(unittest.TestCase):
    def test_it_tells_its_version_and_its_types(self):
        self.assertRegex(lockwood.__version__, r"^\d+\.\d+\.\d+")
        folder = os.path.dirname(lockwood.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        with open(os.path.join(folder, "_lockwood.pyi"), encoding="utf-8") as file:
            stubs = file.read()
        # Every function of the compiled part has a type, and no other.
        from lockwood import _lockwood
        for part in (_lockwood.Workspace, _lockwood.Set):
            there = {name for name in vars(part) if not name.startswith("_")}
            body = re.search(rf"(?ms)^class {part.__name__}:\n(.*?)(?=^\S|\Z)", stubs)[1]
            typed = set(re.findall(r"(?m)^    (?:def )?([a-z_]\w*)(?=[(:])", body))
            self.assertEqual({name for name in typed if not name.startswith("__")}, there)

    def test_all_that_is_offered_is_explained(self):
        for name in lockwood.__all__:
            self.assertTrue(getattr(lockwood, name).__doc__, name)

    def test_findings_are_short_to_look_at(self):
        races = model("bank-racy.lw").find_races()
        self.assertLess(len(repr(races[0])), 300)
        self.assertEqual(str(races[0]), races[0].message)
        self.assertEqual(len(races), 3)
        self.assertTrue(races.complete)
        self.assertEqual({race.certainty for race in races}, {"executed"})
        with self.assertRaises(lockwood.InputError):
            model("bank-racy.lw").find_races("balanse")
        with self.assertRaises(lockwood.InputError):
            model("fig1.dpn").find_races()


class Questions(unittest.TestCase):
    def test_a_model_tells_its_symbols(self):
        fig1 = model("fig1.dpn")
        self.assertEqual(fig1.locks, ["x"])
        self.assertIn("p2", fig1.stacks)
        self.assertIn("spawnQ", fig1.actions)
        self.assertEqual(len(fig1.rules), 10)
        self.assertEqual(fig1.initial, ("0", "p1"))
        kinds = {rule.action: rule for rule in fig1.rules}
        self.assertEqual(kinds["spawnQ"],
                         lockwood.Rule("spawn", ("0", "p1"), "spawnQ", ("0", "p2"), spawned=("0", "q1")))
        self.assertEqual(kinds["syncR"],
                         lockwood.Rule("monitor", ("0", "p3"), "syncR", ("0", "r1"), lock="x", return_to="p4"))
        self.assertEqual((kinds["retS"].kind, kinds["retS"].to), ("return", ("0",)))
        self.assertIn("p2", str(kinds["v0"]))
        self.assertIn("10 rules", repr(fig1))

    def test_queries_have_verdicts_and_schedules(self):
        fig1 = model("fig1.dpn")
        answer = fig1.conflict({"p2"}, {"s1"})
        self.assertEqual(answer.verdict, "reachable")
        self.assertEqual([step["thread"] for step in answer.schedule.steps], ["main", "main.1"])
        self.assertEqual(answer.schedule.threads[1]["holds"], ["x"])
        self.assertTrue(answer.tree.term.startswith("SPAWN"))
        refused = fig1.conflict("r1", "s1")
        self.assertEqual((refused.verdict, refused.schedule), ("unreachable", None))
        self.assertEqual(fig1.conflict("r1", "s1", nolocks=True).verdict, "reachable")
        self.assertEqual(fig1.reach("s2").verdict, "reachable")
        self.assertEqual(fig1.iterate("s2", ("r1", {"v0"})).verdict, "reachable")
        self.assertEqual(len(fig1.check()), len(fig1.queries))
        self.assertIn(("p2", "s1"), fig1.mhp())
        self.assertNotIn(("s1", "r1"), fig1.mhp())
        self.assertIn(("s1", "r1"), fig1.mhp(nolocks=True))

    def test_a_model_is_built_of_rules(self):
        for name in ("fig1.dpn", "recursion.dpn", "reentrant.dpn", "joins/cross.dpn", "joins/handle.dpn",
                     "joins/offspring.dpn"):
            first = model(name)
            again = lockwood.build(first.initial, first.rules)
            self.assertEqual((again.initial, again.rules), (first.initial, first.rules))
            self.assertEqual({frozenset(pair) for pair in again.mhp()}, {frozenset(pair) for pair in first.mhp()})
        with self.assertRaisesRegex(lockwood.InputError, "not jump"):
            lockwood.build(("p", "a"), [lockwood.Rule("jump", ("p", "a"), "f", ("p", "a"))])
        with self.assertRaises(lockwood.InputError):
            lockwood.build(("p", "a"), [lockwood.Rule("monitor", ("p", "a"), "f", ("p", "a"), return_to="a")])

    def test_answers_have_reasons_and_proofs_if_asked_for(self):
        fig1 = model("fig1.dpn")
        plain = fig1.conflict("r1", "s1")
        self.assertEqual((plain.verdict, plain.explanation, plain.proof), ("unreachable", [], None))
        self.assertFalse(fig1.verify(plain))
        self.assertIn("proofs=True", fig1.rejection_reason(plain))
        answer = fig1.conflict("r1", "s1", explain=True, proofs=True)
        self.assertIn("x", answer.explanation[0])
        self.assertEqual(fig1.explain("conflict {r1} {s1}"), answer.explanation)
        self.assertEqual(fig1.explain("conflict {p2} {s1}"), [])
        self.assertTrue(fig1.verify(answer))
        self.assertIsNone(fig1.rejection_reason(answer))
        witness = fig1.conflict("p2", "s1", proofs=True)
        self.assertTrue(fig1.verify(witness))
        for wrong in (dataclasses.replace(answer, verdict="reachable"), dataclasses.replace(answer, query=witness.query),
                      dataclasses.replace(answer, proof=witness.proof), dataclasses.replace(answer, proof="{}"),
                      dataclasses.replace(answer, verdict="unknown")):
            self.assertFalse(fig1.verify(wrong))
            self.assertTrue(fig1.rejection_reason(wrong))
        self.assertNotIn("proof", repr(answer))

    def test_a_batch_has_the_answers_of_single_queries(self):
        fig1 = model("fig1.dpn")
        queries = [f"conflict {{{a}}} {{{b}}}" for a in fig1.stacks for b in fig1.stacks]
        single = [fig1.ask(query)[0].verdict for query in queries]
        self.assertEqual({"reachable", "unreachable"}, set(single))
        for jobs in (1, 3):
            answers = fig1.batch(queries, jobs=jobs)
            self.assertEqual([answer.verdict for answer in answers], single)
            self.assertEqual({answer.schedule for answer in answers}, {None})
        shown = fig1.batch(["reach {s1}", "conflict {r1} {s1}"], schedules=True)
        self.assertEqual([answer.schedule is None for answer in shown], [False, True])
        self.assertEqual(fig1.batch([]), [])
        self.assertEqual([answer.verdict for answer in model("table1-4.lw").batch(["reach {sink}", "reach {line 10}"])],
                         ["reachable", "reachable"])
        with self.assertRaises(lockwood.InputError):
            fig1.batch(["reach {s1}", "reach {nowhere}"])
        with self.assertRaises(lockwood.InputError):
            fig1.batch(["reach {s1}"], jobs=0)

    def test_a_page_is_one_file(self):
        page = model("bank-racy.lw").page("race", variable="balance")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertIn("race on balance", page)
        for bad in ({"analysis": "races"}, {"analysis": "race", "varable": "balance"}, {"analysis": "flow", "source": "a"},
                    {"analysis": "race", "variable": "balanse"}):
            with self.assertRaises(lockwood.InputError):
                model("bank-racy.lw").page(**bad)
        with self.assertRaises(lockwood.InputError):
            model("fig1.dpn").page("race")

    def test_deadlocks_are_rings(self):
        found = model("philosophers-3.dpn").deadlocks()
        self.assertEqual([sorted(each.locks) for each in found], [["fork1", "fork2", "fork3"]])
        self.assertGreater(len(found[0].schedule), 3)

    def test_programs_have_races(self):
        program = lockwood.load(os.path.join(SOURCE, "docs/examples/counter.lw"))
        self.assertTrue(program.is_program)
        races = program.races()
        self.assertTrue(races)
        self.assertEqual(len(races[0].sites), 2)
        self.assertGreater(races[0].sites[0]["line"], 0)
        self.assertEqual(program.ask("conflict {safe} {line 16}")[0].verdict, "reachable")
        self.assertEqual(program.ask("conflict {safe} {safe}")[0].verdict, "unreachable")
        with self.assertRaisesRegex(lockwood.InputError, "did you mean 'safe'"):
            program.ask("reach {saef}")
        for places in ("safe", "line 16", "worker:11 [careful]", {"worker:11 [careful]", "unsafe"}):
            self.assertEqual(program.reach(places).verdict, "reachable")
        self.assertEqual(program.conflict("safe", "safe").verdict, "unreachable")
        self.assertEqual(program.iterate("worker:11 [careful]", "safe").verdict, "reachable")
        self.assertEqual(program.labels, ["safe", "unsafe", "done"])
        self.assertTrue(program.stand("safe") == program.stand("worker:13"))
        self.assertTrue(program.stand("safe") <= program.stand("line 13"))
        self.assertFalse((program.init.post() & program.stand("worker:11 [careful]")).empty())
        with self.assertRaisesRegex(lockwood.InputError, "did you mean 'safe'"):
            program.stand("saef")
        # All that the command line shows.
        self.assertIn("worker:11 [careful] branch", str(program.reach("safe").schedule))
        with self.assertRaisesRegex(lockwood.InputError, "only programs"):
            model("fig1.dpn").races()

    def test_what_is_wrong_is_a_value_error_with_its_place(self):
        with self.assertRaisesRegex(ValueError, r"bad\.dpn:1:1: error"):
            lockwood.parse("nonsense", "bad.dpn")
        with self.assertRaisesRegex(lockwood.InputError, "s9"):
            model("fig1.dpn").reach("s9")
        with self.assertRaisesRegex(lockwood.InputError, "no stack symbol 's9'"):
            model("fig1.dpn").stand({"s9"})
        with self.assertRaises(OSError):
            model("absent.dpn")


class Sets(unittest.TestCase):
    def setUp(self):
        self.model = model("fig1.dpn")
        self.all = self.model.init.post(nolocks=True)
        self.reachable = self.model.init.post()

    def test_operators_are_those_of_sets(self):
        wide, reachable = self.all, self.reachable
        self.assertTrue(reachable <= wide)
        self.assertFalse(wide <= reachable)
        self.assertTrue(wide >= reachable)
        self.assertTrue(wide - reachable == ~reachable)
        self.assertTrue(wide != reachable)
        self.assertTrue((reachable | ~reachable) == wide)
        self.assertTrue((reachable & ~reachable).empty())
        self.assertEqual((wide.count(), reachable.count(), (wide - reachable).count()), (31, 27, 4))
        self.assertTrue(wide.finite())
        self.assertEqual(sum(reachable.count(nodes=n) for n in range(30)), 27)
        self.assertTrue(reachable.reduced() == reachable)
        with self.assertRaises(TypeError):
            bool(reachable)
        with self.assertRaises(TypeError):
            reachable & 3
        with self.assertRaisesRegex(lockwood.InputError, "different models"):
            reachable & model("fig1.dpn").init

    def test_properties_and_restrictions(self):
        fig1 = self.model
        self.assertTrue((self.reachable & fig1.stand({"r1"}, {"s1"})).empty())
        self.assertFalse((self.reachable & fig1.stand({"p2"}, {"s1"})).empty())
        self.assertTrue(fig1.init.post(nolocks=True, avoiding={"v42"}) == self.all - fig1.fired({"v42"}))
        self.assertTrue(fig1.init.post(only=set()) == fig1.init)
        self.assertTrue(self.all - self.reachable <= fig1.threads(2) & fig1.holding("x"))
        self.assertFalse((self.reachable & fig1.wanting("x") & fig1.depth(2)).empty())
        self.assertTrue((self.all & fig1.thread("q2 s1")) == (self.all & fig1.stand("s1")))
        self.assertIn("engine", self.reachable.explain()[0])
        self.assertTrue(fig1.set("post*(init) & stand({s2})") == self.reachable & fig1.stand("s2"))

    def test_trees_are_found_and_recognised(self):
        found = (self.reachable & self.model.stand("r1")).witness()
        self.assertIn(found, self.reachable)
        self.assertIn(found.tree, self.reachable)
        self.assertNotIn(found.tree.term, self.model.init)
        self.assertTrue(found.respects_locks)
        self.assertTrue(found.smallest)
        self.assertFalse((self.all - self.reachable).witness().respects_locks)
        self.assertIsNone((self.all - self.all).witness())
        self.assertEqual(len(self.reachable.sample(nodes=5, seed=3).tree), 5)
        self.assertEqual(len(found.tree.nodes), len(found.tree))

    def test_automata_are_lists_of_transitions(self):
        automaton = self.all.automaton()
        self.assertEqual((automaton.states, len(automaton.transitions)), (14, 24))
        for symbol, children, target in automaton.transitions:
            self.assertIsInstance(symbol, str)
            self.assertTrue(all(0 <= state < automaton.states for state in (*children, target)))
        self.assertTrue(self.all.timbuk().startswith("Ops"))
        self.assertEqual(self.all.states(), 14)
        self.assertTrue(self.model.accepted(automaton) == self.all)
        one = self.model.accepted([("NIL.p1", (), "q")], final={"q"})
        self.assertTrue(one == self.model.init)
        self.assertEqual(one.size(), 1)
        self.assertTrue(self.model.accepted([]).empty())
        with self.assertRaisesRegex(lockwood.InputError, "did you mean 'NIL.p1'"):
            self.model.accepted([("NIL.p11", (), 0)], [0])
        with self.assertRaisesRegex(lockwood.InputError, "no child"):
            self.model.accepted([("NIL.p1", (0,), 0)], [0])

    def test_a_set_tells_what_it_is(self):
        late = (self.reachable & ~self.model.stand("s2")).post(avoiding={"v0"}) - self.model.init
        self.assertEqual(repr(late), '<lockwood.Set (post*((post*(init) & ~stand({"s2"})), avoiding {"v0"}) - init)>')
        for _ in range(100):
            late = late | late
        self.assertLess(len(repr(late)), 300)

    def test_limits_raise(self):
        infinite = model("unbounded-spawn.dpn")
        with self.assertRaisesRegex(lockwood.InputError, "infinitely many"):
            infinite.init.post().count()
        for many in (lambda: self.reachable.count(nodes=100001), lambda: self.reachable.sample(nodes=10**9)):
            with self.assertRaisesRegex(lockwood.InputError, "up to 100000"):
                many()
        self.model.limit(max_states=3)
        with self.assertRaises(lockwood.LimitError):
            self.reachable.automaton()
        self.model.limit()
        self.assertEqual(self.reachable.count(), 27)


class Pictures(unittest.TestCase):
    def test_trees_schedules_and_automata_have_pictures(self):
        fig1 = model("fig1.dpn")
        found = (fig1.init.post() & fig1.stand("r1")).witness()
        pictures = [found.tree, found.schedule, found, fig1.conflict("p2", "s1"), fig1.init.post().automaton(),
                    fig1.init.post()]
        for each in pictures:
            picture = each._repr_svg_()
            self.assertTrue(picture.startswith("<svg"), picture[:50])
            xml.etree.ElementTree.fromstring(picture)
        self.assertIn("SPAWN.p1.spawnQ", found.tree._repr_svg_())
        self.assertIn("main.1", found.schedule._repr_svg_())
        self.assertIsNone(fig1.conflict("r1", "s1")._repr_svg_())
        for each in (model("philosophers-3.dpn").deadlocks()[0], model("bank-racy.lw").races()[0]):
            xml.etree.ElementTree.fromstring(each._repr_svg_())

    def test_labels_of_a_tree_do_not_overlap(self):
        fig1 = model("fig1.dpn")
        trees = [fig1.init.post(nolocks=True).sample(nodes, seed).tree for nodes in (5, 8, 10) for seed in range(5)
                 if fig1.init.post(nolocks=True).count(nodes)]
        trees += [answer.tree for answer in model("table1-5.dpn").check() if answer.tree]
        self.assertGreater(len(trees), 10)
        for tree in trees:
            picture = xml.etree.ElementTree.fromstring(tree._repr_svg_())
            rows = {}
            for text in picture.iter("{http://www.w3.org/2000/svg}text"):
                half = len(text.text) * 7.3 / 2
                rows.setdefault(text.get("y"), []).append((float(text.get("x")) - half, float(text.get("x")) + half))
            for row in rows.values():
                row.sort()
                self.assertGreaterEqual(row[0][0], 0)
                self.assertLessEqual(row[-1][1], float(picture.get("width")))
                for (_, right), (left, _) in zip(row, row[1:]):
                    self.assertGreater(left, right, tree.term)


class Interruption(unittest.TestCase):
    def test_a_long_call_lets_other_threads_run_and_ends_by_control_c(self):
        script = SLOW + """
import threading, time
def tick():  # the call has begun when the first thread has used a processor and this thread has not
    begin = time.process_time()
    while time.process_time() < begin + time.thread_time() + 0.2:
        time.sleep(0.02)
    for _ in range(5):
        time.sleep(0.02)
    print("ticked", flush=True)
print("ready", flush=True)
threading.Thread(target=tick, daemon=True).start()
try:
    slow.automaton()
except KeyboardInterrupt:
    print("interrupted", start.count(), flush=True)
"""
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=SOURCE,
                                   env={**os.environ, "PYTHONPATH": PACKAGE})
        self.assertEqual(process.stdout.readline(), "ready\n")
        self.assertEqual(process.stdout.readline(), "ticked\n")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual((output, process.returncode), ("interrupted 1\n", 0))

    def interrupted(self, script):
        """What a script prints that is interrupted a while after it has printed `ready`."""
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=SOURCE,
                                   env={**os.environ, "PYTHONPATH": PACKAGE})
        self.assertEqual(process.stdout.readline(), "ready\n")
        wait_until_it_works(process.pid)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        return output

    def test_whoever_waits_for_another_thread_is_interrupted(self):
        for question in ("start.count()", "slow.explain()"):
            self.assertEqual(self.interrupted(SLOW + f"""
import os, threading, time
threading.Thread(target=slow.automaton, daemon=True).start()
while time.thread_time() + 0.2 > time.process_time():  # until the other one works
    time.sleep(0.02)
print("ready", flush=True)
try:
    {question}
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
"""), "interrupted\n", question)

    def test_reading_is_interrupted(self):
        self.assertEqual(self.interrupted("""
import os, lockwood
text = "dpn { initial (a) rules { " + "".join(f"(a{i}) -- b --> (a{i + 1}) " for i in range(3000000)) + "} }"
print("ready", flush=True)
try:
    lockwood.parse(text)
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
"""), "interrupted\n")

    def test_a_timeout_raises(self):
        names = {}
        os.chdir(SOURCE)
        exec(SLOW, names)  # pylint: disable=exec-used
        names["model"].limit(timeout=0.3, max_states=10**9)
        with self.assertRaises(TimeoutError):
            names["slow"].automaton()

    def test_threads_may_ask_at_the_same_time(self):
        fig1 = model("fig1.dpn")
        counts = []
        threads = [threading.Thread(target=lambda: counts.append(fig1.init.post().count())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(counts, [27] * 8)


class Examples(unittest.TestCase):
    """Each script of docs/examples runs, and prints what docs/python.md says."""

    def test_the_examples_print_what_the_manual_says(self):
        with open(os.path.join(SOURCE, "docs/python.md"), encoding="utf-8") as page:
            text = page.read()
        scripts = sorted(glob.glob(os.path.join(SOURCE, "docs/examples/*.py")))
        self.assertGreaterEqual(len(scripts), 3)
        shown = dict(re.findall(r"\$ python3 docs/examples/(\S+\.py)\n(.*?)```", text, re.DOTALL))
        self.assertEqual(sorted(shown), [os.path.basename(script) for script in scripts])
        for script in scripts:
            result = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=SOURCE, check=False,
                                    env={**os.environ, "PYTHONPATH": PACKAGE}, timeout=PATIENCE)
            self.assertEqual((result.returncode, result.stderr), (0, ""), script)
            self.assertEqual(result.stdout, shown[os.path.basename(script)], script)


class Notebooks(unittest.TestCase):
    """Each notebook of docs/examples runs, and its outputs are those that it was saved with."""

    def test_the_cells_give_what_the_notebook_shows(self):
        notebooks = glob.glob(os.path.join(SOURCE, "docs/examples/*.ipynb"))
        self.assertTrue(notebooks)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(os.path.join(SOURCE, "docs/examples"))
        for path in notebooks:
            with open(path, encoding="utf-8") as file:
                notebook = json.load(file)
            self.assertEqual((notebook["nbformat"], notebook["metadata"]["kernelspec"]["name"]), (4, "python3"))
            cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
            self.assertGreater(len(cells), 5)
            names = {}
            for number, cell in enumerate(cells, 1):
                with self.subTest(path, cell=number):
                    self.assertEqual(cell["execution_count"], number)
                    printed, value = self.run_cell("".join(cell["source"]), names)
                    shown = {output["output_type"]: output for output in cell["outputs"]}
                    self.assertLessEqual(set(shown), {"stream", "execute_result"})
                    self.assertEqual(printed, "".join(shown.get("stream", {"text": []})["text"]))
                    text = shown.get("execute_result", {"data": {"text/plain": []}})["data"]["text/plain"]
                    self.assertEqual("" if value is None else repr(value), "".join(text))

    def run_cell(self, source, names):
        """What the cell prints, and the value of its last line."""
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        value = None
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "cell", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        return printed.getvalue(), value


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
