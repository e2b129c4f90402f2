// The columns of the table, and a dialog to choose them

// The number of columns shown by default.
const usualColumns = 20;

function allColumns() {
  return preferences.columns.map((one) => one.label);
}

function fieldColumns() {
  if (!state.columns) return allColumns().slice(0, usualColumns);
  return allColumns().filter((name) => state.columns.includes(name));
}

function drawColumns() {
  const shown = fieldColumns();
  const line = element("div", { class: "line" },
    element("span", { class: "number", text: "#" }), element("span", { class: "thumb", text: "Structure" }),
    element("span", { class: "words", text: "Name" }),
    ...shown.map((name) => element("span", { class: "cell", text: name, title: name })));
  find("columns").replaceChildren(line);
  find("columns").hidden = !state.table;
  document.body.classList.toggle("as-table", state.table);
  find("table").setAttribute("aria-pressed", String(state.table));
  const total = allColumns().length;
  find("choose").hidden = !state.table || total === 0;
  find("choose").textContent = `${shown.length} of ${total} ${total === 1 ? "column" : "columns"} shown`;
}

/** Shows the given columns, in file order, or the default ones if names is null. */
function showColumns(names) {
  state.columns = names;
  drawColumns();
  writeAddress(false);
  list.reset(true);
}

/** Shows or hides some columns without changing the others. */
function turn(names, isShown) {
  const chosen = new Set(fieldColumns());
  for (const name of names) if (isShown) chosen.add(name); else chosen.delete(name);
  showColumns(allColumns().filter((one) => chosen.has(one)));
}

/** Returns the columns whose names contain the search text. */
function soughtColumns() {
  const text = find("sought").value.trim().toLowerCase();
  return allColumns().filter((name) => name.toLowerCase().includes(text));
}

/** Lists the matching columns with checkboxes. */
function drawChoice() {
  const shown = new Set(fieldColumns());
  const entries = soughtColumns().map((name) => {
    const box = element("input", { type: "checkbox", onchange: () => turn([name], box.checked) });
    box.checked = shown.has(name);
    return element("label", {}, box, element("span", { text: name }));
  });
  find("choices").replaceChildren(...entries);
}

find("choose").addEventListener("click", () => {
  find("sought").value = "";
  drawChoice();
  find("chooser").showModal();
});
find("sought").addEventListener("input", drawChoice);
find("all-columns").addEventListener("click", () => { turn(soughtColumns(), true); drawChoice(); });
find("no-columns").addEventListener("click", () => { turn(soughtColumns(), false); drawChoice(); });
find("usual-columns").textContent = `First ${usualColumns}`;
find("usual-columns").addEventListener("click", () => { showColumns(null); drawChoice(); });
