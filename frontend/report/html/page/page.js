const data = JSON.parse(document.getElementById('data').textContent);
const sources = new Map((data.sources || []).map(source => [source.path, source.lines]));
const main = document.getElementById('main');
const parts = document.getElementById('parts');

function section(id, title, ...content) {
  parts.append(make('li', {}, make('a', {href: '#' + id}, title)));
  const made = make('section', {id, 'aria-labelledby': id + '-h'}, make('h2', {id: id + '-h'}, title), ...content);
  main.append(made);
  return made;
}
function table(caption, heads, rows) {
  return make('div', {class: 'scroll'}, make('table', {}, make('caption', {}, caption),
    make('thead', {}, make('tr', {}, heads.map(head => make('th', {scope: 'col'}, head)))), make('tbody', {}, rows)));
}

// The lines around a place, with the place marked. Columns count bytes of UTF-8.
function excerpt(at) {
  const lines = sources.get(at.file);
  if (!lines || at.line < 1 || at.line > lines.length) return at.text ? make('pre', {}, at.text) : null;
  const pre = make('pre', {});
  for (let n = Math.max(1, at.line - 3); n <= Math.min(lines.length, at.line + 3); n++) {
    pre.append(make('span', {class: 'number', 'aria-hidden': 'true'}, n));
    const line = lines[n - 1];
    if (n < at.line || n > at.end_line) { pre.append(line + '\n'); continue; }
    const bytes = new TextEncoder().encode(line), text = (a, b) => new TextDecoder().decode(bytes.slice(a, b));
    const begin = n === at.line ? at.column - 1 : 0, end = n === at.end_line ? Math.max(begin, at.end_column - 1) : bytes.length;
    pre.append(text(0, begin), make('mark', {}, text(begin, end)), text(end) + '\n');
  }
  return pre;
}
function side(site) {
  const title = (site.thread ? `${site.thread}: ` : '') + site.role + (site.step ? `, step ${site.step}` : '');
  const box = make('div', {class: 'side'}, make('h4', {}, title));
  box.append(make('p', {class: 'faint'}, short(site.at) + (site.at.procedure ? ' in ' + site.at.procedure : '')));
  const quoted = excerpt(site.at);
  if (quoted) box.append(quoted);
  if (site.holds) box.append(make('p', {}, 'holds ' + site.holds.join(', ')));
  if (site.stack && site.stack.length > 1)
    box.append(make('ol', {class: 'stack', 'aria-label': 'Stack, the top first'}, site.stack.slice(1).map(entry =>
      make('li', {}, `${entry.what}, ${short(entry.at)}`))));
  return box;
}

