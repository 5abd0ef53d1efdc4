"""Random programs that exist twice: in Java and, with every object spelled out, in the language of models.

    random_twins.py DIRECTORY FIRST_SEED COUNT

writes R<seed>.java and R<seed>.lw. Both do the same under every schedule, so what the explorer finds in the second one by
running it can happen in the first one. Objects are made in loops, in helpers and one by one, and reach threads by
captures, arrays, fields and arguments; methods are virtual; locks are class objects, static and own fields, `this`,
parameters and ReentrantLocks; threads are joined one by one or in a loop; exceptions leave regions; threads wait.
"""
import pathlib
import random
import sys

INDENT = "  "


class Object:
    """An object that the program makes: its number and its class, C or D."""

    def __init__(self, number, kind):
        self.number, self.kind = number, kind


class Twin:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"R{seed}"
        self.features = set()
        self.objects = []
        self.tasks = {}  # texts of procedures of the second program, by name
        self.joined = []  # its threads that somebody waits for
        self.caught = 0
        self.waits = self.chance(20)
        self.fields = ["x0", "x1"][: self.pick([1, 2, 2])]
        self.locks = ["a", "b"]
        self.bodies = {}  # of methods: by class and number, as statements
        self.methods = self.pick([1, 2, 2])
        for kind in "CD":
            for number in range(self.methods):
                if kind == "C" or self.chance(60):
                    self.bodies[kind, number] = self.block(2, {"objects": ["this", "other"], "method": number,
                                                               "held": ()})
        self.synchronized = {key for key in self.bodies if self.chance(35)}
        self.main = self.make_main()

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, choices):
        return self.random.choice(choices)

    # ---- statements: tuples, whose objects are names of variables
    def block(self, depth, scope, most=3):
        return [self.statement(depth, scope) for _ in range(self.random.randint(1, most if depth > 0 else 1))]

    def statement(self, depth, scope):
        kind = self.random.randrange(14)
        objects = scope["objects"]
        if scope["held"] and depth > 0 and self.chance(35):
            kind = 8  # locks in locks
        if self.waits and scope["held"] and scope["held"][-1][0] == "static" and self.chance(40):
            kind = 13
        if kind < 2:
            return ("assign", self.pick(self.fields), self.random.randrange(1, 3))
        if kind < 4:
            return ("increment", self.pick(self.fields))
        if kind < 6 and objects:
            return (self.pick(["assign-field", "increment-field"]), self.pick(objects))
        if kind < 9 and depth > 0:
            choices = [("static", lock) for lock in self.locks] + [("class",), ("lock", "l")]
            choices += [(where, name) for name in objects for where in ("monitor", "monitor", "own")]
            lock = self.pick(choices)
            inner = dict(scope, held=scope["held"] + (lock,))
            self.features.add("locked")
            return ("sync", lock, self.block(depth - 1, inner))
        if kind == 9 and depth > 0:
            return ("if", self.pick(self.fields), self.random.randrange(3), self.block(depth - 1, scope, 2),
                    self.block(depth - 1, scope, 1))
        if kind == 10 and depth > 0:
            return ("choose", self.block(depth - 1, scope, 2), self.block(depth - 1, scope, 1))
        if kind == 11 and objects and scope.get("method", -1) + 1 < self.methods:
            self.features.add("called")
            return ("call", self.random.randrange(scope.get("method", -1) + 1, self.methods), self.pick(objects),
                    self.pick(objects))
        if kind == 12 and depth > 0:
            self.features.add("thrown")
            inner = self.block(depth - 1, scope, 2)
            inner.insert(self.random.randrange(len(inner) + 1), ("throw-if", self.pick(self.fields), self.random.randrange(3)))
            return ("try", inner, self.block(depth - 1, scope, 1))
        if kind == 13 and self.waits and scope["held"] and scope["held"][-1][0] == "static":
            self.features.add("waited")
            return (self.pick(["wait", "notify"]), scope["held"][-1][1])
        return ("increment", self.pick(self.fields))

    def crossing(self, names):
        """Two locks in both orders, mostly; by calls of a method with two objects, or as they are."""
        self.features.add("crossed")
        crossed = self.chance(80)
        if len(names) > 1 and self.chance(50):
            first, second = self.random.sample(names, 2)
            self.features.add("called")
            number = self.random.randrange(self.methods)
            for kind in "CD":
                if (kind, number) in self.bodies and not any(each[0] == "sync" for each in self.bodies[kind, number]):
                    self.bodies[kind, number].append(
                        ("sync", ("monitor", "this"), [("sync", ("monitor", "other"), [("increment", "x0")])]))
            return ("call", number, first, second), ("call", number, *((second, first) if crossed else (first, second)))
        choices = [("static", "a"), ("static", "b"), ("class",), ("lock", "l")]
        choices += [(where, name) for name in names for where in ("monitor", "own")]
        first, second = self.random.sample(choices, 2)
        here, there = ("increment", "x0"), ("assign", "x0", 1)
        other = (second, first) if crossed else (first, second)
        return (("sync", first, [("sync", second, [here])]), ("sync", other[0], [("sync", other[1], [there])]))

    # ---- main: what is made and started, before it is written down twice
    def make_main(self):
        main = []
        names = []
        for i in range(self.pick([0, 1, 2, 2])):
            kind = self.pick("CCD")
            name = f"o{i}"
            names.append(name)
            main.append(("new", name, kind, self.pick(["new", "helper", "field"])))
        if self.chance(25):
            main.append(("array", "arr", self.pick("CD"), "e0", "e1"))
            names += ["e0", "e1"]
            self.features.add("array")
        scope = {"objects": names, "held": ()}
        threads = []
        for i in range(self.pick([1, 1, 2])):
            if self.chance(30):
                main += self.block(1, scope, 1)
            if self.chance(25):
                own = self.chance(60)
                inner = {"objects": names + (["mine"] if own else []), "held": ()}
                joined = self.chance(30)
                main.append(("loop", f"t{i}", own, self.pick("CD"), self.block(2, inner, 2), joined))
                self.features.add("loop")
                if joined:
                    self.features.add("joined")
                continue
            body = self.block(2, scope)
            crossed = self.crossing(names) if self.chance(35) else None
            if crossed:
                body.append(crossed[0])
            main.append(("start", f"t{i}", body, self.pick(["lambda", "class"])))
            threads.append(f"t{i}")
            if crossed:
                main.append(crossed[1])
            if self.chance(25):
                main += self.block(1, scope, 1)
            if self.chance(35):
                self.features.add("joined")
                main.append(("join", threads.pop()))
        main += self.block(2, scope)
        if threads and self.chance(30):
            self.features.add("joined")
            main.append(("join", threads.pop()))
            main += self.block(1, scope, 1)
        return main

    # ---- the program in Java
    def java(self):
        out = ["// Made by random_twins.py.", "import java.util.concurrent.locks.ReentrantLock;", "",
               f"public class {self.name} {{"]
        for field in self.fields:
            out.append(f"  static int {field};")
        out.append("  static final Object a = new Object(), b = new Object();")
        out.append("  static final ReentrantLock l = new ReentrantLock();")
        out.append("  static C kept;")
        out.append("  static class Odd extends RuntimeException { }")
        out.append("  static boolean maybe() { return System.nanoTime() % 2 == 0; }")
        out.append("  static C make(boolean d) { return d ? new D() : new C(); }")
        for kind in "CD":
            out.append(f"  static class {kind}{'' if kind == 'C' else ' extends C'} {{")
            if kind == "C":
                out.append("    int n;")
                out.append("    final Object own = new Object();")
            for (owner, number), body in self.bodies.items():
                if owner != kind:
                    continue
                word = "synchronized " if (owner, number) in self.synchronized else ""
                out.append(f"    {word}void m{number}(C other) {{")
                self.java_block(body, 3, out)
                out.append("    }")
            out.append("  }")
        out.append("  public static void main(String[] args) throws InterruptedException {")
        for statement in self.main:
            self.java_main(statement, out)
        out.append("  }")
        out.append("}")
        return "\n".join(out) + "\n"

    def java_main(self, statement, out):
        kind = statement[0]
        if kind == "new":
            _, name, made, how = statement
            if how == "new":
                out.append(f"    C {name} = new {made}();")
            elif how == "helper":
                out.append(f"    C {name} = make({'true' if made == 'D' else 'false'});")
            else:
                out.append(f"    kept = new {made}();")
                out.append(f"    C {name} = kept;")
        elif kind == "array":
            _, array, made, first, second = statement
            out.append(f"    C[] {array} = new C[2];")
            out.append(f"    for (int i = 0; i < 2; i++) {array}[i] = new {made}();")
            out.append(f"    C {first} = {array}[0], {second} = {array}[1];")
        elif kind == "loop":
            _, name, own, made, body, joined = statement
            if joined:
                out.append(f"    Thread[] {name} = new Thread[2];")
            out.append("    for (int i = 0; i < 2; i++) {")
            if own:
                out.append(f"      C mine = new {made}();")
            out.append("      Thread t = new Thread(() -> {")
            self.java_block(body, 4, out)
            out.append("      });")
            if joined:
                out.append(f"      {name}[i] = t;")
            out.append("      t.start();")
            out.append("    }")
            if joined:
                out.append(f"    for (Thread t : {name}) t.join();")
        elif kind == "start":
            _, name, body, how = statement
            if how == "lambda":
                out.append(f"    Thread {name} = new Thread(() -> {{")
                self.java_block(body, 3, out)
                out.append("    });")
            else:
                out.append(f"    Thread {name} = new Thread() {{ @Override public void run() {{")
                self.java_block(body, 3, out)
                out.append("    } };")
            out.append(f"    {name}.start();")
        elif kind == "join":
            out.append(f"    {statement[1]}.join();")
        else:
            self.java_statement(statement, 2, out)

    def java_block(self, body, depth, out):
        for statement in body:
            self.java_statement(statement, depth, out)

    def java_statement(self, statement, depth, out):
        def put(text, more=0):
            out.append(INDENT * (depth + more) + text)

        kind = statement[0]
        name = f"{self.name}.{statement[1]}" if kind in ("assign", "increment") else None
        if kind == "assign":
            put(f"{name} = {statement[2]};")
        elif kind == "increment":
            put(f"{name}++;")
        elif kind == "assign-field":
            put(f"{statement[1]}.n = 1;")
        elif kind == "increment-field":
            put(f"{statement[1]}.n++;")
        elif kind == "sync":
            lock = statement[1]
            if lock[0] == "lock":
                put("l.lock();")
                put("try {")
                self.java_block(statement[2], depth + 1, out)
                put("} finally {")
                put("l.unlock();", 1)
            else:
                text = {"static": lock[-1], "class": f"{self.name}.class", "monitor": lock[-1],
                        "own": f"{lock[-1]}.own"}[lock[0]]
                put(f"synchronized ({text}) {{")
                self.java_block(statement[2], depth + 1, out)
            put("}")
        elif kind == "if":
            put(f"if ({self.name}.{statement[1]} == {statement[2]}) {{")
            self.java_block(statement[3], depth + 1, out)
            put("} else {")
            self.java_block(statement[4], depth + 1, out)
            put("}")
        elif kind == "choose":
            put("if (maybe()) {")
            self.java_block(statement[1], depth + 1, out)
            put("} else {")
            self.java_block(statement[2], depth + 1, out)
            put("}")
        elif kind == "call":
            put(f"{statement[2]}.m{statement[1]}({statement[3]});")
        elif kind == "throw-if":
            put(f"if ({self.name}.{statement[1]} == {statement[2]}) throw new Odd();")
        elif kind == "try":
            put("try {")
            self.java_block(statement[1], depth + 1, out)
            self.caught += 1
            put(f"}} catch (Odd odd{self.caught}) {{")
            self.java_block(statement[2], depth + 1, out)
            put("}")
        elif kind == "wait":
            self.caught += 1
            put(f"try {{ {statement[1]}.wait(); }} catch (InterruptedException odd{self.caught}) {{ }}")
        elif kind == "notify":
            put(f"{statement[1]}.notifyAll();")
        else:
            raise AssertionError(kind)

    # ---- the same with all objects spelled out
    def twin(self):
        self.objects, self.tasks, self.joined = [], {}, []
        values = {}
        out = []
        for statement in self.main:
            self.twin_main(statement, values, out)
        text = ["// Made by random_twins.py.", f"var {', '.join(self.fields + [f'n{o.number}' for o in self.objects] + [f'ended_{t}' for t in self.joined])};"]
        locks = ["a", "b", "cls", "l"] + [f"{word}{o.number}" for o in self.objects for word in ("this", "own")]
        locks += [f"end_{thread}" for thread in self.joined]
        text.append(f"lock {', '.join(locks)};")
        text.append("proc main() {")
        text += out
        text.append("}")
        for name, body in self.tasks.items():
            text.append(f"proc {name}() {{")
            text += body
            text.append("}")
        return "\n".join(text) + "\n"

    def made(self, kind):
        self.objects.append(Object(len(self.objects), kind))
        return self.objects[-1]

    # The search with values knows no joins: who is waited for says that it has ended.
    def task(self, name, body, values, joined):
        procedure = f"run_{name}"
        self.tasks[procedure] = text = []
        if not joined:
            self.twin_block(body, 1, values, text)
            return procedure
        self.joined.append(name)
        text.append("  try {")
        self.twin_block(body, 2, values, text)
        text += ["  } catch {", "  }", f"  sync (end_{name}) {{", f"    ended_{name} = 1;", f"    notifyAll(end_{name});", "  }"]
        return procedure

    def join(self, name, out):
        out += [f"  sync (end_{name}) {{", f"    while (ended_{name} == 0) {{ wait(end_{name}); }}", "  }"]

    def twin_main(self, statement, values, out):
        kind = statement[0]
        if kind == "new":
            values[statement[1]] = self.made(statement[2])
        elif kind == "array":
            values[statement[3]] = self.made(statement[2])
            values[statement[4]] = self.made(statement[2])
        elif kind == "loop":
            _, name, own, made, body, joined = statement
            for i in range(2):
                inner = dict(values)
                if own:
                    inner["mine"] = self.made(made)
                out.append(f"  spawn {self.task(f'{name}_{i}', body, inner, joined)}();")
            if joined:
                for i in range(2):
                    self.join(f"{name}_{i}", out)
        elif kind == "start":
            joined = ("join", statement[1]) in self.main
            out.append(f"  spawn {self.task(statement[1], statement[2], values, joined)}();")
        elif kind == "join":
            self.join(statement[1], out)
        else:
            self.twin_statement(statement, 1, values, out)

    def twin_block(self, body, depth, values, out):
        for statement in body:
            self.twin_statement(statement, depth, values, out)

    def twin_statement(self, statement, depth, values, out):
        def put(text, more=0):
            out.append(INDENT * (depth + more) + text)

        def nested(body):
            self.twin_block(body, depth + 1, values, out)

        kind = statement[0]
        if kind == "assign":
            put(f"{statement[1]} = {statement[2]};")
        elif kind == "increment":
            put(f"{statement[1]} = {statement[1]} + 1;")
        elif kind == "assign-field":
            put(f"n{values[statement[1]].number} = 1;")
        elif kind == "increment-field":
            number = values[statement[1]].number
            put(f"n{number} = n{number} + 1;")
        elif kind == "sync":
            lock = statement[1]
            name = {"static": lambda: lock[1], "class": lambda: "cls", "lock": lambda: "l",
                    "monitor": lambda: f"this{values[lock[1]].number}",
                    "own": lambda: f"own{values[lock[1]].number}"}[lock[0]]()
            put(f"sync ({name}) {{")
            nested(statement[2])
            put("}")
        elif kind == "if":
            put(f"if ({statement[1]} == {statement[2]}) {{")
            nested(statement[3])
            put("} else {")
            nested(statement[4])
            put("}")
        elif kind == "choose":
            put("choose {")
            nested(statement[1])
            put("} or {")
            nested(statement[2])
            put("}")
        elif kind == "call":
            put(f"{self.method(statement[1], values[statement[2]], values[statement[3]])}();")
        elif kind == "throw-if":
            put(f"if ({statement[1]} == {statement[2]}) {{ throw; }}")
        elif kind == "try":
            put("try {")
            nested(statement[1])
            put("} catch {")
            nested(statement[2])
            put("}")
        elif kind == "wait":
            put(f"wait({statement[1]});")
        elif kind == "notify":
            put(f"notifyAll({statement[1]});")
        else:
            raise AssertionError(kind)

    def method(self, number, receiver, other):
        owner = receiver.kind if (receiver.kind, number) in self.bodies else "C"
        name = f"m{number}_{receiver.number}_{other.number}"
        if name in self.tasks:
            return name
        self.tasks[name] = body = []
        locked = (owner, number) in self.synchronized
        if locked:
            body.append(f"  sync (this{receiver.number}) {{")
        self.twin_block(self.bodies[owner, number], 2, {"this": receiver, "other": other}, body)
        if locked:
            body.append("  }")
        return name


def main():
    folder, first, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        twin = Twin(seed)
        (folder / f"R{seed}.java").write_text(twin.java())
        (folder / f"R{seed}.lw").write_text(twin.twin())


if __name__ == "__main__":
    main()
