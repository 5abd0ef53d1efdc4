"""Random Java programs in which values go from sources to sinks, and the flows that happen in them.

A program is made as a tree, which is written as Java and executed, too: by an interpreter that knows of each value
only from which sources it comes, and that does all that any schedule and any outcome of branches can do. So it says
exactly which flows happen.
"""
import random

STATICS = ("x", "y", "z")
LOCALS = ("p", "q", "r")
LOCKS = ("a", "b")
BOXES = ("first", "second")


class Program:
    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(seed)
        self.sources = 1
        self.sinks = 1
        self.threads = 0
        self.coins = 0
        self.budget = 20  # statements
        self.bodies = []  # of threads, still to be written
        # At least one value is about to get to another thread, mostly.
        self.body = [("source", "p", 1)] + self.block(2, thread=True) + [("sink", self.random.choice(LOCALS), 1)]

    # ---- making

    def block(self, depth, thread=False):
        statements = []
        for _ in range(self.random.randint(3, 7 if thread else 3)):
            if self.budget <= 0:
                break
            self.budget -= 1
            statements.append(self.statement(depth))
        return statements

    def statement(self, depth):
        choose = self.random
        local, other = choose.choice(LOCALS), choose.choice(LOCALS)
        kinds = ["source"] * 2 + ["sink"] * 3 + ["copy", "sum", "constant", "call", "text"]
        kinds += ["read", "write"] * 3 + ["get", "set", "load", "store", "find", "put"]
        if depth > 0:
            kinds += ["sync"] * 3 + ["if", "while", "try"] + (["start"] * 4 if self.threads < 2 else [])
        kind = choose.choice(kinds)
        if kind == "source":
            self.sources += 1
            return ("source", local, self.sources)
        if kind == "sink":
            self.sinks += 1
            return ("sink", local, self.sinks)
        if kind in ("copy", "call", "text"):
            return (kind, local, other)
        if kind == "sum":
            return (kind, local, other, choose.choice(LOCALS))
        if kind == "constant":
            return (kind, local)
        if kind in ("read", "write"):
            return (kind, local, choose.choice(STATICS))
        if kind in ("get", "set"):
            return (kind, local, choose.choice(BOXES))
        if kind in ("load", "store"):
            return (kind, local, choose.randrange(2))
        if kind in ("find", "put"):
            return (kind, local)
        if kind == "sync":
            return (kind, choose.choice(LOCKS), self.block(depth - 1))
        if kind == "if":
            return (kind, self.block(depth - 1), self.block(depth - 1))
        if kind == "while":
            return (kind, self.block(depth - 1))
        if kind == "try":
            return (kind, self.block(depth - 1), local, other)
        self.threads += 1
        number = self.threads
        return ("start", number, self.block(depth - 1, thread=True), choose.random() < 0.4)

    # ---- as Java

    def java(self):
        lines = [f"public class {self.name} {{", "  static class Box { int v; }",
                 "  static class Failure extends RuntimeException { final int v; Failure(int v) { this.v = v; } }",
                 "  static int x, y, z;", "  static final Box first = new Box(), second = new Box();",
                 "  static final int[] array = new int[2];",
                 "  static final java.util.Map<String, Integer> map = new java.util.HashMap<>();",
                 "  static final Object a = new Object(), b = new Object();",
                 "  static int in(int v) { return v; }", "  static void out(int v) { }",
                 "  static int same(int v) { return v; }",
                 "  public static void main(String[] args) throws Exception {", "    int p = 0, q = 0, r = 0;"]
        self.coins = 0
        self.bodies = []
        self.write(self.body, lines, "    ")
        lines.append("  }")
        while self.bodies:
            number, body = self.bodies.pop()
            lines.append(f"  static void body{number}(int p, int q, int r, String[] args) {{")
            self.write(body, lines, "    ")
            lines.append("  }")
        return "\n".join(lines + ["}", ""])

    def coin(self):
        self.coins += 1
        return f"args.length > {self.coins}"

    def write(self, block, lines, indent):
        for statement in block:
            kind, rest = statement[0], statement[1:]
            simple = {
                "source": lambda p, n: f"{p} = in({n});  // lockwood: source s{n}",
                "sink": lambda p, n: f"out({p});  // lockwood: sink t{n}",
                "copy": lambda p, q: f"{p} = {q};", "sum": lambda p, q, r: f"{p} = {q} + {r};",
                "constant": lambda p: f"{p} = 3;", "call": lambda p, q: f"{p} = same({q});",
                "text": lambda p, q: f'{p} = ("k" + {q}).length();',
                "read": lambda p, x: f"{p} = {x};", "write": lambda p, x: f"{x} = {p};",
                "get": lambda p, b: f"{p} = {b}.v;", "set": lambda p, b: f"{b}.v = {p};",
                "load": lambda p, i: f"{p} = array[{i}];", "store": lambda p, i: f"array[{i}] = {p};",
                "find": lambda p: f'{p} = map.getOrDefault("k", 0);', "put": lambda p: f'map.put("k", {p});',
            }
            if kind in simple:
                lines.append(indent + simple[kind](*rest))
            elif kind == "sync":
                lines.append(f"{indent}synchronized ({rest[0]}) {{")
                self.write(rest[1], lines, indent + "  ")
                lines.append(indent + "}")
            elif kind == "if":
                lines.append(f"{indent}if ({self.coin()}) {{")
                self.write(rest[0], lines, indent + "  ")
                lines.append(indent + "} else {")
                self.write(rest[1], lines, indent + "  ")
                lines.append(indent + "}")
            elif kind == "while":
                lines.append(f"{indent}while ({self.coin()}) {{")
                self.write(rest[0], lines, indent + "  ")
                lines.append(indent + "}")
            elif kind == "try":
                lines.append(indent + "try {")
                self.write(rest[0], lines, indent + "  ")
                lines.append(f"{indent}  if ({self.coin()}) throw new Failure({rest[1]});")
                lines.append(indent + "} catch (Failure failure) {")
                lines.append(f"{indent}  {rest[2]} = failure.v;")
                lines.append(indent + "}")
            else:
                number, body, joins = rest
                captured = [f"{name}{number}" for name in LOCALS]
                for name, local in zip(captured, LOCALS):
                    lines.append(f"{indent}final int {name} = {local};")
                lines.append(f"{indent}Thread t{number} = new Thread(() -> body{number}({', '.join(captured)}, args));")
                self.bodies.append((number, body))
                lines.append(f"{indent}t{number}.start();")
                if joins:
                    lines.append(f"{indent}try {{ t{number}.join(); }} catch (InterruptedException e) {{ }}")

    # ---- as code for the interpreter

    def code(self):
        """Lists of instructions, that of main first; a started thread has a list of its own."""
        lists = [[]]
        self.compile(self.body, lists, 0)
        return lists

    def compile(self, block, lists, current):
        code = lists[current]
        for statement in block:
            kind, rest = statement[0], statement[1:]
            if kind == "sync":
                code.append(("lock", rest[0]))
                self.compile(rest[1], lists, current)
                code.append(("unlock", rest[0]))
            elif kind == "if":
                at = len(code)
                code.append(None)
                self.compile(rest[0], lists, current)
                over = len(code)
                code.append(None)
                code[at] = ("branch", at + 1, len(code))
                self.compile(rest[1], lists, current)
                code[over] = ("jump", len(code))
            elif kind == "while":
                at = len(code)
                code.append(None)
                self.compile(rest[0], lists, current)
                code.append(("jump", at))
                code[at] = ("branch", at + 1, len(code))
            elif kind == "try":
                self.compile(rest[0], lists, current)
                at = len(code)
                code.append(("branch", at + 1, at + 2))
                code.append(("copy", rest[2], rest[1]))
            elif kind == "start":
                lists.append([])
                number = len(lists) - 1
                self.compile(rest[1], lists, number)
                code.append(("start", number))
                if rest[2]:
                    code.append(("join", number))
            else:
                code.append(statement)


