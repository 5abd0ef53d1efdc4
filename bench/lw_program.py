"""Writes a random .lw program of about LINES lines: what a small service looks like, with shared variables, locks, helpers
that call each other, and threads.

    lw_program.py LINES [SEED]
"""
import random
import sys


def program(lines, seed=1):
    """Each procedure has about twelve lines; each variable is used by some four procedures, mostly under its own lock."""
    chance = random.Random(seed)
    procedures = max(2, lines // 12)
    variables = max(2, procedures // 3)
    locks = max(2, variables // 4)
    text = [f"var {', '.join(f'v{i} = {i}' for i in range(variables))};", f"lock {', '.join(f'l{i}' for i in range(locks))};"]

    def statement(near, depth, indent):
        pad = "  " * indent
        variable = (near + chance.randrange(4)) % variables
        kind = chance.random()
        if kind < 0.35:
            return [f"{pad}v{variable} = v{(variable + 1) % variables} + {chance.randrange(9)};"]
        if kind < 0.5:
            return [f"{pad}print(v{variable});"]
        if kind < 0.75 and depth > 0:
            body = [line for _ in range(2) for line in statement(near, depth - 1, indent + 1)]
            return [f"{pad}sync (l{variable % locks}) {{", *body, f"{pad}}}"]
        if kind < 0.9 and depth > 0:
            body = [line for _ in range(2) for line in statement(near, depth - 1, indent + 1)]
            return [f"{pad}if (v{variable} > {chance.randrange(9)}) {{", *body, f"{pad}}}"]
        return [f"{pad}v{variable} = {chance.randrange(99)};"]

    for number in range(procedures):
        near = number * variables // procedures
        body = [f"proc p{number}() {{"]
        while len(body) < 9:
            body += statement(near, 2, 1)
        if number > 0:
            body.append(f"  p{chance.randrange(max(0, number - 8), number)}();")
        text += ["", *body, "}"]
    text += ["", "proc main() {"]
    threads = max(2, procedures // 12)
    text += [f"  spawn p{(i + 1) * procedures // threads - 1}();" for i in range(threads)]
    text += [f"  p{procedures - 1}();", "}"]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    sys.stdout.write(program(int(sys.argv[1]), *(int(word) for word in sys.argv[2:3])))
