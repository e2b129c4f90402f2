// The data sources: the program that serves the page, or the data embedded in a self-contained page.

const embedded = document.getElementById("data");

const server = {
  canAct: !isServed,
  async ask(request) {
    if (isServed) return askServed(request);
    const response = await fetch("browse", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error("the program does not respond");
    const answer = await response.json();
    if (answer.error) throw new Error(answer.error);
    return answer;
  },
  async act(name, request) {
    return fetch(name, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
    });
  },
};

/** Returns a source that implements the protocol with the embedded data. `refusal` explains why a request is not possible. */
function pageSource(data, refusal = "This requires the program, which this page does not have.") {
  const objects = (answer) => table(answer);
  const files = objects(data.files);
  const records = data.records || data.pages.flatMap((page) => objects(page.records));
  const parts = data.parts || data.pages.flatMap((page) => objects(page.parts));
  // Text that several records share is embedded once; the other records contain the index of its record.
  for (const one of records) if (typeof one.TEXT === "number") one.TEXT = records[one.TEXT].TEXT;
  const valueOf = (record, key) => {
    if (key === "name") return record.SUMMARY_HEADER;
    if (key === "number") return record.IDENTIFIER.split("#").pop();
    const [group, name] = key.startsWith("field:") ? ["data", key.slice(6)] : ["structure", key.replace(/^fact:/, "")];
    const property = record.PROPERTIES.find((one) => one.group === group && one.name === name);
    return property ? property.value : "";
  };
  const texts = (record, domain) => {
    if (domain === "all") return [record.SUMMARY_HEADER, ...record.PROPERTIES.map((one) => one.value)];
    return [valueOf(record, domain)];
  };
  const answer = (rows, request) => {
    const names = ["PERM_ID", "REFCON", ...(request.columns || Object.keys(rows[0] || {}))];
    const value = (row, name) => (name.startsWith("PROPERTY:")
      ? row.PROPERTIES.filter((one) => one.group === "data" && one.name === name.slice(9))
        .map((one) => one.value).join("\n")
      : name.startsWith("FACT:") ? valueOf(row, name.slice(5)) : row[name]);
    return { headers: names, rows: rows.map((row) => names.map((name) => value(row, name))) };
  };
  /** Returns the records that satisfy the search of a request. */
  const found = (rows, request) => {
    const text = (request.searchtext || "").trim().toLowerCase();
    let hits = rows;
    if (text) {
      const fits = (value) => value.toLowerCase().includes(text);
      hits = hits.filter((one) => texts(one, request.searchdomain || "all").some(fits));
    }
    if (request.where) {
      const condition = parseCondition(request.where);
      hits = hits.filter((one) => condition((name) => {
        if (name === "title") return [one.SUMMARY_HEADER];
        if (name === "record") return [one.IDENTIFIER.split("#").pop()];
        const own = one.PROPERTIES.filter((other) => other.group === "data" && other.name === name).map((other) => other.value);
        return own.length > 0 || !["mass", "formula", "atoms", "bonds"].includes(name) ? own : [valueOf(one, name)].filter(Boolean);
      }));
    }
    return hits;
  };
  const list = (request) => {
    const wanted = (request.entities || []).map((one) => one.PERM_ID);
    let rows = records.filter((one) => wanted.length === 0 || wanted.includes(one.IN));
    rows = found(rows, request);
    if (request.sort && request.sort.length > 0) {
      const collator = new Intl.Collator("en", { numeric: true });
      const keyed = rows.map((row) => [request.sort.map((one) => valueOf(row, one.key)), row]);
      keyed.sort(([one], [other]) => {
        for (const [place, { descending }] of request.sort.entries()) {
          const [a, b] = [one[place], other[place]];
          // Records without a value are at the end in each direction.
          if (a === "" || b === "") { if (a !== b) return a === "" ? 1 : -1; } else {
            const [c, d] = [Number(a), Number(b)];
            const order = Number.isNaN(c) || Number.isNaN(d) ? collator.compare(a, b) : c - d;
            if (order !== 0) return descending ? -order : order;
          }
        }
        return 0;
      });
      rows = keyed.map((one) => one[1]);
    }
    const page = rows.slice(request.from || 0, (request.from || 0) + (request.count || 100));
    return { ...answer(page, request), total: rows.length, complete: true };
  };
  return {
    canAct: false,
    async ask(request) {
      const wanted = (request.entities || []).map((one) => one.PERM_ID);
      const choice = (key, label) => ({ key, label });
      const named = files.map((one) => one.PERM_ID).filter((id) => wanted.length === 0 || wanted.includes(id));
      const fields = [...new Set(named.flatMap((id) => data.fields[id]))];
      const choices = fields.map((name) => choice("field:" + name, name));
      const plain = [choice("name", "Name"), choice("formula", "Formula")];
      switch (request.request) {
        case "CLIENT_PREFS":
          return { headers: ["KEY", "VALUE"], rows: [
            ["ROOT_SET_REFRESH_INTERVAL", 3600],
            ["SEARCH_DOMAINS", [choice("all", "All fields"), ...plain, ...choices]],
            ["SORT_KEYS", [choice("number", "File order"), ...plain, choice("mass", "Mass"), ...choices]],
            ["COLUMNS", fields.map((name) => choice("PROPERTY:" + name, name))],
            ["FACTS", ["mass", "atoms", "bonds"].map((name) => (
              { ...choice("FACT:" + name, name), number: true, meaning: "" }))],
            ["FORMATS", []]], complete: true };
        case "STATISTICS": {
          const own = records.filter((one) => wanted.length === 0 || wanted.includes(one.IN));
          const hits = found(own, request);
          const answered = pageStatistics(fields, (name) => hits.flatMap((one) => (
            one.PROPERTIES.filter((other) => other.group === "data" && other.name === name).map((other) => other.value))));
          for (const name of request.facts || []) {
            const [row] = pageStatistics([name], () => hits.map((one) => valueOf(one, name)).filter(Boolean)).rows;
            answered.rows.push(["fact:" + name, ...row.slice(1)]);
          }
          return answered;
        }
        case "CHANGE": case "PROPOSALS": case "SKETCH": throw new Error("Changes require the server.");
        case "PATTERN": case "EXPORT": throw new Error(refusal);
        case "NAVIGATION": return { ...answer(files, request), total: files.length, complete: true };
        case "DETAIL":
          return answer([...records, ...parts, ...files].filter((one) => wanted.includes(one.PERM_ID)), request);
        case "DRILL": {
          const parents = [...records, ...parts].filter((one) => wanted.includes(one.PERM_ID));
          const isPart = (one) => parents.some((parent) => parent.CHILDREN.includes(one.PERM_ID));
          return answer(parts.filter(isPart), request);
        }
        case "CHANGES": return { headers: [], rows: [], total: 0, complete: true };
        default: return list(request);
      }
    },
  };
}

const source = embedded ? pageSource(JSON.parse(embedded.textContent)) : server;

/** Converts the rows of an answer to objects whose keys are the headers. */
function table(answer) {
  return answer.rows.map((row) => Object.fromEntries(answer.headers.map((name, place) => [name, row[place]])));
}
