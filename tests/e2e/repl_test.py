"""End-to-end tests of `lockwood repl`: the dialogue on a pseudo-terminal, and scripts from a pipe.

    repl_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]
"""

import os
import pty
import re
import select
import signal
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_test import ENGINE_SLOW, FIG1, PROGRAM, SOURCE, Case, environment, run  # noqa: E402
from processor_time import PATIENCE, wait_until_it_works  # noqa: E402

PROMPT = "lockwood> "
FURTHER = "     ...> "
CTRL_C = "\x03"
CTRL_D = "\x04"
UP = "\x1b[A"

# Takes longer than anybody waits: g59(true) asks for true 2^60 times.
SLOW = ["let g0(p) = p & p", *(f"let g{i}(p) = g{i - 1}(p) & g{i - 1}(p)" for i in range(1, 60))]


def on_screen(text):
    """What a person sees of the text: a line that is begun anew covers what was there. Status lines, which appear when
    the machine is busy, leave no trace."""
    seen = []
    for line in text.split("\n"):
        shown, column = "", 0
        for piece in re.split("(\r|\x1b\\[K)", line):
            if piece == "\r":
                column = 0
            elif piece == "\x1b[K":
                shown = shown[:column]
            else:
                shown = shown[:column] + piece + shown[column + len(piece):]
                column += len(piece)
        seen.append(shown)
    return "\n".join(seen)


