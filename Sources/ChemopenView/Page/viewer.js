"use strict";

// The viewer: a list to walk through on the left, one record on the right. It knows nothing of chemistry: it shows what
// the browse protocol answers. All that comes from a file becomes text or a picture, never markup.

// ---- Where answers come from: the program that serves the page, or the data that a page by itself has in it.

const embedded = document.getElementById("data");

const server = {
  canAct: true,
  async ask(request) {
    const response = await fetch("browse", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error("the program answers no more");
    const answer = await response.json();
    if (answer.error) throw new Error(answer.error);
    return answer;
  },
  async act(name, request) {
    return fetch(name, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
    });
  },
};

/** Answers out of the data in the page, in the protocol's words. */
function pageSource(data) {
  const objects = (answer) => table(answer);
  const files = objects(data.files), records = objects(data.records), parts = objects(data.parts);
  const fields = [];
  for (const record of records) {
    for (const property of record.PROPERTIES) {
      if (property.group === "data" && !fields.includes(property.name)) fields.push(property.name);
    }
  }
  const valueOf = (record, key) => {
    if (key === "name") return record.SUMMARY_HEADER;
    const [group, name] = key.startsWith("field:") ? ["data", key.slice(6)] : ["structure", key];
    const property = record.PROPERTIES.find((one) => one.group === group && one.name === name);
    return property ? property.value : "";
  };
  const texts = (record, domain) => {
    if (domain === "all") return [record.SUMMARY_HEADER, ...record.PROPERTIES.map((one) => one.value)];
    return [valueOf(record, domain)];
  };
  const answer = (rows, request) => {
    const names = ["PERM_ID", "REFCON", ...(request.columns || Object.keys(rows[0] || {}))];
    const value = (row, name) => (name.startsWith("PROPERTY:")
      ? row.PROPERTIES.filter((one) => one.group === "data" && one.name === name.slice(9)).map((one) => one.value).join("\n")
      : row[name]);
    return { headers: names, rows: rows.map((row) => names.map((name) => value(row, name))) };
  };
  const list = (request) => {
    const wanted = (request.entities || []).map((one) => one.PERM_ID);
    let rows = records.filter((one) => wanted.length === 0 || wanted.includes(one.PERM_ID.split("-")[0]));
    const text = (request.text || "").trim().toLowerCase();
    if (request.request === "SEARCH" && text) {
      rows = rows.filter((one) => texts(one, request.domain || "all").some((value) => value.toLowerCase().includes(text)));
    }
    if (request.sort && request.sort !== "number") {
      const keyed = rows.map((row) => [valueOf(row, request.sort), row]);
      const compare = new Intl.Collator("en", { numeric: true }).compare;
      const known = keyed.filter((one) => one[0] !== "");
      known.sort((one, other) => {
        const [a, b] = [Number(one[0]), Number(other[0])];
        return Number.isNaN(a) || Number.isNaN(b) ? compare(one[0], other[0]) : a - b;
      });
      if (request.descending) known.reverse();
      rows = [...known, ...keyed.filter((one) => one[0] === "")].map((one) => one[1]);
    }
    const page = rows.slice(request.from || 0, (request.from || 0) + (request.count || 100));
    return { ...answer(page, request), total: rows.length, complete: true };
  };
  return {
    canAct: false,
    async ask(request) {
      const wanted = (request.entities || []).map((one) => one.PERM_ID);
      const choice = (key, label) => ({ key, label });
      const choices = fields.map((name) => choice("field:" + name, name));
      const plain = [choice("name", "Name"), choice("formula", "Formula")];
      switch (request.request) {
        case "CLIENT_PREFS":
          return { headers: ["REFRESH_INTERVAL", "SEARCH_DOMAINS", "SORT_KEYS"], rows: [[3600,
            [choice("all", "All fields"), ...plain, ...choices],
            [choice("number", "File order"), ...plain, choice("mass", "Mass"), ...choices]]] };
        case "NAVIGATION": return { ...answer(files, request), total: files.length, complete: true };
        case "DETAIL": return answer([...records, ...parts, ...files].filter((one) => wanted.includes(one.PERM_ID)), request);
        case "DRILL": {
          const parents = [...records, ...parts].filter((one) => wanted.includes(one.PERM_ID));
          return answer(parts.filter((one) => parents.some((parent) => parent.CHILDREN.includes(one.PERM_ID))), request);
        }
        default: return list(request);
      }
    },
  };
}

