"""The installed tree: a project that uses the libraries, the manual pages, and the completions in their shells.

    install_test.py BUILD_DIRECTORY SOURCE_DIRECTORY COMPILER FLAGS [unittest arguments]

FLAGS are those that whoever links with the libraries must use, too: of sanitizers.
"""

import glob
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

BUILD, SOURCE = map(os.path.abspath, sys.argv[1:3])
COMPILER, FLAGS = sys.argv[3:5]
WORK = os.path.join(BUILD, "tests/installed")
ROOT = os.path.join(WORK, "root")
PREFIX = os.path.join(ROOT, "opt/lockwood")  # installed for /opt/lockwood, below DESTDIR


def call(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200, **options)
    if result.returncode != 0:
        raise AssertionError(f"{command}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def setUpModule():
    shutil.rmtree(WORK, ignore_errors=True)
    call("cmake", "--install", BUILD, "--prefix", "/opt/lockwood", env={**os.environ, "DESTDIR": ROOT})


class Tree(unittest.TestCase):
    def test_everything_is_in_its_place(self):
        for name in ("bin/lockwood", "bin/lockwood-verify", "include/lockwood/lockwood.hpp", "include/lockwood/solver/analyses/solve.hpp",
                     "include/lockwood/frontend/lw/parser.hpp", "share/man/man1/lockwood.1", "share/man/man1/lockwood-verify.1",
                     "share/bash-completion/completions/lockwood", "share/zsh/site-functions/_lockwood",
                     "share/fish/vendor_completions.d/lockwood.fish", "share/doc/lockwood/results.schema.json",
                     "share/lockwood/models/lang.models"):
            self.assertTrue(os.path.isfile(os.path.join(PREFIX, name)), name)
        # Nothing knows where it was built.
        for name in glob.glob(os.path.join(PREFIX, "lib*/**/cmake/lockwood/*.cmake"), recursive=True):
            with open(name, encoding="utf-8") as file:
                self.assertNotIn(SOURCE, file.read(), name)

    def build(self, project, folder):
        call("cmake", "-S", project, "-B", folder, f"-DCMAKE_PREFIX_PATH={PREFIX}",
             f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_CXX_FLAGS={FLAGS}")
        call("cmake", "--build", folder)

    def test_another_project_finds_and_uses_the_libraries(self):
        folder = os.path.join(WORK, "consumer")
        self.build(os.path.join(SOURCE, "tests/consumer"), folder)
        verdicts = call(os.path.join(folder, "consumer"), os.path.join(SOURCE, "models/fig1.dpn")).split()
        self.assertEqual(verdicts, ["reachable", "reachable", "reachable", "unreachable", "reachable", "unreachable",
                                    "reachable", "reachable", "unreachable"])

    def test_the_program_of_the_page_prints_what_the_page_says(self):
        """docs/installation.md: its first program and the project of it, as they stand there; no standard is set."""
        with open(os.path.join(SOURCE, "docs/installation.md"), encoding="utf-8") as file:
            page = file.read()
        project = os.path.join(WORK, "example")
        os.makedirs(project)
        for name, language, begin in (("main.cpp", "cpp", "#include <iostream>\n"),
                                      ("CMakeLists.txt", "cmake", "cmake_minimum_required")):
            block = next(block for block in re.findall(rf"(?ms)^```{language}\n(.*?)^```", page) if block.startswith(begin))
            self.assertNotIn("STANDARD", block)
            with open(os.path.join(project, name), "w", encoding="utf-8") as file:
                file.write(block)
        folder = os.path.join(WORK, "example-build")
        self.build(project, folder)
        program, argument, shown = re.search(r"(?m)^    \$ (account_races) (\S+)\n((?:    .*\n)+)", page).groups()
        text = call(os.path.join(folder, program), argument, cwd=SOURCE)
        self.assertEqual(text, re.sub("(?m)^    ", "", shown))


class Manual(unittest.TestCase):
    PAGES = os.path.join(PREFIX, "share/man/man1")

    def test_every_command_has_a_page_and_every_reference_leads_to_one(self):
        help_text = call(os.path.join(PREFIX, "bin/lockwood"), "--help")
        commands = re.findall(r"(?m)^  ([a-z]+) {2,}\w", help_text.split("General:")[0])
        self.assertIn("race", commands)
        pages = {name.removesuffix(".1") for name in os.listdir(self.PAGES)}
        self.assertLessEqual({f"lockwood-{name}" for name in commands}, pages)
        self.assertIn("lockwood-ta-union", pages)
        for page in pages:
            with open(os.path.join(self.PAGES, page + ".1"), encoding="ascii") as file:
                for name in re.findall(r"(?m)^\.BR (\S+) \(1\)", file.read()):
                    self.assertIn(name.replace("\\-", "-"), pages)

    def test_a_page_says_what_help_says(self):
        if not shutil.which("man"):
            self.skipTest("there is no man")
        text = call("man", "-l", os.path.join(self.PAGES, "lockwood-race.1"),
                    env={**os.environ, "MANWIDTH": "100", "MAN_KEEP_FORMATTING": "", "LC_ALL": "C.UTF-8"})
        text = " ".join(text.split())  # however its lines are filled
        for words in ("lockwood-race - which accesses", "lockwood race [OPTIONS] FILE", "--max-memory=SIZE", "EXIT STATUS",
                      "lockwood race models/bank-racy.lw", "SEE ALSO"):
            self.assertIn(words, text)

    def page(self, name):
        with open(os.path.join(self.PAGES, name + ".1"), encoding="ascii") as file:
            return file.read().replace("\\-", "-")

    def section(self, page, title):
        return re.search(rf"(?ms)^\.SH {title}\n(.*?)(?=^\.SH|\Z)", page).group(1)

    def test_every_variable_that_the_sources_ask_for_is_in_the_page_and_no_other(self):
        asked = {"TMPDIR"}  # asked for by std::filesystem::temp_directory_path()
        for room in ("base", "frontend", "jvm", "solver", "explorer", "treeauto", "dpn", "verify"):
            for path in glob.glob(os.path.join(SOURCE, room, "**/*.cpp"), recursive=True):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                asked |= set(re.findall(r'(?:getenv|environment)\("(\w+)"\)', text))
                asked |= set(re.findall(r'variable_name = "(\w+)"', text))
        told = set(re.findall(r"(?m)^\.TP\n\\fB(\w+)\\fR$", self.section(self.page("lockwood"), "ENVIRONMENT")))
        self.assertEqual(told, asked)

    def test_the_files_of_the_program_are_in_the_page(self):
        files = self.section(self.page("lockwood"), "FILES")
        for name in ("lockwood.json", "~/.config/lockwood/lockwood.json", "~/.local/state/lockwood/history", "FILE.partial",
                     "share/doc/lockwood"):
            self.assertIn(f"\\fB{name}\\fR", files)

    def test_the_checker_has_a_page_that_says_what_its_help_says(self):
        help_text = call(os.path.join(PREFIX, "bin/lockwood-verify"), "--help")
        page = self.page("lockwood-verify")
        options = set(re.findall(r"--[a-z-]+", help_text))
        self.assertLessEqual({"--json", "--timeout", "--max-memory", "--help"}, options)
        self.assertEqual(set(re.findall(r"--[a-z-]+", self.section(page, "OPTIONS"))), options)
        for words in re.findall(r"(?m)^  (?:MODEL|CERT|--json|--timeout|--max-memory)\b.*? {2,}(\S.*)$", help_text):
            self.assertIn(words, re.sub(r"\\f[BIR]", "", page))
        for status in re.findall(r"(\d\S*) (?=[a-z])", help_text.split("Exit status:")[1]):
            self.assertIn(f"\\fB{status}\\fR", self.section(page, "EXIT STATUS"))

    def test_formatters_have_nothing_to_complain_about(self):
        pages = sorted(glob.glob(self.PAGES + "/*.1"))
        checked = False
        for command in (["groff", "-man", "-Tutf8", "-ww", "-z"], ["mandoc", "-Tlint", "-Werror"]):
            if not shutil.which(command[0]):
                continue
            checked = True
            result = subprocess.run([*command, *pages], capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))
        if not checked:
            self.skipTest("there is no groff and no mandoc")


class Pages(unittest.TestCase):
    ROOT = os.path.join(PREFIX, "share/doc/lockwood")

    def test_no_link_of_an_installed_page_is_dead(self):
        pages = glob.glob(os.path.join(self.ROOT, "**/*.md"), recursive=True)
        self.assertGreater(len(pages), 20)
        links = 0
        for page in pages:
            with open(page, encoding="utf-8") as file:
                text = re.sub(r"(?ms)^```.*?^```$|`[^`\n]*`", "", file.read())
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                links += 1
                path = os.path.normpath(os.path.join(os.path.dirname(page), target.split("#")[0]))
                self.assertTrue(target.startswith("#") or os.path.exists(path), f"{page}: {target}")
                self.assertTrue((path + "/").startswith(self.ROOT + "/"), f"{page}: {target} is outside of the pages")
        self.assertGreater(links, 100)


class Completions(unittest.TestCase):
    def setUp(self):
        self.environment = {**os.environ, "PATH": os.path.join(PREFIX, "bin") + ":" + os.environ["PATH"],
                            "TERM": "dumb", "HOME": WORK, "XDG_CONFIG_HOME": os.path.join(WORK, "none")}

    def shell(self, name):
        if not shutil.which(name):
            self.skipTest(f"there is no {name}")
        return name

    def test_bash(self):
        script = ('source "$0"; COMP_WORDS=(lockwood race --exp); COMP_CWORD=2; _lockwood; echo "${COMPREPLY[@]}"; '
                  'complete -p lockwood')
        text = call(self.shell("bash"), "-c", script, os.path.join(PREFIX, "share/bash-completion/completions/lockwood"),
                    env=self.environment)
        self.assertEqual(text.split("\n")[0], "--explain")
        self.assertIn("-F _lockwood lockwood", text)

    def test_fish(self):
        def complete(line):
            script = f"source {PREFIX}/share/fish/vendor_completions.d/lockwood.fish; complete -C '{line}'"
            return call(self.shell("fish"), "--no-config", "-c", script, env=self.environment)
        self.assertRegex(complete("lockwood ra"), r"(?m)^race\t")
        self.assertRegex(complete("lockwood race --exp"), r"(?m)^--explain\t")
        self.assertRegex(complete("lockwood completions z"), r"(?m)^zsh")

    def test_zsh(self):
        """Completion works in a zsh that somebody types into, only: it loads the function from its path by itself."""
        shell = self.shell("zsh")
        main, terminal = pty.openpty()
        process = subprocess.Popen([shell, "-f", "-i"], stdin=terminal, stdout=terminal, stderr=terminal, cwd=SOURCE,
                                   env=self.environment, start_new_session=True)
        os.close(terminal)
        try:
            folder = os.path.join(PREFIX, "share/zsh/site-functions")
            os.write(main, (f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; "
                            "PS1='rea''dy '\n").encode())
            self.read_until(main, "ready ")
            os.write(main, b"lockwood race --expl\t\x15print do''ne\n")  # Ctrl-U takes the line back
            screen = self.read_until(main, "done")
            self.assertIn("lockwood race --explain", screen)
        finally:
            process.kill()
            process.wait()
            os.close(main)

    def read_until(self, terminal, word):
        screen = ""
        deadline = time.monotonic() + 600
        while word not in screen and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.2)[0]:
                screen += os.read(terminal, 4096).decode(errors="replace")
        self.assertIn(word, screen)
        return screen


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
