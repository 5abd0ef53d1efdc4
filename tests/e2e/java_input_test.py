"""Java programs as users have them: sources, folders and jars, their places and fields, assumptions, suppressions,
baselines, and libraries without a main.

    java_input_test.py PROGRAM SOURCE_DIRECTORY [unittest arguments]

All of it is skipped where there is no javac.
"""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

import jsonschema

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
MODELS = os.path.join(SOURCE, "models/java")
PATIENCE = 300

with open(os.path.join(SOURCE, "docs/results.schema.json"), encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)

COUNTER = """package shop;

public class Counter {
  int hits;
  static int total;

  void hit() {
    hits++;
    total++;
  }

  static class Inner {
    static int deep;
  }

  public static void main(String[] arguments) {
    Counter counter = new Counter();
    new Thread(counter::hit).start();
    Inner.deep = 1;
    counter.hit();
  }
}
"""
GAP = """public class Gap {
  static int x;
  public static void main(String[] arguments) throws Exception {
    Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
    Thread t = new Thread(() -> { x = 2; });
    t.start();
    t.join();
    x = 1;
  }
}
"""
OTHER = "package shop; public class Other { public static void main(String[] arguments) { Counter.total = 1; } }"


def run(*arguments, cwd=None, environment=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=cwd,
                          env=environment)


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)


def javac(*arguments):
    subprocess.run(["javac", "-nowarn", *arguments], check=True, capture_output=True)


@unittest.skipIf(shutil.which("javac") is None, "there is no javac")
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

    def document(self, *arguments, status=None, **options):
        result = run(*arguments, "--json", **options)
        self.assertIn(result.returncode, (0, 1) if status is None else (status,), result.stderr)
        document = json.loads(result.stdout)
        jsonschema.validate(document, SCHEMA)
        return document

    def races(self, *arguments, **options):
        return [finding for finding in self.document("race", *arguments, **options)["findings"]
                if finding["verdict"] == "race"]

    def fields(self, *arguments, **options):
        return sorted({finding["subject"] for finding in self.races(*arguments, **options)})

    def compiled(self, sources, *options):
        """A folder of classes, with the sources beside them."""
        for name, text in sources.items():
            write(self.path("src/" + name), text)
        javac("-g", "-d", self.path("classes"), *options, *(self.path("src/" + name) for name in sources))
        return self.path("classes")

    def jar(self, name, folder, main=None):
        with zipfile.ZipFile(self.path(name), "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", f"Main-Class: {main}\n" if main else "")
            for path in sorted(glob.glob(folder + "/**/*.class", recursive=True)):
                jar.write(path, os.path.relpath(path, folder))
        return self.path(name)


