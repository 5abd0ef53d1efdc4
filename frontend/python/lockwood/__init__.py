"""Lockwood: what concurrent programs with recursion, thread creation and nested locks can reach.

    import lockwood
    model = lockwood.load("models/fig1.dpn")
    answer = model.conflict({"p2"}, {"s1"})
    print(answer.verdict, answer.schedule)

    reachable = model.init.post()
    assert (reachable & model.stand({"r1"}, {"s1"})).empty()

docs/python.md is the manual.
"""

import json
from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Optional, Tuple, Union

from . import _lockwood
from ._lockwood import InputError, LimitError
from .drawing import automaton_svg, schedule_svg, tree_svg

__version__ = _lockwood.version

InputError.__doc__ = "What was given is wrong: a text, a name, a number. The message tells where."
LimitError.__doc__ = "A question came to a bound other than its time: the states of automata, or memory."

__all__ = ["Answer", "Automaton", "Deadlock", "Difference", "Finding", "Findings", "Guards", "InputError", "LimitError",
           "Model", "Race", "Rule", "Schedule", "Set", "Tree", "Witness", "build", "diff", "load", "parse"]


@dataclass(frozen=True)
class Rule:
    """A rule of a network. Heads are (control state, stack symbol). `kind` is "base", "call", "return", "spawn",
    "monitor", "join" or "forget"; `to` is the head that the thread goes on with, or enters, and of a return only
    (control state,). Calls and monitors have `return_to`, the symbol they go on at, monitors a `lock`, and spawns
    `spawned`, the head of the new thread. `groups` are those that a join waits for or that are forgotten, or of a spawn
    the memberships of the new thread: (group, with all that it starts, replacing the members before). `opening` are the
    groups that a call or monitor opens."""
    kind: str
    start: Tuple[str, str]
    action: str
    to: Tuple[str, ...]
    lock: Optional[str] = None
    return_to: Optional[str] = None
    spawned: Optional[Tuple[str, str]] = None
    groups: Tuple = ()
    opening: Tuple[str, ...] = ()
    text: str = field(default="", repr=False, compare=False)

    def __str__(self):
        return self.text or repr(self)


@dataclass(frozen=True)
class Tree:
    """An execution tree: its nodes in preorder, each with its symbol and the numbers of its children."""
    term: str
    nodes: Tuple[Tuple[str, Tuple[int, ...]], ...] = field(repr=False)

    def __str__(self):
        return self.term

    def __len__(self):
        return len(self.nodes)

    def _repr_svg_(self):
        return tree_svg(self)


@dataclass(frozen=True)
class Schedule:
    """An interleaving. Steps have `step`, `phase`, `thread`, `action`, `rule`, and one of `spawns`, `acquires`,
    `reenters`, `releases` and `ends`; threads have `thread`, `ended`, `control`, `stack` (top first) and `holds`: where
    they are at the end."""
    phases: int
    steps: List[dict]
    threads: List[dict]
    text: str = field(repr=False)

    def __len__(self):
        return len(self.steps)

    def __str__(self):
        return self.text.rstrip("\n")

    def _repr_svg_(self):
        return schedule_svg(self)


@dataclass(frozen=True)
class Witness:
    """A tree of a set with one of its schedules, which ignores locks if none respects them. `smallest`: it is known
    that no tree of the set has fewer nodes."""
    tree: Tree
    schedule: Schedule
    respects_locks: bool = True
    smallest: bool = False

    def _repr_svg_(self):
        return self.schedule._repr_svg_()


@dataclass(frozen=True)
class Answer:
    """The verdict on a query, `reachable` or `unreachable`, and how it is reached. If asked for, `explanation` tells in
    sentences why it is unreachable, and `proof` is a witness or a certificate that `lockwood-verify` reads."""
    query: str
    verdict: str
    tree: Optional[Tree] = None
    schedule: Optional[Schedule] = None
    explanation: List[str] = field(default_factory=list, repr=False)
    proof: Optional[str] = field(default=None, repr=False)

    def _repr_svg_(self):
        return self.schedule._repr_svg_() if self.schedule else None


@dataclass(frozen=True)
class Deadlock:
    """Threads in a cycle: each holds a lock that the one before wants. `joins` says of each lock whether its holder waits
    at a join, instead."""
    locks: List[str]
    tree: Tree
    schedule: Schedule
    joins: List[bool] = field(default_factory=list)

    def _repr_svg_(self):
        return self.schedule._repr_svg_()