class Deciding(Program):
    """A program with one secret, s1, whose branches look at values. Its runs are compared for different secrets."""

    SIMPLE = ["copy", "sum", "constant", "less", "sign", "divide", "check"] + ["read", "write", "get", "set"] * 2

    def __init__(self, name, seed):
        super().__init__(name, seed)
        self.sources = 1

    def simple(self):
        choose = self.random
        kind = choose.choice(self.SIMPLE)
        places = {"read": STATICS, "write": STATICS, "get": BOXES, "set": BOXES}
        rest = [choose.choice(LOCALS)]
        if kind in ("copy", "sum", "less", "sign", "divide", "check"):
            rest.append(choose.choice(LOCALS))
        if kind == "sum":
            rest.append(choose.choice(LOCALS))
        if kind in places:
            rest.append(choose.choice(places[kind]))
        return (kind, *rest)

    def statement(self, depth):
        choose = self.random
        draw = choose.random()
        if draw < 0.25:
            return ("positive", choose.choice(LOCALS), [self.simple() for _ in range(choose.randint(1, 2))],
                    [self.simple() for _ in range(choose.randint(0, 1))])
        if draw < 0.4:
            self.sinks += 1
            return ("sink", choose.choice(LOCALS), self.sinks)
        if depth > 0 and draw < 0.5:
            return ("sync", choose.choice(LOCKS), self.block(depth - 1))
        if depth > 0 and draw < 0.65 and self.threads < 2:
            self.threads += 1
            number = self.threads
            return ("start", number, self.block(depth - 1, thread=True), choose.random() < 0.4)
        return self.simple()

    def java(self):
        return super().java().replace("  static int same(int v) { return v; }\n", """  static int same(int v) { return v; }
  static int sign(int v) {
    if (v > 0) return 1;
    return 0;
  }
  static void check(int v) {
    if (v > 1) throw new Failure(1);
  }
""")

    def write(self, block, lines, indent):
        for statement in block:
            kind, rest = statement[0], statement[1:]
            if kind == "positive":
                lines.append(f"{indent}if ({rest[0]} > 0) {{")
                self.write(rest[1], lines, indent + "  ")
                lines.append(indent + "} else {")
                self.write(rest[2], lines, indent + "  ")
                lines.append(indent + "}")
            elif kind == "less":
                lines.append(f"{indent}{rest[0]} = {rest[1]} - 1;")
            elif kind == "sign":
                lines.append(f"{indent}{rest[0]} = sign({rest[1]});")
            elif kind == "divide":
                lines.append(f"{indent}try {{ {rest[0]} = 6 / {rest[1]}; }} catch (ArithmeticException e) {{ "
                             f"{rest[0]} = 2; }}")
            elif kind == "check":
                lines.append(f"{indent}try {{ check({rest[1]}); {rest[0]} = 1; }} catch (Failure e) {{ }}")
            else:
                super().write([statement], lines, indent)

    def compile(self, block, lists, current):
        for statement in block:
            if statement[0] == "positive":
                code = lists[current]
                at = len(code)
                code.append(None)
                self.compile(statement[2], lists, current)
                over = len(code)
                code.append(None)
                code[at] = ("positive", statement[1], at + 1, len(code))
                self.compile(statement[3], lists, current)
                code[over] = ("jump", len(code))
            else:
                super().compile([statement], lists, current)