const source = embedded ? pageSource(JSON.parse(embedded.textContent)) : server;

/** The rows of an answer as objects by their headers. */
function table(answer) {
  return answer.rows.map((row) => Object.fromEntries(answer.headers.map((name, place) => [name, row[place]])));
}

// ---- Small things

const find = (id) => document.getElementById(id);

/** An element with attributes, text and children. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") made.textContent = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A picture: an image of its own, which runs no script and loads nothing. */
function picture(image, name) {
  if (!image) return null;
  return element("img", { src: "data:image/svg+xml," + encodeURIComponent(image.data), alt: name, decoding: "async" });
}

function fill(select, choices, chosen) {
  const options = choices.map((one) => element("option", { value: one.key, text: one.label }));
  select.replaceChildren(...options);
  if (choices.some((one) => one.key === chosen)) select.value = chosen;
}

const dark = matchMedia("(prefers-color-scheme: dark)");

// ---- What is shown: kept in the address, so that a link brings it back

const state = { file: "", query: "", domain: "all", sort: "number", descending: false, table: false, id: "", at: 0, reference: "" };
let preferences = { interval: 1, domains: [], sorts: [] };

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  state.file = words.get("file") || "";
  state.query = words.get("q") || "";
  state.domain = words.get("in") || "all";
  state.sort = words.get("sort") || "number";
  state.descending = words.get("down") === "1";
  state.table = words.get("view") === "table";
  state.id = words.get("id") || "";
  state.at = Number(words.get("at")) || 0;
}

function writeAddress(isStep) {
  const words = new URLSearchParams();
  if (state.file) words.set("file", state.file);
  if (state.query) words.set("q", state.query);
  if (state.domain !== "all") words.set("in", state.domain);
  if (state.sort !== "number") words.set("sort", state.sort);
  if (state.descending) words.set("down", "1");
  if (state.table) words.set("view", "table");
  if (state.id) words.set("id", state.id);
  if (list.chosen > 0) words.set("at", String(list.chosen));
  const address = "#" + words;
  if (address === location.hash) return;
  if (isStep) history.pushState(null, "", address); else history.replaceState(null, "", address);
}

// ---- The list: any number of rows, of which only those in view are there

const pageSize = 40;
const rowHeight = 84;
// Browsers cannot make elements of any height: beyond this the scroll bar stands for more rows than it has points.
const highest = 4000000;

