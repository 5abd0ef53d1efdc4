'use strict';
// Text is only ever put in as text: nothing that a program or model says is read as markup.
const SVG = 'http://www.w3.org/2000/svg';
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  return fill(element, attributes, children);
}
function draw(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}
const clip = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;
const short = at => at.line > 0 ? at.file + ':' + at.line : at.file;
const where = at => at.line > 0 ? 'line ' + at.line : at.text || at.file;
const said = step => step.what + (step.event ? ', ' + step.event : '');

// Colours of locks, the same wherever a lock is shown.
const lockColours = new Map();
function lockColour(lock) {
  if (!lockColours.has(lock)) lockColours.set(lock, 'var(--l' + lockColours.size % 8 + ')');
  return lockColours.get(lock);
}

const entering = new Set(['call', 'acquire', 'reenter']);
const leaving = new Set(['return', 'release', 'end']);

// The run as threads with the frames they enter and leave: a frame lasts from the step that enters it to the one that
// leaves it, or to the end. Steps tell how deep they are, because not every return is a step.
class Execution {
  constructor(finding) {
    this.steps = finding.schedule;
    this.threads = new Map();
    const thread = (name, begin) => {
      if (!this.threads.has(name)) this.threads.set(name, {name, begin, steps: [], frames: [], end: null});
      return this.threads.get(name);
    };
    thread('main', 0);
    this.steps.forEach((step, i) => {
      const here = thread(step.thread, i);
      here.steps.push(i);
      if (step.kind === 'spawn') thread(step.object, i + 1);
    });
    for (const standing of finding.threads || []) thread(standing.thread, 0).end = standing;
    for (const each of this.threads.values()) this.nest(each);
  }
  nest(thread) {
    const open = [];
    const close = (depth, at) => { while (open.length > depth) open.pop().end = at; };
    for (const i of thread.steps) {
      const step = this.steps[i];
      close(step.depth, i);
      if (entering.has(step.kind)) {
        const lock = step.kind === 'call' ? null : step.object;
        const frame = {what: step.what, at: step.at, lock, begin: i, end: this.steps.length, depth: open.length};
        open.push(frame);
        thread.frames.push(frame);
      }
      if (leaving.has(step.kind)) close(Math.max(0, open.length - 1), i);
    }
  }
  // Where each thread is after the first `done` steps.
  state(done) {
    const all = [];
    for (const thread of this.threads.values()) {
      if (thread.begin > done) continue;
      const last = thread.steps.filter(i => i < done).pop();
      const next = thread.steps.find(i => i >= done);
      const frames = thread.frames.filter(f => f.begin < done && f.end >= done && !(f.end === last && leaving.has(this.steps[last].kind)));
      const holds = [...new Set(frames.filter(f => f.lock).map(f => f.lock))];
      const ended = last !== undefined && this.steps[last].kind === 'end';
      let at = ended ? 'has ended' : last === undefined ? 'has not moved' : 'after ' + this.steps[last].what;
      let stack = frames.map(f => f.what + ', ' + where(f.at)).reverse();
      if (next !== undefined) at = 'before ' + this.steps[next].what + ', ' + where(this.steps[next].at);
      else if (thread.end && !thread.end.stack.length) at = 'has ended';
      else if (thread.end) {
        at = 'before ' + thread.end.stack[0].what + (thread.end.stack[0].at.line > 0 ? ', ' + where(thread.end.stack[0].at) : '');
        stack = thread.end.stack.slice(1).map(e => e.what + (e.at.line > 0 ? ', ' + where(e.at) : ''));
      }
      all.push({name: thread.name, at, stack, holds: next === undefined && thread.end ? thread.end.holds : holds});
    }
    return all;
  }
}

