// One record

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
  const page = picture(entity["IMAGES.PAGE"], "Page of " + entity.CATEGORY);
  if (page) page.width = Math.round(Math.min(entity["IMAGES.PAGE"].width * 1.6, 1800));
  const groups = new Map();
  for (const property of entity.PROPERTIES) {
    if (!groups.has(property.group)) groups.set(property.group, []);
    groups.get(property.group).push(property);
  }
  const parts = [
    backButton(),
    element("h1", { text: name }),
    element("p", { class: "under", text: [entity.IDENTIFIER, entity.SUMMARY].filter(Boolean).join(" · ") }),
    ...(page ? [element("div", { class: "picture page" }, page)] : []),
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
      element("details", {},
        element("summary", { text: "Text" }), element("pre", { text: entity.TEXT, tabindex: "0" }))));
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
      element("span", { class: "name", text: one.SUMMARY_HEADER }),
      element("span", { class: "role", text: one.SUMMARY }));
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
    // A record that is still on its way would show itself over the list.
    shown += 1;
    document.body.classList.remove("showing-detail");
    list.moveTo(list.top);
    find("rows").focus();
  }
}
