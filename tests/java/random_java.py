"""Random Java programs: classes with fields, inheritance and virtual calls, locks, threads, joins, exceptions, collections, lambdas.

    random_java.py DIRECTORY FIRST_SEED COUNT

writes one file R<seed>.java per program. The same seed gives the same program. Programs compile without errors and end: each
method uses up fuel, and under a lock only methods that take no locks are called, so that no thread waits for ever.
"""
import pathlib
import random
import sys


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"R{seed}"
        self.classes = [f"C{i}" for i in range(self.random.randint(2, 5))]
        self.parents = {name: None if i == 0 or self.random.random() < 0.4 else self.random.choice(self.classes[:i])
                        for i, name in enumerate(self.classes)}
        self.lines = []
        self.locals = 0

    def put(self, depth, text):
        self.lines.append("    " * depth + text)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def fresh(self):
        self.locals += 1
        return f"v{self.locals}"

    # ---- values ----
    def object_of(self, scope, depth=0):
        """An expression for an object of class C0 or a subclass, or null."""
        choices = [name for name in scope["objects"]]
        kind = self.random.randrange(10)
        if choices and kind < 5:
            return self.random.choice(choices)
        if kind < 7 and depth < 2:
            return f"{self.object_of(scope, depth + 1)}.next" if self.chance(50) else "Globals.shared"
        if kind == 7:
            return "Globals.at(" + self.number(scope) + ")"
        if kind == 8 and self.chance(20):
            return "((Base) null)"
        return f"new {self.random.choice(self.classes)}()"

    def number(self, scope):
        kind = self.random.randrange(7)
        if kind < 2:
            return str(self.random.randrange(4))
        if kind == 2 and scope["numbers"]:
            return self.random.choice(scope["numbers"])
        if kind == 3:
            return "Globals.count"
        if kind == 4:
            return f"{self.object_of(scope, 1)}.number"
        if kind == 5 and scope["numbers"]:
            return f"({self.random.choice(scope['numbers'])} + 1)"
        return "1"

    # ---- statements ----
    def call(self, scope):
        """A call, of a method that takes no locks if the scope holds one."""
        names = ["leaf0", "leaf1"] if scope["locked"] or scope["leaf"] else ["leaf0", "leaf1", "work0", "work1", "guarded"]
        return f"{self.object_of(scope)}.{self.random.choice(names)}({self.object_of(scope)}, {self.number(scope)})"

    def statement(self, scope, depth):
        kind = self.random.randrange(19)
        if kind < 3:
            name = self.fresh()
            self.put(depth, f"int {name} = {self.call(scope)};")
            scope["numbers"].append(name)
        elif kind == 3:
            name = self.fresh()
            self.put(depth, f"Base {name} = {self.object_of(scope)};")
            scope["objects"].append(name)
        elif kind == 4:
            self.put(depth, f"{self.object_of(scope)}.next = {self.object_of(scope)};")
        elif kind == 5:
            self.put(depth, f"{self.object_of(scope)}.number {self.random.choice(['=', '+='])} {self.number(scope)};")
        elif kind == 6:
            self.put(depth, f"Globals.count {self.random.choice(['=', '+='])} {self.number(scope)};")
        elif kind == 7:
            self.put(depth, f"Globals.shared = {self.object_of(scope)};")
        elif kind == 8:
            self.put(depth, f"if ({self.number(scope)} {self.random.choice(['<', '>', '=='])} {self.number(scope)}) {{")
            self.block(scope, depth + 1)
            if self.chance(40):
                self.put(depth, "} else {")
                self.block(scope, depth + 1)
            self.put(depth, "}")
        elif kind == 9:
            index = self.fresh()
            self.put(depth, f"for (int {index} = 0; {index} < {self.random.randint(1, 3)}; {index}++) {{")
            self.block(scope, depth + 1, numbers=[index])
            self.put(depth, "}")
        elif kind == 10 and not scope["locked"] and not scope["leaf"]:
            lock = self.random.choice(["Globals.lock", "Globals.class", "Globals.other"] + (["this"] if scope["this"] else []))
            self.put(depth, f"synchronized ({lock}) {{")
            self.block(scope, depth + 1, locked=True)
            self.put(depth, "}")
        elif kind == 11:
            self.put(depth, "try {")
            self.block(scope, depth + 1)
            name = self.fresh()
            caught = self.random.choice(["Odd", "RuntimeException", "NullPointerException"])
            self.put(depth, f"}} catch ({caught} {name}) {{")
            self.block(scope, depth + 1)
            if self.chance(30):
                self.put(depth, "} finally {")
                self.put(depth + 1, "Globals.count++;")
            self.put(depth, "}")
        elif kind == 12:
            self.put(depth, f"if ({self.number(scope)} == 3) throw new Odd({self.number(scope)});")
        elif kind == 13:
            self.put(depth, f"synchronized (Globals.list) {{ Globals.list.add({self.object_of(scope)}); }}"
                     if not scope["locked"] and not scope["leaf"] else f"Globals.safe.add({self.object_of(scope)});")
        elif kind == 14 and not scope["leaf"] and not scope["locked"]:
            self.put(depth, f"Globals.safe.forEach(x -> {{ if (x != null) x.leaf0(x, {self.random.randrange(3)}); }});")
        elif kind == 15 and not scope["locked"] and not scope["leaf"]:
            self.put(depth, "Globals.guard.lock();")
            self.put(depth, "try {")
            self.block(scope, depth + 1, locked=True)
            self.put(depth, "} finally {")
            self.put(depth + 1, "Globals.guard.unlock();")
            self.put(depth, "}")
        elif kind == 16:
            self.put(depth, f"Globals.map.merge({self.object_of(scope)}, {self.number(scope)}, (x, y) -> x + y);")
        elif kind == 17:
            name, key = self.fresh(), self.fresh()
            self.put(depth, f"for (java.util.Map.Entry<Base, Integer> {name} : Globals.map.entrySet()) {{")
            self.put(depth + 1, f"Base {key} = {name}.getKey();")
            self.put(depth + 1, f"{key}.number += {name}.getValue();")
            self.put(depth, "}")
        else:
            name = self.fresh()
            self.put(depth, f"java.util.function.IntUnaryOperator {name} = x -> x + Globals.count;")
            self.put(depth, f"Globals.count = {name}.applyAsInt({self.number(scope)});")

    def block(self, scope, depth, numbers=(), locked=False):
        inner = {"objects": list(scope["objects"]), "numbers": list(scope["numbers"]) + list(numbers),
                 "locked": scope["locked"] or locked, "leaf": scope["leaf"], "this": scope["this"]}
        for _ in range(self.random.randint(1, 3 if depth < 4 else 1)):
            if depth > 6:
                self.put(depth, "Globals.count++;")
            else:
                self.statement(inner, depth)

    def method(self, name, depth):
        modifier = "synchronized " if name == "guarded" else ""
        self.put(depth, f"@Override {modifier}int {name}(Base other, int amount) {{")
        self.put(depth + 1, "if (Globals.fuel-- <= 0) return amount;")
        scope = {"objects": ["this", "other"], "numbers": ["amount", "number"], "locked": name == "guarded",
                 "leaf": name.startswith("leaf"), "this": True}
        for _ in range(self.random.randint(1, 4)):
            self.statement(scope, depth + 1)
        self.put(depth + 1, f"return {self.number(scope)};")
        self.put(depth, "}")

    # ---- the program ----
    def program(self):
        put = self.put
        put(0, "// Made by random_java.py.")
        put(0, f"public class {self.name} {{")
        put(1, "static class Odd extends RuntimeException { final int level; Odd(int level) { this.level = level; } }")
        put(1, "static class Globals {")
        put(2, "static int fuel = 150, count;")
        put(2, "static Base shared;")
        put(2, "static final Object lock = new Object(), other = new Object();")
        put(2, "static final java.util.List<Base> list = new java.util.ArrayList<>();")
        put(2, "static final java.util.Queue<Base> safe = new java.util.concurrent.LinkedBlockingQueue<>();")
        put(2, "static final java.util.concurrent.locks.ReentrantLock guard = new java.util.concurrent.locks.ReentrantLock();")
        put(2, "static final java.util.Map<Base, Integer> map = new java.util.concurrent.ConcurrentHashMap<>();")
        put(2, "static Base at(int index) { synchronized (list) { return list.isEmpty() ? null : list.get(Math.abs(index) % list.size()); } }")
        put(1, "}")
        put(1, "static abstract class Base {")
        put(2, "int number;")
        put(2, "Base next;")
        for name in ("leaf0", "leaf1", "work0", "work1", "guarded"):
            put(2, f"int {name}(Base other, int amount) {{ if (Globals.fuel-- > 0 && other != null) number += amount; return number; }}")
        put(1, "}")
        for name in self.classes:
            put(1, f"static class {name} extends {self.parents[name] or 'Base'} {{")
            if self.chance(60):
                put(2, f"{name}() {{ number = {self.random.randrange(5)};{' next = this;' if self.chance(30) else ''} }}")
            for method in ("leaf0", "leaf1", "work0", "work1", "guarded"):
                if self.chance(45):
                    self.method(method, 2)
            if self.chance(40):
                put(2, "@Override public int hashCode() { return 7; }")
                put(2, "@Override public boolean equals(Object other) { return other instanceof Base && ((Base) other).number == number; }")
            put(1, "}")
        self.threads()
        put(0, "}")
        # A list of null elements, or an `at` under a lock, would hang nobody: locks are taken by `at` only for a moment.
        return "\n".join(self.lines).replace("Globals.safe.add(", "Globals.keep(").replace(
            "static Base at(", "static void keep(Base x) { if (x != null) safe.add(x); }\n        static Base at(", 1) + "\n"

    def body(self, depth, variables):
        scope = {"objects": list(variables), "numbers": [], "locked": False, "leaf": False, "this": False}
        caught = self.chance(70)
        if caught:
            self.put(depth, "try {")
        for _ in range(self.random.randint(1, 4)):
            self.statement(scope, depth + caught)
        if caught:
            self.put(depth, "} catch (RuntimeException e) {")
            self.put(depth + 1, "Globals.count--;")
            self.put(depth, "}")

    def threads(self):
        put = self.put
        put(1, "static class Task implements Runnable {")
        put(2, "final Base subject;")
        put(2, "Task(Base subject) { this.subject = subject; }")
        put(2, "public void run() {")
        self.body(3, ["subject"])
        put(2, "}")
        put(1, "}")
        put(1, "public static void main(String[] args) throws InterruptedException {")
        variables = []
        for i in range(self.random.randint(1, 3)):
            put(2, f"Base o{i} = new {self.random.choice(self.classes)}();")
            variables.append(f"o{i}")
        open_threads = []
        for i in range(self.random.randint(1, 3)):
            put(2, f"Globals.list.add({self.random.choice(variables)});")
            kind = self.random.randrange(3)
            if kind == 0:
                put(2, f"Thread t{i} = new Thread(new Task({self.random.choice(variables)}));")
            elif kind == 1:
                put(2, f"Thread t{i} = new Thread(() -> {{")
                self.body(3, variables)
                put(2, "});")
            else:
                put(2, f"Thread t{i} = new Thread() {{ @Override public void run() {{")
                self.body(3, variables)
                put(2, "} };")
            put(2, f"t{i}.start();")
            open_threads.append(f"t{i}")
            if self.chance(30):
                put(2, f"{open_threads.pop()}.join();")
            self.body(2, variables)
        if self.chance(40):
            self.pool(variables)
        for thread in open_threads:
            put(2, f"{thread}.join();")
        put(2, "System.out.println(Globals.count);")
        put(1, "}")


    def pool(self, variables):
        """Tasks of an executor, whose results main waits for."""
        put = self.put
        kind = self.random.choice(["newFixedThreadPool(2)", "newCachedThreadPool()", "newSingleThreadExecutor()"])
        put(2, f"java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.{kind};")
        for i in range(self.random.randint(1, 2)):
            put(2, f"java.util.concurrent.Future<Integer> f{i} = pool.submit(() -> {{")
            self.body(3, variables)
            put(3, f"return {self.random.choice(variables)}.work0(Globals.shared, {i});")
            put(2, "});")
            if self.chance(60):
                put(2, "try {")
                put(3, f"Globals.count += f{i}.get();")
                put(2, "} catch (java.util.concurrent.ExecutionException e) {")
                put(3, "Globals.count--;")
                put(2, "}")
        put(2, "pool.shutdown();")


def main():
    folder, first, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        (folder / f"R{seed}.java").write_text(Generator(seed).program())


if __name__ == "__main__":
    main()
