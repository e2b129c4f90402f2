// Selected records, and what to do with them: compare, copy, export, open and print

const selection = {
  // The selected records by ID, or all hits except some.
  ids: new Set(), all: false, anchor: -1,

  has(id) { return this.all ? !this.ids.has(id) : this.ids.has(id); },
  get count() { return this.all ? Math.max(0, list.total - this.ids.size) : this.ids.size; },

  read(words) {
    this.all = words.get("all") === "1";
    this.ids = new Set(words.getAll("sel").filter(Boolean));
  },

  write(words) {
    if (this.all) words.set("all", "1");
    // The address has a limited length.
    for (const id of [...this.ids].slice(0, 100)) words.append("sel", id);
  },

  changed() {
    this.draw();
    if (state.compares) compare.draw();
    list.draw();
    plot.drawPoints();
    writeAddress(false);
  },

  toggle(number, extends_) {
    if (extends_ && this.anchor >= 0) return this.extend(number);
    const row = list.row(number);
    if (!row) return undefined;
    if (this.ids.has(row.PERM_ID)) this.ids.delete(row.PERM_ID); else this.ids.add(row.PERM_ID);
    this.anchor = number;
    return this.changed();
  },

  /** Selects all records from the last selected one to another one. */
  async extend(number) {
    const start = this.anchor >= 0 ? this.anchor : Math.max(0, list.chosen);
    if (this.anchor < 0) this.anchor = start;
    const [from, until] = [Math.min(start, number), Math.max(start, number)];
    for (let first = from; first <= until; first += 1000) {
      const count = Math.min(1000, until + 1 - first);
      const rows = Array.from({ length: count }, (_, place) => list.row(first + place));
      const ids = rows.every(Boolean) ? rows.map((one) => one.PERM_ID)
        : table(await source.ask(list.request({ from: first, count, columns: [] }))).map((one) => one.PERM_ID);
      for (const id of ids) if (this.all) this.ids.delete(id); else this.ids.add(id);
    }
    this.changed();
  },

  /** Selects or deselects all hits. */
  toggleAll(isOn = !(this.all && this.ids.size === 0)) {
    this.all = isOn;
    this.ids.clear();
    this.changed();
    list.drawHead();
  },

  clear() {
    [this.all, this.anchor] = [false, -1];
    this.ids.clear();
    state.compares = false;
    compare.draw();
    this.changed();
    list.drawHead();
  },

  /** "All hits" no longer refers to the same records after another search. */
  forgetAll() {
    if (this.all) { this.all = false; this.ids.clear(); }
    this.anchor = -1;
    this.draw();
  },

  /** Returns the IDs of the selected records, or of the chosen record if none is selected. */
  async list(most = Infinity) {
    if (!this.all) return this.ids.size > 0 ? [...this.ids].slice(0, most) : state.id ? [state.id] : [];
    const found = [];
    for (let from = 0; from < list.total && found.length < most; from += 1000) {
      const rows = table(await source.ask(list.request({ from, count: 1000, columns: [], wait: true })));
      if (rows.length === 0) break;
      found.push(...rows.map((one) => one.PERM_ID).filter((id) => !this.ids.has(id)));
    }
    return found.slice(0, most);
  },

  draw() {
    const count = this.count;
    const bar = find("bar");
    bar.hidden = count === 0;
    if (count === 0) return;
    const button = (text, act, title) => element("button", { type: "button", text, title, onclick: (event) => act(event.currentTarget) });
    bar.replaceChildren(element("b", { text: `${grouped(count)} selected` }),
      ...(count >= 2 && count <= 4 ? [button("Compare", () => compare.toggle(), "m")] : []),
      button("Copy as ▾", (place) => copyMenu(place), "c"),
      ...(embedded ? [] : [button("Export ▾", () => exporter.open(true), "e")]),
      ...(source.canAct ? [button("Open with ▾", (place) => openWith(place), "o")] : []),
      button("Esc", () => this.clear(), "Clear the selection"));
  },
};