// Threads as lanes from top to bottom, a row for each step; frames are nested boxes, those of locks coloured and named.
// Below the last step stands where each thread has come to. Of long runs a window around the current step is drawn.
const rowHeight = 26, laneWidth = 250, laneLeft = 56, topMargin = 4, barWidth = 12, barStep = 14, mostRows = 600;
const letterWidth = 8.2, barLetter = 6.4;
function drawLanes(execution, done) {
  const total = execution.steps.length;
  const from = total <= mostRows ? 0 : Math.max(0, Math.min(done - mostRows / 2, total - mostRows));
  const to = Math.min(total, from + mostRows);
  const names = [...execution.threads.keys()];
  const width = laneLeft + names.length * laneWidth, height = topMargin + (to - from + 1) * rowHeight + 8;
  const x = name => laneLeft + names.indexOf(name) * laneWidth;
  const y = i => topMargin + (Math.max(from, Math.min(i, to)) - from) * rowHeight;
  const inside = depth => 28 + Math.min(depth, 8) * barStep;
  const heads = make('div', {class: 'lane-heads', 'aria-hidden': 'true'}, names.map(name => {
    const head = make('span', {title: name}, clip(name, 28));
    head.style.left = x(name) + 4 + 'px';
    return head;
  }));
  heads.style.width = width + 'px';
  const svg = draw('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `Execution of ${names.length} threads in ${total} steps; the table of steps below says the same.`});
  if (done > from && done <= to)
    svg.append(draw('rect', {class: 'row-now', x: 0, y: y(done - 1), width, height: rowHeight}));
  for (const thread of execution.threads.values()) {
    const lane = x(thread.name);
    svg.append(draw('line', {class: 'lane', x1: lane + 8, x2: lane + 8, y1: y(thread.begin), y2: y(to)}));
    for (const frame of thread.frames) {
      if (frame.end < from || frame.begin >= to) continue;
      const left = lane + 15 + Math.min(frame.depth, 8) * barStep;
      const lasts = frame.end === total && to === total ? rowHeight : 0;  // where the thread stands, it still is inside
      const top = y(frame.begin) + 3, size = Math.max(6, y(Math.min(to, frame.end + 1)) + lasts - 3 - top);
      const box = draw('rect', {class: frame.lock ? 'region' : 'frame', x: left, y: top, rx: 3, width: barWidth, height: size},
        draw('title', {}, frame.lock ? `holds ${frame.lock}: ${frame.what}` : frame.what));
      svg.append(box);
      if (!frame.lock) continue;
      box.style.fill = lockColour(frame.lock);
      svg.append(draw('text', {class: 'bar-name', transform: `translate(${left + 3} ${top + 3}) rotate(90)`},
        clip(frame.lock, Math.max(1, Math.floor((size - 4) / barLetter)))));
    }
  }
  for (let i = from; i < to; i++) {
    const step = execution.steps[i], lane = x(step.thread), middle = y(i) + rowHeight / 2;
    const inset = inside(step.depth + (entering.has(step.kind) ? 1 : 0));
    svg.append(draw('text', {class: 'small', x: 44, y: middle + 4, 'text-anchor': 'end'}, i + 1));
    svg.append(draw('circle', {class: i < done ? 'step' : 'step later', cx: lane + 8, cy: middle, r: 4}));
    svg.append(draw('text', {x: lane + inset, y: middle + 5}, clip(step.what, Math.floor((laneWidth - inset - 8) / letterWidth)),
      draw('title', {}, step.thread + ': ' + said(step) + ' (' + short(step.at) + ')')));
    if (step.kind === 'spawn' && execution.threads.has(step.object)) {
      const end = x(step.object) + 8, low = y(i + 1);
      svg.append(draw('path', {class: 'spawn', d: `M ${lane + 12} ${middle + 6} V ${low - 2} H ${end - 6}`}));
      svg.append(draw('path', {class: 'arrow', d: `M ${end - 1} ${low - 2} l -7 -4 v 8 z`}));
    }
    if (i > 0 && step.phase !== execution.steps[i - 1].phase) {
      svg.append(draw('line', {class: 'cut', x1: 0, x2: width, y1: y(i), y2: y(i)}));
      svg.append(draw('text', {class: 'small', x: 2, y: y(i) + 11}, 'cut'));
    }
  }
  if (to === total) for (const thread of execution.state(total)) {
    const lane = x(thread.name), middle = y(to) + rowHeight / 2;
    const inset = inside(execution.threads.get(thread.name).frames.filter(frame => frame.end === total).length);
    svg.append(draw('rect', {class: 'stand', x: lane + 4, y: middle - 4, width: 8, height: 8}));
    svg.append(draw('text', {class: 'stands', x: lane + inset, y: middle + 5},
      clip(thread.at.replace(/, line (\d+)$/, ' ($1)'), Math.floor((laneWidth - inset - 8) / letterWidth)),
      draw('title', {}, `${thread.name}: ${thread.at}${thread.holds.length ? ', holds ' + thread.holds.join(', ') : ''}`)));
  }
  const now = execution.steps[done - 1];
  return {heads, svg, top: y(Math.max(from, done - 1)), left: now ? x(now.thread) : laneLeft};
}
