"""No flow that happens is excluded: random Java programs, whose flows an interpreter with labels finds by trying all.

    flow_twin_test.py PROGRAM data COUNT [FIRST_SEED]
    flow_twin_test.py PROGRAM control COUNT [FIRST_SEED]

With `control`, the branches of the programs look at values. What a sink may show is compared for several secrets, over
all schedules: where it differs, the secret must be seen to get there.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from random_flows import Deciding, Program, TooMany, flows, outputs  # noqa: E402

SECRETS = (0, 1, 5)


def revealing(program):
    """The sinks that tell something about the secret."""
    shown = [outputs(program, secret) for secret in SECRETS]
    # Where no run ends for some secret, that is all that can be told.
    if not all(shown):
        return set()
    return {(1, sink) for sink in shown[0] if any(each[sink] != shown[0][sink] for each in shown)}


def reported(program, classes, name, *options):
    """The flows that Lockwood reports, and the number of those that it suspects but refutes."""
    done = subprocess.run([program, "flow", str(classes), "--main", name, "--json", "--settle", "off", *options],
                          capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in (0, 1), (name, done.stderr)
    report = json.loads(done.stdout)
    found = {tuple(finding["subject"].split(", ")) for finding in report["findings"] if finding["verdict"] == "flow"}
    refuted = sum(finding["verdict"] == "no flow" for finding in report["findings"])
    assert all(finding["verdict"] != "unknown" for finding in report["findings"]), name
    return {(int(source[1:]), int(sink[1:])) for source, sink in found}, refuted


def main():
    program, mode, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    kind, happening_in, options = {"data": (Program, flows, ()), "control": (Deciding, revealing, ("--control",))}[mode]
    if not shutil.which("javac"):
        print("skipped: no javac")
        return 77
    tried = happen = claimed = refuted_in_all = 0
    missed = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        wanted = {}
        seed = first
        while len(wanted) < count:
            made = kind(f"F{seed}", seed)
            seed += 1
            try:
                if made.sources == 0 or made.sinks == 0:
                    continue
                wanted[made.name] = happening_in(made)
            except TooMany:
                continue
            (folder / f"{made.name}.java").write_text(made.java())
        sources = sorted(folder.glob("*.java"))
        for i in range(0, len(sources), 200):
            subprocess.run(["javac", "-g", "-nowarn", "-d", str(folder / "classes"), *map(str, sources[i:i + 200])],
                           check=True)
        for source in sources:  # comments are looked for beside the classes
            shutil.copy(source, folder / "classes")
        for name, happening in wanted.items():
            found, refuted = reported(program, folder / "classes", name, *options)
            tried += 1
            happen += len(happening)
            claimed += len(found)
            refuted_in_all += refuted
            if happening - found:
                missed.append((name, sorted(happening - found)))
                print((folder / f"{name}.java").read_text())
                print("missed:", name, sorted(happening - found))
    assert not missed, [name for name, _ in missed]
    # With control dependence nearly everything flows: few programs have anything to refute.
    assert happen > 0 and claimed > 0 and (refuted_in_all > 0 or count < 10 or mode == "control")
    print(f"{tried} programs, {happen} flows happen, {claimed} reported, {refuted_in_all} suspected and refuted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
