"""Pictures as SVG. Trees and schedules are laid out here; automata by Graphviz, if it is there."""

import shutil
import subprocess
from html import escape

_CHARACTER = 7.3  # width of one, in pixels
_LINE = 20
_STYLE = ("<style>text{font:12px monospace;fill:#222}.faint{fill:#888}line,path{stroke:#999;fill:none}"
          ".lane{stroke:#ddd}.step{fill:#eef3fa;stroke:#7a9cc6}.lock{fill:#fbeee6;stroke:#c98a5e}</style>")
_MOST = 400  # nodes, steps or transitions that are drawn


def _svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}">{_STYLE}{"".join(parts)}</svg>')


def _text(x, y, text, anchor="start", kind=""):
    mark = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{mark}>{escape(text)}</text>'


def _note(text):
    return _svg(len(text) * _CHARACTER + 20, 30, [_text(10, 20, text)])


def _places(nodes):
    """Where the middle of each node is, from left to right: subtrees side by side, as close as no labels of the same
    depth come nearer than a gap, and each node above the middle of its children. Nodes are in preorder."""
    gap = 16
    middle = [0.0] * len(nodes)  # of a node, seen from its parent
    outlines = [None] * len(nodes)  # of subtrees, by depth below their root: leftmost and rightmost, seen from the root
    for number in range(len(nodes) - 1, -1, -1):
        symbol, children = nodes[number]
        half = len(symbol) * _CHARACTER / 2
        below = []
        at = 0.0
        for child in children:
            outline = outlines[child]
            at = max((right + gap - left for (_, right), (left, _) in zip(below, outline)), default=0.0)
            middle[child] = at
            moved = [(left + at, right + at) for left, right in outline]
            below = [(ours[0], theirs[1]) for ours, theirs in zip(below, moved)] + \
                (below[len(moved):] if len(below) > len(moved) else moved[len(below):])
            outlines[child] = None
        for child in children:
            middle[child] -= at / 2
        outlines[number] = [(-half, half)] + [(left - at / 2, right - at / 2) for left, right in below]
    x = middle
    x[0] = 10 - min(left for left, _ in outlines[0])
    for number, (_, children) in enumerate(nodes):  # parents come before their children
        for child in children:
            x[child] += x[number]
    return x


def tree_svg(tree):
    nodes = tree.nodes
    if len(nodes) > _MOST:
        return _note(f"a tree with {len(nodes)} nodes")
    depth = [0] * len(nodes)
    for number, (_, children) in enumerate(nodes):
        for child in children:
            depth[child] = depth[number] + 1
    x = _places(nodes)
    width = max(x[number] + len(symbol) * _CHARACTER / 2 for number, (symbol, _) in enumerate(nodes)) + 10
    parts = []
    for number, (symbol, children) in enumerate(nodes):
        y = 20 + 44 * depth[number]
        for child in children:
            parts.append(f'<line x1="{x[number]:.1f}" y1="{y + 5}" x2="{x[child]:.1f}" y2="{y + 30}"/>')
        parts.append(_text(x[number], y, symbol, "middle"))
    return _svg(width, 44 * max(depth) + 34, parts)


def schedule_svg(schedule):
    """A lane for each thread, a row for each step."""
    if len(schedule.steps) > _MOST:
        return _note(f"a schedule with {len(schedule.steps)} steps")
    threads = [thread["thread"] for thread in schedule.threads]
    labels = {name: [name] for name in threads}
    rows = []
    for step in schedule.steps:
        event = next((f" {mark}{step[word]}" for word, mark in
                      (("spawns", "⊳ "), ("acquires", "+"), ("reenters", "++"), ("releases", "−")) if word in step), "")
        rows.append((step["thread"], step["action"] + event, "acquires" in step or "releases" in step))
        labels[step["thread"]].append(rows[-1][1])
    ends = {thread["thread"]: "ended" if thread["ended"] else
            "at " + thread["stack"][0] + (" holds " + ", ".join(thread["holds"]) if thread["holds"] else "")
            for thread in schedule.threads}
    left = {}
    at = 40.0
    for name in threads:
        left[name] = at
        at += max(len(label) for label in labels[name] + [ends[name]]) * _CHARACTER + 28
    height = _LINE * (len(rows) + 3)
    parts = []
    for name in threads:
        parts.append(f'<line class="lane" x1="{left[name] - 8:.1f}" y1="8" x2="{left[name] - 8:.1f}" y2="{height - 8}"/>')
        parts.append(_text(left[name], _LINE, name))
        parts.append(_text(left[name], height - _LINE + 6, ends[name], kind="faint"))
    for number, (name, label, is_lock) in enumerate(rows):
        y = _LINE * (number + 2)
        parts.append(_text(30, y, str(number + 1), "end", "faint"))
        parts.append(f'<rect class="{"lock" if is_lock else "step"}" x="{left[name] - 4:.1f}" y="{y - 13}" '
                     f'width="{len(label) * _CHARACTER + 8:.1f}" height="17" rx="3"/>')
        parts.append(_text(left[name], y, label))
    return _svg(at, height, parts)


def automaton_svg(automaton):
    """By Graphviz; a list of the transitions without it."""
    if len(automaton.transitions) > _MOST:
        return _note(f"an automaton with {automaton.states} states and {len(automaton.transitions)} transitions")
    if shutil.which("dot"):
        picture = subprocess.run(["dot", "-Tsvg"], input=automaton.dot, capture_output=True, text=True, check=False)
        if picture.returncode == 0:
            return picture.stdout[picture.stdout.index("<svg"):]
    lines = [f"final: {', '.join(map(str, automaton.final))}"]
    for symbol, children, target in automaton.transitions:
        lines.append(f"{symbol}{'(' + ', '.join(map(str, children)) + ')' if children else ''} → {target}")
    width = max(map(len, lines)) * _CHARACTER + 20
    return _svg(width, _LINE * (len(lines) + 1), [_text(10, _LINE * (i + 1), line) for i, line in enumerate(lines)])