const list = {
  total: 0, complete: false, chosen: -1, top: 0, pages: new Map(), waiting: new Set(), generation: 0, isOwnScroll: false,

  request(extra) {
    const columns = ["SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "IMAGES.MARQUEE"];
    if (state.table) columns.push(...fieldColumns().map((one) => "PROPERTY:" + one));
    const request = {
      request: state.query.trim() ? "SEARCH" : "ROOT", columns, dark: dark.matches, wait: false,
      entities: [{ PERM_ID: state.file }], ...extra,
    };
    if (state.query.trim()) Object.assign(request, { text: state.query, domain: state.domain });
    if (state.sort !== "number") Object.assign(request, { sort: state.sort, descending: state.descending });
    return request;
  },

  /** Begins anew: another file, search or order. */
  async reset(keepsPlace) {
    this.generation += 1;
    this.pages.clear();
    this.waiting.clear();
    this.complete = false;
    if (!keepsPlace) { this.top = 0; this.total = 0; this.chosen = -1; }
    await this.load(Math.floor(this.top / pageSize));
    this.draw();
  },

  async load(page) {
    if (page < 0 || this.pages.has(page) || this.waiting.has(page)) return;
    this.waiting.add(page);
    const generation = this.generation;
    try {
      const answer = await source.ask(this.request({ from: page * pageSize, count: pageSize }));
      if (generation !== this.generation) return;
      this.total = answer.total;
      this.complete = answer.complete;
      const rows = table(answer);
      const isWhole = rows.length === Math.min(pageSize, answer.total - page * pageSize) && rows.length > 0;
      if (isWhole && (answer.complete || rows.length === pageSize)) this.keep(page, rows);
      tellCount(answer);
      this.layOut();
      if (!answer.complete) setTimeout(() => generation === this.generation && this.goOn(page, rows), 200);
      else if (rows.length > 0 && !isWhole) this.keep(page, rows);
      this.partial = isWhole ? null : { page, rows };
    } catch (error) {
      find("count").textContent = error.message;
    } finally {
      if (generation === this.generation) this.waiting.delete(page);
    }
    if (generation === this.generation) this.draw();
  },

  /** Asks again while an index or a search is under way. */
  goOn(page, rows) {
    if (rows.length < pageSize) this.pages.delete(page);
    const wanted = Math.floor(this.top / pageSize);
    if (this.pages.has(wanted)) {
      source.ask(this.request({ from: 0, count: 0 })).then((answer) => {
        if (this.total !== answer.total || answer.complete) {
          this.total = answer.total;
          this.complete = answer.complete;
          tellCount(answer);
          this.layOut();
          this.draw();
        }
        const generation = this.generation;
        if (!answer.complete) setTimeout(() => generation === this.generation && this.goOn(page, rows), 300);
      }, () => {});
    } else {
      this.load(wanted);
    }
  },

  keep(page, rows) {
    this.pages.set(page, rows);
    const most = 60;
    if (this.pages.size > most) this.pages.delete(this.pages.keys().next().value);
  },

  row(number) {
    const page = Math.floor(number / pageSize);
    const rows = this.pages.get(page) || (this.partial && this.partial.page === page ? this.partial.rows : null);
    return rows ? rows[number % pageSize] : undefined;
  },

  get height() { return Math.min(this.total * rowHeight, highest); },
  get visible() { return Math.max(1, find("scroller").clientHeight / rowHeight); },
  get lastTop() { return Math.max(0, this.total - this.visible); },
  get isScaled() { return this.total * rowHeight > highest; },

  layOut() {
    find("rows").style.height = this.height + "px";
  },

  /** Where the scroll bar has to stand for the row that is on top. */
  scrollPlace() {
    const range = this.height - find("scroller").clientHeight;
    return this.isScaled ? (this.lastTop > 0 ? (this.top / this.lastTop) * range : 0) : this.top * rowHeight;
  },

  moveTo(top) {
    this.top = Math.max(0, Math.min(top, this.lastTop));
    this.isOwnScroll = true;
    find("scroller").scrollTop = this.scrollPlace();
    requestAnimationFrame(() => { this.isOwnScroll = false; });
    this.draw();
  },

  scrolled() {
    if (this.isOwnScroll) return;
    const scroller = find("scroller");
    const range = this.height - scroller.clientHeight;
    this.top = this.isScaled && range > 0 ? (scroller.scrollTop / range) * this.lastTop : scroller.scrollTop / rowHeight;
    this.draw();
  },

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.drawNow();
    });
  },

  drawNow() {
    const first = Math.max(0, Math.floor(this.top) - 2);
    const last = Math.min(this.total, Math.ceil(this.top + this.visible) + 2);
    const offset = this.scrollPlace() - this.top * rowHeight;
    const rows = [];
    for (let number = first; number < last; number += 1) rows.push(this.drawRow(number, offset + number * rowHeight));
    const place = find("rows");
    if (this.total === 0 && this.complete) rows.push(element("p", { class: "empty", text: "No records." }));
    place.replaceChildren(...rows);
    if (this.chosen >= 0) place.setAttribute("aria-activedescendant", "row" + this.chosen);
    else place.removeAttribute("aria-activedescendant");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (let page = Math.floor(first / pageSize); page * pageSize < last; page += 1) this.load(page);
      this.load(this.complete || last < this.total ? Math.min(Math.floor(last / pageSize) + 1, Math.floor((this.total - 1) / pageSize)) : -1);
    }, this.row(first) && this.row(last - 1) ? 150 : 20);
  },

  drawRow(number, top) {
    const row = this.row(number);
    const made = element("div", {
      class: row ? "row" : "row waiting", id: "row" + number, role: "option", "aria-posinset": number + 1,
      "aria-setsize": this.total, "aria-selected": String(number === this.chosen),
    });
    made.style.transform = `translateY(${top}px)`;
    const isListed = state.query.trim() || state.sort !== "number";
    const own = row ? row.IDENTIFIER.split("#").pop() : "";
    made.append(element("span", { class: "number", text: isListed && row ? own : String(number + 1) }));
    if (!row) {
      made.append(element("span", { class: "thumb" }), element("span", { class: "words", text: "…" }));
      return made;
    }
    const image = picture(row["IMAGES.MARQUEE"], "Structure of " + row.SUMMARY_HEADER);
    made.append(element("span", { class: "thumb" }, image));
    made.append(element("span", { class: "words" },
      element("div", { class: "name", text: row.SUMMARY_HEADER }), element("div", { class: "summary", text: row.SUMMARY })));
    if (state.table) {
      for (const name of fieldColumns()) {
        const value = row["PROPERTY:" + name] || "";
        made.append(element("span", { class: "cell", text: value, title: value }));
      }
    }
    made.addEventListener("click", () => this.choose(number, true));
    return made;
  },

  /** Chooses a row and shows its record. */
  async choose(number, isStep) {
    if (this.total === 0) return;
    this.chosen = Math.max(0, Math.min(number, this.total - 1));
    if (this.chosen < this.top) this.moveTo(this.chosen);
    if (this.chosen + 1 > this.top + this.visible) this.moveTo(this.chosen + 1 - this.visible);
    this.draw();
    if (!this.row(this.chosen)) await this.load(Math.floor(this.chosen / pageSize));
    const row = this.row(this.chosen);
    if (row) await show(row.PERM_ID, isStep);
  },
};

