"""Our listing of a class says what javap says: opcodes, operands, exception tables, lines, names of locals.

    javap_test.py SHOW_CLASSES [COUNT [SEED]]

Takes COUNT random classes (default 500) of the image of the JDK that javap belongs to. Both texts are brought to one form,
method by method, and compared. Where no JDK is installed, or it has no jimage, the test is skipped (status 77).
"""

import itertools
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
CHUNK = 100  # classes for one run of javap
LONGEST = 500  # letters of a comment that are compared: ours are clipped at 2,000 bytes

INSTRUCTION = re.compile(r"^\s*(\d+): ([a-z]\w*)\s*(.*)$")
CASE = re.compile(r"^\s*(-?\d+|default): (\d+)$")
LINE = re.compile(r"^\s*line (\d+): (\d+)$")
HANDLER = re.compile(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s+(any|Class \S+)$")
LOCAL = re.compile(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)$")


def tool(name):
    """A program of the JDK: on the path, or beside what javac really is."""
    found = shutil.which(name)
    javac = shutil.which("javac")
    if not found and javac:
        beside = pathlib.Path(javac).resolve().parent / name
        found = str(beside) if beside.exists() else None
    return found


def number(kind, text):
    """A floating-point constant by its bits, however it is written."""
    text = text.replace("Infinity", "inf").replace("NaN", "nan")
    return kind, struct.pack("f" if kind == "float" else "d", float(text[:-1]))


def comment(text, owner):
    """What a constant is. javap leaves out the class of members of the class itself, and quotes odd names."""
    text = text.strip()
    kind, _, rest = text.partition(" ")
    if kind in ("float", "double"):
        return number(kind, rest)
    if kind == "String":
        return kind, rest[:LONGEST]
    rest = rest.replace('"', "")
    if kind in ("Field", "Method", "InterfaceMethod"):
        before, _, descriptor = rest.partition(":")
        if "." not in before:
            before = owner + "." + before
        return kind, before, descriptor
    if kind in ("MethodHandle", "MethodType"):
        rest = re.sub(r"^(REF_\w+)[: ]", r"\1 ", rest)
    return kind, rest[:LONGEST]


def operands(text, owner):
    plain, separator, note = text.partition("//")
    words = tuple(re.split(r"[,\s]+", plain.strip())) if plain.strip() else ()
    return words + ((comment(note, owner),) if separator else ())


def method_bodies(text, owner):
    """The parts of a listing that follow `Code:`, each as a list of facts."""
    bodies = []
    body = None
    section = None
    for line in text.splitlines():
        stripped = line.strip()
        if stripped == "Code:":
            body = []
            bodies.append(body)
            section = "code"
        elif stripped in ("Exception table:", "LineNumberTable:", "LocalVariableTable:", "LocalVariableTypeTable:", "StackMapTable:"):
            section = stripped
        elif not stripped or not line.startswith("   "):
            section = None  # the header of the next member
        elif section == "code":
            found = INSTRUCTION.match(line)
            if found:
                offset, name, rest = found.groups()
                if name.endswith("switch"):
                    rest = ""
                body.append(("instruction", int(offset), name, operands(rest, owner)))
            elif CASE.match(line):
                body.append(("case",) + CASE.match(line).groups())
            elif stripped != "}":
                raise ValueError(f"unexpected line: {line!r}")
        elif section == "Exception table:" and HANDLER.match(line):
            start, end, target, kind = HANDLER.match(line).groups()
            body.append(("handler", start, end, target, kind.replace('"', "")))
        elif section == "LineNumberTable:" and LINE.match(line):
            body.append(("line",) + LINE.match(line).groups())
        elif section == "LocalVariableTable:" and LOCAL.match(line):
            body.append(("local",) + LOCAL.match(line).groups())
    return bodies


def classes_of(text):
    """A listing of several classes, cut where each begins."""
    return re.split(r"(?m)^(?=(?:Compiled from )|(?!Compiled from)(?:\w+ )*(?:class|interface) .*\{)", text)


def listings(text):
    parts = []
    for part in classes_of(text):
        # `Compiled from` and the class itself are two beginnings of one listing.
        if parts and re.fullmatch(r"Compiled from .*\n", parts[-1]):
            parts[-1] += part
        elif part.strip():
            parts.append(part)
    return parts


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr[:2000]}")
    return done.stdout


