// The columns of the table: which there are, and which are shown

const usualColumns = 20;

function allColumns() {
  return preferences.columns.map((one) => one.label);
}

function fieldColumns() {
  return allColumns().slice(0, usualColumns);
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
}
