// The viewer: a list of records on the left, a single record on the right. It contains no chemistry and only shows the
// answers of the browse protocol. File content becomes text or pictures, never markup.

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
  if (!image || image.URL) return null;
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

const dark = matchMedia("(prefers-color-scheme: dark)");

// The state of the page, stored in the address to make it available as a link

const state = {
  file: "", query: "", domain: "all", sort: "number", descending: false, table: false, id: "", at: 0, reference: "",
  // The scroll positions of the list, in rows, and of the record, in pixels.
  top: null, down: 0,
  // The names of the columns to show; null shows the first ones.
  columns: null,
};
let preferences = { interval: 1, domains: [], sorts: [], columns: [], isComplete: false };

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  state.file = words.get("file") || "";
  state.query = words.get("q") || "";
  state.domain = words.get("in") || "all";
  state.sort = words.get("sort") || "number";
  state.descending = words.get("down") === "1";
  state.table = words.get("view") === "table";
  state.columns = words.has("column") ? words.getAll("column").filter(Boolean) : null;
  state.id = words.get("id") || "";
  state.at = Number(words.get("at")) || 0;
  state.top = words.has("top") ? Number(words.get("top")) || 0 : null;
  state.down = Number(words.get("y")) || 0;
}

function writeAddress(isStep) {
  const words = new URLSearchParams();
  if (state.file) words.set("file", state.file);
  if (state.query) words.set("q", state.query);
  if (state.domain !== "all") words.set("in", state.domain);
  if (state.sort !== "number") words.set("sort", state.sort);
  if (state.descending) words.set("down", "1");
  if (state.table) words.set("view", "table");
  // An empty name marks the end, so an empty list differs from the default.
  for (const name of state.columns ? [...state.columns, ""] : []) words.append("column", name);
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
