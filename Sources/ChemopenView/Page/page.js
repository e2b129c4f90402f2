// The viewer: a list to walk through on the left, one record on the right. It knows nothing of chemistry: it shows what
// the browse protocol answers. All that comes from a file becomes text or a picture, never markup.

// Small things

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

const imageTypes = { SVG: "image/svg+xml", PNG: "image/png" };

/** A picture: an image of its own, which runs no script and loads nothing. */
function picture(image, name) {
  // A picture elsewhere is not loaded: that would tell others who looks at what.
  if (!image || image.URL) return null;
  const source = `data:${imageTypes[image.DATA.FORMAT]};base64,${image.DATA.BASE64}`;
  return element("img", { src: source, alt: name, decoding: "async" });
}

function fill(select, choices, chosen) {
  // A menu that is open stays as it is where nothing is new.
  const isSame = choices.length === select.options.length
    && choices.every((one, place) => one.key === select.options[place].value);
  if (!isSame) {
    select.replaceChildren(...choices.map((one) => element("option", { value: one.key, text: one.label })));
  }
  if (choices.some((one) => one.key === chosen)) select.value = chosen;
}

const dark = matchMedia("(prefers-color-scheme: dark)");

// What is shown: kept in the address, so that a link brings it back

const state = {
  file: "", query: "", domain: "all", sort: "number", descending: false, table: false, id: "", at: 0, reference: "",
  // How far the list and the record are scrolled, in rows and in points.
  top: null, down: 0,
  // The names of the columns to show; nothing chosen is the first of them.
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
  // An empty name says that none is shown.
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

/** Keeps what is open, for the next start: on this device, or with the program that serves one's own files. */
function leave(address) {
  if (embedded) return;
  if (isServed) {
    kept.write("answers", "left", address).catch(() => {});
    return;
  }
  clearTimeout(leaving);
  leaving = setTimeout(() => fetch("left", { method: "POST", body: address }).catch(() => {}), 300);
}