class Talk:
    """The program on a terminal of its own, which sends it signals as a real one does."""

    def __init__(self, *arguments, **changes):
        self.state = tempfile.TemporaryDirectory()
        changes.setdefault("XDG_STATE_HOME", self.state.name)
        self.child, self.main = pty.fork()
        if self.child == 0:
            os.chdir(SOURCE)
            os.execve(PROGRAM, [PROGRAM, "repl", "--color=never", *arguments],
                      environment(LC_ALL="C.UTF-8", HOME="/nowhere", **changes))
        self.screen = ""
        self.seen = 0
        self.result = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child is not None:
            os.kill(self.child, signal.SIGKILL)
        self.status()
        os.close(self.main)
        self.state.cleanup()

    def status(self):
        """The exit status, or minus the signal; the program must end by itself."""
        if self.child is not None:
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                self.read(0.02)
                pid, result = os.waitpid(self.child, os.WNOHANG)
                if pid != 0:
                    self.result = os.waitstatus_to_exitcode(result)
                    self.child = None
                    break
        return self.result

    def read(self, seconds):
        if not select.select([self.main], [], [], seconds)[0]:
            return
        try:
            self.screen += os.read(self.main, 65536).decode(errors="replace")
        except OSError:  # the other side is closed
            pass

    def type(self, text):
        os.write(self.main, text.encode())

    def expect(self, pattern):
        """Waits until the pattern is on the screen, behind what was expected before. Returns what came up to its end."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = re.compile(pattern).search(self.screen, self.seen)
            if found:
                text = self.screen[self.seen:found.end()]
                self.seen = found.end()
                return text
            self.read(0.05)
        raise AssertionError(f"no {pattern!r} in {self.screen[self.seen:]!r}")

    def ask(self, line):
        """Types the line at the prompt; returns what comes before the next one."""
        self.type(line + "\r")
        self.expect(r"\r\n")
        # What is typed before the line editor listens is shown twice: by the terminal, and by the editor.
        shown = on_screen(self.expect(re.escape(PROMPT))).removesuffix(PROMPT)
        return "".join(part for part in shown.splitlines(keepends=True) if part.strip() != line)

    def insist(self, line):
        """The same; again, as long as a time limit is in the way."""
        while "time limit" in (answer := self.ask(line)):
            pass
        return answer


class Dialogues(Case):
    def test_definitions_last_and_values_are_shown(self):
        with Talk(FIG1) as talk:
            greeting = talk.expect(re.escape(PROMPT))
            self.assertIn("rules", greeting)
            self.assertIn("help", greeting)
            self.assertEqual(talk.ask("let R = post*(init)").strip(), "")
            self.assertEqual(talk.ask("count(R)").strip(), "27")
            self.assertIn("fails", talk.ask("check empty(R & stand({s2}))"))
            self.assertEqual(talk.ask("check R == R").strip(), "holds")
            # What cannot be evaluated defines nothing, and what was defined before stays.
            self.assertIn("unknown name 'E'", talk.ask("let E = (init | E)"))
            self.assertIn("unknown name 'E'", talk.ask("check empty(E)"))
            self.assertIn("unknown name 'Nobody'", talk.ask("let R = Nobody"))
            self.assertEqual(talk.ask("count(R)").strip(), "27")
            talk.type("quit\r")
            # On a terminal what was asked for is the answer: nobody reads the status.
            self.assertEqual(talk.status(), 0)

    def test_the_dialogue_of_the_manual_goes_as_printed(self):
        with open(os.path.join(SOURCE, "docs/sets.md"), encoding="utf-8") as page:
            lines = re.search(r"(?m)^    \$ lockwood repl models/fig1.dpn\n((?:    .*\n)+)", page.read()).group(1)
        parts = [part.split("\n", 1) for part in re.sub("(?m)^    ", "", lines).split(PROMPT)[1:]]
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            for line, printed in parts:
                self.assertEqual(talk.ask(line).replace("\r", ""), printed, line)
        self.assertGreater(len(parts), 5)

    def test_errors_have_a_caret_and_lose_nothing(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            talk.ask("let W = stand({s2})")
            answer = talk.ask("let V = stand({s9})")
            self.assertIn("<stdin>:2:16: error: the model has no stack symbol 's9'", answer)
            self.assertRegex(answer, r"(?m)^ *\^")
            self.assertIn("error:", talk.ask("W )"))
            self.assertEqual(talk.ask("check W <= W").strip(), "holds")
            self.assertIn("absent.dpn", talk.ask('load "absent.dpn"'))
            self.assertEqual(talk.ask("check W <= W").strip(), "holds")

    def test_input_goes_on_while_a_bracket_or_a_block_is_open(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            talk.type("check empty(\r")
            talk.expect(re.escape(FURTHER))
            talk.type("init - init\r")
            talk.expect(re.escape(FURTHER))
            self.assertIn("holds", talk.ask(")"))
            talk.type("for s in {s1, s2} {\r")
            talk.expect(re.escape(FURTHER))
            talk.type("empty(stand({s}))\r")
            talk.expect(re.escape(FURTHER))
            answer = talk.ask("}")
            self.assertIn("[s = s1]", answer)
            self.assertIn("[s = s2]", answer)
            # A blank line ends what was begun in error.
            talk.type("let A = (\r")
            talk.expect(re.escape(FURTHER))
            self.assertIn("error:", talk.ask(""))

    def test_tab_completes_what_fits(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            talk.ask("let generated = init")
            talk.type("check member(wit\t")
            talk.expect("wit.*ness")
            talk.type("(gen\t")
            talk.expect("gen.*erated")
            self.assertIn("holds", talk.ask("), generated)"))
            # Two fit: both are shown, and the line is still there.
            talk.type("empty(stand({s\t")
            talk.expect("s1  s2\r\n")
            self.assertIn("false", talk.ask("1}))"))
            talk.type("let A = post*(init, avoiding {spa\t")
            talk.expect("spa.*wnQ")
            talk.ask("})")
            talk.type('load "models/fig1.d\t')
            talk.expect("pn")
            talk.ask('"')
            talk.type("help po\t")
            talk.expect(r"st\*")
            self.assertIn("go on", talk.ask(""))

    def test_interrupting_a_computation_keeps_the_definitions(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            for line in SLOW:
                talk.ask(line)
            talk.ask("let R = post*(init)")
            for _ in range(3):  # as often as one likes
                talk.type("check g59(true)\r")
                talk.expect(r"\r\n")
                wait_until_it_works(talk.child)
                talk.type(CTRL_C)
                answer = talk.expect(re.escape(PROMPT))
                self.assertIn("unknown", answer)
                self.assertIn("interrupted", answer)
                self.assertEqual(talk.ask("count(R)").strip(), "27")
            talk.type(CTRL_D)
            self.assertEqual(talk.status(), 0)

    def test_interrupting_an_operation_on_automata(self):
        with Talk("models/twenty-locks.lw", "--max-states=100000000") as talk:
            talk.expect(re.escape(PROMPT))
            talk.ask("let two = threads >= 2")
            talk.type("states(post*(init))\r")
            talk.expect(r"\r\n")
            wait_until_it_works(talk.child)
            talk.type(CTRL_C)
            self.assertIn("interrupted", talk.expect(re.escape(PROMPT)))
            self.assertEqual(talk.ask("empty(two - two)").strip(), "true")

    def test_interrupting_the_engine(self):
        with Talk("models/twenty-locks.lw") as talk:
            talk.expect(re.escape(PROMPT))
            talk.ask("let two = threads >= 2")
            for line in ENGINE_SLOW[:-1]:
                talk.type(line + "\r")
                talk.expect(re.escape(FURTHER))
            talk.type(ENGINE_SLOW[-1] + "\r")
            talk.expect(r"\r\n")
            wait_until_it_works(talk.child)
            talk.type(CTRL_C)
            answer = talk.expect(re.escape(PROMPT))
            self.assertIn("unknown", answer)
            self.assertIn("interrupted", answer)
            self.assertEqual(talk.ask("empty(two - two)").strip(), "true")

    def test_a_file_that_cannot_be_written_loses_nothing(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            talk.ask("let R = post*(init)")
            for statement in ('save R "/absent/a.tmb"', 'dot(R) "/absent/a.dot"'):
                answer = talk.ask(statement)
                self.assertIn("error: this cannot be written: /absent/a.", answer)
                self.assertRegex(answer, r"(?m)^ *\^")
            self.assertEqual(talk.ask("count(R)").strip(), "27")

    def test_places_of_a_program_are_completed(self):
        with Talk("docs/examples/counter.lw") as talk:
            talk.expect(re.escape(PROMPT))
            talk.type('empty(stand({"worker:11 [c\t')
            talk.expect(r'areful\]"')
            self.assertIn("false", talk.ask("}))"))
            talk.type("empty(stand({worker\t")
            talk.expect(":1$")
            talk.type("1 [!\t")
            talk.expect(r'careful\]"')
            self.assertIn("false", talk.ask("}))"))
            talk.type("empty(stand({unsa\t")
            talk.expect("unsa.*fe")
            self.assertIn("false", talk.ask("}))"))

    def test_a_recalled_input_has_its_lines(self):
        with tempfile.TemporaryDirectory() as state:
            with Talk(FIG1, XDG_STATE_HOME=state) as talk:
                talk.expect(re.escape(PROMPT))
                talk.type("check empty( // a remark\r")
                talk.expect(re.escape(FURTHER))
                self.assertIn("holds", talk.ask("init - init)"))
                talk.type(UP)
                talk.expect(r"check empty\( // a remark")
                self.assertIn("holds", talk.ask(""))
                self.assertIn("<stdin>:5:7: error", talk.ask("check tru"))
                talk.type(CTRL_D)
                talk.status()
            with Talk(FIG1, XDG_STATE_HOME=state) as talk:
                talk.expect(re.escape(PROMPT))
                talk.type(UP + UP)
                talk.expect(r"// a remark")
                self.assertIn("holds", talk.ask(""))

    def test_in_loops_each_result_names_its_statement(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            answer = talk.ask("for s in {s1} { check true; size(init) }")
            self.assertIn("check true [s = s1]: holds", answer)
            self.assertIn("size(init) [s = s1]: 1", answer)
            self.assertIn("quit", talk.ask("exit"))
            self.assertEqual(talk.ask("check true").strip(), "holds")

    def test_progress_is_that_of_the_input(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            for line in SLOW:
                talk.ask(line)
            time.sleep(2.5)
            begin = time.monotonic()
            talk.type("check g59(true)\r")
            shown = talk.expect(r"computing, \d+\.\d s")
            self.assertLess(float(shown.split()[-2]), time.monotonic() - begin + 0.1)
            talk.type(CTRL_C)
            talk.expect(re.escape(PROMPT))

    def test_a_time_limit_is_one_of_each_input(self):
        with Talk(FIG1, "--timeout=300ms") as talk:
            talk.expect(re.escape(PROMPT))
            for line in SLOW:
                self.assertEqual(talk.insist(line).strip(), "")
            for _ in range(2):
                self.assertIn("time limit reached", talk.ask("check g59(true)"))
            self.assertEqual(talk.insist("check true").strip(), "holds")

    def test_what_is_quick_shows_no_status(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            for line in SLOW:
                talk.ask(line)
            talk.type("check g59(true)\r")
            talk.expect("computing")  # from here on somebody looks five times a second
            talk.type(CTRL_C)
            talk.expect(re.escape(PROMPT))
            for _ in range(200):
                begin = time.monotonic()
                talk.type("check true\r")
                shown = talk.expect(re.escape(PROMPT))
                if time.monotonic() - begin < 0.4:  # by then it cannot have taken half a second
                    self.assertNotIn("computing", shown)

    def test_at_the_prompt_control_c_drops_the_line_and_control_d_leaves(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            talk.type("check false")
            talk.expect("false")
            talk.type(CTRL_C)
            talk.expect(re.escape(PROMPT))
            self.assertEqual(talk.ask("check true").strip(), "holds")
            talk.type("check (\r")
            talk.expect(re.escape(FURTHER))
            talk.type(CTRL_C)
            talk.expect(re.escape(PROMPT))
            self.assertEqual(talk.ask("check true").strip(), "holds")
            talk.type(CTRL_D)
            self.assertEqual(talk.status(), 0)

    def test_history_is_kept_from_one_dialogue_to_the_next(self):
        with tempfile.TemporaryDirectory() as state:
            with Talk(FIG1, XDG_STATE_HOME=state) as talk:
                talk.expect(re.escape(PROMPT))
                talk.ask("count(post*(init), nodes = 3)")
                talk.type(CTRL_D)
                talk.status()
            self.assertEqual(os.listdir(os.path.join(state, "lockwood")), ["history"])
            with Talk(FIG1, XDG_STATE_HOME=state) as talk:
                talk.expect(re.escape(PROMPT))
                talk.type(UP)
                talk.expect(r"count\(post\*\(init\), nodes = 3\)")
                self.assertRegex(talk.ask(""), r"\d")

    def test_a_signal_ends_it_as_it_ends_the_others(self):
        with Talk(FIG1) as talk:
            talk.expect(re.escape(PROMPT))
            os.kill(talk.child, signal.SIGTERM)
            self.assertEqual(talk.status(), 128 + signal.SIGTERM)

    def test_a_dumb_terminal_will_do(self):
        with Talk(FIG1, TERM="dumb") as talk:
            talk.expect(re.escape(PROMPT))
            self.assertEqual(talk.ask("check true").strip(), "holds")
            talk.type("check fal" + CTRL_C)
            talk.expect(re.escape(PROMPT))
            self.assertEqual(talk.ask("check true").strip(), "holds")
            talk.type(CTRL_D)
            self.assertEqual(talk.status(), 0)


def repl(script, *arguments):
    return run("repl", *arguments, stdin=script)


class Scripts(Case):
    def test_without_a_terminal_lines_are_a_script(self):
        result = repl("let R = post*(init)\nfor s in {s1} {\n  check empty(R & stand({s}))\n}\ncount(R)\n", FIG1)
        self.assertEqual(result.returncode, 1)
        self.assertNotIn(PROMPT, result.stdout)
        self.assertRegex(result.stdout, r"(?s)^check empty\(R & stand\(\{s\}\)\) \[s = s1\]: fails\n.*count\(R\): 27\n$")
        self.assertEqual(repl("check true\n", FIG1).returncode, 0)
        wrong = repl("check true\n\ncheck tru\ncheck true\n", FIG1)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("<stdin>:3:7: error: unknown name 'tru'", wrong.stderr)
        self.assertEqual(wrong.stdout.count("holds"), 2)
        self.assertIn("error:", repl("check (", FIG1).stderr)
        self.assert_refused(repl("check true\n", "absent.dpn"), "absent.dpn")
        self.assert_refused(repl("", "-"), "standard input")

    def test_help_is_about_every_construct(self):
        overview = repl("help\n").stdout
        for form in ('load "FILE"', "post*(S, nolocks)", "S & T, S | T, S - T, ~S", "help CONSTRUCT"):
            self.assertIn(form, overview)
        for topic in ("load", ";", "//", "union", "post*", "pre*", "enumerate", "..", "vars", "svg", "&", "~", "stand", "nolocks", "symbols", "<=", "help", "quit"):
            result = repl(f"help {topic}\n")
            self.assertEqual((result.returncode, result.stderr), (0, ""), topic)
            self.assertIn(topic, result.stdout)
        self.assertIn("post*(init, nolocks)", repl("help ~\n").stdout)
        unknown = repl("help stant\n")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("did you mean 'stand'", unknown.stderr)

    def test_the_manual_says_what_help_says(self):
        with open(os.path.join(SOURCE, "docs/sets.md"), encoding="utf-8") as page:
            reference = page.read().split("## Statements\n")[1].split("## Two ways\n")[0]
        rows = [row for row in re.findall(r"(?m)^\| (.*?) \| (.*) \|$", reference) if row[1] and row[0] != "---"]
        rows = [(form, meaning) for form, meaning in rows if form.startswith("`")]

        def plain(text):
            return text.replace("`", "").replace("\\|", "|")
        forms = [line[2:] for line in repl("help\n").stdout.split("in this dialogue:")[0].splitlines()
                 if line.startswith("  ")]
        self.assertEqual([plain(form) for form, _ in rows], forms)
        topics = {word for form, _ in rows for word in re.findall(r"[a-z]+\*?|[&~{;]|//|\.\.|[<=>!]=", plain(form))}
        told = "".join(repl("".join(f"help {topic}\n" for topic in sorted(topics))).stdout)
        for form, meaning in rows:
            self.assertIn(f"{plain(form)}\n    {plain(meaning)}\n", told)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