// The schedule, step by step.
function timeline(finding) {
  const execution = new Execution(finding), total = execution.steps.length;
  let done = total;
  const live = make('p', {class: 'live', 'aria-live': 'polite', role: 'status'});
  const lanes = make('div', {class: 'lanes', tabindex: 0, role: 'group', 'aria-label': 'Threads as lanes; left and right arrow keys step'});
  const range = make('input', {type: 'range', min: 0, max: total, value: total, 'aria-label': 'Step'});
  const body = make('tbody', {});
  const button = (label, target) => {
    const made = make('button', {type: 'button'}, label);
    made.addEventListener('click', () => go(target()));
    return made;
  };
  const buttons = [button('First', () => 0), button('Back', () => done - 1), button('Next', () => done + 1), button('Last', () => total)];
  const rows = execution.steps.map((step, i) => make('tr', {}, make('td', {}, i + 1), make('td', {}, step.thread),
    make('td', {class: 'mono'}, short(step.at)), make('td', {class: 'mono'}, step.what), make('td', {}, step.event || '')));
  function go(to) {
    if (done >= 1 && rows[done - 1]) rows[done - 1].removeAttribute('aria-current');
    done = Math.max(0, Math.min(total, to));
    range.value = done;
    buttons[0].disabled = buttons[1].disabled = done === 0;
    buttons[2].disabled = buttons[3].disabled = done === total;
    const step = execution.steps[done - 1];
    if (step) rows[done - 1].setAttribute('aria-current', 'step');
    live.textContent = step ? `Step ${done} of ${total}: ${step.thread}: ${said(step)} (${short(step.at)})` : `Before the first of ${total} steps`;
    const picture = drawLanes(execution, done);
    lanes.replaceChildren(picture.heads, picture.svg);
    if (picture.top < lanes.scrollTop || picture.top > lanes.scrollTop + lanes.clientHeight - 3 * rowHeight)
      lanes.scrollTop = picture.top - lanes.clientHeight / 2;
    if (picture.left < lanes.scrollLeft || picture.left + laneWidth > lanes.scrollLeft + lanes.clientWidth)
      lanes.scrollLeft = picture.left - Math.max(0, lanes.clientWidth - laneWidth) / 2;
    body.replaceChildren(...execution.state(done).map(thread => make('tr', {}, make('th', {scope: 'row'}, thread.name),
      make('td', {}, thread.at), make('td', {}, thread.stack.join(' ← ') || '–'),
      make('td', {}, thread.holds.length ? thread.holds.map(lock => {
        const mark = make('span', {}, '■ ');
        mark.style.color = lockColour(lock);
        return make('span', {}, mark, lock + ' ');
      }) : '–'))));
  }
  range.addEventListener('input', () => go(Number(range.value)));
  const locks = [...new Set(execution.steps.filter(s => s.kind === 'acquire').map(s => s.object))];
  const legend = make('ul', {class: 'legend', 'aria-label': 'Colours of locks'}, locks.map(lock => {
    const swatch = make('span', {});
    swatch.style.background = lockColour(lock);
    return make('li', {}, swatch, 'holds ' + lock);
  }));
  const figure = make('figure', {class: 'timeline'}, make('div', {class: 'controls'}, buttons, range), live, legend, lanes,
    table('Threads at this step', ['Thread', 'Stands', 'Inside of', 'Holds'], []),
    make('details', {}, make('summary', {}, `All ${total} steps as a table`), table('Steps', ['Step', 'Thread', 'Place', 'What', 'Event'], rows)));
  figure.querySelector('tbody').replaceWith(body);
  go(total);
  figure.step = by => go(done + by);
  figure.to = go;
  figure.total = total;
  return figure;
}

const figures = new Map();
function details(finding, index) {
  const id = 'finding-' + index;
  const box = make('section', {id, 'aria-labelledby': id + '-h', tabindex: -1}, make('h3', {id: id + '-h'},
    make('span', {class: finding.severity}, finding.severity + ': '), finding.message));
  const facts = [finding.rule, make('a', {href: '#' + finding.id}, 'id ' + finding.id)];
  if (finding.certainty) facts.push({executed: 'executed with the program\'s values', possible: 'possible in the model', exact: 'exact for the model'}[finding.certainty]);
  if (finding.settled && finding.settled.verdict === 'excluded') facts.push('excluded by the program\'s values');
  if (finding.as_expected !== undefined) facts.push(finding.as_expected ? 'as expected' : 'not as expected');
  if (finding.baseline) facts.push(finding.baseline === 'new' ? 'new' : 'known from the baseline');
  if (finding.suppressed) facts.push('ignored: ' + finding.suppressed.reason);
  box.append(make('p', {class: 'faint'}, facts.flatMap((fact, i) => i ? [' · ', fact] : [fact])));
  for (const sentence of (finding.explanation || []).concat(finding.obstacle || [])) box.append(make('p', {}, sentence));
  for (const each of finding.assumptions || [])
    box.append(make('p', {class: 'faint'}, `Assumed (${each.kind}): ${each.text}${each.place ? ', at ' + each.place : ''}`));
  if (finding.sites.some(site => site.at.line > 0)) box.append(make('div', {class: 'sides'}, finding.sites.map(side)));
  if (finding.schedule) {
    const figure = timeline(finding);
    figures.set(id, figure);
    box.append(make('h4', {}, 'How it gets there'), figure);
  }
  return box;
}