@dataclass(frozen=True)
class Race:
    """Two accesses to a variable of a program before which two threads can stand. Sites have `role`, `file`, `line`,
    `column`, `text`, `thread` and `holds`. The certainty is "executed" if the schedule was executed with the program's
    values; else "possible"."""
    id: str
    variable: str
    message: str
    sites: List[dict] = field(repr=False)
    tree: Tree = field(repr=False)
    schedule: Schedule = field(repr=False)
    certainty: Optional[str] = None

    def _repr_svg_(self):
        return self.schedule._repr_svg_()


@dataclass(frozen=True)
class Finding:
    """What an analysis of a program has to say about one question. `rule` is the analysis; `verdict` is "race", "no
    race", "deadlock" and so on, or "unknown". Sites and steps are as in reports in JSON (docs/results.schema.json)."""
    id: str
    rule: str
    verdict: str
    subject: str
    message: str
    certainty: Optional[str] = None
    obstacle: Optional[str] = field(default=None, repr=False)
    settled: Optional[dict] = field(default=None, repr=False)
    sites: List[dict] = field(default_factory=list, repr=False)
    schedule: List[dict] = field(default_factory=list, repr=False)
    threads: List[dict] = field(default_factory=list, repr=False)
    explanation: List[str] = field(default_factory=list, repr=False)
    assumptions: List[dict] = field(default_factory=list, repr=False)
    suppressed: Optional[dict] = field(default=None, repr=False)
    baseline: Optional[str] = field(default=None, repr=False)

    def __str__(self):
        return self.message


@dataclass(frozen=True)
class Findings:
    """The findings of an analysis, which is a sequence of them; the counts of its summary, sentences about what was not
    looked at, and whether all was. `analysis` is its command, and `variable` the one that was looked at, if only one."""
    findings: List[Finding]
    counts: Dict[str, int]
    notes: List[str] = field(default_factory=list)
    complete: bool = True
    analysis: str = ""
    variable: Optional[str] = None

    def __len__(self):
        return len(self.findings)

    def __iter__(self):
        return iter(self.findings)

    def __getitem__(self, number):
        return self.findings[number]


@dataclass(frozen=True)
class Guards:
    """Which locks protect which shared variables: `variables` with their accesses, `additions` of locks that would
    remove races, and locks without which nothing changes."""
    variables: List[dict]
    counts: Dict[str, int]
    additions: List[dict] = field(default_factory=list)
    idle: List[str] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    complete: bool = True


@dataclass(frozen=True)
class Difference:
    """What two reports differ in: findings that are new, gone, in both, and those of the earlier one that the later one
    has not decided or not looked for. Each has `id`, `rule`, `subject` and `message`."""
    introduced: List[dict]
    fixed: List[dict]
    undecided: List[dict]
    unchanged: List[dict]


@dataclass(frozen=True)
class Automaton:
    """A bottom-up tree automaton: states are numbers, transitions are (symbol, (child, ...), target)."""
    states: int
    final: List[int]
    transitions: List[Tuple[str, Tuple[int, ...], int]]
    dot: str = field(repr=False)

    def _repr_svg_(self):
        return automaton_svg(self)


def _tree(data):
    return Tree(data["term"], tuple((symbol, tuple(children)) for symbol, children in data["nodes"]))


def _schedule(data):
    return Schedule(data["phases"], data["steps"], data["threads"], data["text"])


def _rule(data):
    """Of a rule as a model in JSON has it."""
    to = data.get("to") or data.get("enter") or [data["control"]]
    return Rule(data["kind"], tuple(data["from"]), data["action"], tuple(to), data.get("lock"), data.get("return_to"),
                tuple(data["spawn"]) if "spawn" in data else None,
                tuple((each["group"], each["all"], each["replace"]) if isinstance(each, dict) else each
                      for each in data.get("groups", ())),
                tuple(data.get("opening", ())), data["text"])


