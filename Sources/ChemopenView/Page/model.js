// A molecule in 3D that can be rotated: balls and sticks, sorted by their distance, on a canvas

const elementColors = {
  H: "#d5d9dd", C: "#5a6067", N: "#3a63d8", O: "#d43a2f", S: "#c9a400", P: "#e0812b", F: "#3faf4f", Cl: "#2fa03f",
  Br: "#9a4a25", I: "#7a2fa0", B: "#e7a58c", Si: "#c2a878", Fe: "#c26a2b", Na: "#7a52c8", K: "#7a3fbf", Zn: "#6b7f96",
};

/** Creates a canvas that shows a model: drag to rotate, wheel to zoom, arrow keys to turn. */
function solidCanvas(model, name) {
  const canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": `3D model of ${name}. Arrow keys rotate it.` });
  const count = model.atoms.length;
  const center = [1, 2, 3].map((axis) => model.atoms.reduce((sum, atom) => sum + atom[axis], 0) / count);
  const points = model.atoms.map((atom) => [1, 2, 3].map((axis) => atom[axis] - center[axis - 1]));
  const radius = Math.max(1.5, ...points.map((one) => Math.hypot(...one))) + 0.8;
  let turn = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  let zoom = 1;
  const times = (a, b) => a.map((row) => [0, 1, 2].map((column) => row.reduce((sum, one, place) => sum + one * b[place][column], 0)));
  const rotate = (x, y) => {
    const [cx, sx, cy, sy] = [Math.cos(x), Math.sin(x), Math.cos(y), Math.sin(y)];
    turn = times(times([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]], [[1, 0, 0], [0, cx, -sx], [0, sx, cx]]), turn);
    draw();
  };
  let frame = 0;
  const draw = () => {
    if (frame) return;
    frame = requestAnimationFrame(() => { frame = 0; paint(); });
  };
  const paint = () => {
    const box = canvas.getBoundingClientRect();
    if (box.width === 0) return;
    const ratio = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [box.width * ratio, box.height * ratio];
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const scale = Math.min(box.width, box.height) / 2 / radius * zoom;
    const seen = points.map((point) => {
      const [x, y, z] = turn.map((row) => row[0] * point[0] + row[1] * point[1] + row[2] * point[2]);
      const depth = 4 * radius / (4 * radius - z);
      return { x: box.width / 2 + x * scale * depth, y: box.height / 2 - y * scale * depth, z, depth };
    });
    const things = [
      ...seen.map((one, place) => ({ z: one.z, paint: () => ball(context, one, model.atoms[place][0], scale) })),
      ...model.bonds.filter(([from, to]) => seen[from] && seen[to]).map(([from, to, order]) => ({
        z: (seen[from].z + seen[to].z) / 2 - 0.01,
        paint: () => stick(context, seen[from], seen[to], order, model.atoms[from][0], model.atoms[to][0], scale),
      })),
    ].sort((one, other) => one.z - other.z);
    for (const thing of things) thing.paint();
    canvas.dataset.turn = turn.flat().map((one) => one.toFixed(3)).join();
  };
  const color = (symbol) => elementColors[symbol] || "#a06a9a";
  const ball = (context, at, symbol, scale) => {
    const size = (symbol === "H" ? 0.2 : 0.34) * scale * at.depth;
    const light = context.createRadialGradient(at.x - size / 3, at.y - size / 3, size / 8, at.x, at.y, size);
    light.addColorStop(0, "#ffffffcc");
    light.addColorStop(0.35, color(symbol));
    light.addColorStop(1, color(symbol));
    context.beginPath();
    context.arc(at.x, at.y, size, 0, 7);
    context.fillStyle = light;
    context.fill();
    context.lineWidth = 0.6;
    context.strokeStyle = "#0006";
    context.stroke();
  };
  const stick = (context, from, to, order, first, second, scale) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.y - from.y) / length, (from.x - to.x) / length];
    const width = 0.13 * scale * (from.depth + to.depth) / 2;
    for (let line = 0; line < order; line += 1) {
      const shift = (line - (order - 1) / 2) * width * 1.7;
      const [ax, ay, bx, by] = [from.x + dx * shift, from.y + dy * shift, to.x + dx * shift, to.y + dy * shift];
      const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
      context.lineWidth = order > 1 ? width * 0.9 : width * 1.3;
      for (const [x1, y1, x2, y2, symbol] of [[ax, ay, mx, my, first], [mx, my, bx, by, second]]) {
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
        context.strokeStyle = color(symbol);
        context.stroke();
      }
    }
  };
  canvas.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    canvas.setPointerCapture(event.pointerId);
    let [x, y] = [event.clientX, event.clientY];
    const move = (moved) => {
      rotate((moved.clientY - y) / 100, (moved.clientX - x) / 100);
      [x, y] = [moved.clientX, moved.clientY];
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", () => canvas.removeEventListener("pointermove", move), { once: true });
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    solidCanvas.scale(event.deltaY < 0 ? 1.15 : 1 / 1.15);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const turns = { ArrowLeft: [0, -0.2], ArrowRight: [0, 0.2], ArrowUp: [-0.2, 0], ArrowDown: [0.2, 0] }[event.key];
    if (!turns) return;
    rotate(...turns);
    event.preventDefault();
    event.stopPropagation();
  });
  solidCanvas.rotate = rotate;
  solidCanvas.scale = (factor) => { zoom = Math.min(12, Math.max(0.3, zoom * factor)); draw(); };
  solidCanvas.fit = () => { [zoom, turn] = [1, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]; draw(); };
  new ResizeObserver(draw).observe(canvas);
  draw();
  return canvas;
}
