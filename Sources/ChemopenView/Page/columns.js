// The columns of the table, and a dialog to choose them

// The number of columns shown by default.
const usualColumns = 20;
const factPrefix = "FACT:";

function allColumns() {
  return preferences.columns.map((one) => one.label);
}

/** Returns the computed facts that can be columns. */
function factColumns() {
  return preferences.facts.map((one) => one.key);
}

function fieldColumns() {
  if (state.columns) {
    const known = new Set([...allColumns(), ...factColumns()]);
    return state.columns.filter((name) => known.has(name));
  }
  // The first column of the table shows the name already.
  const usual = allColumns().filter((name) => name !== preferences.nameColumn).slice(0, usualColumns);
  const hasMass = usual.length > 0 && usual.length < usualColumns && factColumns().includes("FACT:mass");
  return hasMass ? [...usual, "FACT:mass"] : usual;
}

const isFact = (name) => name.startsWith(factPrefix);
const labelOf = (name) => (isFact(name) ? name.slice(factPrefix.length) : name);
/** Returns the name of a column in requests. */
const columnKey = (name) => (isFact(name) ? name : "PROPERTY:" + name);
/** Returns the key of a column for sorting, and for statistics. */
const sortKey = (name) => (isFact(name) ? "fact:" + labelOf(name) : "field:" + name);
const columnOfKey = (key) => (key.startsWith("fact:") ? factPrefix + key.slice(5) : key.startsWith("field:") ? key.slice(6) : key);

/** Returns a label without its unit, and the unit: the last word if it looks like one. */
function splitUnit(label) {
  const found = /^(.+?)[ _]?[ (\[]([munpµμk]?[MgLl]|[mµμu]?g\/m?[lL]|%|°C|K|Da|g\/mol|kcal\/mol|kJ\/mol|min|h|s)[)\]]?$/.exec(label);
  return found ? [found[1], found[2].replace(/^u(?=[MgLl])/, "µ")] : [label, ""];
}

/** Creates the label of a column. */
function labelled(name) {
  const [label, unit] = isFact(name) ? [labelOf(name), ""] : splitUnit(name);
  const parts = [isFact(name) ? element("i", { class: "fx", text: "ƒ" }) : null, label];
  if (unit) parts.push(name.slice(label.length, name.length - 1).match(/^[ _]/) ? " " : "", element("small", { text: unit }));
  return parts;
}

/** Returns the width of a column in pixels: enough for its label and for short values. */
function widthOf(name) {
  const chosen = state.widths.get(name);
  if (chosen) return chosen;
  const label = Math.min(150, labelOf(name).length * 7 + 28);
  if (surveys.isNumeric(name)) return Math.max(98, label);
  const own = surveys.get(name);
  const longest = own ? Math.max(own.EXAMPLE.length, ...own.VALUES.map((one) => one[0].length)) : 18;
  return Math.max(label, Math.min(144, longest * 7 + 38));
}

/** The columns with their positions in pixels, from the end of the frozen columns. */
function laidOutColumns() {
  let left = 0;
  return fieldColumns().map((name) => {
    const column = { name, left, width: widthOf(name) };
    left += column.width;
    return column;
  });
}

/** Shows the given columns in this order, or the default ones if names is null. */
function showColumns(names) {
  state.columns = names;
  writeAddress(false);
  list.reset(true);
  surveys.load();
}

/** Shows or hides some columns without changing the others. A column that is shown again moves to its usual place. */
function turn(names, isShown) {
  const before = fieldColumns();
  if (!isShown) return showColumns(before.filter((one) => !names.includes(one)));
  const order = [...allColumns(), ...factColumns()];
  const added = names.filter((one) => !before.includes(one));
  const isUsualOrder = before.every((one, place) => place === 0 || order.indexOf(before[place - 1]) < order.indexOf(one));
  const all = [...before, ...added];
  showColumns(isUsualOrder ? order.filter((one) => all.includes(one)) : all);
}

