// The start of the page, its keys, and the connection to the program

const preferenceKeys = ["ROOT_SET_REFRESH_INTERVAL", "SEARCH_DOMAINS", "SORT_KEYS", "COLUMNS", "FACTS", "FORMATS", "READER"];

async function loadPreferences() {
  const file = state.file;
  const before = fieldColumns().join("\n");
  const answer = await source.ask({ request: "CLIENT_PREFS", entities: file ? scope() : [], keys: preferenceKeys, wait: false });
  if (file !== state.file) return loadPreferences();
  const prefs = Object.fromEntries(table(answer).map((row) => [row.KEY, row.VALUE]));
  const nameColumn = preferences.file === file ? preferences.nameColumn : undefined;
  preferences = {
    // The offline copy does not change, but the server may be back.
    file, nameColumn, interval: kept.offlineSource ? 5 : prefs.ROOT_SET_REFRESH_INTERVAL, domains: prefs.SEARCH_DOMAINS, sorts: prefs.SORT_KEYS,
    columns: prefs.COLUMNS || [], facts: prefs.FACTS || [], formats: prefs.FORMATS || [], isComplete: answer.complete,
  };
  if (fieldColumns().join("\n") !== before) {
    if (list.total > 0) list.reset(true);
    list.drawHead();
    rail.draw();
  }
  if (answer.complete && !surveys.isComplete && surveys.startedFor !== file) {
    surveys.startedFor = file;
    surveys.load();
  }
  // More fields may appear until the file has been read completely.
  clearTimeout(loading);
  if (!preferences.isComplete) loading = setTimeout(loadPreferences, 300);
  return undefined;
}

/** Returns whether the entire state in the address can be restored. */
function canRestore() {
  const known = new Set([...allColumns(), ...factColumns()]);
  const named = [...(state.columns || []), ...state.sort.map((one) => columnOfKey(one.key)).filter((key) => !["name", "formula", "mass", "number"].includes(key))];
  return preferences.isComplete || named.every((name) => known.has(name));
}

let loading = 0;

let files = [];

async function loadFiles() {
  const columns = ["SUMMARY_HEADER", "CATEGORY", "SUMMARY", "PROPERTIES"];
  const answer = await source.ask({ request: "NAVIGATION", columns });
  files = table(answer);
  if (answer.note) showFault(answer.note);
  const isAll = isServed && files.length > 1 && !files.some((one) => one.PERM_ID === state.file);
  const file = files.find((one) => one.PERM_ID === state.file) || files[0];
  state.file = isAll ? everything : file ? file.PERM_ID : "";
  if (!picker.isUsed) {
    fill(find("file"), files.map((one) => ({ key: one.PERM_ID, label: nameOfFile(one) })), state.file);
    find("file").title = files.map((one) => `${one.SUMMARY_HEADER}: ${one.CATEGORY}, ${one.SUMMARY}`).join("\n");
    find("file").value = state.file;
  }
  picker.drawName();
  drawFile();
}

const sizeText = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** Shows the file's name in the title until a record is shown, its format and size, and any details of its sender. */
function drawFile() {
  const file = files.find((one) => one.PERM_ID === state.file);
  picker.drawName();
  document.title = (file ? file.SUMMARY_HEADER + " – " : "") + "Chemopen";
  const own = file && file.PROPERTIES || [];
  const count = /^(\d+) (?:chosen|record)/.exec(file ? file.SUMMARY : "");
  if (count) list.fileTotal = Number(count[1]);
  const bytes = Number(own.find((one) => one.name === "bytes")?.value);
  find("about").textContent = file ? [file.CATEGORY, file.SUMMARY.replace(/\d{4,}/g, (one) => grouped(Number(one))), bytes > 0 ? sizeText(bytes) : ""].filter(Boolean).join(" · ")
    : state.file === everything ? `${grouped(files.length)} collections` : "";
  find("about").title = find("about").textContent;
  const words = own.filter((one) => one.group === "delivery");
  find("sender").hidden = words.length === 0;
  find("sender").title = words.map((one) => `${one.name}: ${one.value}`).join("\n");
  find("sender").onclick = () => showMenu(find("sender"), words.map((one) => `${one.name}: ${one.value}`));
}

/** Returns whether the file is a drawing with pages. */
const hasPages = () => /ChemDraw|CDX/.test(files.find((one) => one.PERM_ID === state.file)?.CATEGORY || "");