class Values:
    """What the instructions do with numbers."""

    def __init__(self, secret):
        self.secret = secret

    def run(self, kind, rest, label):
        if kind == "source":
            return self.secret
        if kind == "constant":
            return 3
        if kind == "copy":
            return label(rest[1])
        if kind == "sum":
            return label(rest[1]) + label(rest[2])
        if kind == "less":
            return label(rest[1]) - 1
        if kind == "sign":
            return int(label(rest[1]) > 0)
        if kind == "divide":
            return 2 if label(rest[1]) == 0 else int(6 / label(rest[1]))
        assert kind == "check"
        return label(rest[0]) if label(rest[1]) > 1 else 1


def outputs(program, secret, limit=60000):
    """By sink: what it may have shown when the program has ended, as the set of its lists of numbers."""
    lists = program.code()
    memory = STATICS + BOXES + ("0", "1", "map")
    start = (((0, 0, (0, 0, 0), ()),), (0,) * len(memory), (None,) * len(LOCKS), ())
    seen, stack, shown = {start}, [start], {}
    while stack:
        state = stack.pop()
        if all(at >= len(lists[code]) for code, at, _, _ in state[0]):
            for sink in range(1, program.sinks + 1):
                shown.setdefault(sink, set()).add(tuple(value for number, value in state[3] if number == sink))
        for after in steps(state[:3], lists, memory, Values(secret)):
            after = after[:3] + (state[3] + after[3],) if len(after) > 3 else after + (state[3],)
            if after not in seen:
                seen.add(after)
                if len(seen) > limit:
                    raise TooMany
                stack.append(after)
    return shown


