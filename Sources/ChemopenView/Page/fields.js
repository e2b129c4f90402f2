// Changes of records in place: fields, titles, structures, and the list of records. Each change is saved at once and can
// be undone. The server refuses a change that is based on an outdated record. A team server lists the fields that can be
// changed, with their valid values, and changes of readers without the right to write are proposals.

// The tokens of changes, which survive reloading the page.
const recordChanges = JSON.parse(sessionStorage.getItem("changes") || '{"undo":[],"redo":[]}');

/** Adds the buttons for changes to the shown record, if its file can be changed. */
async function offerEdits(entity, turn) {
  const target = { PERM_ID: entity.PERM_ID, REFCON: entity.REFCON };
  let own;
  let canInsert;
  // Wait to avoid requests while the user skips through records.
  await new Promise((done) => setTimeout(done, 150));
  if (turn !== shown) return;
  try {
    own = await source.ask({ request: "CHANGE", entities: [target] });
    canInsert = (await source.ask({ request: "CHANGE", entities: [{ PERM_ID: state.file }] })).edits.includes("insert");
  } catch {
    return;
  }
  const can = own.edits;
  if (turn !== shown || (can.length === 0 && !canInsert)) return;
  recordChanges.proposes = Boolean(own.proposes);
  const button = (text, act) => element("button", { type: "button", text, onclick: act });
  const bar = element("div", { id: "edits", class: "fields-edit", role: "group", "aria-label": "Edit" });
  if (can.includes("structure")) bar.append(button("Edit structure", () => editStructure(entity)));
  if (can.includes("set") && own.fields) bar.append(button("Edit fields", () => openFieldForm(entity, bar, own.fields)));
  else if (can.includes("set")) bar.append(button("Add field", () => addField(entity, bar)));
  if (canInsert && own.fields) bar.append(button("Add record", () => openFieldForm(null, bar, own.fields)));
  else if (canInsert) bar.append(button("Add record", () => addRecord(entity)));
  if (isServed) offerProposals(bar, turn).catch(() => {});
  if (can.includes("delete")) bar.append(button("Delete record", () => changeRecord({ entities: [target], edits: [{ op: "delete" }] }, "The record is deleted.")));
  bar.append(element("button", { type: "button", id: "undo-change", text: "Undo change", onclick: () => revertChange("undo") }),
    element("button", { type: "button", id: "redo-change", text: "Redo change", onclick: () => revertChange("redo") }));
  find("actions").after(bar);
  showUndo();
  if (can.includes("title")) {
    const heading = find("detail").querySelector("h1");
    addEditButton(heading, "Edit the title", () => editInPlace(heading, "Title", entity.SUMMARY_HEADER.replace(/^record \d+$/, ""), {
      save: (value) => changeRecord({ entities: [target], edits: [{ op: "title", value }] }, "The title is changed."),
    }));
  }
  if (can.includes("set") && !own.fields) offerFields(entity, target);
}

function offerFields(entity, target) {
  const fields = entity.PROPERTIES.filter((one) => one.group === "data");
  const places = [...find("detail").querySelectorAll("section.data dd")];
  if (places.length !== fields.length) return;
  fields.forEach(({ name, value }, number) => {
    // An edit sets the first of several fields with the same name.
    if (!name || fields.findIndex((one) => one.name === name) !== number) return;
    addEditButton(places[number], "Edit " + name, () => editInPlace(places[number], name, value, {
      save: (text) => changeRecord({ entities: [target], edits: [{ op: "set", field: name, value: text }] }, `${name} is changed.`),
      remove: () => changeRecord({ entities: [target], edits: [{ op: "unset", field: name }] }, `${name} is deleted.`),
    }));
  });
}

function addEditButton(place, label, act) {
  place.classList.add("can-edit");
  place.append(element("button", { type: "button", class: "edit-value", "aria-label": label, title: label, text: "✎", onclick: act }));
}

/** Shows a form below a value. Escape closes it, and Ctrl + Enter saves. */
function editInPlace(place, label, value, { save, remove }) {
  if (place.querySelector("form")) return;
  const area = element("textarea", { "aria-label": label, rows: String(Math.min(12, value.split("\n").length)) });
  area.value = value;
  const content = [...place.childNodes];
  const close = () => {
    place.replaceChildren(...content);
    place.querySelector(".edit-value")?.focus();
  };
  const form = element("form", { class: "field-form" }, area, element("div", { class: "row-of-buttons" },
    element("button", { text: "Save" }), element("button", { type: "button", text: "Cancel", onclick: close }),
    remove ? element("button", { type: "button", text: "Delete field", onclick: remove }) : null));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (area.value === value) close(); else save(area.value);
  });
  listenForKeys(form, close);
  place.replaceChildren(form);
  area.focus();
  area.select();
}

