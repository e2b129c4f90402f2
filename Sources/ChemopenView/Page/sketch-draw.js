// Draws a sketch as SVG. Each state is drawn again completely; a structure that is edited by hand is small.

const sketchDraw = (() => {
  const space = "http://www.w3.org/2000/svg";
  function shape(name, attributes = {}, ...children) {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const superscript = (atom) => {
    const size = Math.abs(atom.charge);
    const charge = size === 0 ? "" : (size === 1 ? "" : String(size)) + (atom.charge > 0 ? "+" : "−");
    return charge + ({ doublet: "•", singlet: ":", triplet: "••" }[atom.radical] || "");
  };

  /** Returns the side of an atom on which its hydrogens have space. */
  function hydrogenSide(model, atom) {
    const near = model.neighbors(atom.id).map((one) => sketchModel.angle(atom, one));
    const isFree = (direction) => near.every((one) => Math.cos(one - direction) < 0.7);
    const sides = [["right", 0], ["left", Math.PI], ["above", Math.PI / 2], ["below", -Math.PI / 2]];
    // A single neighbor to the left or right decides, because a bond often points up or down a little.
    if (near.length === 1) return Math.cos(near[0]) > 0.1 ? "left" : "right";
    return (sides.find(([, direction]) => isFree(direction)) || sides[0])[0];
  }

  function drawAtom(model, atom, view) {
    if (!model.isLabeled(atom.id)) return null;
    const at = view.toScreen(atom);
    const size = view.font;
    const symbol = model.symbol(atom);
    const count = model.hydrogens(atom.id);
    const hydrogens = count === 0 ? [] : [["H"], ...(count > 1 ? [[String(count), "sub"]] : [])];
    const own = [...(atom.isotope ? [[String(atom.isotope), "sup"]] : []), [symbol]];
    const rest = [[superscript(atom), "sup"], [atom.map ? ":" + atom.map : "", "sub"]].filter(([text]) => text);
    const side = hydrogenSide(model, atom);
    const width = (parts) => parts.reduce((sum, [text, kind]) => sum + text.length * size * (kind ? 0.45 : 0.72), 0);
    const group = shape("g");
    const write = (parts, x, y) => {
      group.append(shape("rect", { class: "sketch-clear", x: x - 1, y: y - size * 0.85, width: width(parts) + 2, height: size * 1.05 }));
      const text = shape("text", { class: "sketch-label element-" + (atom.element || "none"), "font-size": size, x, y });
      let shift = 0;
      for (const [content, kind] of parts) {
        const wanted = kind === "sub" ? size * 0.2 : kind === "sup" ? -size * 0.35 : 0;
        const span = shape("tspan", { dy: wanted - shift, ...(kind ? { "font-size": size * 0.7 } : {}) });
        span.textContent = content;
        text.append(span);
        shift = wanted;
      }
      group.append(text);
    };
    const [middle, base] = [at.x - size * 0.36 * symbol.length, at.y + size * 0.36];
    const start = middle - width(own.slice(0, -1));
    if (side === "left") write([...hydrogens, ...own, ...rest], start - width(hydrogens), base);
    else if (side === "right") write([...own, ...hydrogens, ...rest], start, base);
    else {
      write([...own, ...rest], start, base);
      if (count > 0) write(hydrogens, at.x - size * 0.36, base + (side === "above" ? -size : size));
    }
    return group;
  }

  function drawBond(model, bond, view) {
    const [from, to] = [model.atom(bond.a), model.atom(bond.b)];
    const [start, end] = [view.toScreen(from), view.toScreen(to)];
    const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
    const [ux, uy] = [(end.x - start.x) / length, (end.y - start.y) / length];
    const cut = (id) => (model.isLabeled(id) ? Math.min(view.font * 0.6, length * 0.3) : 0);
    const [one, other] = [
      { x: start.x + ux * cut(bond.a), y: start.y + uy * cut(bond.a) }, { x: end.x - ux * cut(bond.b), y: end.y - uy * cut(bond.b) },
    ];
    const group = shape("g", { class: "sketch-bond" });
    const gap = view.font * 0.2;
    const line = (shift, isDashed = false, shorten = 0) => group.append(shape("line", {
      x1: one.x - uy * shift + ux * shorten, y1: one.y + ux * shift + uy * shorten,
      x2: other.x - uy * shift - ux * shorten, y2: other.y + ux * shift - uy * shorten,
      ...(isDashed ? { "stroke-dasharray": "4 3" } : {}),
    }));
    if (bond.order === "single" && bond.mark === "up") {
      const w = gap * 1.2;
      group.append(shape("polygon", { class: "sketch-wedge",
        points: `${one.x},${one.y} ${other.x - uy * w},${other.y + ux * w} ${other.x + uy * w},${other.y - ux * w}` }));
    } else if (bond.order === "single" && bond.mark === "down") {
      for (let number = 1; number <= 8; number += 1) {
        const [x, y] = [one.x + (other.x - one.x) * number / 8, one.y + (other.y - one.y) * number / 8];
        const w = gap * 1.2 * number / 8;
        group.append(shape("line", { x1: x - uy * w, y1: y + ux * w, x2: x + uy * w, y2: y - ux * w }));
      }
    } else if (bond.order === "single" && bond.mark === "either") {
      let path = `M${one.x},${one.y}`;
      for (let number = 1; number <= 10; number += 1) {
        const w = gap * (number % 2 ? 1 : -1);
        path += `L${one.x + (other.x - one.x) * number / 10 - uy * w},${one.y + (other.y - one.y) * number / 10 + ux * w}`;
      }
      group.append(shape("path", { d: path, fill: "none" }));
    } else if (bond.order === "double" && bond.mark === "either") {
      group.append(shape("line", { x1: one.x - uy * gap, y1: one.y + ux * gap, x2: other.x + uy * gap, y2: other.y - ux * gap }));
      group.append(shape("line", { x1: one.x + uy * gap, y1: one.y - ux * gap, x2: other.x - uy * gap, y2: other.y + ux * gap }));
    } else if (["double", "aromatic", "double_or_aromatic", "single_or_aromatic", "single_or_double"].includes(bond.order)) {
      const side = innerSide(model, bond);
      const isSecondDashed = bond.order !== "double";
      if (side === 0) {
        line(gap / 1.4);
        line(-gap / 1.4, isSecondDashed);
      } else {
        line(0, bond.order === "single_or_double");
        line(-side * gap * 1.5, isSecondDashed, view.font * 0.25);
      }
    } else if (bond.order === "triple") {
      line(0);
      line(gap * 1.2);
      line(-gap * 1.2);
    } else {
      line(0, ["zero", "any", "dative", "hydrogen"].includes(bond.order));
      for (let extra = 1; extra < ({ quadruple: 4, quintuple: 5, sextuple: 6 }[bond.order] || 1); extra += 1) line(gap * 0.8 * extra);
    }
    return group;
  }

  /** Returns the side of a double bond on which there are more neighbors: 1, −1, or 0 if it is drawn in the middle. */
  function innerSide(model, bond) {
    const [from, to] = [model.atom(bond.a), model.atom(bond.b)];
    let sum = 0;
    let count = 0;
    for (const [own, other] of [[from, to], [to, from]]) {
      for (const one of model.neighbors(own.id)) {
        if (one.id === other.id) continue;
        count += 1;
        sum += Math.sign((to.x - from.x) * (one.y - from.y) - (to.y - from.y) * (one.x - from.x));
      }
    }
    return count < 2 || sum === 0 ? 0 : Math.sign(sum);
  }

  /** Fills the picture with the state of a model, its selection and what is in progress. */
  function draw(svg, model, view, { selection, focus, hover, preview }) {
    const layer = (name) => shape("g", { class: "sketch-" + name });
    const [marks, bonds, atoms, front] = ["marks", "bonds", "atoms", "front"].map(layer);
    const halo = (item, kind) => {
      if (!item) return;
      if (item.kind === "atom" && model.atom(item.id)) {
        const at = view.toScreen(model.atom(item.id));
        marks.append(shape("circle", { class: kind, cx: at.x, cy: at.y, r: view.font * 0.8 }));
      } else if (item.kind === "bond" && model.bond(item.id)) {
        const bond = model.bond(item.id);
        const [one, other] = [view.toScreen(model.atom(bond.a)), view.toScreen(model.atom(bond.b))];
        marks.append(shape("line", { class: kind, x1: one.x, y1: one.y, x2: other.x, y2: other.y, "stroke-width": view.font * 0.9 }));
      }
    };
    for (const id of selection.atoms) halo({ kind: "atom", id }, "sketch-selected");
    for (const id of selection.bonds) halo({ kind: "bond", id }, "sketch-selected");
    halo(hover, "sketch-hover");
    halo(focus, "sketch-focus");
    for (const bond of model.bonds) bonds.append(drawBond(model, bond, view));
    for (const atom of model.atoms) {
      const made = drawAtom(model, atom, view);
      if (made) atoms.append(made);
    }
    if (preview && preview.kind === "line") {
      const [one, other] = [view.toScreen(preview.from), view.toScreen(preview.to)];
      front.append(shape("line", { class: "sketch-preview", x1: one.x, y1: one.y, x2: other.x, y2: other.y }));
    } else if (preview && preview.kind === "box") {
      const [one, other] = [preview.from, preview.to];
      front.append(shape("rect", { class: "sketch-box", x: Math.min(one.x, other.x), y: Math.min(one.y, other.y),
        width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) }));
    }
    svg.replaceChildren(marks, bonds, atoms, front);
  }

  return { draw, shape };
})();