function tellCount(answer) {
  const count = answer.total.toLocaleString("en");
  const thing = answer.total === 1 ? "record" : "records";
  const progress = answer.complete ? "" : ` … ${Math.floor((answer.progress || 0) * 100)} %`;
  find("count").textContent = `${count} ${thing}${progress}`;
}

function fieldColumns() {
  return preferences.sorts.filter((one) => one.key.startsWith("field:")).map((one) => one.label).slice(0, 20);
}

function drawColumns() {
  const line = element("div", { class: "line" },
    element("span", { class: "number", text: "#" }), element("span", { class: "thumb", text: "Structure" }),
    element("span", { class: "words", text: "Name" }),
    ...fieldColumns().map((name) => element("span", { class: "cell", text: name, title: name })));
  find("columns").replaceChildren(line);
  find("columns").hidden = !state.table;
  document.body.classList.toggle("as-table", state.table);
  find("table").setAttribute("aria-pressed", String(state.table));
}

// ---- One record

const titles = {
  structure: "Structure", data: "Data", stereo: "Stereochemistry", heading: "Heading",
  kept: "What few programs keep", warnings: "Remarks of the reader", file: "File",
};
let shown = 0;

async function show(id, isStep) {
  state.id = id;
  writeAddress(isStep);
  shown += 1;
  const turn = shown;
  const columns = ["CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "IMAGES.MARQUEE", "PROPERTIES", "TEXT"];
  let entity;
  try {
    [entity] = table(await source.ask({ request: "DETAIL", entities: [{ PERM_ID: id }], columns, dark: dark.matches }));
  } catch (error) {
    find("count").textContent = error.message;
    return;
  }
  if (turn !== shown) return;
  const page = find("detail");
  page.classList.toggle("within", id.includes("/"));
  if (!entity) {
    page.replaceChildren(backButton(), element("p", { class: "empty", text: "This record is not there any more." }));
  } else {
    page.replaceChildren(...detailsOf(entity, id));
    page.scrollTop = 0;
    document.title = entity.SUMMARY_HEADER + " – Chemopen";
    if (entity.CHILDREN.length > 0) showParts(id, turn);
    if (source.canAct) showActions(id, turn);
  }
  document.body.classList.add("showing-detail");
}

function backButton() {
  return element("button", { id: "back", type: "button", text: "← Back", onclick: goBack });
}

function detailsOf(entity, id) {
  const name = entity.SUMMARY_HEADER;
  const image = picture(entity["IMAGES.MARQUEE"], "Structure of " + name);
  // Twice and a half of the size in print, where there is room.
  if (image) image.width = Math.round(Math.min(entity["IMAGES.MARQUEE"].width * 2.5, 1400));
  const groups = new Map();
  for (const property of entity.PROPERTIES) {
    if (!groups.has(property.group)) groups.set(property.group, []);
    groups.get(property.group).push(property);
  }
  const parts = [
    backButton(),
    element("h1", { text: name }),
    element("p", { class: "under", text: [entity.IDENTIFIER, entity.SUMMARY].filter(Boolean).join(" · ") }),
    element("div", { class: image ? "picture" : "picture none" }, image || "no structure to draw"),
    element("div", { id: "actions", class: "actions" }),
    element("p", { id: "told", role: "status" }),
    element("section", { id: "parts" }),
  ];
  for (const [group, title] of Object.entries(titles)) {
    const lines = groups.get(group);
    if (!lines) continue;
    const rows = lines.flatMap((one) => (one.value === ""
      ? [element("dt", { text: one.name }), element("dd", { text: group === "kept" ? "yes" : "" })]
      : [element("dt", { text: one.name || "–" }), element("dd", { text: one.value })]));
    parts.push(element("section", { class: group },
      element("h2", { text: title }), element("dl", { class: "properties" }, ...rows)));
  }
  if (entity.TEXT) {
    parts.push(element("section", {}, element("h2", {}, "As it stands in the file"),
      element("details", {}, element("summary", { text: "Text" }), element("pre", { text: entity.TEXT, tabindex: "0" }))));
  }
  return parts;
}

async function showParts(id, turn) {
  const columns = ["CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IMAGES.MARQUEE"];
  const answer = await source.ask({ request: "DRILL", entities: [{ PERM_ID: id }], columns, dark: dark.matches });
  if (turn !== shown) return;
  const depth = id.split("/").length + 1;
  const tiles = table(answer).filter((one) => one.PERM_ID.split("/").length === depth).map((one) => {
    const image = picture(one["IMAGES.MARQUEE"], "Structure of " + one.SUMMARY_HEADER);
    return element("button", { type: "button", class: "part", onclick: () => show(one.PERM_ID, true) },
      element("span", { class: "thumb" }, image), element("span", { class: "role", text: one.CATEGORY }),
      element("span", { class: "name", text: one.SUMMARY_HEADER }), element("span", { class: "role", text: one.SUMMARY }));
  });
  find("parts").replaceChildren(element("h2", { text: "Parts" }), element("div", { class: "parts" }, ...tiles));
}

async function showActions(id, turn) {
  const response = await source.act("programs", { PERM_ID: id });
  if (!response.ok || turn !== shown) return;
  const answer = await response.json();
  if (answer.error || turn !== shown) return;
  const actions = [];
  const menu = (label, entries, act) => {
    if (entries.length === 0) return;
    const select = element("select", { "aria-label": label }, element("option", { value: "", text: label }),
      ...entries.map((one, place) => element("option", { value: String(place), text: one.name, title: one.reason })));
    select.addEventListener("change", async () => {
      const entry = entries[Number(select.value)];
      select.value = "";
      if (entry) await act(entry);
    });
    actions.push(select);
  };
  menu("Open with…", answer.programs, async (program) => {
    const told = await (await source.act("open", { PERM_ID: id, program: program.id })).json();
    const losses = told.losses && told.losses.length ? "; the copy lacks " + told.losses.join(", ") : "";
    find("told").textContent = told.error || `Opened in ${told.opened}${losses}.`;
  });
  menu("Save as…", answer.formats, async (format) => {
    const saved = await source.act("save", { PERM_ID: id, format: format.id });
    if (!saved.ok) {
      find("told").textContent = await saved.text();
      return;
    }
    const address = URL.createObjectURL(await saved.blob());
    element("a", { href: address, download: format.file }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    find("told").textContent = `Saved as ${format.file}.`;
  });
  find("actions").replaceChildren(...actions);
}

/** From a part to what holds it, from a record to the list. */
function goBack() {
  if (state.id.includes("/")) {
    show(state.id.slice(0, state.id.lastIndexOf("/")), true);
  } else {
    document.body.classList.remove("showing-detail");
    list.moveTo(list.top);
    find("rows").focus();
  }
}

// ---- What is chosen in the bar

async function loadPreferences() {
  const answer = await source.ask({ request: "CLIENT_PREFS" });
  const [prefs] = table(answer);
  preferences = { interval: prefs.REFRESH_INTERVAL, domains: prefs.SEARCH_DOMAINS, sorts: prefs.SORT_KEYS };
  const isReady = preferences.domains.length > 0;
  fill(find("domain"), isReady ? preferences.domains : [{ key: "all", label: "…" }], state.domain);
  fill(find("sort"), preferences.sorts, state.sort);
  find("query").disabled = !isReady;
  find("query").placeholder = isReady ? "Search" : "Search (reading the file …)";
  drawColumns();
  if (!isReady) setTimeout(loadPreferences, 300);
  return isReady;
}

async function loadFiles() {
  const answer = await source.ask({ request: "NAVIGATION", columns: ["SUMMARY_HEADER", "CATEGORY", "SUMMARY"] });
  const files = table(answer);
  fill(find("file"), files.map((one) => ({ key: one.PERM_ID, label: one.SUMMARY_HEADER })), state.file);
  find("file").title = files.map((one) => `${one.SUMMARY_HEADER}: ${one.CATEGORY}, ${one.SUMMARY}`).join("\n");
  if (!files.some((one) => one.PERM_ID === state.file)) {
    state.file = files.length ? files[0].PERM_ID : "";
    const isTable = files.length > 0 && files[0].CATEGORY.includes("DataSheet");
    if (isTable && !location.hash) state.table = true;
  }
  find("file").value = state.file;
}

/** Looks now and then whether a file has changed: then its REFCON is another one. */
async function watch() {
  for (;;) {
    await new Promise((resume) => setTimeout(resume, Math.max(1, preferences.interval) * 1000));
    if (document.hidden) continue;
    let files;
    try {
      files = table(await source.ask({ request: "NAVIGATION", columns: [] }));
    } catch {
      return;
    }
    const own = files.find((one) => one.PERM_ID === state.file);
    if (own && state.reference && own.REFCON !== state.reference) {
      await loadPreferences();
      list.reset(true);
      if (state.id) show(state.id, false);
    }
    if (own) state.reference = own.REFCON;
  }
}

let typing = 0;

function search() {
  clearTimeout(typing);
  typing = setTimeout(() => {
    state.query = find("query").value;
    state.domain = find("domain").value || "all";
    list.reset().then(() => list.moveTo(0));
    writeAddress(false);
  }, 120);
}

function toggleTable() {
  state.table = !state.table;
  drawColumns();
  writeAddress(false);
  list.reset(true);
}

/** Shows what the address says. */
async function restore() {
  readAddress();
  await loadFiles();
  const wantsAll = state.query || state.sort !== "number" || state.table;
  let isReady = await loadPreferences();
  while (wantsAll && !isReady) {
    await new Promise((resume) => setTimeout(resume, 200));
    isReady = await loadPreferences();
  }
  find("query").value = state.query;
  find("domain").value = state.domain;
  find("sort").value = state.sort;
  find("direction").setAttribute("aria-pressed", String(state.descending));
  const id = state.id;
  const at = state.at;
  list.top = Math.max(0, at - 2);
  list.total = 0;
  list.chosen = at;
  await list.reset(true);
  if (id) {
    list.chosen = at;
    list.moveTo(Math.max(0, at - 2));
    await show(id, false);
  } else {
    document.body.classList.remove("showing-detail");
    if (innerWidth > 700) await list.choose(0, false);
  }
}

find("query").addEventListener("input", search);
find("domain").addEventListener("change", search);
find("file").addEventListener("change", () => {
  state.file = find("file").value;
  state.reference = "";
  state.query = "";
  find("query").value = "";
  list.reset().then(() => list.choose(0, true));
});
find("sort").addEventListener("change", () => {
  state.sort = find("sort").value;
  list.reset().then(() => list.moveTo(0));
  writeAddress(true);
});
find("direction").addEventListener("click", () => {
  state.descending = !state.descending;
  find("direction").setAttribute("aria-pressed", String(state.descending));
  list.reset().then(() => list.moveTo(0));
  writeAddress(true);
});
find("table").addEventListener("click", toggleTable);
find("scroller").addEventListener("scroll", () => {
  find("columns").scrollLeft = find("scroller").scrollLeft;
  list.scrolled();
});
find("scroller").addEventListener("wheel", (event) => {
  if (!list.isScaled || event.ctrlKey || event.deltaY === 0) return;
  event.preventDefault();
  list.moveTo(list.top + event.deltaY / (event.deltaMode === 1 ? 4 : rowHeight));
}, { passive: false });
addEventListener("resize", () => list.draw());
addEventListener("popstate", () => restore());
dark.addEventListener("change", () => {
  list.reset(true);
  if (state.id) show(state.id, false);
});

// ---- Keys

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || find("help").open) return;
  const page = Math.max(1, Math.floor(list.visible) - 1);
  const inDetail = find("detail").contains(event.target);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (event.key === "Escape") {
    if (isTyping && event.target.id === "query" && event.target.value) {
      event.target.value = "";
      search();
    } else if (isTyping) find("rows").focus();
    else goBack();
    event.preventDefault();
  } else if (isTyping && !(event.target.id === "query" && (event.key === "ArrowDown" || event.key === "Enter"))) {
    return;
  } else if (event.key in steps && !inDetail) {
    find("rows").focus();
    list.choose(list.chosen + steps[event.key], false);
    event.preventDefault();
  } else if (event.key === "Home" && !inDetail) {
    list.choose(0, false);
    event.preventDefault();
  } else if (event.key === "End" && !inDetail) {
    list.choose(list.total - 1, false);
    event.preventDefault();
  } else if (event.key === "Enter" && event.target.id === "query") {
    list.choose(Math.max(0, list.chosen), false);
    find("rows").focus();
  } else if (event.key === "Enter" && !event.target.matches("button, summary, a")) {
    const part = document.querySelector("#parts button");
    if (list.chosen >= 0 && !document.body.classList.contains("showing-detail")) list.choose(list.chosen, true);
    else if (part) part.focus();
    else find("detail").focus();
  } else if (event.key === "/") {
    find("query").focus();
    find("query").select();
    event.preventDefault();
  } else if (event.key === "t") {
    toggleTable();
  } else if (event.key === "?") {
    find("help").showModal();
  }
});

// ---- The program ends when the last page is closed: this connection tells it that one is open.

if (source.canAct) {
  const alive = new EventSource("alive");
  alive.addEventListener("error", () => {
    if (alive.readyState === EventSource.CLOSED) find("count").textContent = "The program has ended.";
  });
}

if (source.canAct) watch();
else document.body.classList.add("embedded");
restore().then(() => document.body.classList.add("ready"), (error) => { find("count").textContent = error.message; });