function listenForKeys(form, close) {
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function addField(entity, bar) {
  if (find("new-field")) { find("new-field").querySelector("input").focus(); return; }
  const name = element("input", { "aria-label": "Name of the field", placeholder: "Name", required: "" });
  const value = element("textarea", { "aria-label": "Value", placeholder: "Value", rows: "2" });
  const form = element("form", { id: "new-field", class: "field-form" }, name, value, element("div", { class: "row-of-buttons" },
    element("button", { text: "Save" }), element("button", { type: "button", text: "Cancel", onclick: () => form.remove() })));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const target = { PERM_ID: entity.PERM_ID, REFCON: entity.REFCON };
    changeRecord({ entities: [target], edits: [{ op: "set", field: name.value.trim(), value: value.value }] }, `${name.value} is added.`);
  });
  listenForKeys(form, () => form.remove());
  bar.after(form);
  name.focus();
}

/** Returns the input for a field of a team server. */
function fieldInput(field, value) {
  const common = { "aria-label": field.name, required: field.required ? "" : null };
  let input;
  if (field.kind === "choice") {
    const values = [...(field.required && value ? [] : [""]), ...field.values];
    if (!values.includes(value)) values.unshift(value);
    input = element("select", common, ...values.map((text) => element("option", { value: text, text })));
  } else if (field.kind === "number") {
    input = element("input", { ...common, inputmode: "decimal", type: "number", step: "any", min: field.min, max: field.max });
  } else if (field.kind === "date") {
    input = element("input", { ...common, type: "date", min: field.min, max: field.max });
  } else {
    input = element("textarea", { ...common, rows: String(Math.min(12, value.split("\n").length)), maxlength: field.max });
  }
  input.value = value;
  return input;
}

/** Shows a form with the fields that readers can change, for a record or for a new one. */
function openFieldForm(entity, bar, fields) {
  find("new-field")?.remove();
  const values = entity ? entity.PROPERTIES.filter((one) => one.group === "data") : [];
  const old = (name) => values.find((one) => one.name === name)?.value ?? "";
  const inputs = fields.map((field) => [field.name, fieldInput(field, old(field.name))]);
  const title = entity ? null : element("input", { "aria-label": "Title" });
  const row = (name, input) => element("label", {}, element("span", { text: name }), input);
  const form = element("form", { id: "new-field", class: "field-form" }, title && row("Title", title),
    ...inputs.map(([name, input]) => row(name, input)), element("div", { class: "row-of-buttons" },
      element("button", { text: recordChanges.proposes ? "Propose" : "Save" }),
      element("button", { type: "button", text: "Cancel", onclick: () => form.remove() })));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = inputs.map(([name, input]) => ({ name, value: input.value }));
    if (!entity) {
      const edit = { op: "insert", title: title.value, fields: given.filter((one) => one.value !== "") };
      changeRecord({ entities: [{ PERM_ID: state.file }], edits: [edit] }, "The record is added.");
      return;
    }
    const edits = given.filter(({ name, value }) => value !== old(name)).map(({ name, value }) => (
      value === "" ? { op: "unset", field: name } : { op: "set", field: name, value }));
    const target = { PERM_ID: entity.PERM_ID, REFCON: entity.REFCON };
    if (edits.length > 0) changeRecord({ entities: [target], edits }, "The record is changed."); else form.remove();
  });
  listenForKeys(form, () => form.remove());
  bar.after(form);
  form.querySelector("input, select, textarea")?.focus();
}

