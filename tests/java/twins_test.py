"""What the explorer finds by running a program is found in its twin in Java.

    twins_test.py LOCKWOOD SOURCE_DIRECTORY COUNT [FIRST_SEED]

Random programs (random_twins.py): each race that happens on a variable in some run of the one is reported on the field of
the other, and where a run ends in a deadlock, the other one has a deadlock, or it is said that this is not known. Besides,
the programs have what they are there for, and not everything is reported.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

# Shares of the programs, at least.
FEATURES = {"locked": 0.5, "joined": 0.25, "thrown": 0.1, "called": 0.15, "loop": 0.15, "array": 0.1, "waited": 0.02,
            "crossed": 0.15, "racy": 0.3, "quiet": 0.05, "deadlocked": 0.05}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def field_of(name, variable):
    """The field in Java for a variable of the twin."""
    return f"{name}$C.n" if variable.startswith("n") else f"{name}.{variable}"


class Comparison:
    def __init__(self, lockwood, folder):
        self.lockwood, self.folder = lockwood, folder
        self.counts = Counter()
        self.errors = []

    def happening(self, name):
        """The fields that races happen on in runs, whether a run ends in a deadlock, and whether all were visited."""
        done = run(self.lockwood, "explore", str(self.folder / f"{name}.lw"), "--json", "--no-warn=all", "--timeout=4s")
        if not done.stdout:
            raise AssertionError(f"{name}: {done.stderr}")
        report = json.loads(done.stdout)
        found = report["findings"]
        races = {field_of(name, each["subject"]) for each in found if each["rule"] == "race"}
        return races, any(each["rule"] == "deadlock" for each in found), report["report"]["summary"]["complete"]

    def reported(self, command, name, *options):
        done = run(self.lockwood, command, str(self.folder / name), "--json", *options)
        if done.returncode not in (0, 1, 3):
            raise AssertionError(f"{name}: {command}: {done.stderr}")
        return json.loads(done.stdout)["findings"], done.returncode

    def compare(self, name, features):
        races, deadlock, complete = self.happening(name)
        found, _ = self.reported("race", name)
        reported = {each["subject"] for each in found if each["verdict"] == "race"}
        certain = {each["subject"] for each in found if each["verdict"] == "race" and each["certainty"] == "exact"}
        if races - reported:
            self.errors.append(f"{name}: races that happen and are not reported: {sorted(races - reported)}")
        cycles, status = self.reported("deadlock", name)
        closed = any(each["verdict"] == "deadlock" for each in cycles)
        if deadlock and not closed and status != 3:
            self.errors.append(f"{name}: a deadlock that happens and is not reported")
        self.counts.update(features)
        self.counts.update({"racy": bool(races), "quiet": complete and not races, "deadlocked": deadlock,
                            "not all visited": not complete, "fields": len(races), "fields reported": len(reported),
                            "fields reported for certain": len(certain),
                            "certain but not happening": len(certain - races) if complete else 0,
                            "deadlock reported": closed, "deadlock unknown": status == 3 and not closed})


def main():
    lockwood, source, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    if not shutil.which("javac"):
        print("skipped: no javac")
        return 77
    sys.path.insert(0, str(source / "tests/java"))
    sys.dont_write_bytecode = True
    from random_twins import Twin

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        twins = [Twin(seed) for seed in range(first, first + count)]
        assert Twin(first).java() == twins[0].java(), "same seed, same program"
        for twin in twins:
            (folder / f"{twin.name}.java").write_text(twin.java())
            (folder / f"{twin.name}.lw").write_text(twin.twin())
        compiled = run("javac", "-g", "-nowarn", "-d", str(folder / "classes"), *map(str, sorted(folder.glob("*.java"))))
        assert compiled.returncode == 0, compiled.stderr
        for path in sorted((folder / "classes").glob("*.class")):
            own = folder / path.stem.split("$")[0]
            own.mkdir(exist_ok=True)
            path.rename(own / path.name)
        comparison = Comparison(lockwood, folder)
        for twin in twins:
            comparison.compare(twin.name, twin.features)
    for error in comparison.errors:
        print(error)
    print(", ".join(f"{what}: {number}" for what, number in sorted(comparison.counts.items())), f"of {count}")
    for feature, share in FEATURES.items():
        assert comparison.counts[feature] >= share * count, f"only {comparison.counts[feature]} programs are {feature}"
    return 1 if comparison.errors else 0


if __name__ == "__main__":
    sys.exit(main())
