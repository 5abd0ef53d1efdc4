// Locks in a circle, an arrow from each that is held to each that is taken meanwhile; arrows of cycles are marked.
function cyclicEdges(edges) {
  const next = new Map();
  for (const edge of edges) next.set(edge.holds, [...(next.get(edge.holds) || []), edge.wants]);
  const reaches = (from, to) => {
    const seen = new Set(), work = [from];
    while (work.length) {
      const lock = work.pop();
      if (lock === to) return true;
      if (seen.has(lock)) continue;
      seen.add(lock);
      work.push(...(next.get(lock) || []));
    }
    return false;
  };
  return new Set(edges.filter(edge => reaches(edge.wants, edge.holds)));
}
function drawLockOrder(edges) {
  const locks = [...new Set(edges.flatMap(edge => [edge.holds, edge.wants]))];
  const cyclic = cyclicEdges(edges);
  const radius = Math.max(90, locks.length * 14), margin = 120, size = 2 * (radius + 60);
  const centre = {x: radius + margin, y: radius + 60};
  const place = lock => {
    const angle = 2 * Math.PI * locks.indexOf(lock) / locks.length - Math.PI / 2;
    return {x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle), angle};
  };
  const svg = draw('svg', {width: size + 2 * margin - 120, height: size, role: 'img',
    'aria-label': `Order of ${locks.length} locks; the table below says the same.`});
  for (const edge of edges) {
    const a = place(edge.holds), b = place(edge.wants), hot = cyclic.has(edge);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1, ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    const bend = 18, mx = (a.x + b.x) / 2 - uy * bend, my = (a.y + b.y) / 2 + ux * bend;
    const dx = b.x - mx, dy = b.y - my, far = Math.hypot(dx, dy) || 1;
    const tip = {x: b.x - dx / far * 11, y: b.y - dy / far * 11}, turn = Math.atan2(dy, dx) * 180 / Math.PI;
    svg.append(draw('path', {class: hot ? 'hot' : 'spawn', d: `M ${a.x + (mx - a.x) * .1} ${a.y + (my - a.y) * .1} Q ${mx} ${my} ${tip.x} ${tip.y}`},
      draw('title', {}, `${edge.holds} is held where ${edge.wants} is taken: ${edge.places.join(', ')}`)));
    svg.append(draw('path', {class: hot ? 'hot-arrow' : 'arrow', d: 'M 0 0 l -9 -4 v 8 z', transform: `translate(${tip.x} ${tip.y}) rotate(${turn})`}));
  }
  for (const lock of locks) {
    const at = place(lock), circle = draw('circle', {class: 'node', cx: at.x, cy: at.y, r: 9});
    circle.style.fill = lockColour(lock);
    svg.append(circle);
    const side = Math.cos(at.angle), up = Math.sin(at.angle);
    svg.append(draw('text', {x: at.x + side * 16, y: at.y + up * 20 + 5,
      'text-anchor': Math.abs(side) < .2 ? 'middle' : side > 0 ? 'start' : 'end'}, clip(lock, 16)));
  }
  return {svg, cyclic};
}

// A cell for each two places. The data has the runs of marked columns of each row.
class Matrix {
  constructor(parallel, say) {
    this.places = parallel.places;
    this.rows = parallel.rows;
    this.say = say;
    this.cell = Math.max(2, Math.min(18, Math.floor(640 / Math.max(1, this.places.length))));
    this.margin = 12 + 7 * Math.min(24, Math.max(0, ...this.places.map(place => place.length)));
    this.at = {row: 0, column: 0};
    this.canvas = make('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Matrix of places; arrow keys move between cells, plus and minus zoom'});
    this.canvas.addEventListener('keydown', event => this.key(event));
    this.canvas.addEventListener('mousemove', event => this.point(event));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
    document.addEventListener('theme', () => this.paint());
    this.paint();
  }
  marked(row, column) {
    const runs = this.rows[row];
    for (let i = 0; i < runs.length; i += 2) if (column >= runs[i] && column < runs[i] + runs[i + 1]) return true;
    return false;
  }
  paint() {
    const n = this.places.length, size = Math.min(n * this.cell, 16000), style = getComputedStyle(document.documentElement);
    this.canvas.width = this.canvas.height = Math.max(1, size) + this.margin;
    const pen = this.canvas.getContext('2d');
    pen.translate(this.margin, this.margin);
    this.label(pen, style);
    pen.fillStyle = style.getPropertyValue('--panel');
    pen.fillRect(0, 0, size, size);
    pen.fillStyle = style.getPropertyValue('--l1');
    this.rows.forEach((runs, row) => {
      for (let i = 0; i < runs.length; i += 2)
        pen.fillRect(runs[i] * this.cell, row * this.cell, runs[i + 1] * this.cell, this.cell);
    });
    if (this.cell >= 8) {
      pen.strokeStyle = style.getPropertyValue('--line');
      pen.beginPath();
      for (let i = 0; i <= n; i++) {
        pen.moveTo(i * this.cell + .5, 0); pen.lineTo(i * this.cell + .5, size);
        pen.moveTo(0, i * this.cell + .5); pen.lineTo(size, i * this.cell + .5);
      }
      pen.stroke();
    }
    pen.strokeStyle = style.getPropertyValue('--bad');
    pen.lineWidth = 2;
    pen.strokeRect(this.at.column * this.cell, this.at.row * this.cell, this.cell, this.cell);
  }
  // The places at the left and, turned, at the top; where cells are small, some of them.
  label(pen, style) {
    pen.font = '12px ui-monospace, "DejaVu Sans Mono", monospace';
    pen.fillStyle = style.getPropertyValue('--text');
    pen.textBaseline = 'middle';
    const every = Math.ceil(14 / this.cell);
    for (let i = 0; i < this.places.length; i += every) {
      const text = this.places[i].length > 24 ? '…' + this.places[i].slice(-23) : this.places[i];
      pen.textAlign = 'right';
      pen.fillText(text, -6, (i + .5) * this.cell);
      pen.save();
      pen.translate((i + .5) * this.cell, -6);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = 'left';
      pen.fillText(text, 0, 0);
      pen.restore();
    }
  }
  zoom(factor) {
    const most = Math.max(2, Math.floor(15000 / Math.max(1, this.places.length)));
    this.cell = Math.max(1, Math.min(60, most, Math.round(this.cell * factor) + (factor > 1 && this.cell < 3 ? 1 : 0)));
    this.paint();
  }
  tell() {
    const {row, column} = this.at;
    this.say(`${this.places[row]} and ${this.places[column]}: ${this.marked(row, column) ? 'can happen in parallel' : 'never in parallel'}`);
  }
  move(row, column) {
    const last = this.places.length - 1;
    this.at = {row: Math.max(0, Math.min(last, row)), column: Math.max(0, Math.min(last, column))};
    this.paint();
    this.tell();
  }
  key(event) {
    const {row, column} = this.at;
    const moves = {ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1]};
    if (moves[event.key]) this.move(...moves[event.key]);
    else if (event.key === '+') this.zoom(1.5);
    else if (event.key === '-') this.zoom(1 / 1.5);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  point(event) {
    const row = Math.floor((event.offsetY - this.margin) / this.cell), column = Math.floor((event.offsetX - this.margin) / this.cell);
    if (row < 0 || column < 0) return;
    if (row !== this.at.row || column !== this.at.column) this.move(row, column);
  }
}
