// A single record

const titles = {
  structure: "Structure", data: "Data", stereo: "Stereochemistry", heading: "Heading",
  kept: "Rarely preserved features", warnings: "Warnings", file: "File",
};
let shown = 0;

async function show(id, isStep) {
  state.id = id;
  writeAddress(isStep);
  shown += 1;
  const turn = shown;
  const columns = [
    "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "IMAGES.MARQUEE", "IMAGES.PAGE", "PROPERTIES", "TEXT",
  ];
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
  page.classList.remove("stale");
  if (!entity) {
    page.replaceChildren(backButton(), element("p", { class: "empty", text: "This record no longer exists." }));
  } else {
    page.replaceChildren(...detailsOf(entity, id));
    page.scrollTop = 0;
    document.title = entity.SUMMARY_HEADER + " – Chemopen";
    if (entity.CHILDREN.length > 0) showParts(id, entity.CHILDREN, turn);
    if (source.canAct) showActions(id, turn);
    if (source.canAct) offerEdits(entity, turn);
    if (!isServed) offerHistory(id, turn);
  }
  document.body.classList.add("showing-detail");
}

/** Shows a message instead of a record if no record matches. */
function showNone(text) {
  shown += 1;
  state.id = "";
  const page = find("detail");
  page.classList.remove("within", "stale");
  page.replaceChildren(element("p", { class: "empty", text }));
  document.body.classList.remove("showing-detail");
  drawFile();
}

function backButton() {
  return element("button", { id: "back", type: "button", text: "← Back", onclick: goBack });
}

function detailsOf(entity, id) {
  const name = entity.SUMMARY_HEADER;
  const image = picture(entity["IMAGES.MARQUEE"], "Structure of " + name);
  // 2.5 times the size in print if there is enough space.
  if (image) image.width = Math.round(Math.min(entity["IMAGES.MARQUEE"].width * 2.5, 1400));
  const address = entity["IMAGES.MARQUEE"] && entity["IMAGES.MARQUEE"].URL;
  const elsewhere = address && element("a", {
    href: address, target: "_blank", rel: "noreferrer noopener", text: "Picture at " + new URL(address).host,
  });
  const page = picture(entity["IMAGES.PAGE"], "Page of " + entity.CATEGORY);
  if (page) page.width = Math.round(Math.min(entity["IMAGES.PAGE"].width * 1.6, 1800));
  const keptNote = kept.note(entity.PERM_ID);
  const groups = new Map();
  for (const property of entity.PROPERTIES) {
    if (!groups.has(property.group)) groups.set(property.group, []);
    groups.get(property.group).push(property);
  }
  const parts = [
    backButton(),
    element("h1", { text: name }),
    element("p", { class: "under", text: [entity.IDENTIFIER, entity.SUMMARY].filter(Boolean).join(" · ") }),
    ...(keptNote ? [element("p", { class: "under kept", text: keptNote })] : []),
    ...(page ? [element("div", { class: "picture page" }, page)] : []),
    element("div", { class: image ? "picture" : "picture none" }, image || elsewhere || "no structure to draw"),
    ...(image && entity["IMAGES.MARQUEE"].remark
      ? [element("p", { class: "under", text: entity["IMAGES.MARQUEE"].remark })] : []),
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
  parts.push(element("section", { id: "history", hidden: "" }));
  if (entity.TEXT) {
    parts.push(element("section", {}, element("h2", {}, "Text in the file"),
      element("details", {},
        element("summary", { text: "Text" }), element("pre", { text: entity.TEXT, tabindex: "0" }))));
  }
  return parts;
}

async function showParts(id, children, turn) {
  const columns = ["CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IMAGES.MARQUEE"];
  const answer = await source.ask({ request: "DRILL", entities: [{ PERM_ID: id }], columns, dark: dark.matches });
  if (turn !== shown) return;
  // The answer also contains nested parts.
  const below = new Map(table(answer).map((one) => [one.PERM_ID, one]));
  const tiles = children.map((child) => below.get(child)).filter(Boolean).map((one) => {
    const image = picture(one["IMAGES.MARQUEE"], "Structure of " + one.SUMMARY_HEADER);
    return element("button", { type: "button", class: "part", onclick: () => show(one.PERM_ID, true) },
      element("span", { class: "thumb" }, image), element("span", { class: "role", text: one.CATEGORY }),
      element("span", { class: "name", text: one.SUMMARY_HEADER }),
      element("span", { class: "role", text: one.SUMMARY }));
  });
  find("parts").replaceChildren(element("h2", { text: "Parts" }), element("div", { class: "parts" }, ...tiles));
}

/** Shows the history of a record if its file is tracked by Git. */
async function offerHistory(id, turn) {
  const ask = (from, count) => source.ask({
    request: "CHANGES", entities: [{ PERM_ID: id }], from, count, dark: dark.matches,
  });
  // Wait to avoid requests while the user skips through records.
  await new Promise((done) => setTimeout(done, 300));
  if (turn !== shown) return;
  let answer;
  try {
    answer = await ask(0, 1);
  } catch {
    return;
  }
  if (turn !== shown || answer.rows.length === 0) return;
  const entries = element("div", { class: "changes" });
  const more = element("button", { type: "button", text: "Earlier changes" });
  let from = 0;
  const load = async () => {
    more.disabled = true;
    try {
      answer = await ask(from, 20);
    } catch (error) {
      entries.append(element("p", { class: "empty", text: error.message }));
      return;
    }
    if (turn !== shown) return;
    const rows = table(answer);
    entries.append(...rows.map(changeOf));
    from += rows.length;
    more.disabled = false;
    more.hidden = rows.length === 0 || (answer.complete && from >= answer.total);
    if (more.hidden && answer.note) entries.append(element("p", { class: "empty", text: answer.note }));
  };
  more.addEventListener("click", load);
  const details = element("details", {}, element("summary", { text: "Changes by commits" }), entries, more);
  details.addEventListener("toggle", () => { if (details.open && from === 0) load(); });
  const section = find("history");
  section.replaceChildren(element("h2", { text: "History" }), details);
  section.hidden = false;
}

/** Creates the entry of a commit: the structure before and after as pictures, other changes as text. */
function changeOf(row) {
  const when = row.DATE.slice(0, 16).replace("T", " ");
  const pictures = [["before", row.IMAGES.BEFORE], ["after", row.IMAGES.AFTER]].filter(([, image]) => image)
    .map(([side, image]) => element("figure", {}, element("figcaption", { text: side }),
      picture(image, "Structure " + side)));
  const drawn = pictures.length > 0;
  const lines = row.PARTS.filter((one) => !drawn || one.part !== "structure").flatMap((one) => [
    element("dt", { text: one.part.replace(/^field /, "") }),
    element("dd", {}, one.before === undefined ? null : element("del", { text: one.before }), " ",
      one.after === undefined ? null : element("ins", { text: one.after })),
  ]);
  return element("article", { class: "change" },
    element("h3", { text: row.MESSAGE }),
    element("p", { class: "under", text: [row.AUTHOR, when, row.COMMIT.slice(0, 10), row.CHANGE].join(" · ") }),
    element("div", { class: "pair" }, ...pictures),
    element("dl", { class: "properties" }, ...lines));
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

/** Returns from a part to its parent, or from a record to the list. */
function goBack() {
  if (state.id.includes("/")) {
    show(state.id.slice(0, state.id.lastIndexOf("/")), true);
  } else {
    // Discard a record that is still loading; otherwise it would cover the list.
    shown += 1;
    document.body.classList.remove("showing-detail");
    list.moveTo(list.top);
    find("rows").focus();
  }
}