/** Shows the table, the cards, the plot or the page of a drawing. */
function setView(view, isStep = true) {
  state.view = view;
  for (const button of find("views").children) button.setAttribute("aria-pressed", String(button.dataset.view === view));
  find("views").querySelector("[data-view=page]").hidden = !hasPages();
  // Cards fill the page. Choose one to show its record.
  document.body.classList.toggle("without-detail", view === "cards");
  find("scroller").hidden = view !== "table";
  find("cards").hidden = view !== "cards";
  find("plot").hidden = view !== "plot";
  find("page").hidden = view !== "page";
  for (const number of [...list.drawn.keys()]) list.remove(number);
  list.layOut();
  if (view === "plot") { plot.key = ""; plot.draw(); }
  if (view === "page") drawPage();
  if (view === "cards" || view === "table") list.moveTo(list.top);
  if (isStep) writeAddress(true);
}

async function drawPage() {
  const [file] = table(await source.ask({ request: "DETAIL", entities: [{ PERM_ID: state.file }], columns: ["IMAGES.PAGE"], dark: dark.matches }));
  const image = file && picture(file["IMAGES.PAGE"], "Page");
  if (image) image.width = Math.round(file["IMAGES.PAGE"].width * 1.6);
  const text = kept.onDevice("There is no page to draw.", "The page is not on this device.");
  find("page").replaceChildren(image || element("p", { class: "empty", text }));
}

/** Shows the offline copy after the network is lost, and the data of the server when it is back. */
async function changeSource() {
  await loadFiles();
  surveys.forget();
  surveys.startedFor = "";
  await loadPreferences();
  list.reset(true);
  // A record from the offline copy can lack its picture or parts.
  if (state.id && inspector.isFromDevice && !kept.offlineSource) {
    const down = find("detail").scrollTop;
    await show(state.id, false);
    find("detail").scrollTop = down;
  }
}

/** Checks regularly whether the file has changed, which changes its REFCON. */
async function watch() {
  for (;;) {
    await new Promise((resume) => setTimeout(resume, Math.max(1, preferences.interval) * 1000));
    if (document.hidden || kept.isOffline) continue;
    let current;
    try {
      current = table(await source.ask({ request: "NAVIGATION", columns: [] }));
    } catch {
      if (isServed) continue;
      return;
    }
    // The state of all collections together changes with each of them.
    const own = state.file === everything ? { REFCON: JSON.stringify(current.map((one) => one.REFCON)) }
      : current.find((one) => one.PERM_ID === state.file);
    if (own && state.reference && own.REFCON !== state.reference) {
      await loadPreferences();
      if (searchOf()) {
        [list.chosen, list.awaitsFirst, state.id] = [-1, true, ""];
      }
      surveys.forget();
      surveys.startedFor = "";
      list.reset(true);
      plot.forget();
      if (state.id) show(state.id, false);
    }
    if (own) state.reference = own.REFCON;
  }
}

let scrolling = 0;

/** Stores the scroll positions when scrolling has stopped. */
function noteScroll() {
  clearTimeout(scrolling);
  scrolling = setTimeout(() => { if (document.body.classList.contains("ready")) writeAddress(false); }, 250);
}

/** Restores the state in the address. */
async function restore() {
  if (isServed && !location.hash) {
    history.replaceState(null, "", (await kept.read("answers", "left").catch(() => null)) || "#");
  }
  readAddress();
  await loadFiles();
  kept.opened(state.file);
  await loadPreferences();
  while (!canRestore()) {
    await new Promise((resume) => setTimeout(resume, 200));
    await loadPreferences();
  }
  find("query").value = state.query;
  await structure.restore();
  drawChips();
  rail.draw();
  selection.draw();
  const { id, at, down } = state;
  const top = state.top ?? Math.max(0, at - 2);
  list.top = top;
  list.total = 0;
  list.chosen = at;
  list.awaitsFirst = false;
  setView(state.view, false);
  await list.reset(true);
  compare.draw();
  if (id) {
    list.chosen = at;
    list.moveTo(top);
    await show(id, false);
    await Promise.all([...document.querySelectorAll("#detail img")].map((image) => image.decode().catch(() => {})));
    find("detail").scrollTop = down;
  } else {
    document.body.classList.remove("showing-detail");
    list.chosen = -1;
    list.awaitsFirst = true;
    await list.showFirst("");
  }
}

/** Shows another file or collection. */
function openFile(id) {
  state.file = id;
  kept.opened(id);
  Object.assign(state, { reference: "", query: "", domain: "", where: [], smarts: "", sort: [], columns: null, id: "", top: 0 });
  state.filters.clear();
  structure.clear();
  selection.all = false;
  selection.ids.clear();
  find("query").value = "";
  showFault("");
  surveys.forget();
  surveys.startedFor = "";
  drawChips();
  selection.draw();
  compare.draw();
  drawFile();
  if (state.view === "page" && !hasPages()) state.view = "table";
  loadPreferences().then(() => list.reset()).then(() => {
    setView(state.view, false);
    // On a phone the record would cover the list.
    if (innerWidth > 700) return list.choose(0, true);
    showNone("");
    writeAddress(true);
    return undefined;
  });
}