// Menus

/** Shows a menu below or above a button. The entries are { label, hint, act }, or text. */
function showMenu(place, entries) {
  const menu = find("menu");
  const back = document.activeElement;
  const close = () => {
    menu.hidden = true;
    removeEventListener("pointerdown", outside, true);
  };
  const outside = (event) => { if (!menu.contains(event.target)) close(); };
  menu.replaceChildren(...entries.map((one) => (typeof one === "string" ? element("p", { text: one, role: "presentation" })
    : element("button", {
      type: "button", role: "menuitem", title: one.title, onclick: () => { close(); back?.focus(); one.act(); },
    }, element("span", { text: one.label }), one.hint ? element("small", { class: one.isLoss ? "loss" : "", text: one.hint }) : null))));
  menu.hidden = false;
  const box = place.getBoundingClientRect();
  menu.style.left = Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8)) + "px";
  menu.style.top = (box.bottom + 6 + menu.offsetHeight > innerHeight ? Math.max(8, box.top - 6 - menu.offsetHeight) : box.bottom + 6) + "px";
  menu.onkeydown = (event) => {
    const buttons = [...menu.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") { close(); back?.focus(); }
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const found = buttons.find((one) => one.textContent.toLowerCase().startsWith(event.key.toLowerCase()));
      if (found) found.click();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("pointerdown", outside, true);
  menu.querySelector("button")?.focus();
}

// Copy

const copyFormats = [
  { format: "smi", label: "SMILES" }, { format: "inchikey", label: "InChIKey" }, { format: "mol", label: "Molfile" },
  { format: "cdxml", label: "CDXML" }, { format: "png", label: "PNG picture" }, { format: "tsv", label: "TSV table" },
];

function copyMenu(place) {
  const offered = embedded ? copyFormats.filter((one) => ["png", "tsv"].includes(one.format)) : copyFormats;
  showMenu(place, offered.map((one) => ({ label: one.label, act: () => copyAs(one.format) })));
}

/** Copies the selected records, or the given ones, to the clipboard. */
async function copyAs(format, ids) {
  try {
    const most = isServed ? 200 : 1000;
    const chosen = ids || await selection.list(most + 1);
    if (chosen.length === 0) return tell("No record is selected.");
    if (chosen.length > most) return tell(`At most ${grouped(most)} records can be copied; export them instead.`);
    const count = `${grouped(chosen.length)} ${chosen.length === 1 ? "record" : "records"}`;
    if (format === "png") {
      if (chosen.length > 1) return tell("Select one record to copy its picture.");
      await copyPicture(chosen[0]);
      return tell(`Copied the picture of ${count}.`);
    }
    if (format === "tsv") {
      await writeClipboard(await tableText(chosen));
      return tell(`Copied ${count} as a table.`);
    }
    // A molfile contains one record; several are copied as an SD file.
    const own = format === "mol" && chosen.length > 1 ? "sdf" : format;
    const answer = await source.ask({ request: "EXPORT", entities: chosen.map((id) => ({ PERM_ID: id })), format: own });
    await writeClipboard(answer.text);
    const label = own === "sdf" ? "SD file" : copyFormats.find((one) => one.format === format).label;
    return tell(`Copied ${count} as ${label}.${answer.losses.length ? " Without: " + answer.losses.join(", ") + "." : ""}`);
  } catch (error) {
    return tell(error.message);
  }
}

async function writeClipboard(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const place = element("textarea");
  place.value = text;
  document.body.append(place);
  place.select();
  const isDone = document.execCommand("copy");
  place.remove();
  if (!isDone) throw new Error("The browser does not allow copying.");
}

/** Returns the shown columns of records, with tabs between them. */
async function tableText(ids) {
  const names = fieldColumns();
  const columns = ["SUMMARY_HEADER", "SUMMARY", ...names.map(columnKey)];
  const rows = [];
  for (let from = 0; from < ids.length; from += 200) {
    const entities = ids.slice(from, from + 200).map((id) => ({ PERM_ID: id }));
    rows.push(...table(await source.ask({ request: "DETAIL", entities, columns })));
  }
  const plain = (text) => String(text ?? "").replace(/[\t\r\n]+/g, " ");
  const lines = [["Name", "Formula", ...names.map(labelOf)], ...rows.map((row) => [
    row.SUMMARY_HEADER, list.shortSummary(row.SUMMARY), ...names.map((name) => row[columnKey(name)])])];
  return lines.map((line) => line.map(plain).join("\t")).join("\n") + "\n";
}

/** Draws the picture of a record in three times its size on white. */
async function pictureBlob(id) {
  const [row] = table(await source.ask({ request: "DETAIL", entities: [{ PERM_ID: id }], columns: ["IMAGES.MARQUEE"], dark: false }));
  const image = row && row["IMAGES.MARQUEE"];
  const drawn = image && picture(image, "");
  if (!drawn) throw new Error(kept.missingPicture(image) ? "The picture is not on this device." : "There is no structure to draw.");
  await drawn.decode();
  const canvas = element("canvas");
  [canvas.width, canvas.height] = [Math.ceil(image.width * 3), Math.ceil(image.height * 3)];
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

async function copyPicture(id) {
  if (!navigator.clipboard || !window.ClipboardItem) throw new Error("The browser does not allow copying pictures.");
  await navigator.clipboard.write([new ClipboardItem({ "image/png": pictureBlob(id) })]);
}

// Open with, save as

async function openWith(place, ids) {
  try {
    const chosen = ids || await selection.list(1001);
    if (chosen.length === 0) return;
    if (chosen.length > 1000) { tell("At most 1,000 records can be opened at once."); return; }
    const request = chosen.length === 1 ? { PERM_ID: chosen[0] } : { PERM_IDS: chosen };
    const answer = await (await source.act("programs", request)).json();
    if (answer.error) { tell(answer.error); return; }
    if (answer.programs.length === 0) { tell("No program for these records is installed."); return; }
    showMenu(place, answer.programs.map((program) => ({
      label: program.name, title: program.reason, act: async () => {
        const told = await (await source.act("open", { ...request, program: program.id })).json();
        const losses = told.losses && told.losses.length ? "; the copy lacks " + told.losses.join(", ") : "";
        const saved = told.merges ? " What you save there is merged into the file." : " Changes that you save there stay in a copy.";
        tell(told.error || `Opened in ${told.opened}${losses}.${saved}`);
      },
    })));
  } catch (error) {
    tell(error.message);
  }
}

async function saveAs(place, id) {
  const answer = await (await source.act("programs", { PERM_ID: id })).json();
  if (answer.error) { tell(answer.error); return; }
  showMenu(place, answer.formats.map((format) => ({
    label: format.name, act: async () => {
      const saved = await source.act("save", { PERM_ID: id, format: format.id });
      if (!saved.ok) { tell(await saved.text()); return; }
      download(await saved.blob(), format.file);
      tell(`Saved as ${format.file}.`);
    },
  })));
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Export

const exporter = {
  format: "sdf", turn: 0,

  /** Returns the formats that can be exported: those for several records, with the usual ones first. */
  formats() {
    const usual = ["sdf", "smi", "csv", "ds"];
    const known = new Map(preferences.formats.map((one) => [one.key, one]));
    const first = usual.filter((key) => known.has(key)).map((key) => known.get(key));
    const single = new Set(["mol", "rxn"]);
    return [...first, ...preferences.formats.filter((one) => !usual.includes(one.key) && !single.has(one.key))];
  },

  /** Offers to export the selected records, or all hits. */
  open(isSelection = selection.count > 0) {
    const count = isSelection ? selection.count : list.total;
    const dialog = find("exporter");
    const scope = (label, value) => {
      const box = element("input", { type: "radio", name: "scope", value, onchange: () => this.check() });
      box.checked = (value === "selection") === isSelection;
      return element("label", {}, box, label);
    };
    const format = (one) => {
      const box = element("input", { type: "radio", name: "format", value: one.key, onchange: () => { this.format = one.key; this.check(); } });
      box.checked = one.key === this.format;
      return element("label", {}, box, one.label);
    };
    const scopes = selection.count > 0
      ? [scope(`${grouped(selection.count)} selected`, "selection"), scope(searchOf() ? `all ${grouped(list.total)} hits` : "all records", "hits")]
      : [element("p", { text: `${grouped(count)} ${count === 1 ? "record" : "records"}` })];
    dialog.replaceChildren(
      element("h2", { text: "Export" }), ...scopes,
      element("div", { class: "formats", role: "radiogroup", "aria-label": "Format" }, ...(source.canAct || isServed ? this.formats() : []).map(format)),
      element("p", { class: "losses", role: "status", id: "losses" }),
      element("form", { method: "dialog" },
        element("button", { id: "export-now", class: "plain main", type: "button", text: "Export", onclick: () => this.run() }),
        element("button", { class: "plain", type: "button", text: "Print or PDF", onclick: () => { dialog.close(); printHits(isSelection); } }),
        element("button", { class: "plain", text: "Cancel" })));
    dialog.onkeydown = (event) => {
      // Enter exports, and the first letter of a format chooses it.
      if (event.key === "Enter" && event.target.matches("input")) {
        event.preventDefault();
        this.run();
      } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
        const keys = this.formats().map((one) => one.key).filter((key) => key.startsWith(event.key.toLowerCase()));
        const next = keys[(keys.indexOf(this.format) + 1) % keys.length];
        if (!next) return;
        const box = dialog.querySelector(`input[value="${next}"]`);
        box.click();
        box.focus();
      }
    };
    dialog.showModal();
    find("export-now").hidden = Boolean(embedded);
    dialog.querySelector("input[name=format]:checked")?.focus();
    this.check();
  },

  async request() {
    const scope = find("exporter").querySelector("input[name=scope]:checked")?.value;
    const isSelection = scope ? scope === "selection" : false;
    const entities = [{ PERM_ID: state.file }];
    if (isSelection && (!selection.all || selection.ids.size > 0)) {
      const numbers = (await selection.list()).map((id) => Number(id.split("-")[1])).sort((a, b) => a - b);
      const ranges = [];
      for (const number of numbers) {
        const last = ranges[ranges.length - 1];
        if (last && last[1] + 1 === number) last[1] = number; else ranges.push([number, number]);
      }
      return { entities, numbers: ranges.map(([from, until]) => (from === until ? from : `${from}-${until}`)).join(","), format: this.format };
    }
    return { entities, ...searchOf(), format: this.format };
  },

  /** Shows what the chosen format cannot store, before the user exports anything. */
  async check() {
    if (embedded) return;
    this.turn += 1;
    const turn = this.turn;
    const place = find("losses");
    place.textContent = "…";
    try {
      if (isServed) {
        const { losses } = await this.served();
        if (turn === this.turn) place.textContent = losses.length > 0 ? `This format cannot store: ${losses.join(", ")}.` : "Nothing is lost.";
        return;
      }
      const response = await source.act("export", { ...await this.request(), check: true });
      if (turn !== this.turn) return;
      if (!response.ok) { place.textContent = await response.text(); return; }
      const account = await response.json();
      const losses = new Map();
      for (const one of account.losses) losses.set(one.feature, (losses.get(one.feature) || 0) + one.count);
      const parts = [...losses].map(([feature, count]) => `${feature} (${grouped(count)})`);
      const unreadable = account.unreadable > 0 ? ` ${grouped(account.unreadable)} records cannot be read and are left out.` : "";
      place.textContent = (parts.length > 0 ? `This format cannot store: ${parts.join(", ")}.` : "Nothing is lost.") + unreadable;
    } catch (error) {
      if (turn === this.turn) place.textContent = error.message;
    }
  },

  async run() {
    const dialog = find("exporter");
    try {
      if (isServed) { await this.runServed(); dialog.close(); return; }
      const request = await this.request();
      dialog.close();
      tell("Exporting …", true);
      const response = await source.act("export", request);
      if (!response.ok) { tell(await response.text()); return; }
      const one = preferences.formats.find((format) => format.key === request.format);
      const name = (files.find((file) => file.PERM_ID === state.file)?.SUMMARY_HEADER || "records").replace(/\.[^.]*$/, "");
      const file = `${name}-export.${one ? one.extension : request.format}`;
      download(await response.blob(), file);
      tell(`Exported as ${file}.`);
    } catch (error) {
      tell(error.message);
    }
  },

  /** Returns the exported records of a team server, which exports at most 200 records. */
  async served() {
    const scope = find("exporter").querySelector("input[name=scope]:checked")?.value;
    const ids = scope === "selection" ? await selection.list(201)
      : table(await source.ask(list.request({ from: 0, count: 200, columns: [], wait: true }))).map((one) => one.PERM_ID);
    if (ids.length > 200 || scope !== "selection" && list.total > 200) throw new Error("A server exports at most 200 records; select fewer.");
    return source.ask({ request: "EXPORT", entities: ids.map((id) => ({ PERM_ID: id })), format: this.format });
  },

  async runServed() {
    const answer = await this.served();
    const content = answer.text ?? Uint8Array.from(atob(answer.base64), (one) => one.charCodeAt(0));
    download(new Blob([content], { type: answer.type }), answer.file || "records.txt");
    tell(`Exported ${grouped(answer.records)} records.${answer.losses.length ? " Without: " + answer.losses.join(", ") + "." : ""}`);
  },
};

// Print

/** Prints the selected records or all hits as a sheet of pictures; browsers can save it as a PDF file. */
async function printHits(isSelection = selection.count > 0) {
  const most = 600;
  const name = cards.field();
  const columns = ["SUMMARY_HEADER", "SUMMARY", "IMAGES.MARQUEE", ...(name ? [columnKey(name)] : [])];
  const rows = [];
  try {
    if (isSelection) {
      const ids = await selection.list(most);
      for (let from = 0; from < ids.length; from += 100) {
        const entities = ids.slice(from, from + 100).map((id) => ({ PERM_ID: id }));
        rows.push(...table(await source.ask({ request: "DETAIL", entities, columns, dark: false })));
      }
    } else {
      for (let from = 0; from < Math.min(list.total, most); from += 100) {
        rows.push(...table(await source.ask(list.request({ from, count: 100, columns, dark: false, wait: true }))));
      }
    }
  } catch (error) {
    tell(error.message);
    return;
  }
  const figures = rows.map((row) => element("figure", {}, picture(row["IMAGES.MARQUEE"], row.SUMMARY_HEADER),
    element("figcaption", {}, element("b", { text: row.SUMMARY_HEADER }), ...withSubscripts(list.shortSummary(row.SUMMARY)),
      name ? element("p", {}, element("span", { text: labelOf(name) }), element("span", { text: row[columnKey(name)] || "–" })) : null)));
  document.querySelector(".sheet")?.remove();
  document.body.append(element("div", { class: "sheet", id: "sheet" }, ...figures));
  await Promise.all([...document.querySelectorAll(".sheet img")].map((image) => image.decode().catch(() => {})));
  const total = isSelection ? selection.count : list.total;
  if (total > rows.length) tell(`The first ${grouped(rows.length)} of ${grouped(total)} records are printed.`);
  print();
}

find("export").addEventListener("click", () => exporter.open());
