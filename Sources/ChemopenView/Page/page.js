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

// What is shown: kept in the address, so that a link brings it back

const state = {
  file: "", query: "", domain: "all", sort: "number", descending: false, table: false, id: "", at: 0, reference: "",
};
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