// One finding is open at a time: a report may have hundreds.
let open = 0;
const place = make('div', {id: 'detail'});
function show(index) {
  open = index;
  figures.clear();
  place.replaceChildren(details(data.findings[index], index));
  for (const link of document.querySelectorAll('[data-finding]'))
    if (Number(link.dataset.finding) === index) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
}
function overview() {
  const found = data.findings;
  const part = section('findings', `Findings (${data.found})`);
  if (!found.length) { part.append(make('p', {}, data.stopped ? `Nothing was found before the end: ${data.stopped}.` : 'Nothing was found.')); return; }
  if (found.length < data.found)
    part.append(make('p', {class: 'warning'}, `Only the ${found.length} most severe of ${data.found} are on this page; --json has all of them.`));
  const rows = found.map((finding, i) => {
    const link = make('a', {href: '#finding-' + i, 'data-finding': i}, finding.message);
    link.addEventListener('click', () => show(i));  // the address follows, and with it the view
    return make('tr', {}, make('td', {class: finding.severity}, finding.suppressed ? 'ignored' : finding.verdict), make('td', {}, finding.subject), make('td', {}, link),
      make('td', {}, finding.certainty || ''), make('td', {}, finding.schedule ? finding.schedule.length + ' steps' : ''));
  });
  const list = table('Choose one to see how it happens; j and k go to the next and the one before', ['Verdict', 'About', 'Finding', 'How sure', 'Schedule'], rows);
  if (found.length > 1) part.append(choice(found, rows, list.querySelector('tbody')));
  part.append(list, place);
  show(0);
}
// Which findings are in the list, and whether those about one thing are together.
function choice(found, rows, body) {
  const word = make('input', {type: 'search', id: 'search', placeholder: 'words, places, ids'});
  const kinds = [...new Set(found.map(kindOf))];
  const kind = make('select', {id: 'kind'}, ['all', ...kinds].map(name => make('option', {}, name)));
  const together = make('input', {type: 'checkbox', id: 'together'});
  const live = make('span', {class: 'faint', role: 'status', 'aria-live': 'polite', id: 'shown'});
  const texts = found.map(finding => [finding.message, finding.id, finding.subject, ...finding.sites.map(site => short(site.at) + ' ' + site.at.procedure)].join(' ').toLowerCase());
  function update() {
    const words = word.value.toLowerCase().split(/\s+/).filter(each => each);
    const shown = rows.map((_, i) => i).filter(i => (kind.value === 'all' || kindOf(found[i]) === kind.value) && words.every(each => texts[i].includes(each)));
    const groups = new Map();
    for (const i of shown) {
      const about = together.checked ? found[i].subject : '';
      if (!groups.has(about)) groups.set(about, []);
      groups.get(about).push(i);
    }
    body.replaceChildren(...[...groups].flatMap(([about, members]) => [
      ...(together.checked ? [make('tr', {class: 'group'}, make('th', {scope: 'rowgroup', colspan: 5}, `${about}: ${members.length}`))] : []),
      ...members.map(i => rows[i])]));
    live.textContent = shown.length < found.length ? `${shown.length} of ${found.length} findings` : '';
  }
  for (const input of [word, kind, together]) input.addEventListener('input', update);
  together.checked = found.length > 20 && new Set(found.map(finding => finding.subject)).size > 1;
  update();
  return make('div', {class: 'controls', role: 'search'}, make('label', {for: 'search'}, 'Search'), word, make('label', {for: 'kind'}, 'Show'), kind,
    make('label', {}, together, ' together what is about the same'), live);
}
function kindOf(finding) {
  return (finding.suppressed ? 'ignored' : finding.verdict) + (finding.certainty && !finding.suppressed ? ', ' + finding.certainty : '');
}
// The files, whole, with what the findings are about.
function wholeSources() {
  const places = new Map();  // file -> line -> findings
  data.findings.forEach((finding, i) => {
    for (const {at} of finding.sites) {
      if (!sources.has(at.file) || at.line < 1) continue;
      if (!places.has(at.file)) places.set(at.file, new Map());
      const lines = places.get(at.file);
      if (!lines.has(at.line)) lines.set(at.line, new Set());
      lines.get(at.line).add(i);
    }
  });
  if (!places.size) return;
  section('source', 'Source', ...[...places].map(([file, lines]) => {
    const pre = make('pre', {});
    const box = make('details', {}, make('summary', {}, `${file}, ${lines.size} ${lines.size === 1 ? 'line' : 'lines'} with findings`), pre);
    box.addEventListener('toggle', () => {  // drawn once it is opened
      if (!box.open || pre.firstChild) return;
      sources.get(file).forEach((line, n) => {
        const here = [...(lines.get(n + 1) || [])];
        pre.append(make('span', {class: 'number', 'aria-hidden': 'true'}, n + 1), here.length ? make('mark', {}, line) : line);
        for (const i of here.slice(0, 3)) pre.append(' ', make('a', {href: '#finding-' + i, title: data.findings[i].message}, kindOf(data.findings[i])));
        pre.append(here.length > 3 ? ` and ${here.length - 3} more\n` : '\n');
      });
    });
    return box;
  }));
}
function heldApart() {
  if (!data.background.length) return;
  const few = data.background.length < data.apart ? `, ${data.background.length} of them here` : '';
  const pairs = table('Pairs that cannot meet, and why', ['Pair', 'Why'],
    data.background.map(pair => make('tr', {}, make('td', {}, pair.message.replace(/^no race /, '')), make('td', {}, (pair.explanation || []).join(' ')))));
  section('apart', `Excluded (${data.apart}${few})`,
    data.background.length > 20 ? make('details', {}, make('summary', {}, `All ${data.background.length} pairs`), pairs) : pairs);
}
function assumed() {
  const all = data.assumptions;
  if (!all) return;
  const gaps = all.filter(each => each.kind === 'gap').length;
  section('assumptions', `Assumptions (${all.length})`,
    make('p', {class: gaps ? 'warning' : 'faint'}, gaps ? `What is excluded is excluded except for ${gaps} gap${gaps === 1 ? '' : 's'}.` : 'There are no gaps: what is excluded stays excluded.'),
    table('What was taken for granted', ['Kind', 'What', 'Where', 'Times'], all.map(each => make('tr', {}, make('td', {class: each.kind === 'gap' ? 'warning' : ''}, each.kind),
      make('td', {}, each.text), make('td', {class: 'mono'}, each.place), make('td', {}, each.times)))));
}
const notComputed = model => make('p', {class: 'warning'}, 'Not computed: ' + model.incomplete);
function lockOrder(model) {
  const edges = model.lock_order;
  if (!edges) { section('locks', 'Order of locks', notComputed(model)); return; }
  if (!edges.length) { section('locks', 'Order of locks', make('p', {}, 'No lock is taken while another one is held.')); return; }
  const {svg, cyclic} = drawLockOrder(edges);
  section('locks', 'Order of locks', make('p', {class: 'faint'}, 'An arrow leads from a lock that a thread holds to one that it takes meanwhile. Arrows of rings are red: there may be a deadlock.'),
    make('div', {class: 'scroll'}, svg), table('Order of locks', ['Holds', 'Takes', 'In a cycle', 'Where'], edges.map(edge =>
      make('tr', {}, make('td', {}, edge.holds), make('td', {}, edge.wants), make('td', {}, cyclic.has(edge) ? 'yes' : 'no'), make('td', {class: 'mono'}, edge.places.join(', '))))));
}
function inParallel(model) {
  const parallel = model.parallel, part = section('parallel', 'What can happen in parallel');
  if (!parallel) { part.append(notComputed(model)); return; }
  if (parallel.incomplete) part.append(make('p', {class: 'warning'}, 'Not complete: ' + parallel.incomplete));
  if (!parallel.places.length) { part.append(make('p', {}, parallel.incomplete ? '' : 'There are never two threads at once.')); return; }
  const live = make('p', {class: 'live', 'aria-live': 'polite', role: 'status', id: 'matrix-live'}, 'Point at a cell, or use arrow keys');
  const matrix = new Matrix(parallel, text => { live.textContent = text; });
  const zoom = (label, factor) => {
    const made = make('button', {type: 'button'}, label);
    made.addEventListener('click', () => matrix.zoom(factor));
    return made;
  };
  const most = 200, shown = parallel.places.slice(0, most);
  part.append(make('div', {class: 'controls'}, zoom('Zoom in', 1.5), zoom('Zoom out', 1 / 1.5)), live, make('div', {class: 'matrix'}, matrix.canvas),
    make('details', {}, make('summary', {}, 'The same as a table'), table(parallel.places.length > most ? `The first ${most} of ${parallel.places.length} places` : 'Places', ['Place', 'In parallel with'],
      shown.map((name, row) => make('tr', {}, make('th', {scope: 'row', class: 'mono'}, name),
        make('td', {class: 'mono'}, parallel.places.filter((_, column) => matrix.marked(row, column)).join(', ')))))));
}
function statistics(model) {
  if (!model.statistics) { section('statistics', 'The model in numbers', notComputed(model)); return; }
  const list = make('dl', {});
  for (const [name, value] of Object.entries(model.statistics)) list.append(make('dt', {}, name), make('dd', {}, value));
  section('statistics', 'The model in numbers', list);
}

