"use strict";

// The offline copy of a user of a team server: the categories, the first records of each, and all records that were
// opened, each with its date. The page shows them if there is no network.

const isServed = document.documentElement.classList.contains("served");

const kept = {
  // The maximum number of records per category that are stored before they are opened.
  most: 2000,
  offlineSource: null,
  /** The number of times that the network was lost or restored. */
  turns: 0,

  open() {
    this.opening ||= new Promise((resolve, reject) => {
      const opening = indexedDB.open("kept", 1);
      opening.addEventListener("upgradeneeded", () => {
        opening.result.createObjectStore("answers");
        opening.result.createObjectStore("records");
      });
      opening.addEventListener("success", () => resolve(opening.result));
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
      case "ROOT":
        if (request.sort || !one) break;
        await this.merge(rows.map((row, place) => [
          row.PERM_ID, { row, date, category: one, number: (request.from || 0) + place }]));
        break;
      case "DETAIL":
        await this.merge(rows.map((entity) => [entity.PERM_ID, { entity, seen: date }]));
        break;
      case "DRILL":
        if (one.includes("-")) await this.merge([[one, { parts: rows }]]);
        break;
      default:
    }
  },

  /** Stores the first records of each category that has changed on the server, page by page with pauses. */
  async keepRoots() {
    const columns = ["CATEGORY", "SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "PROPERTIES"];
    const categories = table(await server.ask({ request: "NAVIGATION", columns: ["SUMMARY_HEADER"] }));
    if (this.offlineSource) return;
    for (const category of categories) {
      const known = await this.read("answers", "ROOT " + category.PERM_ID);
      if (known === category.REFCON) continue;
      for (let from = 0, total = 1; from < Math.min(total, this.most); from += 100) {
        const request = { request: "ROOT", entities: [{ PERM_ID: category.PERM_ID }], columns, from, count: 100 };
        const answer = await server.ask(request);
        // The answer came from the offline copy, so it does not show the state of the server.
        if (this.offlineSource) return;
        total = answer.total;
        // Remove records that are no longer in the category from its list.
        if (from === 0) await this.unlist(category.PERM_ID);
        await this.keep(request, answer);
        await new Promise((resume) => setTimeout(resume, 200));
      }
      await this.write("answers", "ROOT " + category.PERM_ID, category.REFCON);
    }
    document.body.classList.add("has-roots");
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

  /** Returns a source for the offline copy, in the form of a self-contained page's data. */
  async load() {
    const navigation = await this.read("answers", "NAVIGATION");
    if (!navigation) throw new Error("There is no network, and this device has no offline copy yet.");
    const files = table(navigation.answer);
    const fields = {};
    const preferences = {};
    for (const file of files) {
      const own = await this.read("answers", "CLIENT_PREFS " + file.PERM_ID);
      const words = own ? Object.fromEntries(own.answer.rows) : {};
      fields[file.PERM_ID] = (words.COLUMNS || []).map((one) => one.label);
      preferences[file.PERM_ID] = words;
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
    records.sort((one, other) => one.number - other.number);
    const own = pageSource({
      files: { headers: Object.keys(files[0] || {}), rows: files.map(Object.values) },
      fields, records: records.map((one) => one.known), parts: [...parts.values()], pages: [],
    });
    this.date = navigation.date;
    return {
      ask: async (request) => {
        const answer = await own.ask(request);
        // Report that the list is incomplete.
        const category = files.find((one) => request.entities && one.PERM_ID === request.entities[0]?.PERM_ID);
        if (request.request === "ROOT" && category && answer.total < parseInt(category.SUMMARY, 10)) {
          answer.note = `available offline, out of ${category.SUMMARY}`;
        }
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

  tell(isOffline) {
    const place = find("offline");
    if (place.hidden === isOffline) this.turns += 1;
    place.hidden = !isOffline;
    if (isOffline) place.textContent = `No network: shown as of ${new Date(this.date).toLocaleString()}.`;
    if (!isOffline) this.offlineSource = null;
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
