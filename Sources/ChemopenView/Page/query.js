// The input line: chips for filters, completion, and conditions

/** Quotes a name or value for a condition. */
function quoted(text, sign) {
  return text.includes(sign) ? (sign === "\"" ? "'" : "\"") + text + (sign === "\"" ? "'" : "\"") : sign + text + sign;
}

function operandOf(name) {
  if (isFact(name)) return labelOf(name);
  return quoted(name, "\"");
}

/** Returns the condition of a filter, and its text for people. */
function conditionOf(name, filter) {
  const operand = operandOf(name);
  const label = labelOf(name);
  if (filter.values) {
    const list = filter.values.map((one) => (one === "" ? "''" : quoted(one, "'"))).join(", ");
    return { text: `${operand} in (${list})`, label: `${label} ${filter.values.join(", ")}` };
  }
  const isDate = filter.from !== undefined || filter.until !== undefined;
  const [low, high] = isDate ? [filter.from ?? "", filter.until ?? ""] : [filter.low ?? "", filter.high ?? ""];
  if (low !== "" && high !== "") return { text: `${operand} between ${low} and ${high}`, label: `${label} ${low}–${high}` };
  if (low !== "") return { text: `${operand} >= ${low}`, label: `${label} ≥ ${low}` };
  return { text: `${operand} <= ${high}`, label: `${label} ≤ ${high}` };
}

