#!/usr/bin/env python3
"""Measures lockwood, whole processes from outside, and prints one table.

    run.py LOCKWOOD [--groups abcdefghij] [--limit SECONDS] [--peer-limit SECONDS] [--max-rules N] [--models FOLDER]
           [--inside SOLVER_BENCH]

a  growth in rules, without locks and with 2, 8 and 32      e  a batch with one job and with two
b  growth in locks, nested to depth 4, at 10,000 rules      f  explicit antichains against ZDDs
c  phases                                                   g  the paper's encoding as a tabled logic program
d  all pairs that may happen in parallel, against one pair  h  the parts of a query, inside one process
                                                            i  growth in threads that are joined
                                                            j  Java programs, all pairs of accesses

`cpu` is the processor time of the process and all its threads, `wall` the time that passed; medians of up to five runs.
A ratio is of processor times within this run, in group e of wall times. Models are made by `lockwood gen`, with fixed
seeds.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

from measure import measure

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer"))
import peer  # noqa: E402

# The numbers of the queries of `lockwood gen application`.
RACE, APART, DEFINITION_USE, RACE_AFTER_ONE_STEP = 2, 3, 5, 6
COLUMNS = ("group", "model", "question", "verdict", "cpu", "wall", "memory", "ratio", "to")


class Bench:
    def __init__(self, options):
        self.lockwood = os.path.abspath(options.lockwood)
        self.limit = options.limit
        self.peer_limit = options.peer_limit
        self.max_rules = options.max_rules
        self.inside = options.inside
        self.folder = os.path.abspath(options.models)
        self.rows = []
        os.makedirs(self.folder, exist_ok=True)
        print_cells(COLUMNS)

    def model(self, family, **parameters):
        """The path of the model, made if it is not there yet, or by another program than this one."""
        name = family + "".join(f"-{key}{value}" for key, value in parameters.items())
        path = os.path.join(self.folder, name + ".dpn")
        if not newer(path, self.lockwood):
            arguments = [f"--{key}={value}" for key, value in parameters.items()]
            subprocess.run([self.lockwood, "gen", family, *arguments, "-o", path + ".new"], check=True)
            os.rename(path + ".new", path)
        return path

    def without_queries(self, path):
        """The same model without its queries: to answer them takes as long as to read it."""
        bare = path.replace(".dpn", ".bare.dpn")
        if not newer(bare, path):
            with open(path, encoding="utf-8") as source, open(bare, "w", encoding="utf-8") as target:
                target.writelines(line for line in source if not line.startswith(("reach", "conflict", "iterate")))
        return bare

    def with_second_phase(self, path):
        """The same model with one more query: first a write that the third query is about, then its race."""
        extended = path.replace(".dpn", ".two-phases.dpn")
        if not newer(extended, path):
            writes, accesses = peer.models_as_json(self.lockwood, path)["queries"][2]["steps"][0]["positions"]
            write, access = ("{" + ", ".join(positions) + "}" for positions in (writes, accesses))
            shutil.copy(path, extended)
            with open(extended, "a", encoding="utf-8") as file:
                file.write(f"iterate {write}, {write} and {access}\n")
        return extended

    def last_query(self, path):
        return len(peer.models_as_json(self.lockwood, path)["queries"])

    def check(self, path, query, *options):
        return measure([self.lockwood, "check", path, f"--query={query}", "--witness=none", *options], self.limit)

    def row(self, group, model, question, measured, reference=None, to="", wall=False):
        """Prints a line of the table. `reference` is what the ratio compares with."""
        ratio = ""
        if reference and not (measured.timed_out or reference.timed_out):
            ratio = (measured.seconds / reference.seconds if wall
                     else measured.processor / max(reference.processor, 1e-3))
            ratio = f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"
        elif reference and measured.timed_out and not reference.timed_out:
            ratio = f"> {measured.processor / max(reference.processor, 1e-3):.0f}"
        words = measured.output.split()
        verdict = "time limit" if measured.timed_out else words[-1] if words else ""
        cells = (group, model, question, verdict if verdict in VERDICTS else "",
                 f"{'> ' if measured.timed_out else ''}{measured.processor:.3f} s", f"{measured.seconds:.3f} s",
                 f"{measured.memory / 2**20:.0f} MB", ratio, to if ratio else "")
        print_cells(cells)
        return measured

    # --- groups ---

    def growth_in_rules(self):
        for locks in (0, 2, 8, 32):
            before = None
            for rules in (1_000, 10_000, 100_000, 1_000_000):
                if rules > self.max_rules:
                    continue
                path = self.model("application", rules=rules, locks=locks)
                name = f"application {rules}, {locks} locks"
                reading = measure([self.lockwood, "check", self.without_queries(path)], self.limit)
                self.row("a", name, "(reading alone)", reading)
                question = RACE if locks else APART
                now = self.check(path, question)
                self.row("a", name, "race" if locks else "never together", now, reading, "reading")
                if before:
                    self.row("a", name, "… growth", now, before, f"{rules // 10} rules")
                before = now

    def growth_in_locks(self):
        first = None
        for locks in (2, 4, 8, 16, 32, 64, 200):
            path = self.model("application", rules=10_000, locks=locks, depth=4)
            now = self.check(path, RACE)
            first = first or now
            self.row("b", f"application 10000, {locks} locks, depth 4", "race", now, first, "2 locks")

    def phases(self):
        for locks in (2, 8):
            path = self.model("application", rules=3_400, locks=locks)
            before = None
            for phases in (1, 2, 3, 4):
                now = self.check(path, RACE if phases == 1 else RACE_AFTER_ONE_STEP + phases - 2)
                self.row("c", f"application 3400, {locks} locks", f"race in phase {phases}", now, before,
                         f"phase {phases - 1}")
                before = now

    def all_pairs(self):
        path = self.model("application", rules=3_400, locks=2)
        one = self.row("d", "application 3400, 2 locks", "race", self.check(path, RACE))
        pairs = measure([self.lockwood, "mhp", path, "--count"], self.limit)
        found = re.search(r"pairs found:? +(\d+)", pairs.output)
        pairs.output = ""
        self.row("d", "application 3400, 2 locks", f"all pairs: {found[1] if found else 'unknown'}", pairs, one,
                 "one race")

    def jobs(self):
        if not self.offers("batch", "--jobs"):
            return self.skip("e", "there is no lockwood batch")
        path = self.model("application", rules=10_000, locks=8)
        queries = os.path.join(self.folder, "batch.jsonl")
        with open(queries, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(query) + "\n" for query in self.batch_of_conflicts(path, 200))
        one = None
        for jobs in (1, 2):
            now = measure([self.lockwood, "batch", queries, path, f"--jobs={jobs}"], self.limit)
            now.output = ""
            one = one or now
            self.row("e", "application 10000, 8 locks", f"200 conflicts, {jobs} job{'s' * (jobs - 1)}", now, one,
                     "1 job", wall=True)
        if not self.offers("check", "--jobs"):
            return self.skip("e", "check has no option --jobs")
        path = self.model("application", rules=100_000, locks=8)
        one = None
        for jobs in (1, 2):
            now = self.check(path, RACE_AFTER_ONE_STEP + 2, f"--jobs={jobs}")
            one = one or now
            self.row("e", "application 100000, 8 locks", f"race in phase 4, {jobs} job{'s' * (jobs - 1)}", now, one,
                     "1 job", wall=True)

    def batch_of_conflicts(self, path, count):
        """Pairs of positions, evenly spread over the model."""
        stacks = peer.models_as_json(self.lockwood, path)["stacks"]
        for number in range(count):
            pair = [stacks[number * 7919 % len(stacks)], stacks[(number * 104_729 + 11) % len(stacks)]]
            yield {"id": number, "form": "mhp", "pair": pair}

    def domains(self):
        if not self.offers("check", "--domain"):
            return self.skip("f", "there is no option --domain")
        for path in (self.model("application", rules=10_000, locks=8, depth=4),
                     self.model("program", procedures=140, rules=3_400, locks=8, spawns=5)):
            explicit = self.check(path, RACE, "--domain=explicit")
            name = os.path.basename(path)[:-len(".dpn")]
            self.row("f", name, "race, explicit", explicit)
            self.row("f", name, "race, ZDD", self.check(path, RACE, "--domain=zdd"), explicit, "explicit")
        for choices in (8, 12, 24):
            path = self.model("choices", n=choices)
            for query, question in ((1, "together"), (2, "too late")):
                explicit = self.check(path, query, "--domain=explicit")
                self.row("f", f"choices {choices}", question + ", explicit", explicit)
                for domain, name in (("zdd", "ZDD"), ("auto", "auto")):
                    self.row("f", f"choices {choices}", f"{question}, {name}",
                             self.check(path, query, f"--domain={domain}"), explicit, "explicit")

    def against_peer(self):
        if not shutil.which("swipl"):
            return self.skip("g", "there is no swipl")
        for rules in (1_000, 3_400, 10_000):
            for locks in (2, 4):
                path = self.model("application", rules=rules, locks=locks)
                for query, question in ((RACE, "race"), (DEFINITION_USE, "definition and use"),
                                        (RACE_AFTER_ONE_STEP, "race in phase 2")):
                    self.compare(f"application {rules}, {locks} locks", path, query, question)
            for locks in (4, 8) if rules == 1_000 else ():
                path = self.model("program", procedures=rules // 24, rules=rules, locks=locks, spawns=5)
                self.compare(f"program {rules}, {locks} locks", path, 3, "race")
            path = self.with_second_phase(self.model("program", procedures=rules // 24, rules=rules, locks=2, spawns=5))
            self.compare(f"program {rules}, 2 locks", path, 3, "race")
            self.compare(f"program {rules}, 2 locks", path, self.last_query(path), "race in phase 2")

    def compare(self, name, path, query, question):
        ours = self.row("g", name, question, self.check(path, query))
        command = peer.write_facts(peer.models_as_json(self.lockwood, path), query, path.replace(".dpn", ".pl"))
        theirs = self.row("g", name, question + ", peer", measure(command, self.peer_limit, 3), ours, "lockwood")
        if not (ours.timed_out or theirs.timed_out) and ours.output.split()[-1:] != theirs.output.split()[-1:]:
            sys.exit(f"the verdicts differ: {path}, query {query}")

    def java(self):
        """Races and deadlocks from class files to the answer. Needs javac."""
        if not shutil.which("javac"):
            return

        def compiled(name, sources):
            classes = os.path.join(self.folder, name)
            if not os.path.isdir(classes):
                subprocess.run(["javac", "-g", "-nowarn", "-d", classes, *sources()], check=True)
            return classes

        def generated(lines):
            folder = os.path.join(self.folder, f"java-{lines}-sources")
            subprocess.run([sys.executable, os.path.join(HERE, "java_program.py"), str(lines), folder], check=True)
            return [os.path.join(folder, "app", name) for name in sorted(os.listdir(os.path.join(folder, "app")))]

        trap = compiled("java-T03", lambda: [os.path.join(HERE, "../models/java/T03.java")])
        self.row("j", "T03", "races", measure([self.lockwood, "race", trap], self.limit))
        before = None
        for lines in (1_000, 3_000, 6_000):
            program = compiled(f"java-{lines}", lambda: generated(lines))
            now = measure([self.lockwood, "race", program, "--brief"], self.limit)
            self.row("j", f"java_program.py {lines}", "races, all pairs", now, before, "the line before")
            self.row("j", f"java_program.py {lines}", "… copies not merged",
                     measure([self.lockwood, "race", program, "--brief", "--without=merging"], self.limit), now, "merged")
            self.row("j", f"java_program.py {lines}", "deadlocks",
                     measure([self.lockwood, "deadlock", program], self.limit), now, "races")
            before = now

    def parts(self):
        """What Google Benchmark measures; the ratio is to the rules: nanoseconds for each."""
        if not self.inside or not os.path.exists(self.inside):
            return self.skip("h", "--inside names no program")
        report = subprocess.run([self.inside, "--benchmark_format=json", "--benchmark_min_time=0.2"], check=True,
                                capture_output=True, text=True)
        for result in json.loads(report.stdout)["benchmarks"]:
            name, rules, locks = re.fullmatch(r"([\w/]+)/rules:(\d+)/locks:(\d+)", result["name"]).groups()
            seconds = [result[key] / 1e3 for key in ("cpu_time", "real_time")]
            cells = ("h", f"application {rules}, {locks} locks", name.replace("_", " "), "", f"{seconds[0]:.4f} s",
                     f"{seconds[1]:.4f} s", "", f"{seconds[0] / int(rules) * 1e9:.0f}", "ns a rule")
            print_cells(cells)

    def joins(self):
        """All queries of a model at once; each thread or procedure has up to ten rules."""
        families = (("fork-join", "threads"), ("join-pool", "workers"), ("pipeline", "stages"),
                    ("nested-finish", "levels"))
        for family, size in families:
            for locks in (2, 8):
                before = None
                for count in (100, 1_000, 10_000):
                    path = self.model(family, **{size: count, "locks": locks})
                    with open(path, encoding="utf-8") as file:
                        rules = sum("-->" in line for line in file)
                    now = measure([self.lockwood, "check", path, "--witness=none"], self.limit)
                    now.output = ""
                    before = self.row("i", f"{family} {count}, {locks} locks", f"all queries, {rules} rules", now, before,
                                      f"{count // 10} {size}")

    # --- what may be missing ---

    def offers(self, command, option):
        result = subprocess.run([self.lockwood, command, "--help"], capture_output=True, text=True, check=False)
        return result.returncode == 0 and option in result.stdout

    @staticmethod
    def skip(group, reason):
        print(f"{group:{width('group')}}  skipped: {reason}")


HERE = os.path.dirname(os.path.abspath(__file__))
VERDICTS = ("reachable", "unreachable", "time limit")
WIDTHS = {"group": 5, "model": 38, "question": 28, "verdict": 11, "cpu": 11, "wall": 10, "memory": 8, "ratio": 7}


def width(column):
    return WIDTHS.get(column, 0)


def newer(path, than):
    return os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(than)


def print_cells(cells):
    print("  ".join(f"{cell:{width(name)}}" for name, cell in zip(COLUMNS, cells)).rstrip(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockwood")
    parser.add_argument("--groups", default="abcdefghij", help="which groups, such as 'a g'")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one process")
    parser.add_argument("--peer-limit", type=float, default=300.0, help="the same for the peer of group g")
    parser.add_argument("--max-rules", type=int, default=1_000_000, help="leave out larger models of group a")
    parser.add_argument("--models", default="build/bench", help="where models are kept")
    parser.add_argument("--inside", help="the program solver_bench, for group h")
    options = parser.parse_args()
    bench = Bench(options)
    groups = {"a": bench.growth_in_rules, "b": bench.growth_in_locks, "c": bench.phases, "d": bench.all_pairs,
              "e": bench.jobs, "f": bench.domains, "g": bench.against_peer, "h": bench.parts,
              "i": bench.joins, "j": bench.java}
    for group, run in groups.items():
        if group in options.groups:
            run()


if __name__ == "__main__":
    main()