/** Adds a button that shows the pending proposals, if there are any. */
async function offerProposals(bar, turn) {
  const proposals = table(await source.ask({ request: "PROPOSALS" }));
  if (turn !== shown || proposals.length === 0) return;
  const act = async (verb, one, text) => {
    try {
      const answer = await source.ask({ request: "CHANGE", [verb]: one.PROPOSAL });
      if (answer.undo) recordChanges.undo.push(answer.undo);
      find("proposals").remove();
      if (answer.rows.length > 0) await showChange(answer, text); else tell(text);
    } catch (error) {
      tell(error.message);
    }
  };
  const row = (one) => element("li", {}, element("p", { text: `${one.AUTHOR}, ${one.DATE}, ${one.FILE}` }),
    ...one.CHANGES.map((text) => element("p", { text })), element("div", { class: "row-of-buttons" },
      recordChanges.proposes ? null : element("button", { type: "button", text: "Accept", onclick: () => act("accept", one, "The proposal is accepted.") }),
      element("button", { type: "button", text: recordChanges.proposes ? "Withdraw" : "Refuse", onclick: () => act("refuse", one, "The proposal is removed.") })));
  bar.append(element("button", {
    type: "button", text: `Proposals (${proposals.length})`, onclick: () => {
      if (find("proposals")) find("proposals").remove();
      else bar.after(element("ul", { id: "proposals", class: "field-form" }, ...proposals.map(row)));
    },
  }));
}

function editStructure(entity) {
  return openSketch({
    entity: entity.PERM_ID, title: entity.SUMMARY_HEADER,
    onSave: async ({ edits }) => {
      if (edits.length === 0) return;
      const target = { PERM_ID: entity.PERM_ID, REFCON: entity.REFCON };
      await applyChange({ entities: [target], edits: [{ op: "structure", edits }] }, "The structure is changed.");
    },
  }).catch((error) => { find("told").textContent = error.message; });
}

/** Draws a structure and adds it as a record after the shown one. */
function addRecord(entity) {
  const number = Number(entity.IDENTIFIER.split("#").pop().split("/")[0]) || 0;
  const file = files.find((one) => one.PERM_ID === state.file);
  const target = { PERM_ID: state.file, REFCON: state.reference || file.REFCON };
  return openSketch({
    title: "New record",
    onSave: ({ edits }) => applyChange({
      entities: [target], edits: [{ op: "insert", at: number + 1, ...(edits.length > 0 ? { structure: edits } : { title: "" }) }],
    }, "The record is added."),
  });
}

/** Changes a record, and shows a message if that fails. */
async function changeRecord(request, text) {
  try {
    await applyChange(request, text);
  } catch (error) {
    // Show the current values, which another reader has set.
    const now = (error.current?.PARTS || []).map((one) => `${one.part} is now "${one.after ?? ""}".`).join(" ");
    find("told").textContent = [error.message + ".", now].join(" ").trim();
  }
}

async function applyChange(request, text) {
  const answer = await source.ask({ request: "CHANGE", ...request });
  if (answer.proposal) {
    find("new-field")?.remove();
    find("told").textContent = "The change is proposed.";
    return;
  }
  if (answer.undo) recordChanges.undo.push(answer.undo);
  if (answer.undo) recordChanges.redo = [];
  await showChange(answer, text + (answer.losses ? " Left out: " + answer.losses.join(", ") : ""));
}

/** Undoes the latest change, or redoes the latest one that was undone. */
async function revertChange(kind) {
  const token = recordChanges[kind].pop();
  if (!token) return;
  try {
    const answer = await source.ask({ request: "CHANGE", undo: token });
    if (answer.undo) recordChanges[kind === "undo" ? "redo" : "undo"].push(answer.undo);
    await showChange(answer, kind === "undo" ? "The change is undone." : "The change is made again.");
  } catch (error) {
    find("told").textContent = error.message;
    showUndo();
  }
}

/** Updates the list, and shows the changed record, or after a deletion the one that follows it. */
async function showChange(answer, text) {
  if (!isServed) state.reference = answer.category;
  const rows = table(answer);
  const row = rows[rows.length - 1];
  await loadFiles();
  await loadPreferences();
  await list.reset(true);
  if (row && row.PERM_ID) {
    if (!state.query.trim() && state.sort === "number") list.chosen = row.RECORD - 1;
    list.draw();
    await show(row.PERM_ID, false);
  } else if (list.total > 0) {
    await list.choose(Math.max(0, Math.min(list.chosen, list.total - 1)), false);
  } else {
    showNone("No records.");
  }
  if (find("told")) find("told").textContent = text;
  showUndo();
}

function showUndo() {
  sessionStorage.setItem("changes", JSON.stringify(recordChanges));
  for (const kind of ["undo", "redo"]) {
    const button = find(kind + "-change");
    if (button) button.hidden = recordChanges[kind].length === 0;
  }
}