def _rule_json(rule):
    names = {"base": "to", "spawn": "to", "call": "enter", "monitor": "enter", "return": "control",
             "join": "to", "forget": "to"}
    if rule.kind not in names:
        raise InputError(f"a rule is {', '.join(names)}, not {rule.kind}")
    data = {"kind": rule.kind, "from": list(rule.start), "action": rule.action,
            names[rule.kind]: rule.to[0] if rule.kind == "return" else list(rule.to)}
    if rule.lock is not None:
        data["lock"] = rule.lock
    if rule.return_to is not None:
        data["return_to"] = rule.return_to
    if rule.spawned is not None:
        data["spawn"] = list(rule.spawned)
    if rule.groups:
        data["groups"] = [{"group": each[0], "all": each[1], "replace": each[2]} if rule.kind == "spawn" else each
                          for each in rule.groups]
    if rule.opening:
        data["opening"] = list(rule.opening)
    return data


def _with_objects(data):
    """The members of an answer, trees and schedules made objects."""
    made = {"tree": _tree, "schedule": _schedule}
    return {key: made.get(key, lambda value: value)(value) for key, value in data.items()}


def _witness(text):
    data = json.loads(text)
    return Witness(**_with_objects(data)) if data else None


def _names(names: Union[str, Iterable[str]]) -> List[str]:
    return [names] if isinstance(names, str) else list(names)


def _quoted(names):
    """A list of the language, of names that are no variables."""
    escaped = (name.replace("\\", "\\\\").replace('"', '\\"') for name in _names(names))
    return "{" + " ".join(f'"{name}"' for name in escaped) + "}"


class Set:
    """A set of execution trees of a model, perhaps infinite. & | - ~ and post() make other sets; questions such as
    empty(), <= and == are answered when they are asked."""

    __hash__ = None
    _SHOWN = 200  # characters of an expression; longer ones are cut

    def __init__(self, core, expression: str):
        self._core = core
        self._expression = expression if len(expression) <= self._SHOWN else expression[:self._SHOWN - 2] + " …"

    def __repr__(self):
        return f"<lockwood.Set {self._expression}>"

    def _joined(self, join, other, sign):
        if not isinstance(other, Set):
            return NotImplemented
        return Set(join(other._core), f"({self._expression} {sign} {other._expression})")

    def __and__(self, other):
        return self._joined(self._core.intersection, other, "&")

    def __or__(self, other):
        return self._joined(self._core.union, other, "|")

    def __sub__(self, other):
        return self._joined(self._core.difference, other, "-")

    def __invert__(self):
        """What the network could do without locks, and is not in the set."""
        return Set(self._core.complement(), f"~{self._expression}")

    def __le__(self, other):
        return self._core.included(other._core) if isinstance(other, Set) else NotImplemented

    def __ge__(self, other):
        return other._core.included(self._core) if isinstance(other, Set) else NotImplemented

    def __eq__(self, other):
        return self <= other and other <= self if isinstance(other, Set) else NotImplemented

    def __bool__(self):
        raise TypeError("a set is neither true nor false: ask empty()")

    def __contains__(self, tree: Union[Tree, Witness, str]):
        if isinstance(tree, Witness):
            tree = tree.tree
        return self._core.contains(tree.term if isinstance(tree, Tree) else tree)

    def post(self, *, nolocks: bool = False, only: Optional[Iterable[str]] = None, avoiding: Iterable[str] = ()):
        """post*: the trees that executions with a tree in the set have when they go on, as locks allow."""
        how = ", nolocks" if nolocks else ""
        if only is not None:
            only = _names(only)
            how += f", only {_quoted(only)}"
        avoiding = _names(avoiding)
        if avoiding:
            how += f", avoiding {_quoted(avoiding)}"
        return Set(self._core.post(nolocks, only, avoiding), f"post*({self._expression}{how})")

    def reduced(self):
        """The same set, by a smaller automaton."""
        return Set(self._core.reduced(), f"reduce({self._expression})")

    def empty(self) -> bool:
        return self._core.empty()

    def finite(self) -> bool:
        return self._core.finite()

    def witness(self) -> Optional[Witness]:
        """A smallest tree of the set, or None; its `smallest` tells if there may be smaller ones."""
        return _witness(self._core.witness())

    def sample(self, nodes: int, seed: int = 0) -> Optional[Witness]:
        """A tree with so many nodes, all being equally likely, or None."""
        return _witness(self._core.sample(nodes, seed))

    def count(self, nodes: Optional[int] = None) -> int:
        """How many trees there are, with so many nodes if that is given."""
        if nodes is None and not self.finite():
            raise InputError("the set has infinitely many trees; count(nodes=n) counts those with n nodes")
        return int(self._core.count(nodes))

    def size(self) -> int:
        """How many trees there are, if they are finitely many."""
        return self.count()

    def states(self) -> int:
        """The number of states of the set's automaton."""
        return self._core.states()

    def automaton(self) -> Automaton:
        data = json.loads(self._core.automaton())
        transitions = [(symbol, tuple(children), target) for symbol, children, target in data["transitions"]]
        return Automaton(data["states"], data["final"], transitions, self._core.dot())

    def timbuk(self) -> str:
        """The automaton as text, which `automaton "FILE"` and `lockwood ta` read."""
        return self._core.timbuk()

    def explain(self) -> List[str]:
        """Which way empty() and witness() are answered, and why."""
        return self._core.explanation()

    def _repr_svg_(self):
        return self.automaton()._repr_svg_()


