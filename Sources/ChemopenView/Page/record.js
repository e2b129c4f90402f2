// A single record

const titles = {
  data: "Data", structure: "Structure", stereo: "Stereochemistry", heading: "Heading",
  kept: "Kept, though most programs drop it", warnings: "Warnings", file: "File",
};
let shown = 0;

async function show(id, isStep) {
  state.id = id;
  writeAddress(isStep);
  shown += 1;
  const turn = shown;
  const columns = [
    "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "IMAGES.MARQUEE", "IMAGES.PAGE", "PROPERTIES", "TEXT",
    "MODEL",
  ];
  const request = { request: "DETAIL", entities: [{ PERM_ID: id }], columns, dark: dark.matches };
  const highlight = highlightOf();
  if (highlight) request.highlight = highlight;
  let entity;
  try {
    [entity] = table(await source.ask(request));
  } catch (error) {
    tell(error.message);
    return;
  }
  if (turn !== shown) return;
  const page = find("detail");
  page.classList.toggle("within", id.includes("/"));
  page.classList.remove("stale");
  if (!entity) {
    const text = kept.onDevice("This record no longer exists.", "This record is not on this device.");
    page.replaceChildren(backButton(), element("p", { class: "empty", text }));
  } else {
    page.replaceChildren(...detailsOf(entity, id));
    page.scrollTop = 0;
    document.title = entity.SUMMARY_HEADER + " – Chemopen";
    inspector.begin(entity);
    inspector.isFromDevice = Boolean(kept.offlineSource);
    if (entity.CHILDREN.length > 0) showParts(id, entity.CHILDREN, turn);
    // The editor is in files of its own.
    if ((source.canAct || isServed) && typeof offerEdits === "function") offerEdits(entity, turn);
    // Each history starts git, so readers of a team server request it.
    if (!isServed) offerHistory(id, turn);
    else if (!kept.offlineSource) {
      const history = element("button", { type: "button", class: "plain small", text: "Show changes" });
      history.addEventListener("click", () => { history.remove(); offerHistory(id, turn); });
      page.append(history);
    }
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
  return element("button", { id: "back", type: "button", class: "plain small", text: "← Back", onclick: goBack });
}

/** Creates the sections of a record. */
function detailsOf(entity, id) {
  const name = entity.SUMMARY_HEADER;
  const keptNote = kept.note(entity.PERM_ID);
  const groups = new Map();
  for (const property of entity.PROPERTIES) {
    if (!groups.has(property.group)) groups.set(property.group, []);
    groups.get(property.group).push(property);
  }
  const mass = (groups.get("structure") || []).find((one) => one.name === "mass");
  const own = entity.IDENTIFIER.split("#").pop();
  const under = element("p", { class: "under", title: `${entity.IDENTIFIER}: ${entity.SUMMARY}` },
    ...withSubscripts(list.shortSummary(entity.SUMMARY)), mass ? ` · ${Number(Number(mass.value).toFixed(2))} g/mol` : "",
    /^\d+$/.test(own) ? ` · record ${own}` : ` · ${entity.IDENTIFIER}`);
  const section = (group) => {
    const rows = (groups.get(group) || []).flatMap((one) => (one.value === ""
      ? [element("dt", { text: one.name }), element("dd", { text: group === "kept" ? "yes" : "" })]
      : [element("dt", { text: one.name || "–" }), element("dd", { class: /smiles|inchi|smarts/i.test(one.name) ? "mono" : undefined, text: one.value })]));
    return rows.length > 0 ? element("section", { class: group }, group === "data" ? null : element("h2", { text: titles[group] }),
      element("dl", { class: "properties" }, ...rows)) : null;
  };
  const lines = (group) => (groups.get(group) || []).length;
  const tabs = [
    { key: "data", label: "Data", content: [section("data"), section("file")] },
    { key: "structure", label: "Structure", content: [section("structure"), section("stereo"), section("heading")] },
    { key: "remarks", label: `Remarks ${lines("warnings") + lines("kept")}`, content: [section("warnings"), section("kept")] },
    { key: "parts", label: `Parts ${entity.CHILDREN.length}`, content: entity.CHILDREN.length > 0 ? [element("section", { id: "parts" })] : [] },
    { key: "history", label: "History", content: [element("section", { id: "history" })], isHidden: true },
    { key: "text", label: "Text", content: entity.TEXT ? [element("pre", { text: entity.TEXT, tabindex: "0", "aria-label": "Text in the file" })] : [] },
  ].map((one) => ({ ...one, content: one.content.filter(Boolean) })).filter((one) => one.content.length > 0);
  const remark = entity["IMAGES.MARQUEE"] && entity["IMAGES.MARQUEE"].remark;
  return [
    backButton(),
    inspector.pictures(entity),
    element("h1", { text: name }),
    under,
    ...(remark ? [element("p", { class: "under", text: remark })] : []),
    ...(keptNote ? [element("p", { class: "under kept", text: keptNote })] : []),
    inspector.buttons(entity, id),
    element("div", { id: "facts" }),
    ...inspector.tabs(tabs),
  ];
}

const inspector = {
  entity: null, zoom: 1, x: 0, y: 0,

  begin(entity) {
    this.entity = entity;
    [this.zoom, this.x, this.y] = [1, 0, 0];
    this.drawFacts();
  },

  /** Creates the picture of the record, or of its page, with buttons to zoom. */
  pictures(entity) {
    const name = entity.SUMMARY_HEADER;
    const record = entity["IMAGES.MARQUEE"];
    const page = entity["IMAGES.PAGE"];
    const model = entity.MODEL;
    const showsPage = Boolean(page) && (!state.showsRecord || !record);
    const image = showsPage ? picture(page, "Page of " + entity.CATEGORY) : picture(record, "Structure of " + name);
    if (image) {
      // 2.5 times the size in print if there is enough space.
      image.width = Math.round(Math.min((showsPage ? page : record).width * 2.5, 1400));
      image.draggable = false;
      this.frame(image);
    }
    const address = record && record.URL;
    const elsewhere = address && element("a", {
      href: address, target: "_blank", rel: "noreferrer noopener", text: "Picture at " + new URL(address).host,
    });
    const button = (text, label, act, pressed) => element("button", {
      type: "button", text, "aria-label": label, title: label, "aria-pressed": pressed === undefined ? undefined : String(pressed), onclick: act,
    });
    const redraw = () => find("detail").querySelector(".picture").replaceWith(this.pictures(entity));
    const tools = element("div", { class: "tools", role: "group", "aria-label": "Picture" },
      ...(image || this.isSolid ? [button("−", "Zoom out", () => this.scale(1 / 1.4)), button("+", "Zoom in", () => this.scale(1.4)),
        button("fit", "Fit", () => this.fit())] : []),
      ...(page && record ? [
        button("Page", "Page", () => { state.showsRecord = false; writeAddress(false); redraw(); }, showsPage),
        button("Record", "Record", () => { state.showsRecord = true; writeAddress(false); redraw(); }, !showsPage)] : []),
      ...(model ? [
        button("2D", "Drawing", () => { this.isSolid = false; redraw(); }, !this.isSolid),
        button("3D", "Rotate in 3D", () => { this.isSolid = true; redraw(); }, Boolean(this.isSolid))] : []));
    const box = element("div", { class: image || elsewhere || model ? "picture" : "picture none" }, tools.childElementCount > 0 ? tools : null);
    if (this.isSolid && model) {
      box.append(solidCanvas(model, name));
      return box;
    }
    box.append(image || elsewhere || kept.missingPicture(record) || "no structure to draw");
    if (image) this.movable(box);
    return box;
  },

  get image() { return find("detail").querySelector(".picture img"); },

  frame(image = this.image) {
    if (image) image.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.zoom})`;
  },

  scale(factor) {
    if (this.isSolid && solidCanvas.scale) { solidCanvas.scale(factor); return; }
    const zoom = Math.min(20, Math.max(0.5, this.zoom * factor));
    [this.x, this.y, this.zoom] = [this.x * zoom / this.zoom, this.y * zoom / this.zoom, zoom];
    this.frame();
  },

  fit() {
    if (this.isSolid && solidCanvas.fit) { solidCanvas.fit(); return; }
    [this.zoom, this.x, this.y] = [1, 0, 0];
    this.frame();
  },

  movable(box) {
    box.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scale(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }, { passive: false });
    box.addEventListener("pointerdown", (event) => {
      if (event.target.closest(".tools")) return;
      box.setPointerCapture(event.pointerId);
      let [x, y] = [event.clientX, event.clientY];
      const move = (moved) => {
        this.x += moved.clientX - x;
        this.y += moved.clientY - y;
        [x, y] = [moved.clientX, moved.clientY];
        this.frame();
      };
      box.addEventListener("pointermove", move);
      box.addEventListener("pointerup", () => box.removeEventListener("pointermove", move), { once: true });
    });
    box.addEventListener("dblclick", () => this.fit());
  },

  /** Creates the buttons that copy the record. */
  buttons(entity, id) {
    const copy = (text, format) => element("button", {
      type: "button", class: "plain small", text, onclick: () => copyAs(format, [entity.PERM_ID]),
    });
    const hasImage = Boolean(entity["IMAGES.MARQUEE"]);
    const buttons = !hasImage ? [] : embedded ? [copy("Picture", "png")]
      : [copy("Copy SMILES", "smi"), copy("InChIKey", "inchikey"), copy("Molfile", "mol"), copy("Picture", "png")];
    if (source.canAct) {
      buttons.push(element("button", {
        type: "button", class: "plain small", text: "Open with ▾", "aria-haspopup": "menu",
        onclick: (event) => openWith(event.currentTarget, [id]),
      }), element("button", {
        type: "button", class: "plain small", text: "Save as ▾", "aria-haspopup": "menu", onclick: (event) => saveAs(event.currentTarget, id),
      }));
    }
    return element("div", { id: "actions", class: "copy" }, ...buttons);
  },

  /** Creates the tabs. The first one is chosen if the record does not have the chosen one. */
  tabs(tabs) {
    const chosen = tabs.some((one) => one.key === state.tab && !one.isHidden) ? state.tab : tabs[0]?.key;
    const choose = (key) => {
      state.tab = key === tabs[0].key ? "" : key;
      writeAddress(false);
      for (const one of tabs) {
        find("tab-" + one.key).setAttribute("aria-selected", String(one.key === key));
        find("tab-" + one.key).tabIndex = one.key === key ? 0 : -1;
        find("panel-" + one.key).hidden = one.key !== key;
      }
    };
    const bar = element("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the record" }, ...tabs.map((one) => {
      const made = element("button", {
        type: "button", role: "tab", id: "tab-" + one.key, "aria-controls": "panel-" + one.key,
        "aria-selected": String(one.key === chosen), tabindex: one.key === chosen ? "0" : "-1", text: one.label, onclick: () => choose(one.key),
      });
      made.hidden = Boolean(one.isHidden);
      return made;
    }));
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const all = tabs.filter((one) => !find("tab-" + one.key).hidden);
      const place = all.findIndex((one) => find("tab-" + one.key) === document.activeElement);
      const next = all[(place + step + all.length) % all.length];
      choose(next.key);
      find("tab-" + next.key).focus();
      event.preventDefault();
      event.stopPropagation();
    });
    const panels = tabs.map((one) => {
      const panel = element("div", { role: "tabpanel", id: "panel-" + one.key, "aria-labelledby": "tab-" + one.key, tabindex: "-1" }, ...one.content);
      panel.hidden = one.key !== chosen;
      return panel;
    });
    return tabs.length > 0 ? [bar, ...panels] : [];
  },

  /** Shows three numbers of the record over the distribution of all records. */
  drawFacts() {
    const place = find("facts");
    if (!place || !this.entity) return;
    const values = new Map(this.entity.PROPERTIES.filter((one) => one.group === "data").map((one) => [one.name, one.value]));
    const mass = this.entity.PROPERTIES.find((one) => one.group === "structure" && one.name === "mass");
    if (mass) values.set("FACT:mass", mass.value);
    const score = (name) => (isFact(name) ? 0 : surveys.get(name) && !surveys.isLog(surveys.get(name)) ? 2 : 1);
    const usable = fieldColumns().filter((name) => surveys.isNumeric(name) && shortNumber(values.get(name) ?? "") !== null
      && surveys.get(name)?.MIN !== surveys.get(name)?.MAX);
    const chosen = [...usable].sort((a, b) => score(b) - score(a)).slice(0, 3).sort((a, b) => usable.indexOf(a) - usable.indexOf(b));
    place.classList.toggle("facts", chosen.length > 0);
    place.replaceChildren(...chosen.map((name) => {
      const value = Number(values.get(name));
      const { bars } = surveys.bins(name, 22);
      const share = surveys.share(name, value);
      return element("div", { class: "fact" }, element("span", { text: labelOf(name) }),
        element("b", { text: shortNumber(values.get(name)), title: values.get(name) }),
        surveys.drawn(name, 96, 22, bars, { mark: surveys.position(name, value) }),
        element("span", { text: share === null ? "" : `above ${Math.floor(share * 100)} %` }));
    }));
  },
};

async function showParts(id, children, turn) {
  const columns = ["CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IMAGES.MARQUEE"];
  const answer = await source.ask({ request: "DRILL", entities: [{ PERM_ID: id }], columns, dark: dark.matches });
  if (turn !== shown) return;
  // The answer also contains nested parts.
  const below = new Map(table(answer).map((one) => [one.PERM_ID, one]));
  const tiles = children.map((child) => below.get(child)).filter(Boolean).map((one) => {
    const image = picture(one["IMAGES.MARQUEE"], "Structure of " + one.SUMMARY_HEADER) || kept.missingPicture(one["IMAGES.MARQUEE"]);
    return element("button", { type: "button", class: "part", onclick: () => show(one.PERM_ID, true) },
      element("span", { class: "thumb" }, image), element("span", { class: "role", text: one.CATEGORY }),
      element("span", { class: "name", text: one.SUMMARY_HEADER }),
      element("span", { class: "role", text: one.SUMMARY }));
  });
  const missing = children.length - tiles.length;
  find("parts")?.replaceChildren(element("div", { class: "parts" }, ...tiles),
    ...(missing > 0 && kept.offlineSource ? [element("p", { class: "under", text: `${missing} of ${children.length} parts are not on this device.` })] : []));
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
  const more = element("button", { type: "button", class: "plain small", text: "Earlier changes" });
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
  find("history").replaceChildren(entries, more);
  const tab = find("tab-history");
  tab.hidden = false;
  tab.textContent = `History ${answer.complete ? answer.total : ""}`.trim();
  const begin = () => { if (from === 0) load(); };
  tab.addEventListener("click", begin);
  tab.addEventListener("focus", begin);
  if (state.tab === "history") tab.click();
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

/** Returns from a part to its parent, or from a record to the list. */
function goBack() {
  if (state.id.includes("/")) {
    show(state.id.slice(0, state.id.lastIndexOf("/")), true);
  } else {
    // Discard a record that is still loading; otherwise it would cover the list.
    shown += 1;
    document.body.classList.remove("showing-detail");
    list.moveTo(list.top);
    find("rows").focus({ preventScroll: true });
  }
}
