// The toolbar

async function loadPreferences() {
  const file = state.file;
  const before = fieldColumns().join("\n");
  const answer = await source.ask({ request: "CLIENT_PREFS", entities: file ? [{ PERM_ID: file }] : [], wait: false });
  if (file !== state.file) return loadPreferences();
  const prefs = Object.fromEntries(table(answer).map((row) => [row.KEY, row.VALUE]));
  preferences = {
    interval: prefs.ROOT_SET_REFRESH_INTERVAL, domains: prefs.SEARCH_DOMAINS, sorts: prefs.SORT_KEYS,
    columns: prefs.COLUMNS, isComplete: answer.complete,
  };
  fill(find("domain"), preferences.domains, state.domain);
  fill(find("sort"), preferences.sorts, state.sort);
  drawColumns();
  if (state.table && list.total > 0 && fieldColumns().join("\n") !== before) list.reset(true);
  // More fields may appear until the file has been read completely.
  clearTimeout(loading);
  if (!preferences.isComplete) loading = setTimeout(loadPreferences, 300);
}

/** Returns whether the entire state in the address can be restored. */
function canRestore() {
  const has = (choices, key) => choices.some((one) => one.key === key);
  return preferences.isComplete || has(preferences.domains, state.domain) && has(preferences.sorts, state.sort)
    && (state.columns || []).every((name) => has(preferences.columns, "PROPERTY:" + name));
}

let loading = 0;

let files = [];