def every_opcode():
    """A class whose one method has each of the 202 instructions, wide ones too. It need not make sense: javap and we list it."""
    constants = []

    def constant(tag, *parts):
        data = bytes([tag]) + b"".join(part if isinstance(part, bytes) else struct.pack(">H", part) for part in parts)
        if data not in constants:
            constants.append(data)
            if tag in (5, 6):
                constants.append(None)  # takes two rows
        return constants.index(data) + 1

    def text(value):
        data = value.encode()
        return constant(1, len(data), data)

    def owner(name):
        return constant(7, text(name))

    def pair(name, descriptor):
        return constant(12, text(name), text(descriptor))

    this, above = owner("Every"), owner("java/lang/Object")
    field = constant(9, this, pair("f", "I"))
    method = constant(10, this, pair("m", "(I)V"))
    interface_method = constant(11, owner("java/lang/Runnable"), pair("run", "()V"))
    site = constant(18, 0, pair("apply", "()Ljava/lang/Runnable;"))
    number, wide_number = constant(3, struct.pack(">i", -7)), constant(6, struct.pack(">d", 0.1))
    array = owner("[[Ljava/lang/String;")
    code = bytearray()

    def emit(opcode, form="", *operands):
        code.extend(struct.pack(">B" + form, opcode, *operands))

    def switch(opcode, *numbers):
        start = len(code)
        code.append(opcode)
        code.extend(b"\0" * (-len(code) % 4))
        code.extend(struct.pack(f">{len(numbers)}i", *numbers))
        return start

    locals_ = list(range(21, 26)) + list(range(54, 59)) + [169]
    for opcode in range(202):
        if opcode == 16:
            emit(opcode, "b", -3)
        elif opcode == 17:
            emit(opcode, "h", -300)
        elif opcode == 18:
            emit(opcode, "B", number)
        elif opcode == 19:
            emit(opcode, "H", number)
        elif opcode == 20:
            emit(opcode, "H", wide_number)
        elif opcode in locals_:
            emit(opcode, "B", 5)
            emit(196, "BH", opcode, 300)
        elif opcode == 132:
            emit(opcode, "Bb", 5, -1)
            emit(196, "BHh", opcode, 300, -1000)
        elif 153 <= opcode <= 168 or opcode in (198, 199):
            emit(opcode, "h", -len(code))
        elif opcode == 170:
            switch(opcode, 0, -1, 1, 0, 0, 0)
        elif opcode == 171:
            switch(opcode, 0, 2, -5, 0, 70000, 0)
        elif 178 <= opcode <= 181:
            emit(opcode, "H", field)
        elif 182 <= opcode <= 184:
            emit(opcode, "H", method)
        elif opcode == 185:
            emit(opcode, "HBB", interface_method, 1, 0)
        elif opcode == 186:
            emit(opcode, "HH", site, 0)
        elif opcode == 188:
            emit(opcode, "B", 10)
        elif opcode in (187, 189, 192, 193):
            emit(opcode, "H", above)
        elif opcode == 196:
            continue  # with the instructions that it makes wide
        elif opcode == 197:
            emit(opcode, "HB", array, 2)
        elif opcode in (200, 201):
            emit(opcode, "i", -len(code))
        else:
            emit(opcode)
    handle = constant(15, b"\x06", method)
    body = struct.pack(">HHI", 9, 400, len(code)) + bytes(code) + struct.pack(">HH", 0, 0)
    names = [text("f"), text("I"), text("every"), text("()V"), text("Code"), text("BootstrapMethods")]
    pool = b"".join(data for data in constants if data)
    head = struct.pack(">IHHH", 0xCAFEBABE, 0, 52, len(constants) + 1) + pool
    head += struct.pack(">HHHH", 0x21, this, above, 0)
    head += struct.pack(">H", 0)
    head += struct.pack(">HHHHHHI", 1, 8, names[2], names[3], 1, names[4], len(body)) + body
    return head + struct.pack(">HHIHHH", 1, names[5], 6, 1, handle, 0)


def main():
    show, *rest = sys.argv[1:]
    count = int(rest[0]) if rest else 500
    seed = int(rest[1]) if len(rest) > 1 else 1
    javap, jimage = tool("javap"), tool("jimage")
    if not javap or not jimage:
        print("skipped: no JDK with javap and jimage is installed")
        return SKIPPED
    modules = pathlib.Path(jimage).resolve().parent.parent / "lib/modules"
    with tempfile.TemporaryDirectory() as folder:
        run([jimage, "extract", "--dir", folder, "--include", "regex:.*\\.class", str(modules)])
        paths = sorted(p for p in pathlib.Path(folder).rglob("*.class") if p.name != "module-info.class")
        chosen = random.Random(seed).sample(paths, min(count, len(paths)))
        every = pathlib.Path(folder) / "by-hand" / "Every.class"
        every.parent.mkdir()
        every.write_bytes(every_opcode())
        chosen.append(every)
        methods = instructions = 0
        for chunk in itertools.zip_longest(*[iter(chosen)] * CHUNK):
            files = [str(path) for path in chunk if path]
            theirs = listings(run([javap, "-J-Dfile.encoding=UTF-8", "-J-Dstdout.encoding=UTF-8", "-c", "-p", "-l", *files]))
            ours = listings(run([show, "listing", *files]))
            if len(theirs) != len(files) or len(ours) != len(files):
                sys.exit(f"javap lists {len(theirs)} classes, we list {len(ours)}, both should list {len(files)}")
            for file, their_text, our_text in zip(files, theirs, ours):
                owner = "/".join(pathlib.Path(file).relative_to(folder).parts[1:])[: -len(".class")]
                their_bodies, our_bodies = method_bodies(their_text, owner), method_bodies(our_text, owner)
                if len(their_bodies) != len(our_bodies):
                    sys.exit(f"{owner}: javap shows {len(their_bodies)} methods with code, we show {len(our_bodies)}")
                for their_body, our_body in zip(their_bodies, our_bodies):
                    methods += 1
                    instructions += sum(fact[0] == "instruction" for fact in our_body)
                    for their_fact, our_fact in itertools.zip_longest(their_body, our_body):
                        if their_fact != our_fact:
                            sys.exit(f"{owner}: javap says {str(their_fact)[:400]}, we say {str(our_fact)[:400]}")
    if instructions < 10 * count:
        sys.exit(f"only {instructions} instructions were compared: the forms are not understood")
    print(f"{len(chosen)} classes, {methods} methods, {instructions} instructions are the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
