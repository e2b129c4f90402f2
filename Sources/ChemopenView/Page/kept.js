"use strict";

// What is kept on the device of somebody who reads from a server: the categories, the first records of each, and all that
// was looked at, each with its date. Without a network the page shows that.

const isServed = document.documentElement.classList.contains("served");

const kept = {
  // More records of one category are not kept before they are looked at.
  most: 2000,
  offlineSource: null,
  /** How often the network has gone or come back. */
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

  /** Adds to what is kept of some records; what is known besides stays. */
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

  /** The first records of each category, a page now and then, where they are not here as they are there. */
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
        // What is kept already says nothing of what is there.
        if (this.offlineSource) return;
        total = answer.total;
        // What has left the category is listed no more.
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

  /** Removes all that is kept: of somebody whose token is withdrawn, or who leaves. */
  async forget() {
    await this.act("records", "readwrite", (place) => place.clear());
    await this.act("answers", "readwrite", (place) => place.clear());
    if (window.caches) await caches.delete("page");
  },

  /** What is kept, as a page by itself would have it. */
  async load() {
    const navigation = await this.read("answers", "NAVIGATION");
    if (!navigation) throw new Error("There is no network, and nothing is kept on this device yet.");
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
        // A list that is cut says so.
        const category = files.find((one) => request.entities && one.PERM_ID === request.entities[0]?.PERM_ID);
        if (request.request === "ROOT" && category && answer.total < parseInt(category.SUMMARY, 10)) {
          answer.note = `of ${category.SUMMARY} these are kept`;
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

  /** The date of a record that is shown without a network. */
  note(id) {
    if (!this.offlineSource) return null;
    const known = this.dates && this.dates.get(id);
    if (!known) return null;
    const date = new Date(known.date).toLocaleString();
    return known.isSeen ? `As of ${date}.` : `As of ${date}; only this much is kept, since it was not opened before.`;
  },

  tell(isOffline) {
    const place = find("offline");
    if (place.hidden === isOffline) this.turns += 1;
    place.hidden = !isOffline;
    if (isOffline) place.textContent = `No network: shown as of ${new Date(this.date).toLocaleString()}.`;
    if (!isOffline) this.offlineSource = null;
  },
};

/** Asks the server of a team; without a network, what is kept. */
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
    // A token that is worth nothing any more takes along what is kept; a browser that has lost it is asked for it.
    if ((response.headers.get("WWW-Authenticate") || "").includes("invalid_token")) await kept.forget();
    location.replace("./");
    await new Promise(() => {});
  }
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  kept.tell(false);
  kept.keep(request, answer).catch(() => {});
  return answer;
}

/** Begins to keep: the page itself, and now and then the first records of each category. */
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
      // Next time.
    }
    setTimeout(round, Math.max(30, preferences.interval) * 1000);
  };
  setTimeout(round, 300);
}
