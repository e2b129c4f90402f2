"use strict";

// The offline copy of a user of a team server: the categories, the first records of each, and all records that were
// opened, each with its date. The page shows them if there is no network.

const isServed = document.documentElement.classList.contains("served");

const kept = {
  // The maximum number of records per category that are stored before they are opened.
  most: 2000,
  offlineSource: null,
  isOffline: false,
  // The time between two checks of the connection, and the time limit of a check, in milliseconds. A lost connection is
  // noticed after two failed checks, in less than five seconds.
  pause: 2500, limit: 1200,

  open() {
    if (this.hasLeft) return Promise.reject(new Error("This device no longer stores records."));
    this.opening ||= new Promise((resolve, reject) => {
      const opening = indexedDB.open("kept", 1);
      opening.addEventListener("upgradeneeded", () => {
        opening.result.createObjectStore("answers");
        opening.result.createObjectStore("records");
      });
      opening.addEventListener("success", () => {
        // The user leaves in another tab.
        opening.result.addEventListener("versionchange", () => { this.opening = null; opening.result.close(); });
        resolve(opening.result);
      });
      opening.addEventListener("error", () => reject(opening.error));
    });
    return this.opening;
  },

  async act(store, mode, work) {
    const base = await this.open();
    return new Promise((resolve, reject) => {
      const transaction = base.transaction(store, mode);
      const request = work(transaction.objectStore(store));
      transaction.addEventListener("complete", () => resolve(request && request.result));
      transaction.addEventListener("abort", () => reject(transaction.error));
    });
  },

  read(store, key) { return this.act(store, "readonly", (place) => place.get(key)); },
  write(store, key, value) { return this.act(store, "readwrite", (place) => place.put(value, key)); },

  /** Updates stored records. Members that the update does not contain are preserved. */
  merge(entries) {
    return this.act("records", "readwrite", (place) => {
      for (const [id, members] of entries) {
        const old = place.get(id);
        old.addEventListener("success", () => {
          const row = { ...old.result?.row, ...members.row };
          place.put({ ...old.result, ...members, row }, id);
        });
      }
      return null;
    });
  },

  async keep(request, answer) {
    const date = Date.now();
    const rows = answer.headers ? table(answer) : [];
    const one = request.entities && request.entities.length === 1 ? request.entities[0].PERM_ID : "";
    switch (request.request) {
      case "NAVIGATION":
        if (answer.complete && answer.headers.includes("PROPERTIES")) {
          await this.write("answers", "NAVIGATION", { date, answer });
        }
        break;
      case "CLIENT_PREFS":
        if (answer.complete) await this.write("answers", "CLIENT_PREFS " + one, { date, answer });
        break;
      case "SEARCH":
        await this.merge(rows.map((row) => [row.PERM_ID, { row, date }]));
        break;
      case "ROOT":
        if (request.sort || request.where || !one) {
          await this.merge(rows.map((row) => [row.PERM_ID, { row, date }]));
          break;
        }
        await this.merge(rows.map((row, place) => [
          row.PERM_ID, { row, date, category: one, number: (request.from || 0) + place }]));
        break;
      case "DETAIL":
        // Requests for pictures or tables contain only a part of each record.
        if (!request.columns?.includes("TEXT")) break;
        await this.merge(rows.map((entity) => [entity.PERM_ID, { entity, seen: date }]));
        break;
      case "DRILL":
        if (one.includes("-")) await this.merge([[one, { parts: rows }]]);
        break;
      default:
    }
  },

  /** Notes that the user opened a collection: its pictures are stored as well. */
  opened(id) {
    if (!isServed || id === everything) return;
    const file = files.find((one) => one.PERM_ID === id);
    this.write("answers", "OPENED " + id, true).then(() => file && !this.isOffline && this.keepCategory(file)).catch(() => {});
  },

  /** Stores the first records of each category that has changed on the server. */
  async keepRoots() {
    const categories = table(await server.ask({ request: "NAVIGATION", columns: ["SUMMARY_HEADER", "SUMMARY"] }));
    if (this.offlineSource) return;
    const keys = new Set(await this.act("answers", "readonly", (place) => place.getAllKeys()));
    const opened = (one) => keys.has("OPENED " + one.PERM_ID);
    for (const category of [...categories.filter(opened), ...categories.filter((one) => !opened(one))]) {
      await this.keepCategory(category);
      if (this.offlineSource || this.isLeaving || this.hasLeft) return;
    }
    document.body.classList.add("has-roots");
  },

  /** Stores the first records of a category if it has changed, page by page with pauses; with pictures if it was opened. */
  async keepCategory(category) {
    const known = await this.read("answers", "ROOT " + category.PERM_ID);
    const isOpened = Boolean(await this.read("answers", "OPENED " + category.PERM_ID));
    const version = category.REFCON + (isOpened ? " with pictures" : "");
    if (known === version) return;
    const plain = ["CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "PROPERTIES"];
    const columns = isOpened ? [...plain, "IMAGES.MARQUEE"] : plain;
    let isWhole = true;
    const count = Math.min(100, parseInt(category.SUMMARY, 10) || 100);
    for (let from = 0, total = 1; from < Math.min(total, this.most); from += count) {
      const request = { request: "ROOT", entities: [{ PERM_ID: category.PERM_ID }], columns, from, count, dark: dark.matches };
      const answer = await server.ask(request);
      // The answer came from the offline copy, so it does not show the state of the server.
      if (this.offlineSource || this.isLeaving || this.hasLeft) return;
      total = answer.total;
      // A picture that was not ready in time is requested again in the next round.
      if (isOpened && table(answer).some((row) => row["IMAGES.MARQUEE"]?.preliminary)) isWhole = false;
      // Remove records that are no longer in the category from its list.
      if (from === 0) await this.unlist(category.PERM_ID);
      await this.keep(request, answer);
      // Use about half of what the server grants a reader.
      await new Promise((resume) => setTimeout(resume, 60 + 1.4 * count));
    }
    if (isWhole) await this.write("answers", "ROOT " + category.PERM_ID, version);
  },

  unlist(category) {
    return this.act("records", "readwrite", (place) => {
      const walk = place.openCursor();
      walk.addEventListener("success", () => {
        if (!walk.result) return;
        const entry = walk.result.value;
        if (entry.category === category) {
          if (entry.entity) walk.result.update({ ...entry, category: "" }); else walk.result.delete();
        }
        walk.result.continue();
      });
      return null;
    });
  },

  /** Deletes the offline copy when the user's token is revoked or the user logs out. */
  async forget() {
    await this.act("records", "readwrite", (place) => place.clear());
    await this.act("answers", "readwrite", (place) => place.clear());
    if (window.caches) await caches.delete("page");
  },

  /** Deletes everything that the page stores on this device. */
  async clearDevice() {
    await this.forget().catch(() => {});
    this.hasLeft = true;
    const base = await this.opening?.catch(() => null);
    base?.close();
    this.opening = null;
    // Requests in progress or another tab delay the deletion. The database is empty already.
    await new Promise((resume) => {
      const deleting = indexedDB.deleteDatabase("kept");
      for (const event of ["success", "error"]) deleting.addEventListener(event, resume);
      setTimeout(resume, 5000);
    });
    for (const name of window.caches ? await caches.keys() : []) await caches.delete(name);
    const workers = navigator.serviceWorker ? await navigator.serviceWorker.getRegistrations() : [];
    for (const worker of workers) await worker.unregister();
    localStorage.clear();
    sessionStorage.clear();
  },

  /** Returns a source for the offline copy, in the form of a self-contained page's data. */
  async load() {
    const navigation = await this.read("answers", "NAVIGATION");
    if (!navigation) throw new Error("There is no network, and this device has no offline copy yet.");
    const files = table(navigation.answer);
    const fields = {};
    // The fields of collections that were not opened, as their records name them.
    const named = new Map();
    for (const file of files) {
      const own = await this.read("answers", "CLIENT_PREFS " + file.PERM_ID);
      if (own) fields[file.PERM_ID] = (Object.fromEntries(own.answer.rows).COLUMNS || []).map((one) => one.label);
      else named.set(file.PERM_ID, new Set());
    }
    const entries = await this.act("records", "readonly", (place) => place.getAll());
    this.dates = new Map();
    const usual = { CATEGORY: "", SUMMARY: "", IDENTIFIER: "", CHILDREN: [], PROPERTIES: [], TEXT: "" };
    const records = [];
    const parts = new Map();
    for (const entry of entries) {
      const known = { ...usual, ...entry.row, ...entry.entity, IN: entry.category || "" };
      if (!known.PERM_ID) continue;
      this.dates.set(known.PERM_ID, { date: entry.seen || entry.date, isSeen: Boolean(entry.entity) });
      if (known.PERM_ID.includes("/")) parts.set(known.PERM_ID, known);
      else records.push({ known, number: entry.number ?? Infinity });
      for (const part of entry.parts || []) {
        parts.set(part.PERM_ID, { ...usual, ...part, ...parts.get(part.PERM_ID) });
        if (!this.dates.has(part.PERM_ID)) this.dates.set(part.PERM_ID, { date: entry.seen, isSeen: true });
      }
    }
    for (const { known } of records) {
      for (const one of named.has(known.IN) ? known.PROPERTIES : []) if (one.group === "data") named.get(known.IN).add(one.name);
    }
    for (const [id, names] of named) fields[id] = [...names];
    const order = new Map(files.map((one, place) => [one.PERM_ID, place]));
    const placeOf = (one) => order.get(one.known.IN) ?? files.length;
    records.sort((one, other) => placeOf(one) - placeOf(other) || one.number - other.number);
    const own = pageSource({
      files: { headers: Object.keys(files[0] || {}), rows: files.map(Object.values) },
      fields, records: records.map((one) => one.known), parts: [...parts.values()], pages: [],
    }, "This requires the network.");
    this.date = navigation.date;
    return {
      ask: async (request) => {
        const answer = await own.ask(request);
        // Report that the list is incomplete, or that only a part of the records was searched.
        if (request.request !== "ROOT" && request.request !== "SEARCH") return answer;
        const ids = (request.entities || []).map((one) => one.PERM_ID);
        const named = files.filter((one) => ids.length === 0 || ids.includes(one.PERM_ID));
        const all = named.reduce((sum, one) => sum + (parseInt(one.SUMMARY, 10) || 0), 0);
        const { total } = await own.ask({ request: "ROOT", entities: request.entities, columns: [], count: 0 });
        if (total < all) answer.note = `${grouped(total)} of ${grouped(all)} records are on this device`;
        return answer;
      },
    };
  },

  async answer(request) {
    if (!this.offlineSource) {
      this.offlineSource = this.load();
      this.offlineSource.catch(() => { this.offlineSource = null; });
    }
    const answer = await (await this.offlineSource).ask(request);
    this.tell(true);
    return answer;
  },

  /** Returns a note with the date of a record that is shown offline. */
  note(id) {
    if (!this.offlineSource) return null;
    const known = this.dates && this.dates.get(id);
    if (!known) return null;
    const date = new Date(known.date).toLocaleString();
    return known.isSeen ? `As of ${date}.` : `As of ${date}. To store the complete record, open it while you are online.`;
  },

  /** Returns a text for the data of the server, or a text for the offline copy, which is incomplete. */
  onDevice(text, other) { return this.offlineSource ? other : text; },

  /** Returns a note in place of a picture that is not on this device, or null if the record has none or has been loaded. */
  missingPicture(image) {
    return image === undefined && this.offlineSource ? element("small", { class: "missing", text: "picture not on this device" }) : null;
  },

  tell(isOffline) {
    const isChange = this.isOffline !== isOffline;
    this.isOffline = isOffline;
    const place = find("offline");
    place.hidden = !isOffline;
    const date = this.date ? `: shown as of ${new Date(this.date).toLocaleString()}` : "";
    if (isOffline) place.textContent = `No connection to the server${date}.`;
    if (!isOffline) this.offlineSource = null;
    if (isChange && document.body.classList.contains("ready")) changeSource().catch((error) => tell(error.message));
  },

  /** Whether the server responds. A proxy without its server responds with an error. */
  async isReachable() {
    try {
      const answer = await fetch("health", { cache: "no-store", signal: AbortSignal.timeout(this.limit) });
      return ![502, 504].includes(answer.status);
    } catch {
      return false;
    }
  },

  /** Notices if the server is gone or back, while the page is visible. */
  async follow() {
    let wake = null;
    for (const [place, name] of [[window, "online"], [window, "offline"], [document, "visibilitychange"]]) {
      place.addEventListener(name, () => wake?.());
    }
    for (;;) {
      await new Promise((resume) => { wake = resume; setTimeout(resume, this.pause); });
      if (document.hidden || this.hasLeft) continue;
      const isThere = await this.isReachable() || await this.isReachable();
      if (isThere && this.isOffline) this.tell(false);
      else if (!isThere && !this.isOffline) {
        // Load the copy first, for its date.
        this.offlineSource ||= this.load();
        const isLoaded = await this.offlineSource.then(() => true, () => false);
        if (!isLoaded) this.offlineSource = null;
        this.tell(true);
      }
    }
  },
};

/** Requests data from a team server, or from the offline copy if there is no network. */
async function askServed(request) {
  let response;
  for (let turn = 0; ; turn += 1) {
    try {
      response = await fetch("browse", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
      });
    } catch {
      return kept.answer(request);
    }
    if (response.status === 502 || response.status === 504) return kept.answer(request);
    const isLater = response.status === 429 || response.status === 503;
    if (!isLater || turn >= 5) break;
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    await new Promise((resume) => setTimeout(resume, seconds * 1000 * (1 + Math.random())));
  }
  if (response.status === 401) {
    // While the user leaves, the login page must wait until the device is cleared.
    if (kept.isLeaving) await new Promise(() => {});
    // An invalid token deletes the offline copy. A browser without a token shows the login page.
    if ((response.headers.get("WWW-Authenticate") || "").includes("invalid_token")) await kept.forget();
    location.replace("./");
    await new Promise(() => {});
  }
  const answer = await response.json();
  if (answer.error) throw Object.assign(new Error(answer.error), { current: answer.current });
  kept.tell(false);
  kept.keep(request, answer).catch(() => {});
  return answer;
}

/** Starts to store the page itself and, at intervals, the first records of each category. */
function beginKeeping() {
  const policy = window.trustedTypes
    ? trustedTypes.createPolicy("worker", { createScriptURL: (name) => name }) : { createScriptURL: (name) => name };
  if (navigator.serviceWorker) {
    navigator.serviceWorker.register(policy.createScriptURL("worker.js")).catch(() => {});
  }
  const round = async () => {
    try {
      if (!kept.offlineSource) await kept.keepRoots();
    } catch {
      // Try again in the next round.
    }
    setTimeout(round, Math.max(30, preferences.interval) * 1000);
  };
  setTimeout(round, 300);
}