class TooMany(Exception):
    """There are more states than somebody wants to wait for."""


def flows(program, limit=60000):
    """The pairs (source, sink) of which a value really gets from one to the other."""
    lists = program.code()
    memory = STATICS + BOXES + ("0", "1", "map")
    start = (((0, 0, (0, 0, 0), ()),), (0,) * len(memory), (None,) * len(LOCKS))
    seen, stack, found = {start}, [start], set()
    while stack:
        state = stack.pop()
        for after in steps(state, lists, memory, found):
            if after not in seen:
                seen.add(after)
                if len(seen) > limit:
                    raise TooMany
                stack.append(after)
    return found


def steps(state, lists, memory, found):
    threads, cells, owners = state
    for index, (code, at, values, held) in enumerate(threads):
        if at >= len(lists[code]):
            continue
        yield from step(state, lists, memory, found, index)


def step(state, lists, memory, found, index):
    threads, cells, owners = state
    code, at, values, held = threads[index]
    kind, *rest = lists[code][at]

    def become(to=at + 1, mine=values, mem=cells, own=owners, keeps=held, more=()):
        return threads[:index] + ((code, to, mine, keeps),) + threads[index + 1:] + more, mem, own

    def with_local(name, label):
        number = LOCALS.index(name)
        return values[:number] + (label,) + values[number + 1:]

    def label(name):
        return values[LOCALS.index(name)]

    def cell(name):
        return cells[memory.index(str(name))]

    def with_cell(name, value):
        number = memory.index(str(name))
        return cells[:number] + (value,) + cells[number + 1:]

    if isinstance(found, Values) and kind in ("source", "constant", "copy", "sum", "less", "sign", "divide", "check"):
        yield become(mine=with_local(rest[0], found.run(kind, rest, label)))
    elif isinstance(found, Values) and kind == "sink":
        yield become() + (((rest[1], label(rest[0])),),)
    elif kind == "positive":
        yield become(to=rest[1] if label(rest[0]) > 0 else rest[2])
    elif kind == "source":
        yield become(mine=with_local(rest[0], 1 << rest[1]))
    elif kind == "sink":
        for source in range(1, 64):
            if label(rest[0]) >> source & 1:
                found.add((source, rest[1]))
        yield become()
    elif kind in ("copy", "call", "text"):
        yield become(mine=with_local(rest[0], label(rest[1])))
    elif kind == "sum":
        yield become(mine=with_local(rest[0], label(rest[1]) | label(rest[2])))
    elif kind == "constant":
        yield become(mine=with_local(rest[0], 0))
    elif kind in ("read", "get", "load"):
        yield become(mine=with_local(rest[0], cell(rest[1])))
    elif kind in ("write", "set", "store"):
        yield become(mem=with_cell(rest[1], label(rest[0])))
    elif kind == "find":
        yield become(mine=with_local(rest[0], cell("map")))
    elif kind == "put":
        yield become(mem=with_cell("map", label(rest[0])))
    elif kind == "lock":
        number = LOCKS.index(rest[0])
        if owners[number] in (None, index):
            yield become(own=owners[:number] + (index,) + owners[number + 1:], keeps=held + (number,))
    elif kind == "unlock":
        number, left = held[-1], held[:-1]
        free = owners if number in left else owners[:number] + (None,) + owners[number + 1:]
        yield become(own=free, keeps=left)
    elif kind == "branch":
        yield become(to=rest[0])
        yield become(to=rest[1])
    elif kind == "jump":
        yield become(to=rest[0])
    elif kind == "start":
        yield become(more=((rest[0], 0, values, ()),))
    elif kind == "join":
        # The thread that this one has started last with the code.
        waits = max(number for number, thread in enumerate(threads) if thread[0] == rest[0])
        if threads[waits][1] >= len(lists[rest[0]]):
            yield become()
