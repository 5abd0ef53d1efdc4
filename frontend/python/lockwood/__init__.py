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

__all__ = ["Answer", "Automaton", "Deadlock", "InputError", "LimitError", "Model", "Race", "Schedule", "Set", "Tree",
           "Witness", "load", "parse"]


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
    they stand at the end."""
    phases: int
    steps: List[dict]
    threads: List[dict]

    def __len__(self):
        return len(self.steps)

    def __str__(self):
        lines = []
        width = max((len(step["thread"]) for step in self.steps), default=0)
        for step in self.steps:
            events = [f"  {word} {step[word]}" for word in ("spawns", "acquires", "reenters", "releases") if word in step]
            lines.append(f"{step['step']:5}  {step['thread']:{width}}  {step['rule'].split(' [')[0]}{''.join(events)}")
        return "\n".join(lines)

    def _repr_svg_(self):
        return schedule_svg(self)


@dataclass(frozen=True)
class Witness:
    """A tree of a set with one of its schedules, which ignores locks if none respects them."""
    tree: Tree
    schedule: Schedule
    respects_locks: bool = True

    def _repr_svg_(self):
        return self.schedule._repr_svg_()


@dataclass(frozen=True)
class Answer:
    """The verdict on a query, `reachable` or `unreachable`, and how it is reached."""
    query: str
    verdict: str
    tree: Optional[Tree] = None
    schedule: Optional[Schedule] = None

    def _repr_svg_(self):
        return self.schedule._repr_svg_() if self.schedule else None


@dataclass(frozen=True)
class Deadlock:
    """Threads in a ring: each holds a lock that the one before wants."""
    locks: List[str]
    tree: Tree
    schedule: Schedule


@dataclass(frozen=True)
class Race:
    """Two accesses to a variable of a program before which two threads can stand. Sites have `role`, `file`, `line`,
    `column`, `thread` and `holds`."""
    id: str
    variable: str
    message: str
    sites: List[dict]
    tree: Tree
    schedule: Schedule


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
    return Schedule(data["phases"], data["steps"], data["threads"])


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

    def __init__(self, core):
        self._core = core

    def __and__(self, other):
        return Set(self._core.intersection(other._core)) if isinstance(other, Set) else NotImplemented

    def __or__(self, other):
        return Set(self._core.union(other._core)) if isinstance(other, Set) else NotImplemented

    def __sub__(self, other):
        return Set(self._core.difference(other._core)) if isinstance(other, Set) else NotImplemented

    def __invert__(self):
        """What the network could do without locks, and is not in the set."""
        return Set(self._core.complement())

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
        return Set(self._core.post(nolocks, None if only is None else _names(only), _names(avoiding)))

    def reduced(self):
        """The same set, by a smaller automaton."""
        return Set(self._core.reduced())

    def empty(self) -> bool:
        return self._core.empty()

    def finite(self) -> bool:
        return self._core.finite()

    def witness(self) -> Optional[Witness]:
        """A small tree of the set, or None."""
        return _witness(self._core.witness())

    def sample(self, nodes: int, seed: int = 0) -> Optional[Witness]:
        """A tree with so many nodes, all being equally likely, or None."""
        return _witness(self._core.sample(nodes, seed))

    def count(self, nodes: Optional[int] = None) -> int:
        """How many trees there are, with so many nodes if that is given."""
        if nodes is None and not self.finite():
            raise InputError("the set has infinitely many trees; count(nodes=n) counts those with n nodes")
        return int(self._core.count(nodes))

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
        self.rules: List[str] = data["rules"]
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
    def ask(self, queries: str) -> List[Answer]:
        """The answers to queries, written as in a file: "conflict {p2} {s1}"."""
        return [Answer(**_with_objects(data)) for data in json.loads(self._core.answers(queries))]

    def check(self) -> List[Answer]:
        """The answers to the queries of the model's file."""
        return self.ask("\n".join(self.queries)) if self.queries else []

    def reach(self, places, *, nolocks: bool = False) -> Answer:
        """Can a thread stand at one of the stack symbols?"""
        return self._query("reach", nolocks, [places])

    def conflict(self, first, second, *, nolocks: bool = False) -> Answer:
        """Can two threads stand at the one and the other at the same time?"""
        return self._query("conflict", nolocks, [first, second])

    def iterate(self, *steps, nolocks: bool = False) -> Answer:
        """Can threads stand there one after the other? A step is places, or (places, actions to avoid)."""
        return self._query("iterate", nolocks, steps, separator=", ")

    def _query(self, form, nolocks, steps, separator=" "):
        def step_text(step):
            if isinstance(step, tuple):
                return f"{{{' '.join(_names(step[0]))}}} avoiding {{{' '.join(_names(step[1]))}}}"
            return f"{{{' '.join(_names(step))}}}"
        text = f"{form} {'nolocks ' if nolocks else ''}{separator.join(map(step_text, steps))}"
        return self.ask(text)[0]

    def mhp(self, *, nolocks: bool = False) -> List[Tuple[str, str]]:
        """All pairs of stack symbols at which two threads can stand at the same time."""
        return [tuple(pair) for pair in json.loads(self._core.parallel_pairs(nolocks))]

    def deadlocks(self) -> List[Deadlock]:
        return [Deadlock(**_with_objects(data)) for data in json.loads(self._core.deadlocks())]

    def races(self) -> List[Race]:
        """Of a program."""
        return [Race(**_with_objects(data)) for data in json.loads(self._core.races())]

    # Sets
    def set(self, expression: str) -> Set:
        """The set that an expression of the language of `lockwood query` means."""
        return Set(self._core.set(expression))

    @property
    def init(self) -> Set:
        return self.set("init")

    def stand(self, *places) -> Set:
        """Different threads stand in each of the sets of stack symbols."""
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