/** Moves a column before another one, or to the end. */
function moveColumn(name, before) {
  const names = fieldColumns().filter((one) => one !== name);
  const place = before ? names.indexOf(before) : names.length;
  names.splice(place < 0 ? names.length : place, 0, name);
  showColumns(names);
}

/** Returns the columns whose names contain the text. */
function soughtColumns() {
  const text = find("sought").value.trim().toLowerCase();
  return [...allColumns(), ...factColumns()].filter((name) => labelOf(name).toLowerCase().includes(text));
}

/** Lists the matching columns with checkboxes. */
function drawChoice() {
  const shown = new Set(fieldColumns());
  const meaning = new Map(preferences.facts.map((one) => [one.key, one.meaning]));
  const entries = soughtColumns().map((name) => {
    const box = element("input", { type: "checkbox", onchange: () => turn([name], box.checked) });
    box.checked = shown.has(name);
    return element("label", { title: meaning.get(name) },
      box, element("span", {}, isFact(name) ? element("i", { class: "fx", text: "ƒ" }) : null, labelOf(name)));
  });
  find("choices").replaceChildren(...entries);
}

function chooseColumns() {
  find("sought").value = "";
  drawChoice();
  find("chooser").showModal();
}

find("choose").addEventListener("click", chooseColumns);
find("sought").addEventListener("input", drawChoice);
find("all-columns").addEventListener("click", () => {
  const text = find("sought").value.trim();
  turn(text ? soughtColumns() : soughtColumns().filter((one) => !isFact(one)), true);
  drawChoice();
});
find("no-columns").addEventListener("click", () => { turn(soughtColumns(), false); drawChoice(); });
find("usual-columns").textContent = `First ${usualColumns}`;
find("usual-columns").addEventListener("click", () => { showColumns(null); drawChoice(); });

// Sorting

/** Sorts by a column. If it is the first key already, reverses the order, and then returns to the order of the file. */
function sortBy(key, adds) {
  const place = state.sort.findIndex((one) => one.key === key);
  const old = state.sort[place];
  // Numbers are usually sorted to find the largest ones.
  const first = surveys.isNumeric(columnOfKey(key));
  const next = !old ? { key, descending: first } : old.descending === first ? { key, descending: !first } : null;
  if (adds && state.sort.length < 4) {
    if (place >= 0) state.sort.splice(place, 1, ...(next ? [next] : [])); else state.sort.push(next);
  } else {
    state.sort = next ? [next] : [];
  }
  list.reset().then(() => list.moveTo(0));
  writeAddress(true);
}

function sortKeys() {
  return [
    { key: "number", label: "File order" }, { key: "name", label: "Name" }, { key: "formula", label: "Formula" },
    ...allColumns().map((name) => ({ key: sortKey(name), label: name })),
    ...factColumns().map((name) => ({ key: sortKey(name), label: labelOf(name) })),
  ];
}

function drawSortChoice() {
  const text = find("sort-sought").value.trim().toLowerCase();
  const entries = sortKeys().filter((one) => one.label.toLowerCase().includes(text)).slice(0, 100).map((one) => {
    const used = state.sort.find((other) => other.key === one.key);
    return element("button", {
      type: "button", text: one.label + (used ? used.descending ? " ↓" : " ↑" : ""), onclick: (event) => {
        find("sorter").close();
        if (one.key === "number") {
          state.sort = [];
          list.reset(true);
          writeAddress(true);
        } else sortBy(one.key, event.shiftKey);
      },
    });
  });
  find("sort-choices").replaceChildren(...entries);
}

function chooseSort() {
  find("sort-sought").value = "";
  drawSortChoice();
  find("sorter").showModal();
}

find("sort-sought").addEventListener("input", drawSortChoice);
find("sort-sought").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  find("sort-choices").querySelector("button")?.click();
});