class Model:
    """A Monitor-DPN, read from a model or made of a program."""

    def __init__(self, text: str, path: str):
        self._core = _lockwood.Workspace(text, path)
        data = json.loads(self._core.description())
        self.path = path
        self.stacks: List[str] = data["stacks"]
        self.actions: List[str] = data["actions"]
        self.locks: List[str] = data["locks"]
        self.controls: List[str] = data["controls"]
        self.labels: List[str] = data["labels"]
        self.initial: Tuple[str, str] = tuple(data["initial"])
        self.rules: List[Rule] = [_rule(rule) for rule in data["rules"]]
        self.queries: List[str] = data["queries"]
        self.warnings: List[str] = self._core.warnings
        self.is_program: bool = self._core.is_program

    def __repr__(self):
        return (f"<lockwood.Model {self.path}: {len(self.stacks)} stack symbols, {len(self.rules)} rules, "
                f"{len(self.locks)} lock{'s' if len(self.locks) != 1 else ''}>")

    def limit(self, *, timeout: Optional[float] = None, max_states: int = 100000):
        """Bounds each later question: seconds, and states of automata. TimeoutError and LimitError tell that a question
        came to a bound."""
        self._core.set_timeout(timeout)
        self._core.max_states = max_states
        return self

    # Questions
    def ask(self, queries: str, *, explain: bool = False, proofs: bool = False) -> List[Answer]:
        """The answers to queries, written as in a file: "conflict {p2} {s1}". With `explain`, why something is
        unreachable; with `proofs`, the proof of each answer."""
        return [Answer(**_with_objects(data)) for data in json.loads(self._core.answers(queries, explain, proofs))]

    def check(self, *, explain: bool = False, proofs: bool = False) -> List[Answer]:
        """The answers to the queries of the model's file."""
        return self.ask("\n".join(self.queries), explain=explain, proofs=proofs) if self.queries else []

    def batch(self, queries: Iterable[str], *, jobs: int = 1, schedules: bool = False) -> List[Answer]:
        """The answers to many queries, several at a time; queries about the same places share their work, as with
        `lockwood batch`. Without schedules, unless they are asked for."""
        data = json.loads(self._core.batch(_names(queries), jobs, schedules))
        return [Answer(**_with_objects(each)) for each in data]

    def explain(self, query: str) -> List[str]:
        """Why the query is unreachable, in sentences; empty if it is reachable."""
        return [sentence for answer in self.ask(query, explain=True) for sentence in answer.explanation]

    def rejection_reason(self, answer: Answer) -> Optional[str]:
        """What the independent checker has against the proof of the answer: the code of `lockwood-verify`, which shares
        nothing with the engine. None if the proof holds."""
        if answer.proof is None:
            return "the answer has no proof; ask for it with proofs=True"
        return self._core.rejection_reason(answer.query, answer.verdict, answer.proof)

    def verify(self, answer: Answer) -> bool:
        """Whether the proof of the answer holds; `rejection_reason` tells why not."""
        return self.rejection_reason(answer) is None

    def reach(self, places, *, nolocks: bool = False, explain: bool = False, proofs: bool = False) -> Answer:
        """Can a thread stand at one of the places? These are stack symbols, and of a program also labels and lines."""
        return self._query("reach", nolocks, [places], explain=explain, proofs=proofs)

    def conflict(self, first, second, *, nolocks: bool = False, explain: bool = False, proofs: bool = False) -> Answer:
        """Can two threads are at the one and the other at the same time?"""
        return self._query("conflict", nolocks, [first, second], explain=explain, proofs=proofs)

    def iterate(self, *steps, nolocks: bool = False, explain: bool = False, proofs: bool = False) -> Answer:
        """Can threads stand there one after the other? A step is places, or (places, actions to avoid)."""
        return self._query("iterate", nolocks, steps, separator=", ", explain=explain, proofs=proofs)

    def _query(self, form, nolocks, steps, separator=" ", **wishes):
        symbols, actions = set(self.stacks), set(self.actions)

        # What is no symbol may be a place of the program, or else is wrong, and both are told as they are written.
        def listed(names, known):
            return "{" + ", ".join(_lockwood.written_name(name) if name in known else name
                                   for name in _names(names)) + "}"

        def step_text(step):
            if isinstance(step, tuple):
                return f"{listed(step[0], symbols)} avoiding {listed(step[1], actions)}"
            return listed(step, symbols)
        text = f"{form} {'nolocks ' if nolocks else ''}{separator.join(map(step_text, steps))}"
        return self.ask(text, **wishes)[0]

    def mhp(self, *, nolocks: bool = False) -> List[Tuple[str, str]]:
        """All pairs of stack symbols at which two threads can be at the same time."""
        return [tuple(pair) for pair in json.loads(self._core.parallel_pairs(nolocks))]

    def deadlocks(self) -> List[Deadlock]:
        """Rings of threads that can come to be, each of which waits for the next one."""
        return [Deadlock(**_with_objects(data)) for data in json.loads(self._core.deadlocks())]

    def races(self) -> List[Race]:
        """Of a program."""
        return [Race(**_with_objects(data)) for data in json.loads(self._core.races())]

    # Analyses of programs: those of the command line, with the same findings
    def find_races(self, variable: Optional[str] = None, *, schedules: bool = True, explain: bool = False,
                   settle: bool = True) -> Findings:
        """Which accesses to shared variables can happen at the same time? As `lockwood race`. With `explain` also the
        pairs that do not race, and why."""
        return self._found("race", variable=variable, schedules=schedules, explain=explain, settle=settle)

    def find_deadlocks(self, *, refuted: bool = False, settle: bool = True) -> Findings:
        """Can threads wait for each other's locks in a cycle? As `lockwood deadlock`."""
        return self._found("deadlock", explain=refuted, settle=settle)

    def find_def_uses(self, variable: Optional[str] = None, *, inter_thread: bool = False,
                      explain: bool = False) -> Findings:
        """Which definitions of shared variables reach which uses? As `lockwood defuse`."""
        return self._found("defuse", variable=variable, inter_thread=inter_thread, explain=explain)

    def find_flows(self, source: str, sink: str, *, settle: bool = True) -> Findings:
        """Can a value get from one labelled statement to another? As `lockwood flow --from --to`."""
        return self._found("flow", **{"from": source, "to": sink, "settle": settle})

    def guards(self, *, advice: bool = True) -> Guards:
        """Which locks protect which variables, and which would? As `lockwood guards`."""
        return Guards(**json.loads(self._core.guards(advice)))

    def page(self, analysis: str = "race", **options) -> str:
        """A page to look at in a browser, in one file, as `--html` of the command writes it. The analysis is "race",
        "deadlock", "defuse" or "flow"; options are those of the method: `variable`, `explain`, `inter_thread`, `settle`,
        and for flows `source` and `sink`."""
        known = {"variable", "schedules", "explain", "inter_thread", "settle", "source", "sink"}
        for name in options:
            if name not in known:
                raise InputError(f"a page has no option '{name}', only {', '.join(sorted(known))}")
        if analysis == "flow" and not {"source", "sink"} <= set(options):
            raise InputError("a page about a flow needs its source and its sink")
        names = {"source": "from", "sink": "to"}
        given = {names.get(name, name): value for name, value in options.items() if value is not None}
        return self._core.page(analysis, json.dumps(given))

    def _found(self, analysis, **options):
        given = {key: value for key, value in options.items() if value is not None}
        data = json.loads(self._core.found(analysis, json.dumps(given)))
        data["findings"] = [Finding(**each) for each in data["findings"]]
        return Findings(**data, analysis=analysis, variable=options.get("variable"))

    # Sets
    def set(self, expression: str) -> Set:
        """The set that an expression of the language of `lockwood query` means."""
        return Set(self._core.set(expression), expression)

    def accepted(self, automaton: Union[Automaton, Iterable], final: Iterable = ()) -> Set:
        """The execution trees that an automaton accepts: one that a set gave, or transitions (symbol, (child, ...),
        target) and final states. States may be anything that can be a key."""
        if isinstance(automaton, Automaton):
            automaton, final = automaton.transitions, automaton.final
        numbers = {}

        def number(state):
            return numbers.setdefault(state, len(numbers))
        transitions = [[symbol, [number(child) for child in children], number(target)]
                       for symbol, children, target in automaton]
        ends = [number(state) for state in final]
        text = json.dumps({"states": len(numbers), "final": ends, "transitions": transitions})
        return Set(self._core.set_of_automaton(text), f"automaton of {len(transitions)} transitions")

    @property
    def init(self) -> Set:
        return self.set("init")

    def stand(self, *places) -> Set:
        """Different threads are in each of the sets of stack symbols, labels and lines."""
        return self.set(f"stand({', '.join(map(_quoted, places))})")

    def holding(self, lock: str) -> Set:
        return self.set(f"holding({_quoted(lock)})")

    def wanting(self, lock: str) -> Set:
        return self.set(f"wanting({_quoted(lock)})")

    def fired(self, actions) -> Set:
        return self.set(f"fired({_quoted(actions)})")

    def threads(self, least: int) -> Set:
        return self.set(f"threads >= {int(least)}")

    def depth(self, least: int) -> Set:
        return self.set(f"depth >= {int(least)}")

    def thread(self, pattern: str) -> Set:
        """The stack of some thread fits the pattern: "main .* {f, g}"."""
        return self.set(f"thread(/{pattern}/)")


