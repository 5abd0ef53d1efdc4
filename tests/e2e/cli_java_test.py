"""Java programs on the command line: what `show` tells about them, and what other commands say.

    cli_java_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

What needs a compiler is skipped where there is no javac.
"""

import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import jsonschema

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
PATIENCE = 300
HAS_JAVAC = shutil.which("javac") is not None

with open(os.path.join(SOURCE, "docs/results.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)

WORKER = """
package app;

public class Worker extends Thread {
  private final Object lock = new Object();
  private static int counter;

  public static synchronized void count() { counter++; }

  public void run() {
    synchronized (lock) {
      synchronized (Worker.class) {
        counter++;
      }
    }
  }

  static class Inner {
    int twice(int x) { return 2 * x; }
    long twice(long x) { return 2 * x; }
  }
}
"""
MAIN = """
package app;

public class Main {
  public static void main(String[] arguments) {
    new Worker().start();
    new Thread(() -> Worker.count()).start();
    java.util.concurrent.Executors.newCachedThreadPool().submit(() -> Worker.count());
    Helper.help();
  }
}
"""
HELPER = "package app; class Helper { static void help() { } }"


def run(*arguments, environment=None, cwd=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False,
                          env=environment, cwd=cwd)


def without_jdk():
    """An environment in which no JDK is found."""
    kept = {key: value for key, value in os.environ.items() if key != "JAVA_HOME"}
    return kept | {"PATH": "/nowhere"}


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def small_class(name):
    """A class file without members."""
    def text(value):
        return b"\1" + struct.pack(">H", len(value)) + value
    constants = [text(name.encode()), b"\7\0\1", text(b"java/lang/Object"), b"\7\0\3"]
    return (struct.pack(">IHHH", 0xCAFEBABE, 0, 52, len(constants) + 1) + b"".join(constants)
            + struct.pack(">HHHHHHH", 0x21, 2, 4, 0, 0, 0, 0))


class WithFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = os.path.realpath(temporary.name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def assert_refused(self, result, *words):
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def report(self, *arguments, **options):
        result = run("show", *arguments, "--json", **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        jsonschema.validate(document, SCHEMA)
        return document["report"]


class WithoutCompiler(WithFolder):
    def test_a_folder_and_a_jar_of_class_files(self):
        write(self.path("classes/p/A.class"), small_class("p/A"))
        with zipfile.ZipFile(self.path("a.jar"), "w") as jar:
            jar.writestr("p/A.class", small_class("p/A"))
        for name in ("classes", "a.jar"):
            program = self.report(self.path(name), environment=without_jdk())["program"]
            self.assertEqual((program["classes"], program["methods"], program["jdk"]), (1, 0, "none"))

    def test_without_a_jdk_a_note_tells_how_to_name_one(self):
        write(self.path("classes/p/A.class"), small_class("p/A"))
        result = run("show", self.path("classes"), environment=without_jdk())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--jdk=DIR", result.stderr)

    def test_commands_that_follow_values_say_that_they_do_not_read_java(self):
        write(self.path("classes/p/A.class"), small_class("p/A"))
        with zipfile.ZipFile(self.path("a.jar"), "w") as jar:
            jar.writestr("p/A.class", small_class("p/A"))
        for command in (["explore"], ["repro"]):
            for name in ("classes", "a.jar"):
                with self.subTest(command=command, name=name):
                    self.assert_refused(run(*command, self.path(name)), f"'lockwood {command[0]}' does not read these")

    def test_options_of_java_programs_are_known_by_name(self):
        for option in (["--main", "p.A"], ["-cp", "x.jar"], ["--jdk=/nowhere"]):
            self.assert_refused(run("gen", "chain", *option), option[0].split("=")[0].replace("-cp", "--class-path"),
                                "about Java programs")

    def test_a_program_without_main_is_refused(self):
        write(self.path("classes/p/A.class"), small_class("p/A"))
        for command in ("race", "deadlock", "mhp", "guards", "lower"):
            self.assert_refused(run(command, self.path("classes")), "main")

    def test_a_folder_of_jars_gets_a_hint(self):
        write(self.path("lib/b.jar"), "")
        write(self.path("lib/a.jar"), "")
        self.assert_refused(run("show", self.path("lib")), "no class in it, but 2 jars", self.path("lib/a.jar"), "-cp")

    def test_options_belong_to_models_or_to_java_programs(self):
        write(self.path("classes/p/A.class"), small_class("p/A"))
        self.assert_refused(run("show", self.path("classes"), "--dot"), "Java program", "--dot")
        model = os.path.join(SOURCE, "models/fig1.dpn")
        for option in (["--monitors"], ["--ir=a.B"], ["-cp", "x.jar"], ["--jdk=/nowhere"]):
            self.assert_refused(run("show", model, *option), "not a Java program")

    def test_bad_input_is_refused_with_a_word(self):
        os.mkdir(self.path("empty"))
        write(self.path("text.jar"), "no archive")
        write(self.path("lib/b.jar"), "")
        write(self.path("A.class"), small_class("A"))
        self.assert_refused(run("show", self.path("absent.jar")), "absent.jar", "No such file")
        self.assert_refused(run("show", self.path("text.jar")), "text.jar", "is not a zip archive")
        self.assert_refused(run("show", self.path("empty")), "is a directory")
        self.assert_refused(run("show", self.path("A.class")), "a single class")
        write(self.path("classes/p/A.class"), small_class("p/A"))
        self.assert_refused(run("show", self.path("classes"), "--jdk", self.path("empty")), "this is not a JDK")
        self.assert_refused(run("show", self.path("classes"), "--ir=p.B.m"), "there is no class 'p.B'", "p.A")

    def test_broken_classes_are_left_out_with_a_warning(self):
        write(self.path("classes/p/A.class"), small_class("p/A"))
        write(self.path("classes/p/B.class"), small_class("p/B")[:40])
        write(self.path("classes/q/C.class"), small_class("r/C"))
        result = run("show", self.path("classes"), "--json")
        self.assertEqual(result.returncode, 0)
        program = json.loads(result.stdout)["report"]["program"]
        self.assertEqual((program["classes"], program["classes_left_out"]), (1, 2))
        self.assertIn("class p.B is left out", result.stderr)
        self.assertIn("class r.C is where class q.C should be", result.stderr)

    def test_class_path_entries_that_are_missing_are_warned_of(self):
        write(self.path("classes/p/A.class"), small_class("p/A"))
        write(self.path("more/q/B.class"), small_class("q/B"))
        result = run("show", self.path("classes"), "-cp", f"{self.path('none.jar')}:{self.path('more')}", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("none.jar", result.stderr)
        self.assertEqual(json.loads(result.stdout)["report"]["program"]["classes"], 2)


@unittest.skipUnless(HAS_JAVAC, "there is no javac")
class WithCompiler(WithFolder):
    def setUp(self):
        super().setUp()
        for name, text in (("Worker", WORKER), ("Main", MAIN), ("Helper", HELPER)):
            write(self.path(f"src/app/{name}.java"), text)
        self.classes = self.path("classes")
        subprocess.run(["javac", "-g", "-d", self.classes, *glob.glob(self.path("src/app/*.java"))], check=True)

    def jar(self, name, manifest="", leave_out=()):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as jar:
            jar.writestr("META-INF/MANIFEST.MF", manifest)
            for file in sorted(glob.glob(self.path("classes/app/*.class"))):
                if os.path.basename(file) not in leave_out:
                    jar.write(file, "app/" + os.path.basename(file))
        return path

    def test_what_is_in_a_program(self):
        report = self.report(self.jar("app.jar", "Main-Class: app.Main\n"))
        program = report["program"]
        self.assertEqual(program["classes"], 4)
        self.assertEqual((program["synchronized_methods"], program["monitor_enters"]), (1, 2))
        self.assertEqual(report["mains"], [{"class": "app.Main", "archive": self.path("app.jar"),
                                            "named_by_manifest": True}])
        self.assertEqual([start["by"] for start in report["starts"]],
                         ["java.lang.Thread.start", "java.lang.Thread.start",
                          "java.util.concurrent.ExecutorService.submit"])
        self.assertEqual([start["at"] for start in report["starts"]], ["Main.java:6", "Main.java:7", "Main.java:8"])
        self.assertNotIn("missing", report)

    def test_counts_are_the_same_without_a_jdk(self):
        with_jdk = self.report(self.classes)
        without = self.report(self.classes, environment=without_jdk())
        for key in ("classes", "methods", "instructions", "thread_starts", "missing_classes", "jdk_classes_used"):
            self.assertEqual(with_jdk["program"][key], without["program"][key], key)

    def test_missing_classes_are_told(self):
        report = self.report(self.jar("app.jar", leave_out=("Helper.class",)))
        self.assertEqual(report["missing"], [{"class": "app.Helper", "users": 1, "first_user": "app.Main"}])

    def test_classes_come_from_the_class_path_and_from_manifests(self):
        self.jar("lib/helper.jar", leave_out=("Main.class", "Worker.class", "Worker$Inner.class"))
        app = self.jar("app.jar", "Class-Path: lib/helper.jar\n", leave_out=("Helper.class",))
        self.assertNotIn("missing", self.report(app))
        plain = self.jar("plain.jar", leave_out=("Helper.class",))
        for entry in ("lib/helper.jar", "lib/*", "classes"):
            report = self.report(plain, "-cp", self.path(entry))
            self.assertNotIn("missing", report)
        self.assertEqual(report["program"]["duplicate_classes"], 3)
        self.assertEqual(report["duplicates"][0]["used"], plain)

    def test_monitors_are_listed(self):
        report = self.report(self.classes, "--monitors")
        self.assertEqual(report["monitor_counts"], {"synchronized_methods": 1, "regions": 2, "ignored": 0,
                                                    "unstructured_methods": 0})
        rows = {(row["kind"], row["at"], row["depth"]): row for row in report["monitors"]}
        self.assertEqual(rows[("method", "Worker.java:8", 0)]["object"], "class app.Worker")
        self.assertIn("lock", rows[("region", "Worker.java:11", 0)]["object"])
        self.assertIn("app/Worker", rows[("region", "Worker.java:12", 1)]["object"])

    def test_the_code_of_methods_is_shown_with_lines(self):
        def code(name):
            result = run("show", self.classes, f"--ir={name}")
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout
        self.assertIn("monitorenter", code("app.Worker.run"))
        self.assertIn("line 12", code("app.Worker.run"))
        both = code("app.Worker.Inner.twice")
        self.assertEqual(both.count("twice"), 2)
        self.assertEqual(code("app.Worker.Inner.twice( long )").count("twice"), 1)
        self.assertIn("<init>", code("app.Main"))
        self.assertEqual(code("app.Worker.run"), code("app.Worker.run"))

    def test_names_that_are_not_there_get_a_suggestion(self):
        def refused(name, *words):
            self.assert_refused(run("show", self.classes, f"--ir={name}"), *words)
        refused("app.Worker.rum", "has no method 'rum'", "did you mean 'run'?")
        refused("app.Worcer.run", "there is no class 'app.Worcer'", "app.Worker")
        refused("app.Worker.Inner.twice(char)", "(int), (long)")
        refused("run", "there is no class 'run'")

    def test_a_jar_in_a_jar_is_read(self):
        inner = self.jar("inner.jar")
        with zipfile.ZipFile(self.path("boot.jar"), "w") as boot:
            boot.writestr("META-INF/MANIFEST.MF", "Main-Class: launch.Launcher\nStart-Class: app.Main\n")
            boot.write(inner, "BOOT-INF/lib/inner.jar")
            boot.writestr("BOOT-INF/classes/p/A.class", small_class("p/A"))
        report = self.report(self.path("boot.jar"))
        self.assertEqual(report["program"]["classes"], 5)
        self.assertEqual([row["archive"] for row in report["archives"]],
                         [self.path("boot.jar"), self.path("boot.jar") + "!/BOOT-INF/lib/inner.jar"])
        self.assertEqual(report["mains"][0]["named_by_manifest"], True)

    def counted_by_javap(self, classes):
        """Instructions, and those that enter a monitor."""
        text = subprocess.run(["javap", "-c", "-p", *classes], check=True, capture_output=True, text=True).stdout
        opcodes = re.findall(r"^ +[0-9]+: ([a-z]\w*)", text, re.MULTILINE)
        return len(opcodes), opcodes.count("monitorenter")

    def test_the_traps_are_shown(self):
        sources = sorted(glob.glob(os.path.join(SOURCE, "models/java/T*.java")))
        self.assertEqual(len(sources), 50)
        subprocess.run(["javac", "-g", "-nowarn", "-d", self.path("traps"), *sources], check=True, capture_output=True)
        report = self.report(self.path("traps"))
        self.assertEqual((report["program"]["classes_left_out"], report["program"]["missing_classes"]), (0, 0))
        with_main = 0
        for source in sources:
            with open(source, encoding="utf-8") as file:
                with_main += "void main(String" in file.read()
        self.assertEqual(report["program"]["main_classes"], with_main)
        instructions, enters = self.counted_by_javap(glob.glob(self.path("traps/*.class")))
        self.assertEqual((report["program"]["instructions"], report["program"]["monitor_enters"]),
                         (instructions, enters))
        monitors = self.report(self.path("traps"), "--monitors")
        self.assertEqual(monitors["monitor_counts"]["regions"], report["program"]["monitor_enters"])

    def test_answers_are_the_same_each_time(self):
        for options in ([], ["--monitors"], ["--ir=app.Worker"]):
            first, second = (run("show", self.classes, *options, "--json").stdout for _ in range(2))
            self.assertEqual(first, second)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