class Sources(WithFolder):
    def test_a_source_is_compiled_with_what_it_needs(self):
        write(self.path("src/shop/Counter.java"), COUNTER)
        write(self.path("src/shop/Other.java"), OTHER)
        # Other has a main, too; the source that was named is meant.
        self.assertEqual(self.fields(self.path("src/shop/Counter.java")),
                         ["shop.Counter.hits", "shop.Counter.total"])
        self.assertEqual(self.fields(self.path("src/shop/Other.java")), [])
        finding = next(each for each in self.races("shop/Counter.java", cwd=self.path("src"))
                       if each["subject"] == "shop.Counter.hits")
        self.assertEqual(finding["sites"][0]["at"]["file"], "shop/Counter.java")
        self.assertIn("hits", finding["sites"][0]["at"]["text"])

    def test_a_folder_of_sources(self):
        write(self.path("src/shop/Counter.java"), COUNTER)
        self.assertEqual(self.fields(self.path("src")), ["shop.Counter.hits", "shop.Counter.total"])

    def test_errors_of_the_compiler_are_shown(self):
        write(self.path("Bad.java"), "public class Bad {\n  int x = y;\n}\n")
        self.assert_refused(run("race", self.path("Bad.java")), "Bad.java:2", "cannot find symbol", "int x = y;", "-cp")

    def test_nothing_is_left_behind(self):
        write(self.path("Bad.java"), "public class Bad { int x = y; }")
        write(self.path("Counter.java"), COUNTER.replace("package shop;", ""))
        os.mkdir(self.path("tmp"))
        environment = os.environ | {"TMPDIR": self.path("tmp")}
        run("race", self.path("Bad.java"), environment=environment)
        run("race", self.path("Counter.java"), environment=environment)
        # The compiler is a script that waits: so a signal comes while it runs.
        write(self.path("jdk/bin/javac"), "#!/bin/sh\ntouch " + self.path("started") + "\nsleep 60\n")
        os.chmod(self.path("jdk/bin/javac"), 0o755)
        with subprocess.Popen([PROGRAM, "race", self.path("Counter.java")], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=environment | {"JAVA_HOME": self.path("jdk")}) as process:
            while not os.path.exists(self.path("started")):
                self.assertIsNone(process.poll())
                time.sleep(0.02)
            process.send_signal(signal.SIGTERM)
            self.assertNotEqual(process.wait(PATIENCE), 0)
        self.assertEqual([name for name in os.listdir(self.path("tmp")) if name.startswith("lockwood")], [])

    def test_without_a_compiler(self):
        write(self.path("Counter.java"), COUNTER)
        kept = {key: value for key, value in os.environ.items() if key != "JAVA_HOME"}
        self.assert_refused(run("race", self.path("Counter.java"), environment=kept | {"PATH": "/nowhere"}),
                            "no javac", "--jdk=DIR")
        self.assert_refused(run("race", self.path("absent.java")), "absent.java")