async function loadFiles() {
  const columns = ["SUMMARY_HEADER", "CATEGORY", "SUMMARY", "PROPERTIES"];
  const answer = await source.ask({ request: "NAVIGATION", columns });
  files = table(answer);
  const label = (one) => {
    // The label of a category that is not a file starts with the name of its collection.
    const isFile = !isServed || (one.PROPERTIES || []).some((property) => property.name === "format");
    return isFile || !one.CATEGORY ? one.SUMMARY_HEADER : `${one.CATEGORY}: ${one.SUMMARY_HEADER}`;
  };
  fill(find("file"), files.map((one) => ({ key: one.PERM_ID, label: label(one) })), state.file);
  find("file").title = files.map((one) => `${one.SUMMARY_HEADER}: ${one.CATEGORY}, ${one.SUMMARY}`).join("\n");
  const file = files.find((one) => one.PERM_ID === state.file) || files[0];
  state.file = file ? file.PERM_ID : "";
  // Show a sheet as a table if the address specifies only the file.
  if (file && file.CATEGORY.includes("DataSheet") && /^(#file=[^&]*)?$/.test(location.hash)) state.table = true;
  find("file").value = state.file;
  drawFile();
}

/** Shows the file's name in the title until a record is shown, and any details that its sender provided. */
function drawFile() {
  const file = files.find((one) => one.PERM_ID === state.file);
  document.title = (file ? file.SUMMARY_HEADER + " – " : "") + "Chemopen";
  const words = (file && file.PROPERTIES || []).filter((one) => one.group === "delivery");
  const rows = words.flatMap((one) => [element("dt", { text: one.name }), element("dd", { text: one.value })]);
  find("delivery").replaceChildren(...rows);
  find("delivery").hidden = rows.length === 0;
}

/** Checks regularly whether the file has changed, which changes its REFCON. */
async function watch() {
  let turns = kept.turns;
  for (;;) {
    // If the network was lost or restored, the preferences are outdated.
    const interval = kept.offlineSource || turns !== kept.turns ? 5 : Math.max(1, preferences.interval);
    await new Promise((resume) => setTimeout(resume, interval * 1000));
    if (document.hidden) continue;
    let current;
    try {
      current = table(await source.ask({ request: "NAVIGATION", columns: [] }));
    } catch {
      if (isServed) continue;
      return;
    }
    if (isServed && turns !== kept.turns) {
      turns = kept.turns;
      await loadFiles();
      await loadPreferences();
      list.reset(true);
    }
    const own = current.find((one) => one.PERM_ID === state.file);
    if (own && state.reference && own.REFCON !== state.reference) {
      await loadPreferences();
      if (state.query.trim()) {
        [list.chosen, list.awaitsFirst, state.id] = [-1, true, ""];
      }
      list.reset(true);
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

let typing = 0;

function search() {
  clearTimeout(typing);
  typing = setTimeout(() => {
    state.query = find("query").value;
    state.domain = find("domain").value || "all";
    // The record that is shown may not match. Without a search, all records match.
    if (state.query.trim()) {
      state.id = "";
      // Discard a record that is still loading.
      shown += 1;
      find("detail").classList.add("stale");
    }
    list.awaitsFirst = !state.id;
    list.reset().then(() => list.moveTo(0));
    writeAddress(false);
  }, 120);
}

function toggleTable() {
  state.table = !state.table;
  drawColumns();
  writeAddress(false);
  list.reset(true);
}

/** Restores the state in the address. */
async function restore() {
  if (isServed && !location.hash) {
    history.replaceState(null, "", (await kept.read("answers", "left").catch(() => null)) || "#");
  }
  readAddress();
  await loadFiles();
  await loadPreferences();
  while (!canRestore()) {
    await new Promise((resume) => setTimeout(resume, 200));
    await loadPreferences();
  }
  find("query").value = state.query;
  find("domain").value = state.domain;
  find("sort").value = state.sort;
  find("direction").setAttribute("aria-pressed", String(state.descending));
  const { id, at, down } = state;
  const top = state.top ?? Math.max(0, at - 2);
  list.top = top;
  list.total = 0;
  list.chosen = at;
  list.awaitsFirst = false;
  await list.reset(true);
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

find("query").addEventListener("input", search);
find("domain").addEventListener("change", search);
find("file").addEventListener("change", () => {
  state.file = find("file").value;
  state.reference = "";
  state.query = "";
  state.columns = null;
  find("query").value = "";
  drawFile();
  loadPreferences().then(() => list.reset()).then(() => list.choose(0, true));
});
find("sort").addEventListener("change", () => {
  state.sort = find("sort").value;
  list.reset().then(() => list.moveTo(0));
  writeAddress(true);
});
find("direction").addEventListener("click", () => {
  state.descending = !state.descending;
  find("direction").setAttribute("aria-pressed", String(state.descending));
  list.reset().then(() => list.moveTo(0));
  writeAddress(true);
});
find("table").addEventListener("click", toggleTable);
find("scroller").addEventListener("scroll", () => {
  find("columns").scrollLeft = find("scroller").scrollLeft;
  list.scrolled();
  noteScroll();
});
find("detail").addEventListener("scroll", () => noteScroll());
find("scroller").addEventListener("wheel", (event) => {
  if (!list.isScaled || event.ctrlKey || event.deltaY === 0) return;
  event.preventDefault();
  list.moveTo(list.top + event.deltaY / (event.deltaMode === 1 ? 4 : rowHeight));
}, { passive: false });
addEventListener("resize", () => list.draw());
addEventListener("popstate", () => restore());
dark.addEventListener("change", () => {
  list.reset(true);
  if (state.id) show(state.id, false);
});

// Keys

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const page = Math.max(1, Math.floor(list.visible) - 1);
  const inDetail = find("detail").contains(event.target);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (event.key === "Escape") {
    if (isTyping && event.target.id === "query" && event.target.value) {
      event.target.value = "";
      search();
    } else if (isTyping) find("rows").focus();
    else goBack();
    event.preventDefault();
  } else if (isTyping && !(event.target.id === "query" && (event.key === "ArrowDown" || event.key === "Enter"))) {
    return;
  } else if (event.key in steps && !inDetail) {
    find("rows").focus();
    list.choose(list.chosen + steps[event.key], false);
    event.preventDefault();
  } else if (event.key === "Home" && !inDetail) {
    list.choose(0, false);
    event.preventDefault();
  } else if (event.key === "End" && !inDetail) {
    list.choose(list.total - 1, false);
    event.preventDefault();
  } else if (event.key === "Enter" && event.target.id === "query") {
    list.choose(Math.max(0, list.chosen), false);
    find("rows").focus();
  } else if (event.key === "Enter" && !event.target.matches("button, summary, a")) {
    const part = document.querySelector("#parts button");
    if (list.chosen >= 0 && !document.body.classList.contains("showing-detail")) list.choose(list.chosen, true);
    else if (part) part.focus();
    else find("detail").focus();
  } else if (event.key === "/") {
    find("query").focus();
    find("query").select();
    event.preventDefault();
  } else if (event.key === "t") {
    toggleTable();
  } else if (event.key === "?") {
    find("help").showModal();
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
  const tellEnd = () => { find("count").textContent = "The program has ended."; };
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

if (source.canAct) stay();

if (isServed) beginKeeping();

if (source.canAct || isServed) watch();
else document.body.classList.add("embedded");
restore().then(() => document.body.classList.add("ready"), (error) => { find("count").textContent = error.message; });