/** Whether a text is a condition and not words to search. */
function isCondition(text) {
  return /^\s*(not\s+|\(\s*)*(has|contains)\s*\(/i.test(text) || /[^\s]\s*(<=|>=|!=|=|<|>|~)/.test(text)
    || /\S\s+((not\s+)?(in\s*\(|between\s+\S)|exists\s*$|is\s+(not\s+)?empty)/i.test(text);
}

/** Returns the conditions of all filters: [{ text, label, remove }]. */
function filterList() {
  const list = [];
  if (state.smarts) {
    const label = structure.label || state.smarts;
    list.push({
      text: `contains(${quoted(state.smarts, "'")})`, label: "contains " + label, remove: () => structure.set(""),
    });
  }
  for (const [name, filter] of state.filters) {
    list.push({ ...conditionOf(name, filter), remove: () => { state.filters.delete(name); applyFilters(); } });
  }
  for (const text of state.where) {
    list.push({ text: /\bor\b/i.test(text) ? `(${text})` : text, label: text, remove: () => {
      state.where = state.where.filter((one) => one !== text);
      applyFilters();
    } });
  }
  return list;
}

/** Returns the search of the current text and filters as members of a request, or null without a search. */
function searchOf(filters = filterList()) {
  const conditions = filters.map((one) => one.text);
  const text = state.query.trim();
  const asCondition = state.domain === "condition" || !state.domain && isCondition(text);
  if (text && asCondition) conditions.push(conditions.length > 0 ? `(${text})` : text);
  const search = {};
  if (conditions.length > 0) search.where = conditions.join(" and ");
  if (text && !asCondition) Object.assign(search, { searchtext: text, searchdomain: state.domain || "all" });
  if (Object.keys(search).length === 0) return null;
  return { searchtext: "", ...search };
}

/** Returns the pattern whose matches are highlighted, or null. */
function highlightOf() {
  if (state.smarts) return state.smarts;
  const found = [...state.where, state.query].map((text) => /contains\((['"])(.+?)\1\)/.exec(text)).find(Boolean);
  return found ? found[2] : null;
}

/** Shows the results for changed filters, from the first one. */
function applyFilters(isStep = true) {
  drawChips();
  rail.draw();
  state.id = "";
  // Discard a record that is still loading.
  shown += 1;
  find("detail").classList.add("stale");
  selection.forgetAll();
  list.awaitsFirst = true;
  list.reset().then(() => list.moveTo(0));
  surveys.loadHits();
  plot.forget();
  writeAddress(isStep);
}

function drawChips() {
  find("chips").replaceChildren(...filterList().map((one) => element("span", { class: "chip", role: "listitem" },
    element("span", { text: one.label, title: one.text }),
    element("button", { type: "button", text: "×", "aria-label": "Remove " + one.label, onclick: one.remove }))));
}

function clearFilters() {
  [state.smarts, state.where, state.query] = ["", [], ""];
  structure.clear();
  state.filters.clear();
  find("query").value = "";
  applyFilters();
}

/** Shows an error below the input line, without moving the page. */
function showFault(text) {
  const place = find("fault");
  place.hidden = !text;
  const query = find("query").value;
  const part = text && /found (.+)$/.exec(text)?.[1];
  const at = part && query ? query.lastIndexOf(part) : -1;
  place.replaceChildren(...(text ? [text] : []),
    ...(at >= 0 ? [element("span", { class: "mark mono", "aria-hidden": "true", text: `${query}\n${" ".repeat(at)}^` })] : []));
  find("query").setAttribute("aria-invalid", String(Boolean(text)));
}

const search = debounce(() => {
  state.query = find("query").value;
  // The record that is shown may not match. Without a search, all records match.
  if (state.query.trim()) {
    state.id = "";
    shown += 1;
    find("detail").classList.add("stale");
  }
  selection.forgetAll();
  list.awaitsFirst = !state.id;
  list.reset().then(() => list.moveTo(0));
  surveys.loadHits();
  plot.forget();
  writeAddress(false);
}, 120);

// Structures

const structure = {
  label: "", image: null,

  clear() { [this.label, this.image] = ["", null]; },

  /** Filters by a SMARTS pattern. */
  set(smarts, label = "", image = null) {
    [state.smarts, this.label, this.image] = [smarts, label, image];
    applyFilters();
  },

  /** Filters by a structure in any notation, or by a record. */
  async use(request, label = "") {
    try {
      const answer = await source.ask({ request: "PATTERN", dark: dark.matches, ...request });
      this.set(answer.smarts, label, answer.image);
    } catch (error) {
      showFault(error.message);
    }
  },

  /** Loads the picture of the pattern in the address. */
  async restore() {
    this.clear();
    if (!state.smarts) return;
    try {
      this.image = (await source.ask({ request: "PATTERN", dark: dark.matches, text: state.smarts })).image;
    } catch {
      this.image = null;
    }
  },

  likeRecord() {
    if (state.id) this.use({ entities: [{ PERM_ID: state.id.split("/")[0] }] }, "this structure");
  },

  /** Opens the editor if the page has one. */
  async draw() {
    if (typeof openSketch !== "function") {
      rail.showsInput = true;
      rail.draw();
      find("smarts")?.focus();
      return;
    }
    openSketch({
      query: true, title: "Structure to find", onCancel() {}, onSave: (drawn) => this.take(drawn),
    });
  },

  /** Filters by a structure from the editor: its SMARTS, which can contain queries, with a picture of its molfile. */
  async take(drawn) {
    const text = drawn.molfile || drawn;
    if (!drawn.smarts) { await this.use({ text }, "drawn structure"); return; }
    const answer = await source.ask({ request: "PATTERN", dark: dark.matches, text }).catch(() => null);
    this.set(drawn.smarts, "drawn structure", answer && answer.image);
  },
};


/** Whether a text can be a SMILES or SMARTS. */
function isStructure(text) {
  return text.length > 2 && !/\s/.test(text) && !/^[A-Z][a-z]+$/.test(text) && /^[A-Za-z0-9@+\-[\]()=#%\\/:.~*!&,;$]+$/.test(text)
    && (/[cnos]\d|[()=#[\]]|\dC|C\d/.test(text)) && !isCondition(text) && !/^C\d+H\d+/.test(text);
}

// Completion

const completion = {
  entries: [], chosen: -1,

  /** Returns the completions of the text: { text, hint, apply }. */
  find(text) {
    const found = [];
    if (isStructure(text)) {
      found.push({ text: `contains ${text}`, hint: "structure", apply: () => this.useStructure(text) });
    }
    if (isCondition(text)) {
      found.push({ text: `filter by ${text}`, hint: "Enter", apply: () => this.useCondition(text) });
    }
    // A value after an operator, or a name.
    const value = /^(.*?)(?:"([^"]+)"|([^<>=~!()"]+?))\s*(?:=|~|in\s*\()\s*([^<>=~]*)$/.exec(text);
    const name = value && (value[2] || value[3]).replace(/^.*\b(and|or|not)\s+/i, "").trim();
    const own = name && surveys.get(allColumns().find((one) => one.toLowerCase() === name.toLowerCase()));
    if (own && own.VALUES) {
      const start = value[4].replace(/^['"]/, "").toLowerCase();
      for (const [one, count] of own.VALUES) {
        if (one.toLowerCase().startsWith(start) && one.toLowerCase() !== start) {
          const before = text.slice(0, text.length - value[4].length);
          found.push(this.entry(before + (/[^\w.-]/.test(one) ? quoted(one, "'") : one), grouped(count), text));
        }
      }
      return found.slice(0, 8);
    }
    const last = /(?:^|\b(?:and|or|not)\s+|[(\s])([\w.#%]+)$/i.exec(text);
    if (!last || isCondition(text) && !/\b(and|or|not|\()\s*[\w.]+$/i.test(text)) return found;
    const [start, before] = [last[1].toLowerCase(), text.slice(0, text.length - last[1].length)];
    const words = [
      ...allColumns().map((one) => [/[^\w .-]/.test(one) ? quoted(one, "\"") : one, "field", one]),
      ...preferences.facts.map((one) => [one.label, one.meaning, one.label]),
      ["contains('", "a substructure", "contains"], ["has(stereo)", "a feature", "has"], ["number(", "the number in a value", "number"],
    ];
    for (const [word, hint, plain] of words) {
      if (plain.toLowerCase().startsWith(start) && plain.length >= start.length) found.push(this.entry(before + word, hint, text));
    }
    return found.slice(0, 8);
  },

  entry(whole, hint) {
    return { text: whole, hint, apply: () => {
      find("query").value = whole + (/['(]$/.test(whole) ? "" : " ");
      find("query").focus();
      this.draw();
      search();
    } };
  },

  useStructure(text) {
    [find("query").value, state.query] = ["", ""];
    this.hide();
    structure.use({ text }, text);
  },

  async useCondition(text) {
    // Check the condition before it becomes a chip.
    try {
      await source.ask({ request: "SEARCH", searchtext: "", where: text, count: 0, wait: false, entities: scope() });
    } catch (error) {
      showFault(error.message);
      return;
    }
    [find("query").value, state.query] = ["", ""];
    this.hide();
    if (!state.where.includes(text.trim())) state.where.push(text.trim());
    applyFilters();
  },

  draw() {
    const input = find("query");
    const text = input.value;
    this.entries = text.trim() && document.activeElement === input ? this.find(text) : [];
    if (this.chosen >= this.entries.length) this.chosen = -1;
    const plain = this.entries.find((one) => one.text.toLowerCase().startsWith(text.toLowerCase()) && one.text.length > text.length);
    this.ghost = plain || null;
    find("ghost").replaceChildren(element("i", { text }), plain ? plain.text.slice(text.length) : "");
    const place = find("completions");
    place.hidden = this.entries.length === 0;
    input.setAttribute("aria-expanded", String(!place.hidden));
    place.replaceChildren(...this.entries.map((one, index) => element("div", {
      role: "option", id: "completion" + index, "aria-selected": String(index === this.chosen),
      onpointerdown: (event) => { event.preventDefault(); one.apply(); },
    }, element("span", { text: one.text }), element("small", { text: one.hint }))));
    if (this.chosen >= 0) input.setAttribute("aria-activedescendant", "completion" + this.chosen);
    else input.removeAttribute("aria-activedescendant");
  },

  hide() {
    [this.entries, this.chosen, this.ghost] = [[], -1, null];
    find("completions").hidden = true;
    find("ghost").replaceChildren();
    find("query").setAttribute("aria-expanded", "false");
    find("query").removeAttribute("aria-activedescendant");
  },

  /** Handles a key in the input line. Returns whether it was used. */
  key(event) {
    const isOpen = this.entries.length > 0;
    if (event.key === "Tab" && this.ghost && !event.shiftKey) {
      this.ghost.apply();
    } else if (event.key === "ArrowDown" && isOpen && this.chosen + 1 < this.entries.length) {
      this.chosen += 1;
      this.draw();
    } else if (event.key === "ArrowUp" && isOpen && this.chosen >= 0) {
      this.chosen -= 1;
      this.draw();
    } else if (event.key === "Enter" && this.chosen >= 0) {
      this.entries[this.chosen].apply();
    } else if (event.key === "Enter" && isStructure(event.target.value.trim())) {
      this.useStructure(event.target.value.trim());
    } else if (event.key === "Enter" && isCondition(event.target.value)) {
      this.useCondition(event.target.value);
    } else if (event.key === "Backspace" && event.target.value === "" && find("chips").lastChild) {
      filterList().pop()?.remove();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  },
};

find("query").addEventListener("input", () => {
  state.domain = "";
  completion.chosen = -1;
  showFault("");
  completion.draw();
  search();
});
find("query").addEventListener("blur", () => completion.hide());
find("query").addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain");
  if (!/\n.*(V2000|V3000|M {2}END)/s.test(text)) return;
  event.preventDefault();
  structure.use({ text }, "pasted structure");
});

// No hits

/** Returns a condition that is less strict: a wider range around the nearest value, or one filter less. */
async function loosen() {
  const filters = filterList();
  const text = state.query.trim();
  const choices = [];
  const count = async (search) => {
    const entities = scope();
    const request = search ? { request: "SEARCH", ...search } : { request: "ROOT" };
    // A page at the end waits for all hits.
    return (await source.ask({ ...request, entities, columns: [], from: 1e9, count: 1 })).total;
  };
  for (const one of filters) choices.push({ label: one.label, remove: one.remove, search: searchOf(filters.filter((other) => other !== one)) });
  if (text && filters.length > 0) {
    const query = state.query;
    state.query = "";
    const search = searchOf(filters);
    state.query = query;
    choices.push({ label: text, search, remove: () => {
      [state.query, find("query").value] = ["", ""];
      applyFilters();
    } });
  }
  let best = null;
  for (const choice of choices.slice(0, 6)) {
    const total = await count(choice.search);
    // The nearest looser condition is the one with the fewest additional hits.
    if (total > 0 && (!best || total < best.total)) best = { ...choice, total };
  }
  return best;
}