document.title = `${data.title}: ${data.command} – Lockwood`;
document.getElementById('title').textContent = `${data.title}: ${data.command}`;
document.getElementById('summary').textContent =
  (Object.entries(data.counts).map(([verdict, times]) => `${times} × ${verdict}`).join(', ') || 'no findings')
  + (data.stopped ? `; gave up early: ${data.stopped}` : '');
document.getElementById('made-by').textContent = `Made by lockwood ${data.version}. ` + (data.digest ? 'SHA-256 of the input: ' + data.digest : '');
const theme = make('button', {type: 'button', id: 'theme'}, 'Light or dark');
theme.addEventListener('click', () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  document.dispatchEvent(new Event('theme'));
});
document.querySelector('header').append(theme);
overview();
heldApart();
assumed();
wholeSources();
if (data.model) { lockOrder(data.model); inParallel(data.model); statistics(data.model); }

// Each finding has an address of its own: #finding-3 on this page, and its id, which stays the same from run to run.
function goToAddress() {
  const number = /^#finding-(\d+)$/.exec(location.hash);
  const asked = number ? Number(number[1]) : data.findings.findIndex(finding => '#' + finding.id === location.hash);
  if (asked < 0 || asked >= data.findings.length) return;
  if (open !== asked) show(asked);
  place.firstChild.focus({preventScroll: true});
  place.firstChild.scrollIntoView();
}
addEventListener('hashchange', goToAddress);
goToAddress();

// Arrow keys step wherever the reader is, except where they mean something else.
document.addEventListener('keydown', event => {
  if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT|CANVAS)$/.test(event.target.tagName)) return;
  if (event.key === 'j' || event.key === 'k') {
    const links = [...document.querySelectorAll('[data-finding]')];
    const next = links[links.findIndex(link => Number(link.dataset.finding) === open) + (event.key === 'j' ? 1 : -1)];
    if (next) next.click();
    return;
  }
  const figure = figures.get('finding-' + open);
  if (!figure) return;
  if (event.key === 'ArrowRight') figure.step(1);
  else if (event.key === 'ArrowLeft') figure.step(-1);
  else if (event.key === 'Home' && event.target.closest('.timeline')) figure.to(0);
  else if (event.key === 'End' && event.target.closest('.timeline')) figure.to(figure.total);
  else return;
  event.preventDefault();
});