find("file").addEventListener("change", () => openFile(find("file").value));
for (const button of find("views").children) button.addEventListener("click", () => setView(button.dataset.view));
find("filters").addEventListener("click", () => {
  const isOn = document.body.classList.toggle("with-rail");
  find("filters").setAttribute("aria-expanded", String(isOn));
  rail.draw();
});
find("scroller").addEventListener("scroll", () => {
  list.scrolled();
  noteScroll();
}, { passive: true });
find("detail").addEventListener("scroll", () => noteScroll(), { passive: true });
find("scroller").addEventListener("wheel", (event) => {
  if (!list.isScaled || event.ctrlKey || event.deltaY === 0) return;
  event.preventDefault();
  list.moveTo(list.top + event.deltaY / (event.deltaMode === 1 ? 4 : list.rowHeight));
}, { passive: false });
addEventListener("resize", () => { list.layOut(); list.drawHead(); list.draw(); plot.drawPoints(); });
addEventListener("popstate", () => restore());
dark.addEventListener("change", () => {
  list.reset(true);
  plot.drawPoints();
  if (state.id) show(state.id, false);
  if (state.smarts) structure.restore().then(() => rail.draw());
});

// The width of the record

const inspectorWidths = { least: 320, most: 640 };

function setInspector(width) {
  const own = Math.min(inspectorWidths.most, Math.max(inspectorWidths.least, width));
  document.body.style.setProperty("--inspector", own + "px");
  find("grip").setAttribute("aria-valuenow", String(Math.round(own)));
  list.draw();
  return own;
}

find("grip").addEventListener("pointerdown", (event) => {
  event.preventDefault();
  const move = (moved) => setInspector(innerWidth - moved.clientX);
  addEventListener("pointermove", move);
  addEventListener("pointerup", () => { removeEventListener("pointermove", move); list.drawHead(); }, { once: true });
});
find("grip").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: 16, ArrowRight: -16 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  setInspector(document.querySelector(".inspect").offsetWidth + step);
});

// Keys

/** The actions of single keys. */
const keys = {
  "/": () => { find("query").focus(); find("query").select(); },
  "?": () => find("help").showModal(),
  a: async () => { try { await writeClipboard(location.href); tell("Copied the address of this view."); } catch (error) { tell(error.message); } },
  c: () => copyMenu(find("bar").hidden ? find("actions") || find("query") : find("bar")),
  d: () => {
    const next = { "": "middle", middle: "low", low: "" };
    state.density = next[state.density];
    for (const number of [...list.drawn.keys()]) list.remove(number);
    list.layOut();
    list.drawHead();
    list.moveTo(Math.max(0, list.chosen - 2));
    writeAddress(false);
  },
  e: () => exporter.open(),
  f: () => {
    if (innerWidth <= 1180 && !document.body.classList.contains("with-rail")) find("filters").click();
    (find("rail").querySelector(".range input") || find("rail").querySelector("input, button"))?.focus();
  },
  g: () => (picker.isUsed ? picker.open() : find("file").focus()),
  k: () => chooseColumns(),
  l: () => structure.likeRecord(),
  m: () => { if (selection.count >= 2) compare.toggle(); else tell("Select two to four records to compare them."); },
  o: () => { if (source.canAct) openWith(find("bar").hidden ? find("actions") || find("query") : find("bar")); },
  p: () => printHits(),
  r: () => { const solid = [...document.querySelectorAll(".tools button")].find((one) => one.textContent === (inspector.isSolid ? "2D" : "3D")); solid?.click(); document.querySelector(".picture canvas")?.focus(); },
  s: () => chooseSort(),
  v: () => {
    const views = [...find("views").children].filter((one) => !one.hidden).map((one) => one.dataset.view);
    setView(views[(views.indexOf(state.view) + 1) % views.length]);
  },
  "+": () => inspector.scale(1.4),
  "-": () => inspector.scale(1 / 1.4),
  0: () => inspector.fit(),
};

