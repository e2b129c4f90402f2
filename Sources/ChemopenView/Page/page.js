// The viewer: filters, a table of records, and a single record. It contains no chemistry and only shows the answers of
// the browse protocol. File content becomes text or pictures, never markup.

// Helpers

const find = (id) => document.getElementById(id);

/** Creates an element with attributes, text and children. */
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

const imageTypes = { SVG: "image/svg+xml", PNG: "image/png" };

/** Creates a picture as an img element, which runs no scripts and loads no resources. */
function picture(image, name) {
  // Do not load external pictures: their server could see what the user opens.
  if (!image || !image.DATA) return null;
  const source = `data:${imageTypes[image.DATA.FORMAT]};base64,${image.DATA.BASE64}`;
  return element("img", { src: source, alt: name, decoding: "async" });
}

function fill(select, choices, chosen) {
  // Do not rebuild an unchanged menu, which may be open.
  const isSame = choices.length === select.options.length
    && choices.every((one, place) => one.key === select.options[place].value);
  if (!isSame) {
    select.replaceChildren(...choices.map((one) => element("option", { value: one.key, text: one.label })));
  }
  if (choices.some((one) => one.key === chosen)) select.value = chosen;
}

const svgSpace = "http://www.w3.org/2000/svg";

/** Creates an element of a drawing. */
function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Returns a text with the counts of its formulas as subscripts. */
function withSubscripts(text) {
  return text.split(/(\s+)/).flatMap((word) => {
    const formula = /^(?:[A-Z][a-z]?\d*)+/.exec(word)?.[0] || "";
    if (!/\d/.test(formula) || !/^,?$/.test(word.slice(formula.length))) return [word];
    const parts = formula.split(/(\d+)/).filter(Boolean);
    return [...parts.map((part) => (/\d/.test(part) ? element("sub", { text: part }) : part)), word.slice(formula.length)];
  });
}

/** Returns a number with at most four significant digits. An integer is exact because it can be an identifier. */
function shortNumber(text) {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return null;
  if (value !== 0 && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-4)) {
    return value.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e");
  }
  if (/^\s*[+-]?\d+\s*$/.test(text)) return text.trim();
  const digits = text.replace(/e.*$/i, "").replace(/[^0-9]/g, "").replace(/^0+/, "").length;
  if (digits <= 4 && !/e/i.test(text)) return text.trim();
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(Math.max(4, String(Math.trunc(Math.abs(value))).length))));
}

const grouped = (count) => count.toLocaleString("en");

const debounce = (work, milliseconds) => {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
};

const dark = matchMedia("(prefers-color-scheme: dark)");

// The state of the page, stored in the address to make it available as a link

const state = {
  file: "", query: "", domain: "", id: "", at: 0, reference: "",
  // Sort keys with their directions, the most important first: [{ key, descending }].
  sort: [],
  // Typed conditions, a substructure in SMARTS, and the filters by name of the field or fact:
  // { low, high } for numbers, { from, until } for dates, and { values } for categories.
  where: [], smarts: "", filters: new Map(),
  // The scroll positions of the list, in rows, and of the record, in pixels.
  top: null, down: 0,
  // The names of the columns to show, in order; null shows the first ones. The names of facts start with "FACT:".
  columns: null, widths: new Map(),
  view: "table", density: "", tab: "", showsRecord: false, compares: false,
  plot: { x: "", y: "", color: "" }, card: "",
};
let preferences = { interval: 1, domains: [], sorts: [], columns: [], facts: [], formats: [], isComplete: false };

const parsed = (text, usual) => { try { return JSON.parse(text); } catch { return usual; } };

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  state.file = words.get("file") || "";
  state.query = words.get("q") || "";
  state.domain = words.get("in") || "";
  state.sort = words.getAll("sort").filter((key) => key && key !== "number").map((key) => (
    key.startsWith("-") ? { key: key.slice(1), descending: true } : { key, descending: words.get("down") === "1" }));
  state.where = words.getAll("where").filter(Boolean);
  state.smarts = words.get("has") || "";
  state.filters = new Map();
  for (const text of words.getAll("filter")) {
    const [name, filter] = parsed(text, []);
    if (typeof name === "string" && filter && typeof filter === "object") state.filters.set(name, filter);
  }
  state.columns = words.has("column") ? words.getAll("column").filter(Boolean) : null;
  state.widths = new Map(words.getAll("width").map((text) => {
    const split = text.lastIndexOf("~");
    return [text.slice(0, split), Math.min(900, Math.max(40, Number(text.slice(split + 1)) || 100))];
  }));
  const view = words.get("view");
  state.view = ["cards", "plot", "page"].includes(view) ? view : "table";
  state.density = ["middle", "low"].includes(words.get("rows")) ? words.get("rows") : "";
  state.tab = words.get("tab") || "";
  state.showsRecord = words.get("show") === "record";
  state.compares = words.get("compare") === "1";
  state.card = words.get("card") || "";
  state.plot = { x: words.get("x") || "", y: words.get("yy") || "", color: words.get("color") || "" };
  state.id = words.get("id") || "";
  state.at = Number(words.get("at")) || 0;
  state.top = words.has("top") ? Number(words.get("top")) || 0 : null;
  state.down = Number(words.get("y")) || 0;
  selection.read(words);
}

function writeAddress(isStep) {
  const words = new URLSearchParams();
  if (state.file) words.set("file", state.file);
  if (state.query) words.set("q", state.query);
  if (state.domain) words.set("in", state.domain);
  for (const one of state.sort) words.append("sort", (one.descending ? "-" : "") + one.key);
  for (const text of state.where) words.append("where", text);
  if (state.smarts) words.set("has", state.smarts);
  for (const [name, filter] of state.filters) words.append("filter", JSON.stringify([name, filter]));
  if (state.view !== "table") words.set("view", state.view);
  if (state.density) words.set("rows", state.density);
  // An empty name marks the end, so an empty list differs from the default.
  for (const name of state.columns ? [...state.columns, ""] : []) words.append("column", name);
  for (const [name, width] of state.widths) words.append("width", `${name}~${Math.round(width)}`);
  if (state.tab) words.set("tab", state.tab);
  if (state.showsRecord) words.set("show", "record");
  if (state.compares) words.set("compare", "1");
  if (state.card) words.set("card", state.card);
  if (state.view === "plot") {
    for (const [key, value] of [["x", state.plot.x], ["yy", state.plot.y], ["color", state.plot.color]]) {
      if (value) words.set(key, value);
    }
  }
  selection.write(words);
  if (state.id) words.set("id", state.id);
  if (list.chosen > 0) words.set("at", String(list.chosen));
  if (list.top > 0) words.set("top", list.top.toFixed(2));
  if (find("detail").scrollTop > 0) words.set("y", find("detail").scrollTop.toFixed(0));
  const address = "#" + words;
  leave(address);
  if (address === location.hash) return;
  if (isStep) history.pushState(null, "", address); else history.replaceState(null, "", address);
}

let leaving = 0;

/** Stores the state for the next start: on this device, or in the program that serves local files. */
function leave(address) {
  if (embedded) return;
  if (isServed) {
    kept.write("answers", "left", address).catch(() => {});
    return;
  }
  clearTimeout(leaving);
  leaving = setTimeout(() => fetch("left", { method: "POST", body: address }).catch(() => {}), 300);
}

/** Shows a message at the bottom of the page for a while. */
function tell(text, isLasting) {
  find("told").textContent = text;
  clearTimeout(tell.timer);
  if (text && !isLasting) tell.timer = setTimeout(() => { find("told").textContent = ""; }, 8000);
}