def load(path) -> Model:
    """Reads a model (.dpn, .json) or a program (.lw)."""
    with open(path, encoding="utf-8") as file:
        return Model(file.read(), str(path))


def parse(text: str, name: str = "model.dpn") -> Model:
    """The model in the text; a program if the name ends in .lw."""
    return Model(text, name)


def diff(before, after) -> Difference:
    """What has changed between two analyses: `Findings`, or paths of reports in JSON or SARIF. Findings are the same if
    their ids are, which do not depend on lines."""
    return Difference(**json.loads(_lockwood.difference(*_report(before), *_report(after))))


def _report(findings):
    """A report in JSON, and what it is called in errors."""
    if not isinstance(findings, Findings):
        with open(findings, encoding="utf-8") as file:
            return file.read(), str(findings)
    members = ("id", "rule", "verdict", "subject", "message", "suppressed")
    listed = [{name: getattr(each, name) for name in members if getattr(each, name) is not None} for each in findings]
    report = {"schema": "lockwood/results/1", "command": findings.analysis, "findings": listed,
              "report": {"summary": {"complete": findings.complete}}}
    if findings.variable is not None:
        report["subject"] = findings.variable
    return json.dumps(report), findings.analysis or "findings"


def build(initial: Tuple[str, str], rules: Iterable[Rule], name: str = "model") -> Model:
    """The model with these rules, in which the first thread starts at the head `initial`."""
    data = {"schema": "lockwood/model/1", "controls": [], "stacks": [], "actions": [], "locks": [], "groups": [],
            "initial": list(initial), "rules": [_rule_json(rule) for rule in rules], "queries": []}

    def declare(kind, *names):
        data[kind] += [name for name in names if name not in data[kind]]
    declare("controls", initial[0])
    declare("stacks", initial[1])
    for rule in data["rules"]:
        for head in ("from", "to", "enter", "spawn"):
            if head in rule:
                declare("controls", rule[head][0])
                declare("stacks", *rule[head][1:])
        declare("controls", *[rule[key] for key in ("control",) if key in rule])
        declare("stacks", *[rule[key] for key in ("return_to",) if key in rule])
        declare("actions", rule["action"])
        declare("locks", *[rule[key] for key in ("lock",) if key in rule])
        declare("groups", *[each["group"] if isinstance(each, dict) else each
                            for key in ("groups", "opening") for each in rule.get(key, ())])
    return Model(json.dumps(data), name + ".json")