document.addEventListener("keydown", (event) => {
  const target = event.target;
  const isTyping = target.matches("input:not([type=checkbox]):not([type=radio]), select, textarea");
  if (document.querySelector("dialog[open]") || !find("menu").hidden) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a" && !isTyping) {
    selection.toggleAll(true);
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.id === "query" && completion.key(event)) return;
  const page = Math.max(1, Math.floor(list.visible) - 1);
  const inDetail = find("detail").contains(target);
  const inRail = find("rail").contains(target);
  const inGrid = !inDetail && !inRail && !target.closest("header, canvas, .selection, .compare");
  const line = state.view === "cards" ? cards.perLine : 1;
  const steps = { ArrowDown: line, ArrowUp: -line, PageDown: page * line, PageUp: -page * line };
  if (state.view === "cards") Object.assign(steps, { ArrowRight: 1, ArrowLeft: -1 });
  const focusList = () => find(state.view === "cards" ? "cards" : "rows").focus({ preventScroll: true });
  if (event.key === "Escape") {
    if (target.id === "query" && target.value) {
      target.value = "";
      completion.hide();
      showFault("");
      search();
    } else if (isTyping || inRail) focusList();
    else if (state.compares) compare.close();
    else if (selection.count > 0) selection.clear();
    else if (state.view === "cards" && !document.body.classList.contains("without-detail")) {
      document.body.classList.add("without-detail");
      list.draw();
    }
    else goBack();
    event.preventDefault();
  } else if (isTyping && !(target.id === "query" && (event.key === "ArrowDown" || event.key === "Enter"))) {
    return;
  } else if (event.key in steps && (inGrid || target.id === "query")) {
    focusList();
    const from = Math.max(0, list.chosen);
    const number = Math.max(0, Math.min(list.total - 1, list.chosen + steps[event.key]));
    if (event.shiftKey) {
      if (selection.anchor < 0) selection.anchor = from;
      selection.extend(number);
    }
    list.choose(number, false);
    event.preventDefault();
  } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && inGrid && state.view === "table") {
    find("scroller").scrollLeft += event.key === "ArrowLeft" ? -120 : 120;
    event.preventDefault();
  } else if (event.key === " " && inGrid && !target.matches("button, input, summary")) {
    if (list.chosen >= 0) selection.toggle(list.chosen, event.shiftKey);
    event.preventDefault();
  } else if (event.key === "Home" && inGrid) {
    list.choose(0, false);
    event.preventDefault();
  } else if (event.key === "End" && inGrid) {
    list.choose(list.total - 1, false);
    event.preventDefault();
  } else if (event.key === "Enter" && target.id === "query") {
    completion.hide();
    list.choose(Math.max(0, list.chosen), false);
    focusList();
  } else if (event.key === "Enter" && !target.matches("button, summary, a, input")) {
    const part = document.querySelector("#parts button");
    if (list.chosen >= 0 && document.body.classList.contains("without-detail")) {
      document.body.classList.remove("without-detail");
      list.choose(list.chosen, true);
    } else if (list.chosen >= 0 && !document.body.classList.contains("showing-detail")) list.choose(list.chosen, true);
    else if (part) { document.getElementById("tab-parts")?.click(); part.focus(); } else find("detail").focus();
  } else if (event.key in keys && !target.matches("select")) {
    keys[event.key]();
    event.preventDefault();
  }
});

// The program ends when the last page is closed. It detects open pages by this connection. Browsers limit the number of
// connections to a server, so only one page holds it; if that page is closed, another one takes over. When files are added,
// this page shows the last of them, and the other pages only list it. If the window stays in the background, the page
// notifies the program, which can then show a desktop notification.

function tellIfUnseen() {
  // The window may need a moment to come to the front.
  setTimeout(() => { if (!document.hasFocus()) fetch("unseen", { method: "POST" }); }, 700);
}

function stay() {
  if (sessionStorage.called) tellIfUnseen();
  delete sessionStorage.called;
  const others = new BroadcastChannel("alive");
  const tellEnd = () => tell("The program has ended.", true);
  others.addEventListener("message", (event) => { if (event.data === "files") location.reload(); else tellEnd(); });
  const keep = () => new Promise(() => {
    const alive = new EventSource("alive");
    alive.addEventListener("files", (event) => {
      window.focus();
      if (!event.data) return tellIfUnseen();
      sessionStorage.called = "1";
      others.postMessage("files");
      history.replaceState(null, "", "#file=" + event.data);
      location.reload();
    });
    alive.addEventListener("error", () => {
      if (alive.readyState !== EventSource.CLOSED) return;
      others.postMessage("ended");
      tellEnd();
    });
  });
  if (navigator.locks) navigator.locks.request("alive", keep); else keep();
}

/** Loads the font after the first rows. A self-contained page uses the fonts of the system. */
function loadFont() {
  if (embedded || typeof FontFace !== "function") return;
  const font = new FontFace("Inter", "url(inter.woff2)", { weight: "400 600" });
  font.load().then((loaded) => { document.fonts.add(loaded); list.drawHead(); list.draw(); }, () => {});
}

if (source.canAct) stay();

if (isServed) { beginKeeping(); kept.follow(); }

if (source.canAct || isServed) watch();
else document.body.classList.add("embedded");
restore().then(() => { document.body.classList.add("ready"); loadFont(); }, (error) => tell(error.message, true));
