// The structure editor: a dialog for mouse, touch and keyboard. Other code uses only openSketch().

const sketchTools = {
  select: { label: "Select and move", icon: ["rect", { x: 3, y: 3, width: 14, height: 14, "stroke-dasharray": "3 2" }], group: 0 },
  erase: { label: "Erase", text: "⌫", group: 0 },
  single: { label: "Single bond", icon: ["path", { d: "M3 15L17 5" }], group: 1, order: "single" },
  double: { label: "Double bond", icon: ["path", { d: "M2 13L15 4M5 17L18 8" }], group: 1, order: "double" },
  triple: { label: "Triple bond", icon: ["path", { d: "M1 12L14 3M3 15L17 5.5M6 18L19 9" }], group: 1, order: "triple" },
  up: { label: "Solid wedge", icon: ["path", { d: "M3 16L15 2L19 8Z", fill: "currentColor" }], group: 1, order: "single", mark: "up" },
  down: { label: "Hashed wedge", icon: ["path", { d: "M5 14L6 15.5M8 11L10 13.5M11 8L14 11.5M14 4.5L18 9.5" }], group: 1, order: "single", mark: "down" },
  either: { label: "Wavy or crossed bond", icon: ["path", { d: "M2 15C6 9 6 19 10 12S14 12 18 5" }], group: 1, order: "single", mark: "either" },
  chain: { label: "Chain", icon: ["path", { d: "M1 13L6 7L11 13L16 7L19 11" }], group: 1 },
  plus: { label: "Increase charge", text: "+", group: 2 },
  minus: { label: "Decrease charge", text: "−", group: 2 },
  ...Object.fromEntries([3, 4, 5, 6, 7, 8].map((size) => [
    "ring" + size, { label: `Ring of ${size} atoms`, icon: ["polygon", { points: sketchRing(size) }], group: 3, size }])),
  benzene: { label: "Benzene", icon: ["path", { d: `M${sketchRing(6).replaceAll(" ", "L")}ZM14 10A4 4 0 1 1 14 9.9` }], group: 3, size: 6, isAromatic: true },
  ...Object.fromEntries(["C", "N", "O", "S", "P", "F", "Cl", "Br", "I", "H"].map((symbol) => [
    symbol, { label: "Atom " + symbol, text: symbol, group: 4, symbol }])),
};

/** Returns the corners of a ring in an icon. */
function sketchRing(size) {
  return Array.from({ length: size }, (_, number) => {
    const at = sketchModel.step({ x: 10, y: 10 }, -Math.PI / 2 + number * 2 * Math.PI / size, 8);
    return at.x.toFixed(1) + "," + at.y.toFixed(1);
  }).join(" ");
}

// Bonds and atoms that occur only in queries.
const sketchQueryTools = {
  any: { label: "Any bond", text: "~", group: 1, order: "any" },
  aromatic: { label: "Aromatic bond", text: "┄", group: 1, order: "aromatic" },
  A: { label: "Any atom but hydrogen", text: "A", group: 4, symbol: "A" },
  Q: { label: "Any atom but carbon and hydrogen", text: "Q", group: 4, symbol: "Q" },
};

const sketchTemplates = {
  Naphthalene: "c1ccc2ccccc2c1", Pyridine: "c1ccncc1", Pyrimidine: "c1cncnc1", Indole: "c1ccc2[nH]ccc2c1",
  Imidazole: "c1c[nH]cn1", Thiophene: "c1ccsc1", Furan: "c1ccoc1", Purine: "c1ncc2nc[nH]c2n1", Quinoline: "c1ccc2ncccc2c1",
  Piperidine: "C1CCNCC1", Morpholine: "C1COCCN1", Piperazine: "C1CNCCN1", Cyclohexane: "C1CCCCC1", Adamantane: "C1C2CC3CC1CC(C2)C3",
  "Carboxylic acid": "CC(=O)O", Amide: "CC(=O)N", "Sulfonic acid": "CS(=O)(=O)O", "Nitro group": "C[N+](=O)[O-]",
};

/**
 * Opens the editor and returns when it is closed.
 *
 * - entity: the PERM_ID of a record to edit, or `molfile`: a molfile or SMILES to start with; without both, the drawing is
 *   empty.
 * - query: whether to offer query atoms and bonds.
 * - onSave: receives `{ edits }`, which refer to the structure of the entity, and for a query or a molfile also
 *   `{ molfile, smiles, smarts }`. If it throws, the editor shows the message and stays open.
 * - onCancel: called if the editor is closed without saving.
 */