class BadInput(WithFolder):
    def test_mains(self):
        classes = self.compiled({"shop/Counter.java": COUNTER, "shop/Other.java": OTHER})
        self.assert_refused(run("race", classes), "2 classes have a main: shop.Counter, shop.Other", "--main=CLASS")
        self.assert_refused(run("race", classes, "--main=shop.Countre"), "no class 'shop.Countre'",
                            "did you mean 'shop.Counter'?")
        self.assert_refused(run("race", classes, "--main=shop.Counter.Inner"), "no method 'public static void main")
        self.assertEqual(self.fields(classes, "--main=shop.Counter"), ["shop.Counter.hits", "shop.Counter.total"])
        self.assertEqual(self.fields(self.jar("app.jar", classes, "shop.Counter")),
                         ["shop.Counter.hits", "shop.Counter.total"])
        os.remove(self.path("classes/shop/Other.class"))
        os.remove(self.path("classes/shop/Counter.class"))
        self.assert_refused(run("race", classes), "no class has a method", "--library=CLASS")

    def test_classes_without_lines(self):
        write(self.path("src/shop/Counter.java"), COUNTER)
        javac("-g:none", "-d", self.path("classes"), self.path("src/shop/Counter.java"))
        result = run("race", self.jar("app.jar", self.path("classes"), "shop.Counter"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("do not tell lines", result.stderr)
        self.assertIn("javac -g", result.stderr)
        self.assertIn("race on shop.Counter.hits", result.stdout)

    def test_a_source_that_is_newer_than_its_class(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        quiet = run("race", classes, "--source-path", self.path("src"))
        self.assertNotIn("newer", quiet.stderr)
        later = time.time() + 100
        os.utime(self.path("src/shop/Counter.java"), (later, later))
        for program in (classes, self.jar("app.jar", classes, "shop.Counter")):
            result = run("race", program, "--source-path", self.path("src"))
            self.assertEqual(result.stdout.count("race on"), quiet.stdout.count("race on"))
            self.assertIn("Counter.java: warning: is newer than its class", result.stderr)

    def test_missing_sources_cost_excerpts_only(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        without = run("race", classes, cwd=self.folder)
        with_sources = run("race", classes, "--source-path=src", cwd=self.folder)
        self.assertNotIn("hits++;", without.stdout)
        self.assertIn("hits++;", with_sources.stdout)
        ids = re.compile(r"id [0-9a-f]{12}")
        self.assertEqual(ids.findall(without.stdout), ids.findall(with_sources.stdout))

    def test_the_surroundings(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        result = run("race", classes, "-cp", self.path("none.jar"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("none.jar", result.stderr)
        self.assertIn("left out", result.stderr)
        os.mkdir(self.path("empty"))
        self.assert_refused(run("race", classes, "--jdk", self.path("empty")), "not a JDK")
        write(self.path("broken/lib/modules"), "no image")
        self.assert_refused(run("race", classes, "--jdk", self.path("broken")), "broken/lib/modules")


class Assumptions(WithFolder):
    def test_gaps_are_said(self):
        write(self.path("Gap.java"), GAP)
        result = run("race", self.path("Gap.java"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no races, except for 2 gaps", result.stdout)
        self.assertIn("--verbose lists them", result.stderr)
        self.assertIn("gap: ", run("race", self.path("Gap.java"), "--verbose").stderr)

    def test_reports_have_them(self):
        write(self.path("Gap.java"), GAP)
        document = self.document("race", self.path("Gap.java"), "--explain", "--sarif", self.path("x.sarif"), "--html",
                                 self.path("x.html"))
        gaps = [each for each in document["report"]["assumptions"] if each["kind"] == "gap"]
        self.assertEqual([gap["place"].split(", ")[-1] for gap in gaps], ["Gap.java:4", "Gap.java:4"])
        self.assertEqual(document["report"]["summary"]["gaps"], 2)
        self.assertEqual(document["report"]["summary"]["assumptions"], len(document["report"]["assumptions"]))
        excluded = [finding for finding in document["findings"] if finding["verdict"] == "no race"]
        self.assertTrue(excluded)
        for finding in excluded:
            self.assertEqual(finding["assumptions"], gaps)
        with open(self.path("x.sarif"), encoding="utf-8") as file:
            notes = json.load(file)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        self.assertTrue(any(note["level"] == "warning" and "gap" in note["message"]["text"] for note in notes))
        with open(self.path("x.html"), encoding="utf-8") as file:
            self.assertIn('"assumptions":[{"kind":"gap"', file.read())

    def test_what_a_schedule_rests_on(self):
        write(self.path("Met.java"), """public class Met {
  static int x;
  public static void main(String[] arguments) throws Exception {
    new java.util.zip.Deflater().finish();
    new Thread(() -> { x = 2; }).start();
    x = 1;
  }
}
""")
        finding = self.races(self.path("Met.java"))[0]
        texts = [each["text"] for each in finding["assumptions"]]
        self.assertTrue(any("Deflater" in text for text in texts), texts)
        self.assertEqual({each["kind"] for each in finding["assumptions"]}, {"assumed library"})

    def test_programs_of_our_own_assume_nothing(self):
        document = self.document("race", os.path.join(SOURCE, "models/bank-racy.lw"))
        self.assertNotIn("assumptions", document["report"])
        self.assertNotIn("gaps", document["report"]["summary"])


class Places(WithFolder):
    def test_fields(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        everything = self.races(classes)
        for name in ("shop.Counter.hits", "Counter.hits", "hits"):
            found = self.races(classes, f"--field={name}")
            self.assertEqual([each["id"] for each in found],
                             [each["id"] for each in everything if each["subject"] == "shop.Counter.hits"])
        self.assertEqual(self.fields(classes, "--var", "shop.Counter.Inner.deep"), [])
        self.assert_refused(run("race", classes, "--field=shop.Counter.hit"), "did you mean 'shop.Counter.hits'?")

    def test_places_of_queries(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        def verdict(*arguments):
            result = run(*arguments[:1], classes, *arguments[1:], "--json")
            self.assertIn(result.returncode, (0, 1), result.stderr)
            return json.loads(result.stdout)["queries"][0]["verdict"]
        self.assertEqual(verdict("conflict", "shop.Counter:8", "Counter.java:8"), "reachable")
        self.assertEqual(verdict("conflict", "shop.Counter.hit", "shop.Counter.hit"), "reachable")
        self.assertEqual(verdict("conflict", "shop.Counter:19", "shop.Counter:19"), "unreachable")
        self.assertEqual(verdict("reach", "shop/Counter.java:19"), "reachable")
        self.assertEqual(verdict("reach", "shop.Counter:9"), "reachable")
        self.assertEqual(verdict("iterate", "{shop.Counter:8}", "{shop.Counter:9}"), "reachable")
        self.assertEqual(verdict("conflict", "shop.Counter:17", "shop.Counter.hit"), "unreachable")

    def test_places_that_are_not_there(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        self.assert_refused(run("reach", classes, "shop.Counter.hti"), "unknown place", "shop.Counter.hit")
        self.assert_refused(run("reach", classes, "shop.Cuonter:8"), "not a class that the program uses", "shop.Counter")
        self.assert_refused(run("reach", classes, "Counter.java:11"), "nothing in line 11", "nearest line")

    def test_places_elsewhere(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        write(self.path("queries.jsonl"), json.dumps({"id": 1, "query": "conflict {shop.Counter:8} and {Counter.java:9}"}))
        result = run("batch", self.path("queries.jsonl"), classes)
        self.assertIn('"reachable"', result.stdout, result.stderr)
        self.assertIn("Counter", run("mhp", classes, "--between", "shop.Counter:8", "Counter.java:9").stdout)
        self.assertIn("Counter.java:8", run("mhp", classes, "--json").stdout)


class Suppressions(WithFolder):
    def test_remarks_in_sources(self):
        text = COUNTER.replace("    hits++;", "    hits++;  // lockwood: ignore race(hits) -- only a hint for people")
        text = text.replace("    total++;", '    String s = "// lockwood: ignore race -- no comment";\n    total++;')
        classes = self.compiled({"shop/Counter.java": text})
        document = self.document("race", classes, "--source-path", self.path("src"), status=1)
        suppressed = {finding["subject"]: finding.get("suppressed", {}).get("reason")
                      for finding in document["findings"]}
        self.assertEqual(suppressed, {"shop.Counter.hits": "only a hint for people", "shop.Counter.total": None})

    def test_remarks_that_are_wrong_or_of_no_use(self):
        text = COUNTER.replace("  int hits;", "  // lockwood: ignore race(hits)\n  int hits;")
        text = text.replace("  static int total;", "  static int total;  // lockwood: ignore race(total) -- no race here")
        classes = self.compiled({"shop/Counter.java": text})
        result = run("race", classes, "--source-path", self.path("src"))
        self.assertIn("Counter.java:4:3: warning: what is ignored needs a reason", result.stderr)
        self.assertIn("there is no race on total to ignore here", result.stderr)

    def test_findings_survive_new_lines(self):
        classes = self.compiled({"shop/Counter.java": COUNTER})
        first = self.jar("first.jar", classes, "shop.Counter")
        self.assertEqual(run("race", first, "--json=" + self.path("one.json")).returncode, 1)
        moved = COUNTER.replace("public class", "// one\n\n// two\npublic class").replace("  void hit", "\n\n  void hit")
        self.compiled({"shop/Counter.java": moved})
        second = self.jar("second.jar", classes, "shop.Counter")
        result = run("race", second, "--baseline", self.path("one.json"), "--json=" + self.path("two.json"))
        self.assertEqual(result.returncode, 0, result.stdout)
        difference = run("diff", self.path("one.json"), self.path("two.json"))
        self.assertEqual(difference.returncode, 0, difference.stdout)
        self.assertIn("introduced: 0", difference.stdout)
        # A new race is new.
        self.compiled({"shop/Counter.java": moved.replace("Inner.deep = 1;", "new Thread(() -> Inner.deep = 2).start(); Inner.deep = 1;")})
        third = self.jar("third.jar", classes, "shop.Counter")
        self.assertEqual(run("race", third, "--json=" + self.path("three.json")).returncode, 1)
        result = run("diff", self.path("one.json"), self.path("three.json"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("deep", result.stdout)


LIBRARY = {
    "lib/ThreadSafe.java": "package lib; public @interface ThreadSafe { }",
    # Synchronized but for one method.
    "lib/Gauge.java": """package lib;
@ThreadSafe public class Gauge {
  private int value;
  public synchronized void add(int n) { value += n; }
  public int get() { return value; }
  public synchronized void reset() { value = 0; }
}""",
    # Right in every method.
    "lib/Stack.java": """package lib;
@ThreadSafe public class Stack {
  private Object[] all = new Object[8];
  private int size;
  public synchronized void push(Object each) { if (size == all.length) grow(); all[size++] = each; }
  public synchronized Object pop() { return size == 0 ? null : all[--size]; }
  private void grow() { all = java.util.Arrays.copyOf(all, size * 2); }
}""",
    # Two of them lock each other.
    "lib/Account.java": """package lib;
public class Account {
  private long money;
  public Account(long begin) { money = begin; }
  public synchronized void transfer(Account to, long amount) { money -= amount; synchronized (to) { to.money += amount; } }
}""",
    # Calls a stranger while it holds its lock; made by a factory.
    "lib/Bus.java": """package lib;
public final class Bus {
  public interface Listener { void heard(String word); }
  private Listener listener;
  private int count;
  private Bus() { }
  public static Bus create() { return new Bus(); }
  public synchronized void listen(Listener wanted) { listener = wanted; }
  public void say(String word) { Listener current; synchronized (this) { current = listener; } count++; current.heard(word); }
}""",
    # Abstract, with a base class whose method it inherits.
    "lib/Shape.java": """package lib;
public abstract class Shape {
  protected double area;
  public void scale(double by) { area *= by; }
  public static class Square extends Shape { public Square(double side) { area = side * side; } }
}""",
    "lib/Unmakeable.java": "package lib; public class Unmakeable { private Unmakeable() { } public void f() { } }",
}


class Libraries(WithFolder):
    def setUp(self):
        super().setUp()
        self.classes = self.compiled(LIBRARY)

    def methods(self, *arguments):
        """The pairs of public methods that race, by field."""
        pairs = set()
        for finding in self.races(self.classes, "--source-path", self.path("src"), *arguments):
            names = [site["at"]["procedure"].split("(")[0].split(".")[-1] for site in finding["sites"]]
            pairs.add((finding["subject"], *sorted(names)))
        return pairs

    def test_a_method_without_the_lock(self):
        self.assertEqual(self.methods("--library", "lib.Gauge"),
                         {("lib.Gauge.value", "add", "get"), ("lib.Gauge.value", "get", "reset")})

    def test_a_class_without_races(self):
        result = run("race", self.classes, "--library=lib.Stack", "--verify")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("races: 0", result.stdout)

    def test_all_that_are_annotated(self):
        self.assertEqual({pair[0] for pair in self.methods("--library")}, {"lib.Gauge.value"})

    def test_only_some_methods(self):
        self.assertEqual(self.methods("--library=lib.Gauge", "--entry=add", "--entry=reset"), set())
        self.assertEqual(self.methods("--library=lib.Gauge", "--entry=add(int)", "--entry=lib.Gauge.get"),
                         {("lib.Gauge.value", "add", "get")})

    def test_objects_as_arguments(self):
        result = run("deadlock", self.classes, "--library=lib.Account")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)

    def test_factories_and_classes_that_extend(self):
        self.assertIn(("lib.Bus.count", "say", "say"), self.methods("--library=lib.Bus"))
        self.assertEqual(self.methods("--library=lib.Shape"), {("lib.Shape.area", "scale", "scale")})

    def test_the_client_has_lines(self):
        finding = self.races(self.classes, "--library=lib.Gauge", "--entry=add", "--entry=get")[0]
        called = [entry["at"]["text"] for site in finding["sites"] for entry in site["stack"]
                  if "Client" in entry["at"]["file"]]
        self.assertEqual(sorted(called)[:2], ["add", "for (;;) new Thread(client).start();"])
        self.assertIn("get", called)
        self.assertEqual(finding["certainty"], "exact")

    def test_bad_requests(self):
        def refused(*arguments):
            return run("race", self.classes, *arguments)
        self.assert_refused(refused("--library=lib.Gage"), "no class 'lib.Gage'", "did you mean 'lib.Gauge'?")
        self.assert_refused(refused("--library=lib.Gauge", "--entry=ad"), "no public method 'ad'", "did you mean 'add'?")
        self.assert_refused(refused("--library=java.util.ArrayList"), "of the JDK")
        self.assert_refused(refused("--library=lib.Unmakeable"), "no object of the class 'lib.Unmakeable'")
        self.assert_refused(refused("--entry=add"), "--library")
        self.assert_refused(refused("--library=lib.Gauge", "--main=lib.Gauge"), "--main")
        os.remove(self.path("classes/lib/Gauge.class"))
        os.remove(self.path("classes/lib/Stack.class"))
        self.assert_refused(refused("--library"), "annotated ThreadSafe", "--library=CLASS")


class Guards(WithFolder):
    def test_declared_guards_are_compared(self):
        classes = self.compiled({"g/GuardedBy.java": """package g;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.CLASS) public @interface GuardedBy { String value(); }
""", "g/Main.java": """package g;
public class Main {
  static final Object lock = new Object();
  @GuardedBy("lock") static int kept;
  @GuardedBy("lock") static int broken;
  static int silent;
  static void f() { synchronized (lock) { kept++; broken++; silent++; } }
  public static void main(String[] arguments) {
    new Thread(Main::f).start();
    f();
    broken = 1;
  }
}
"""})
        rows = {row["field"]: row for row in self.document("guards", classes, "--no-advice")["report"]["declared"]}
        self.assertEqual(sorted(rows), ["g.Main.broken", "g.Main.kept"])
        kept, broken = rows["g.Main.kept"], rows["g.Main.broken"]
        self.assertEqual((kept["guarded_by"], kept["protected_by"], kept["without_lock"], kept["racing"]),
                         ("lock", ["g.Main.lock"], 0, 0))
        self.assertEqual((broken["protected_by"], broken["without_lock"]), ([], 1))
        self.assertGreater(broken["racing"], 1)
        self.assertNotIn("declared", self.document("guards", os.path.join(SOURCE, "models/bank-racy.lw"))["report"])


class Tour(WithFolder):
    """What docs/java.md shows about models/java/server; … stands for anything."""

    def test_the_bug_and_the_fix(self):
        shutil.copytree(os.path.join(MODELS, "server"), self.path("models/java/server"))
        with open(os.path.join(SOURCE, "docs/java.md"), encoding="utf-8") as file:
            sessions = re.findall(r"(?ms)^```\n\$ lockwood (.*?)\n(.*?)^```$", file.read())
        self.assertEqual(len(sessions), 2)
        for number, (command, output) in enumerate(sessions):
            result = run(*command.split(), cwd=self.folder)
            self.assertEqual(result.returncode, 1 - number, result.stderr)
            self.assertRegex(result.stdout, "(?s)^" + re.escape(output).replace("…", ".*"))
            path = self.path("models/java/server/Statistics.java")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            write(path, text.replace("  String summary() {", "  synchronized String summary() {"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