async function openSketch({ entity = "", molfile = "", query = false, title = "Structure", onSave, onCancel }) {
  if (openSketch.current) return false;
  const ask = (extra) => source.ask({
    request: "SKETCH", ...(entity ? { entities: [{ PERM_ID: entity }] } : molfile ? { text: molfile } : {}), ...extra,
  });
  const answer = await ask({});
  const editor = new SketchEditor(sketchModel.create(answer.structure, answer.placed), ask, { query, title });
  const isSaved = await editor.show(async () => {
    const edits = editor.model.edits();
    const result = { edits };
    if (query || molfile) {
      const written = await ask({ edits, forms: ["mol", "smi"] });
      result.molfile = written.forms.mol;
      result.smiles = written.forms.smi.trim().split(/\s/)[0] || "";
      result.smarts = sketchModel.smarts(editor.model);
    }
    await onSave(result);
  });
  if (!isSaved && onCancel) onCancel();
  return isSaved;
}

// The open editor, for tests and for code that extends it.
openSketch.current = null;

class SketchEditor {
  constructor(model, ask, { query, title }) {
    this.model = model;
    this.ask = ask;
    this.tools = query ? { ...sketchTools, ...sketchQueryTools } : sketchTools;
    this.tool = "single";
    this.selection = { atoms: new Set(), bonds: new Set() };
    this.focus = null;
    this.hover = null;
    this.preview = null;
    this.pointers = new Map();
    this.view = {
      scale: 27, x: 0, y: 0, font: 14,
      toScreen: (at) => ({ x: at.x * this.view.scale + this.view.x, y: -at.y * this.view.scale + this.view.y }),
      toModel: (at) => ({ x: (at.x - this.view.x) / this.view.scale, y: -(at.y - this.view.y) / this.view.scale }),
    };
    this.build(title);
  }

  // The dialog

  build(title) {
    const button = (label, text, act, extra = {}) => element("button", { type: "button", "aria-label": label, title: label, text, onclick: act, ...extra });
    this.undoButton = button("Undo", "↶", () => this.undo());
    this.redoButton = button("Redo", "↷", () => this.redo());
    this.saveButton = button("Save", "Save", () => this.save());
    this.told = element("p", { class: "sketch-told", role: "status", "aria-live": "polite" });
    this.svg = sketchDraw.shape("svg", {
      class: "sketch-canvas", tabindex: "0", role: "application", "aria-label": "Structure drawing. Press ? for the keys.",
      "aria-roledescription": "structure editor",
    });
    this.toolBar = element("div", { class: "sketch-tools", role: "toolbar", "aria-label": "Drawing tools" });
    this.buttons = new Map();
    let group = 0;
    for (const [name, tool] of Object.entries(this.tools).sort(([, one], [, other]) => one.group - other.group)) {
      if (tool.group !== group) this.toolBar.append(element("span", { class: "break", "aria-hidden": "true" }));
      group = tool.group;
      const made = button(tool.label, tool.text || "", () => { this.choose(name); }, { "aria-pressed": "false", "data-tool": name });
      if (tool.icon) {
        made.append(sketchDraw.shape("svg", { viewBox: "0 0 20 20", class: "sketch-icon", "aria-hidden": "true" }, sketchDraw.shape(...tool.icon)));
      }
      this.buttons.set(name, made);
      this.toolBar.append(made);
    }
    this.symbolInput = element("input", { "aria-label": "Other element", placeholder: "Other", size: "5", maxlength: "3", autocomplete: "off" });
    this.symbolInput.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.ctrlKey) this.takeSymbol(); });
    const templates = element("select", { "aria-label": "Insert a template" }, element("option", { value: "", text: "Templates" }),
      ...Object.keys(sketchTemplates).map((name) => element("option", { value: name, text: name })));
    templates.addEventListener("change", () => { const name = templates.value; templates.value = ""; if (name) this.insertTemplate(name); });
    this.toolBar.append(this.symbolInput, templates);
    this.toolBar.addEventListener("keydown", (event) => this.moveInToolBar(event));
    this.note = element("p", { class: "sketch-note" });
    const notes = [];
    if (this.model.isPlaced) {
      notes.push("The file has no coordinates: this layout is not saved, and configurations next to an edit are removed.");
    }
    if (this.model.is3D) notes.push("The file has 3D coordinates, which are shown as a projection. New atoms get the depth of a neighbor.");
    this.note.textContent = notes.join(" ");
    this.help = this.buildHelp();
    this.dialog = element("dialog", { class: "sketch", "aria-label": "Structure editor" },
      element("div", { class: "sketch-head" }, element("h2", { text: title }), this.undoButton, this.redoButton,
        button("Clean up the layout", "Clean up", () => this.cleanUp()), button("Delete the selection", "Delete", () => this.removeChosen()),
        button("Fit into the window", "Fit", () => { this.fit(); this.draw(); }), button("Keys", "?", () => { this.help.hidden = !this.help.hidden; })),
      this.toolBar, this.note, this.svg, this.help,
      element("div", { class: "sketch-foot" }, this.told, button("Cancel", "Cancel", () => this.cancel()), this.saveButton));
    this.svg.addEventListener("pointerdown", (event) => this.pressed(event));
    this.svg.addEventListener("pointermove", (event) => this.moved(event));
    this.svg.addEventListener("pointerup", (event) => this.released(event));
    this.svg.addEventListener("pointercancel", (event) => this.canceled(event));
    this.svg.addEventListener("pointerleave", () => { this.hover = null; this.draw(); });
    this.svg.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, this.place(event)); }, { passive: false });
    this.svg.addEventListener("focus", () => { if (!this.focus) this.focusFirst(); this.draw(); });
    this.dialog.addEventListener("keydown", (event) => this.typed(event));
    this.dialog.addEventListener("cancel", (event) => { event.preventDefault(); this.cancel(); });
    // Browsers close a dialog that refuses to be canceled several times.
    this.dialog.addEventListener("close", () => this.close(false));
    this.warn = (event) => { if (this.model.isEdited) event.preventDefault(); };
  }

  buildHelp() {
    const keys = [
      ["Arrows", "go to the next atom in a direction"], [", .", "go to the previous or next bond of an atom, or atom of a bond"],
      ["Shift + arrows", "move the selection or the atom"],
      ["c n o s p f h b l i", "change the atom to C, N, O, S, P, F, H, Br, Cl or I; e for other elements"],
      ["a", "add an atom with a bond"], ["x", "add a chain of three atoms"],
      ["1 2 3", "set the order of a bond; at an atom, add an atom with such a bond"],
      ["w d y", "wedge, hashed wedge, wavy bond; again to turn it"], ["j", "bond the two selected atoms"],
      ["+ −", "change the charge"], ["Alt + 3 … 8", "add a ring; Alt + 0: benzene"], ["Space", "select"],
      ["Ctrl + A", "select all"], ["Enter", "use the current tool"], ["Delete", "delete"], ["Ctrl + Z, Ctrl + Y", "undo, redo"],
      ["Ctrl + Enter", "save"], ["Esc", "clear the selection; again to close"],
    ];
    return element("div", { class: "sketch-help", hidden: "", tabindex: "0", role: "region", "aria-label": "Keys" },
      element("dl", { class: "sketch-keys" }, ...keys.flatMap(([key, text]) => [element("dt", { text: key }), element("dd", { text })])));
  }

  show(save) {
    this.onSave = save;
    document.body.append(this.dialog);
    openSketch.current = this;
    addEventListener("beforeunload", this.warn);
    this.dialog.showModal();
    this.fit();
    this.choose("single");
    this.resizing = new ResizeObserver(() => this.draw());
    this.resizing.observe(this.svg);
    this.svg.focus();
    this.draw();
    return new Promise((done) => { this.done = done; });
  }

  close(isSaved) {
    if (openSketch.current !== this) return;
    openSketch.current = null;
    removeEventListener("beforeunload", this.warn);
    this.resizing.disconnect();
    this.dialog.close();
    this.dialog.remove();
    this.done(isSaved);
  }

  cancel() {
    if (this.model.isEdited && !this.isWarned) {
      this.isWarned = true;
      this.tell("There are unsaved changes. Cancel again to discard them.", true);
      return;
    }
    this.close(false);
  }

  async save() {
    if (this.isSaving) return;
    this.isSaving = true;
    this.saveButton.disabled = true;
    try {
      await this.onSave();
      this.close(true);
    } catch (error) {
      this.tell(error.message, true);
    } finally {
      this.isSaving = false;
      this.saveButton.disabled = false;
    }
  }

  tell(text, isFailure = false) {
    this.told.textContent = text;
    this.told.classList.toggle("failed", isFailure);
  }

  choose(name) {
    this.tool = name;
    for (const [key, made] of this.buttons) {
      made.setAttribute("aria-pressed", String(key === name));
    }
    this.setStop(this.buttons.get(name));
    this.tell(this.tools[name].label);
  }

  /** Makes one element of the toolbar reachable with Tab; arrows move to the others. */
  setStop(stop) {
    for (const one of this.toolBar.querySelectorAll("button, select, input")) one.tabIndex = one === stop ? 0 : -1;
  }

  moveInToolBar(event) {
    const all = [...this.toolBar.querySelectorAll("button, select, input")];
    const place = all.indexOf(document.activeElement);
    const isSelect = document.activeElement.tagName === "SELECT";
    if (document.activeElement.value && document.activeElement.tagName === "INPUT") return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ...(isSelect ? {} : { ArrowDown: 1, ArrowUp: -1 }) }[event.key];
    const to = step ? all[(place + step + all.length) % all.length] : { Home: all[0], End: all[all.length - 1] }[event.key];
    if (!to || place < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.setStop(to);
    to.focus();
  }

  /** Uses the symbol in the toolbar for the selected atoms, or the one with the focus. */
  takeSymbol() {
    const symbol = this.symbolInput.value.trim();
    const known = symbol.slice(0, 1).toUpperCase() + symbol.slice(1).toLowerCase();
    if (!sketchModel.isElement(known) && !/^(R#?|A|Q|X|\*)$/.test(symbol)) {
      this.tell(`"${symbol}" is not an element.`, true);
      return;
    }
    this.symbolInput.value = "";
    this.applySymbol(sketchModel.isElement(known) ? known : symbol);
    this.svg.focus();
  }

  applySymbol(symbol) {
    const targets = this.selection.atoms.size > 0 ? [...this.selection.atoms] : this.focus && this.focus.kind === "atom" ? [this.focus.id] : [];
    this.change(() => {
      if (targets.length === 0 && this.model.isEmpty) this.focus = { kind: "atom", id: this.model.addAtom(symbol, { x: 0, y: 0 }) };
      for (const id of targets) this.model.setSymbol(id, symbol);
    });
  }

  async insertTemplate(name) {
    try {
      const answer = await source.ask({ request: "SKETCH", text: sketchTemplates[name] });
      const right = this.model.isEmpty ? 0 : Math.max(...this.model.atoms.map((atom) => atom.x)) + 4;
      const middle = this.model.isEmpty ? 0 : this.model.atoms.reduce((sum, atom) => sum + atom.y, 0) / this.model.atoms.length;
      this.change(() => {
        const ids = this.model.insert(answer.structure, { x: right, y: middle });
        this.selection = { atoms: new Set(ids), bonds: new Set() };
        this.focus = { kind: "atom", id: ids[0] };
      });
      this.fit();
      this.draw();
      this.choose("select");
      this.tell(`${name} is inserted and selected.`);
    } catch (error) {
      this.tell(error.message, true);
    }
  }

  async cleanUp() {
    const before = this.model.edits();
    try {
      const answer = await this.ask({ edits: before, clean: true });
      if (answer.note) { this.tell(answer.note, true); return; }
      if (JSON.stringify(this.model.edits()) !== JSON.stringify(before)) return;
      this.change(() => this.model.arrange(answer.structure));
      this.fit();
      this.draw();
      this.tell("The layout is cleaned up.");
    } catch (error) {
      this.tell(error.message, true);
    }
  }

  // Changes

  change(make) {
    this.isWarned = false;
    const before = this.model.past.length;
    this.model.change(make);
    this.prune();
    this.draw();
    if (this.model.past.length !== before) this.describe();
  }

  undo() {
    this.isWarned = false;
    if (!this.model.undo()) this.tell("Nothing to undo.");
    this.prune();
    this.draw();
    this.describe();
  }

  redo() {
    if (!this.model.redo()) this.tell("Nothing to redo.");
    this.prune();
    this.draw();
    this.describe();
  }

  /** Forgets selected atoms and bonds that no longer exist. */
  prune() {
    for (const id of this.selection.atoms) if (!this.model.atom(id)) this.selection.atoms.delete(id);
    for (const id of this.selection.bonds) if (!this.model.bond(id)) this.selection.bonds.delete(id);
    const has = (item) => item && (item.kind === "atom" ? this.model.atom(item.id) : this.model.bond(item.id));
    if (!has(this.focus)) this.focus = null;
    if (!has(this.hover)) this.hover = null;
  }

  removeChosen() {
    const { atoms, bonds } = this.selection;
    let [atomIds, bondIds] = [[...atoms], [...bonds]];
    let next = null;
    if (atomIds.length + bondIds.length === 0 && this.focus) {
      if (this.focus.kind === "atom") {
        atomIds = [this.focus.id];
        next = this.model.neighbors(this.focus.id)[0];
      } else {
        bondIds = [this.focus.id];
        next = this.model.atom(this.model.bond(this.focus.id).a);
      }
    }
    if (atomIds.length + bondIds.length === 0) { this.tell("Nothing is selected."); return; }
    this.change(() => this.model.remove(atomIds, bondIds));
    if (next && this.model.atom(next.id)) this.focus = { kind: "atom", id: next.id }; else this.focusFirst();
    this.draw();
  }

  /** Uses the current tool on an atom, a bond or a free place. */
  use(item, place) {
    const tool = this.tools[this.tool];
    const { model } = this;
    this.change(() => {
      if (this.tool === "erase") {
        if (item) model.remove(item.kind === "atom" ? [item.id] : [], item.kind === "bond" ? [item.id] : []);
      } else if (this.tool === "plus" || this.tool === "minus") {
        if (item && item.kind === "atom") model.charge(item.id, this.tool === "plus" ? 1 : -1);
      } else if (tool.symbol) {
        if (!item) this.focus = { kind: "atom", id: model.addAtom(tool.symbol, place) };
        else if (item.kind === "atom") model.setSymbol(item.id, tool.symbol);
      } else if (tool.size) {
        const at = item && item.kind === "atom" ? { atom: model.atom(item.id) } : item ? { bond: model.bond(item.id) } : { place };
        const ids = model.addRing(tool.size, at, tool.isAromatic);
        if (!item) this.focus = { kind: "atom", id: ids[0] };
      } else if (this.tool === "chain") {
        if (!item || item.kind === "atom") this.focus = { kind: "atom", id: model.addChain(item ? item.id : null, 3, place) };
      } else if (tool.order) {
        this.useBond(item, place, tool);
      }
    });
  }

  useBond(item, place, { order, mark }) {
    const { model } = this;
    if (mark && model.isPlaced) { this.tell("The file has no coordinates and cannot store wedges.", true); return; }
    if (!item) {
      const id = model.addAtom("C", place);
      this.focus = { kind: "atom", id: model.sprout(id, "C", order, mark) };
    } else if (item.kind === "atom") {
      this.focus = { kind: "atom", id: model.sprout(item.id, "C", order, mark) };
    } else if (mark) {
      model.wedge(item.id, mark);
    } else {
      const bond = model.bond(item.id);
      if (order === "single" && (bond.mark === "none" || bond.order !== "single")) model.cycle(item.id);
      else model.setBond(item.id, { order, mark: "none" });
    }
  }

  // The pointer

  place(event) {
    const box = this.svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Returns the atom or bond at a place on the screen. A finger is less exact than a mouse. */
  itemAt(place, isTouch) {
    const radius = (isTouch ? 22 : 12) / this.view.scale;
    const at = this.view.toModel(place);
    const atom = this.model.near(at, Math.min(radius, this.model.bondLength * 0.45));
    if (atom) return { kind: "atom", id: atom.id };
    const bond = this.model.nearBond(at, Math.min(radius, this.model.bondLength * 0.35));
    return bond ? { kind: "bond", id: bond.id } : null;
  }

  pressed(event) {
    if (event.button > 0) return;
    event.preventDefault();
    this.svg.focus({ preventScroll: true });
    this.svg.setPointerCapture(event.pointerId);
    const at = this.place(event);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) {
      this.drag = { kind: "pinch", last: this.pinch() };
      this.preview = null;
      return;
    }
    const isTouch = event.pointerType !== "mouse";
    const item = this.itemAt(at, isTouch);
    this.drag = { kind: "press", start: at, item, isTouch, isExtended: event.shiftKey };
    if (item) this.focus = item;
    this.draw();
  }

  pinch() {
    const [one, other] = [...this.pointers.values()];
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, size: Math.hypot(one.x - other.x, one.y - other.y) };
  }

  moved(event) {
    const at = this.place(event);
    if (!this.drag) {
      if (event.pointerType !== "mouse") return;
      const item = this.itemAt(at, false);
      if ((item && item.id) !== (this.hover && this.hover.id) || (item && item.kind) !== (this.hover && this.hover.kind)) {
        this.hover = item;
        this.draw();
      }
      return;
    }
    this.pointers.set(event.pointerId, at);
    if (this.drag.kind === "pinch") {
      if (this.pointers.size < 2) return;
      const now = this.pinch();
      this.view.x += now.x - this.drag.last.x;
      this.view.y += now.y - this.drag.last.y;
      if (this.drag.last.size > 10) this.zoom(now.size / this.drag.last.size, now);
      this.drag.last = now;
      this.draw();
      return;
    }
    const { start, item } = this.drag;
    if (this.drag.kind === "press" && Math.hypot(at.x - start.x, at.y - start.y) < (this.drag.isTouch ? 10 : 5)) return;
    if (this.drag.kind === "press") this.beginDrag();
    if (this.drag.kind === "move") {
      const [dx, dy] = [(at.x - this.drag.last.x) / this.view.scale, -(at.y - this.drag.last.y) / this.view.scale];
      this.model.move(this.drag.ids, dx, dy);
      if (this.drag.isBegun) this.model.joinLatest();
      this.drag.isBegun = true;
      this.drag.last = at;
    } else if (this.drag.kind === "box") {
      this.preview = { kind: "box", from: start, to: at };
    } else if (this.drag.kind === "bond") {
      this.preview = { kind: "line", from: this.drag.from, to: this.target(at, item) };
    }
    this.draw();
  }

  beginDrag() {
    const { item, start } = this.drag;
    if (this.tool === "select") {
      if (!item) { this.drag.kind = "box"; return; }
      const own = item.kind === "atom" ? [item.id] : [this.model.bond(item.id).a, this.model.bond(item.id).b];
      const isSelected = own.every((id) => this.selection.atoms.has(id));
      this.drag = { ...this.drag, kind: "move", ids: isSelected ? [...this.selection.atoms] : own, last: start };
      return;
    }
    const tool = this.tools[this.tool];
    if (tool.order || tool.symbol || this.tool === "chain") {
      const from = item && item.kind === "atom" ? this.model.atom(item.id) : this.view.toModel(start);
      this.drag = { ...this.drag, kind: "bond", from };
    } else {
      this.drag.kind = "idle";
    }
  }

  /** Returns the end of a bond that is being drawn: an atom, or a place at the usual distance and angle. */
  target(at, item) {
    const place = this.view.toModel(at);
    const from = this.drag.from;
    const atom = this.model.near(place, this.model.bondLength * 0.4, item && item.kind === "atom" ? item.id : null);
    if (atom) return atom;
    const unit = Math.PI / 12;
    const direction = Math.round(sketchModel.angle(from, place) / unit) * unit;
    return sketchModel.step(from, direction, this.model.bondLength);
  }

  released(event) {
    this.pointers.delete(event.pointerId);
    const drag = this.drag;
    if (!drag) return;
    if (drag.kind === "pinch") {
      if (this.pointers.size === 0) this.drag = null;
      return;
    }
    this.drag = null;
    this.preview = null;
    const at = this.place(event);
    if (drag.kind === "press") this.clicked(drag, at);
    else if (drag.kind === "move") this.describe();
    else if (drag.kind === "box") this.selectIn(drag.start, at, drag.isExtended);
    else if (drag.kind === "bond") {
      this.drag = drag;
      const to = this.target(at, drag.item);
      this.drag = null;
      const tool = this.tools[this.tool];
      this.change(() => {
        const from = drag.item && drag.item.kind === "atom" ? drag.item.id : this.model.addAtom("C", drag.from);
        if (to.id !== undefined) this.model.addBond(from, to.id, tool.order || "single", tool.mark || "none");
        else if (this.tool === "chain") this.model.addChain(from, Math.max(1, Math.round(sketchModel.distance(this.model.atom(from), this.view.toModel(at)) / (this.model.bondLength * 0.87))));
        else this.focus = { kind: "atom", id: this.model.sprout(from, tool.symbol || "C", tool.order || "single", tool.mark || "none", to) };
      });
    }
    this.draw();
  }

  canceled(event) {
    this.pointers.delete(event.pointerId);
    this.drag = null;
    this.preview = null;
    this.draw();
  }

  clicked(drag, at) {
    if (this.tool !== "select") { this.use(drag.item, this.view.toModel(at)); return; }
    if (!drag.isExtended && !drag.isTouch) this.clearSelection();
    if (drag.item) this.toggle(drag.item); else this.clearSelection();
    this.describe();
  }

  toggle(item) {
    const set = item.kind === "atom" ? this.selection.atoms : this.selection.bonds;
    if (set.has(item.id)) set.delete(item.id); else set.add(item.id);
  }

  clearSelection() { this.selection = { atoms: new Set(), bonds: new Set() }; }

  selectIn(start, end, isExtended) {
    if (!isExtended) this.clearSelection();
    const [left, right] = [Math.min(start.x, end.x), Math.max(start.x, end.x)];
    const [top, bottom] = [Math.min(start.y, end.y), Math.max(start.y, end.y)];
    for (const atom of this.model.atoms) {
      const at = this.view.toScreen(atom);
      if (at.x >= left && at.x <= right && at.y >= top && at.y <= bottom) this.selection.atoms.add(atom.id);
    }
    this.describe();
  }

  // The keyboard

  typed(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key;
    const done = () => { event.preventDefault(); event.stopPropagation(); };
    if (isCommand && key === "Enter") { done(); this.save(); return; }
    if (event.target !== this.svg) {
      if (isCommand && key.toLowerCase() === "z") { done(); if (event.shiftKey) this.redo(); else this.undo(); }
      return;
    }
    if (isCommand) {
      const acts = { z: () => (event.shiftKey ? this.redo() : this.undo()), y: () => this.redo(), a: () => this.selectAll() };
      const act = acts[key.toLowerCase()];
      if (act) { done(); act(); }
      return;
    }
    if (event.altKey) {
      const size = Number((event.code || "").replace(/^Digit/, "")) || Number(key);
      if (size === 0 && /^(Digit)?0$/.test(event.code || key)) { done(); this.addRing(6, true); }
      if (size >= 3 && size <= 8) { done(); this.addRing(size, false); }
      return;
    }
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (arrows[key]) {
      done();
      if (event.shiftKey) this.nudge(...arrows[key]); else this.goTo(...arrows[key]);
      return;
    }
    const symbols = { c: "C", n: "N", o: "O", s: "S", p: "P", f: "F", h: "H", b: "Br", l: "Cl", i: "I" };
    const marks = { w: "up", d: "down", y: "either" };
    const orders = { 1: "single", 2: "double", 3: "triple" };
    const acts = {
      Delete: () => this.removeChosen(), Backspace: () => this.removeChosen(), Enter: () => this.useAtFocus(),
      " ": () => { if (this.focus) this.toggle(this.focus); this.draw(); this.describe(); },
      "+": () => this.chargeFocus(1), "-": () => this.chargeFocus(-1), "−": () => this.chargeFocus(-1),
      a: () => this.grow("single", "none"), x: () => this.growChain(), j: () => this.join(), e: () => { this.setStop(this.symbolInput); this.symbolInput.focus(); },
      ".": () => this.next(1), ",": () => this.next(-1), "?": () => { this.help.hidden = !this.help.hidden; },
      Escape: () => { if (this.selection.atoms.size + this.selection.bonds.size > 0) { this.clearSelection(); this.draw(); } else this.cancel(); },
    };
    if (symbols[key]) { done(); this.applySymbol(symbols[key]); return; }
    if (orders[key]) { done(); this.setOrder(orders[key]); return; }
    if (marks[key]) { done(); this.setMark(marks[key]); return; }
    if (acts[key]) { done(); acts[key](); }
  }

  selectAll() {
    this.selection = { atoms: new Set(this.model.atoms.map((atom) => atom.id)), bonds: new Set() };
    this.draw();
    this.describe();
  }

  focusFirst() {
    const first = this.model.atoms[0];
    this.focus = first ? { kind: "atom", id: first.id } : null;
  }

  focusPlace() {
    if (!this.focus) return null;
    if (this.focus.kind === "atom") return this.model.atom(this.focus.id);
    const bond = this.model.bond(this.focus.id);
    const [one, other] = [this.model.atom(bond.a), this.model.atom(bond.b)];
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
  }

  goTo(dx, dy) {
    const from = this.focusPlace();
    if (!from) { this.focusFirst(); this.draw(); this.describe(); return; }
    let [best, least] = [null, Infinity];
    for (const atom of this.model.atoms) {
      if (this.focus.kind === "atom" && atom.id === this.focus.id) continue;
      const [along, across] = [(atom.x - from.x) * dx + (atom.y - from.y) * dy, Math.abs((atom.x - from.x) * dy) + Math.abs((atom.y - from.y) * dx)];
      if (along <= 1e-3 || across > along * 1.8) continue;
      const cost = along + 2 * across;
      if (cost < least) [best, least] = [atom, cost];
    }
    if (best) this.focus = { kind: "atom", id: best.id };
    this.draw();
    this.describe();
  }

  /** Goes from an atom to its bonds, and on to the next ones; from a bond to its atoms. */
  next(direction) {
    if (!this.focus) { this.focusFirst(); } else if (this.focus.kind === "atom") {
      const bonds = this.model.bondsOf(this.focus.id);
      this.around = this.focus.id;
      if (bonds.length > 0) this.focus = { kind: "bond", id: bonds[direction > 0 ? 0 : bonds.length - 1].id };
    } else {
      const bond = this.model.bond(this.focus.id);
      const center = [bond.a, bond.b].includes(this.around) ? this.around : bond.a;
      const bonds = this.model.bondsOf(center);
      const place = bonds.findIndex((one) => one.id === bond.id) + direction;
      if (place >= 0 && place < bonds.length) this.focus = { kind: "bond", id: bonds[place].id };
      else this.focus = { kind: "atom", id: this.model.other(bond, center) };
    }
    this.draw();
    this.describe();
  }

  nudge(dx, dy) {
    const ids = this.selection.atoms.size > 0 ? [...this.selection.atoms] : this.focus && this.focus.kind === "atom" ? [this.focus.id] : [];
    if (ids.length > 0) this.change(() => this.model.move(ids, dx * this.model.bondLength / 10, dy * this.model.bondLength / 10));
  }

  useAtFocus() { this.use(this.focus, this.freePlace()); }

  freePlace() {
    const right = this.model.isEmpty ? 0 : Math.max(...this.model.atoms.map((atom) => atom.x)) + 2 * this.model.bondLength;
    return { x: right, y: 0 };
  }

  chargeFocus(difference) {
    const ids = this.selection.atoms.size > 0 ? [...this.selection.atoms] : this.focus && this.focus.kind === "atom" ? [this.focus.id] : [];
    this.change(() => { for (const id of ids) this.model.charge(id, difference); });
  }

  grow(order, mark) {
    this.change(() => {
      if (!this.focus) this.focus = { kind: "atom", id: this.model.addAtom("C", this.freePlace()) };
      else if (this.focus.kind === "atom") this.focus = { kind: "atom", id: this.model.sprout(this.focus.id, "C", order, mark) };
    });
  }

  growChain() {
    this.change(() => {
      const id = this.focus && this.focus.kind === "atom" ? this.focus.id : null;
      this.focus = { kind: "atom", id: this.model.addChain(id, 3, this.freePlace()) };
    });
  }

  join() {
    const [one, other] = [...this.selection.atoms];
    if (this.selection.atoms.size !== 2) { this.tell("Select two atoms to bond them."); return; }
    this.change(() => { this.model.addBond(one, other); });
  }

  setOrder(order) {
    if (this.focus && this.focus.kind === "bond") this.change(() => this.model.setBond(this.focus.id, { order, mark: "none" }));
    else this.grow(order, "none");
  }

  setMark(mark) {
    if (this.model.isPlaced) { this.tell("The file has no coordinates and cannot store wedges.", true); return; }
    if (this.focus && this.focus.kind === "bond") this.change(() => this.model.wedge(this.focus.id, mark));
    else this.grow("single", mark);
  }

  addRing(size, isAromatic) {
    this.change(() => {
      const item = this.focus;
      const at = !item ? { place: this.freePlace() } : item.kind === "atom" ? { atom: this.model.atom(item.id) } : { bond: this.model.bond(item.id) };
      const ids = this.model.addRing(size, at, isAromatic);
      if (!item) this.focus = { kind: "atom", id: ids[0] };
    });
  }

  // The view

  zoom(factor, at) {
    const scale = Math.max(4, Math.min(150, this.view.scale * factor));
    const real = scale / this.view.scale;
    this.view.x = at.x - (at.x - this.view.x) * real;
    this.view.y = at.y - (at.y - this.view.y) * real;
    this.view.scale = scale;
    this.draw();
  }

  fit() {
    const box = this.svg.getBoundingClientRect();
    const [width, height] = [box.width || 600, box.height || 400];
    const atoms = this.model.atoms;
    const xs = atoms.map((atom) => atom.x);
    const ys = atoms.map((atom) => atom.y);
    const [left, right] = atoms.length ? [Math.min(...xs), Math.max(...xs)] : [0, 0];
    const [bottom, top] = atoms.length ? [Math.min(...ys), Math.max(...ys)] : [0, 0];
    const usual = 42 / this.model.bondLength;
    this.view.scale = Math.min(usual, (width - 80) / Math.max(right - left, 0.1), (height - 80) / Math.max(top - bottom, 0.1));
    this.view.x = width / 2 - (left + right) / 2 * this.view.scale;
    this.view.y = height / 2 + (bottom + top) / 2 * this.view.scale;
  }

  draw() {
    this.view.font = Math.max(7, Math.min(22, this.view.scale * this.model.bondLength * 0.36));
    sketchDraw.draw(this.svg, this.model, this.view, this);
    this.undoButton.disabled = !this.model.canUndo;
    this.redoButton.disabled = !this.model.canRedo;
  }

  /** Describes the atom or bond that has the focus, for screen readers and in the status line. */
  describe() {
    const { model } = this;
    const number = (id) => [...model.atoms].findIndex((atom) => atom.id === id) + 1;
    const plural = (size, thing) => `${size} ${thing}${size === 1 ? "" : "s"}`;
    const count = plural(model.atoms.length, "atom");
    const chosen = this.selection.atoms.size + this.selection.bonds.size;
    const parts = [];
    if (this.focus && this.focus.kind === "atom") {
      const atom = model.atom(this.focus.id);
      const charge = atom.charge ? `, charge ${atom.charge > 0 ? "+" : "−"}${Math.abs(atom.charge)}` : "";
      const hydrogens = model.hydrogens(atom.id);
      parts.push(`Atom ${number(atom.id)} of ${count}: ${model.symbol(atom)}${hydrogens ? ` with ${hydrogens} H` : ""}${charge}, ${plural(model.bondsOf(atom.id).length, "bond")}`);
    } else if (this.focus) {
      const bond = model.bond(this.focus.id);
      const mark = { up: ", solid wedge", down: ", hashed wedge", either: ", wavy" }[bond.mark] || "";
      const name = (id) => `${model.symbol(model.atom(id))} ${number(id)}`;
      parts.push(`${bond.order.replaceAll("_", " ")} bond${mark} from ${name(bond.a)} to ${name(bond.b)}`);
    } else {
      parts.push(count);
    }
    if (chosen > 0) parts.push(`${chosen} selected`);
    this.tell(parts.join("; "));
  }
}
