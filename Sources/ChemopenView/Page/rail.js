// The filters beside the table

const rail = {
  showsInput: false, most: 12, brushing: null,

  draw: null,

  drawNow() {
    // Do not replace an input while the user types or drags.
    const place = find("rail");
    if (this.brushing || place.contains(document.activeElement) && document.activeElement.matches("input:not([type=checkbox])")) {
      this.isLate = true;
      return;
    }
    this.isLate = false;
    const focused = document.activeElement?.dataset?.key;
    const scroll = place.scrollTop;
    const count = filterList().length;
    const names = [...new Set([...state.filters.keys(), ...fieldColumns()])].filter((name) => this.canFilter(name));
    const shown = names.slice(0, this.most);
    // On a phone the filters cover the list.
    const back = innerWidth > 700 ? [] : [element("button", {
      type: "button", class: "plain small", text: `← ${grouped(list.total)} records`, onclick: () => find("filters").click(),
    })];
    place.replaceChildren(...back,
      element("h2", {}, "FILTERS", count > 0
        ? element("button", { class: "link", type: "button", text: `Clear ${count}`, onclick: clearFilters }) : null),
      this.structure(),
      ...shown.map((name) => this.section(name)),
      ...(names.length > shown.length ? [element("button", {
        class: "plain small", type: "button", text: `${names.length - shown.length} more`,
        onclick: () => { this.most += 24; this.draw(); },
      })] : []));
    place.scrollTop = scroll;
    if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  },

  canFilter(name) {
    const own = surveys.get(name);
    if (!own) return state.filters.has(name);
    if (own.KIND === "number") return own.MIN !== own.MAX;
    return own.KIND === "date" || own.KIND === "category" && own.VALUES.length > 1;
  },

  structure() {
    const box = element("div", { class: "pattern" });
    const image = structure.image && picture(structure.image, "Structure " + state.smarts);
    if (image) box.append(image);
    else box.append(element("small", { class: state.smarts ? "mono" : "", text: state.smarts || "Draw, paste or choose a structure" }));
    const buttons = [
      ["Draw", () => structure.draw()],
      ["SMARTS", () => { this.showsInput = !this.showsInput; this.draw.now(); find("smarts")?.focus(); }],
      ["Record", () => structure.likeRecord()],
      ...(state.smarts ? [["Clear", () => structure.set("")]] : []),
    ].map(([text, act]) => element("button", {
      type: "button", text, "data-key": "structure " + text, onclick: act,
      title: text === "Record" ? "Find records that contain the structure of this record" : undefined,
    }));
    const input = this.showsInput ? element("input", {
      id: "smarts", class: "mono", type: "text", placeholder: "SMARTS or SMILES", "aria-label": "SMARTS or SMILES", spellcheck: "false",
      onkeydown: (event) => {
        if (event.key === "Enter" && event.target.value.trim()) {
          const text = event.target.value.trim();
          this.showsInput = false;
          find("query").focus();
          structure.use({ text }, text);
        }
      },
      onpaste: (event) => {
        const text = event.clipboardData.getData("text/plain");
        if (!text.includes("\n")) return;
        event.preventDefault();
        structure.use({ text }, "pasted structure");
      },
    }) : null;
    return element("section", { class: "filter" },
      element("header", {}, element("h3", { text: "Structure" }), element("small", { text: "substructure" })),
      element("div", { class: "sketchbox" }, box, input, element("footer", {}, ...buttons)));
  },

  section(name) {
    const own = surveys.get(name);
    const title = element("h3", { title: labelOf(name) }, ...labelled(name));
    const note = element("small");
    const section = element("section", { class: "filter" }, element("header", {}, title, note));
    if (!own) return section;
    const isFiltered = state.filters.has(name);
    if (own.KIND === "category") {
      note.textContent = `${own.VALUES.length} values`;
      section.append(...this.categories(name, own));
    } else {
      const { bars, isLog } = surveys.bins(name, own.KIND === "date" ? 44 : 28);
      const hits = surveys.hits.get(name) && !isFiltered
        ? this.alongside(bars, surveys.bins(name, own.KIND === "date" ? 44 : 28, surveys.hits.get(name)).bars) : null;
      note.textContent = isFact(name) ? "computed" : own.KIND === "date" ? this.years(own)
        : isLog ? "log" : `${grouped(own.NUMBERS)} numbers`;
      section.append(this.histogram(name, own, bars, isLog, hits), this.inputs(name, own));
    }
    return section;
  },

  alongside(bars, others) {
    return bars.length === others.length ? others : null;
  },

  years(own) {
    if (!own.DATES) return "";
    const day = (index) => new Date(index * 86400000).getUTCFullYear();
    const [first, last] = [day(own.DATES.least), day(own.DATES.greatest)];
    return first === last ? String(first) : `${first}–${last}`;
  },

  limits(name, own) {
    const filter = state.filters.get(name) || {};
    const day = (text) => (text ? Date.parse(text) / 86400000 : NaN);
    const [low, high] = own.KIND === "date" ? [day(filter.from), day(filter.until) + 1] : [filter.low ?? NaN, filter.high ?? NaN].map(Number);
    return [Number.isNaN(low) || filter.low === "" ? -Infinity : low, Number.isNaN(high) || filter.high === "" ? Infinity : high];
  },

  histogram(name, own, bars, isLog, hits) {
    const [width, height] = [224, own.KIND === "date" ? 28 : 44];
    const [low, high] = this.limits(name, own);
    const scale = (value) => {
      if (bars.length === 0 || value === -Infinity) return 0;
      if (value === Infinity) return width;
      const to = (one) => (isLog ? Math.log10(Math.max(one, 1e-300)) : one);
      const [first, last] = [to(bars[0].low), to(bars[bars.length - 1].high)];
      return Math.min(width, Math.max(0, (to(value) - first) / (last - first || 1) * width));
    };
    const back = (x) => {
      const to = (one) => (isLog ? Math.log10(one) : one);
      const [first, last] = [to(bars[0].low), to(bars[bars.length - 1].high)];
      const value = first + Math.min(1, Math.max(0, x / width)) * (last - first);
      return isLog ? 10 ** value : value;
    };
    const isActive = low !== -Infinity || high !== Infinity;
    const drawn = surveys.drawn(name, width, height, bars, {
      hits, inside: (bar) => !isActive || (bar.low + bar.high) / 2 >= low && (bar.low + bar.high) / 2 <= high,
    });
    const brush = (from, until) => {
      drawn.querySelectorAll(".brush, .grip").forEach((one) => one.remove());
      drawn.append(shape("rect", { class: "brush", x: from, y: 0, width: Math.max(0, until - from), height }));
      for (const x of [from, until]) drawn.append(shape("rect", { class: "grip", x: x - 2, y: height / 2 - 7, width: 4, height: 14, rx: 2 }));
    };
    if (isActive) brush(scale(low), scale(high));
    const local = (event) => {
      const box = drawn.getBoundingClientRect();
      return (event.clientX - box.left) / box.width * width;
    };
    drawn.addEventListener("pointerdown", (event) => {
      if (bars.length === 0) return;
      const start = local(event);
      const [from, until] = [scale(low), scale(high)];
      const grip = isActive && Math.abs(start - from) < 6 ? until : isActive && Math.abs(start - until) < 6 ? from : null;
      this.brushing = { anchor: grip ?? start, last: start };
      drawn.setPointerCapture(event.pointerId);
      const move = (moved) => {
        this.brushing.last = local(moved);
        const ends = [this.brushing.anchor, this.brushing.last].sort((a, b) => a - b);
        brush(Math.max(0, ends[0]), Math.min(width, ends[1]));
      };
      const end = () => {
        drawn.removeEventListener("pointermove", move);
        const ends = [this.brushing.anchor, this.brushing.last].sort((a, b) => a - b);
        this.brushing = null;
        if (ends[1] - ends[0] < 3) {
          state.filters.delete(name);
        } else {
          const isFree = [ends[0] <= 1, ends[1] >= width - 1];
          this.setLimits(name, own, isFree[0] ? "" : this.rounded(own, back(ends[0]), bars), isFree[1] ? "" : this.rounded(own, back(ends[1]), bars));
        }
        applyFilters();
      };
      drawn.addEventListener("pointermove", move);
      drawn.addEventListener("pointerup", end, { once: true });
      drawn.addEventListener("pointercancel", end, { once: true });
    });
    return drawn;
  },

  /** Rounds a limit to about a tenth of a bar. */
  rounded(own, value, bars) {
    if (own.KIND === "date") return new Date(Math.round(value) * 86400000).toISOString().slice(0, 10);
    const bar = bars.find((one) => one.high >= value) || bars[bars.length - 1];
    const places = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10((bar.high - bar.low) || 1))));
    const text = value.toFixed(places).replace(/\.?0+$/, "");
    return text === "" || text === "-0" ? "0" : text;
  },

  setLimits(name, own, low, high) {
    if (low === "" && high === "") state.filters.delete(name);
    else state.filters.set(name, own.KIND === "date" ? { from: low, until: high } : { low, high });
  },

  inputs(name, own) {
    const filter = state.filters.get(name) || {};
    const isDate = own.KIND === "date";
    const day = (value) => (Number.isFinite(value) ? new Date(value * 86400000).toISOString().slice(0, 10) : "");
    const usual = isDate && own.DATES
      ? [day(own.DATES.least), day(own.DATES.greatest)]
      : [own.MIN, own.MAX].map((value) => (value === null ? "" : Math.abs(value) >= 1e6 ? value.toExponential(2).replace(/\.?0+e\+?/, "e")
        : Math.abs(value) >= 1000 ? grouped(Number(value.toPrecision(4))) : shortNumber(String(Number(value.toPrecision(4))))));
    const [low, high] = isDate ? [filter.from, filter.until] : [filter.low, filter.high];
    const field = (value, place, label) => {
      const made = element("input", {
        type: "text", inputmode: isDate ? "text" : "decimal", "aria-label": `${label} of ${labelOf(name)}`, placeholder: usual[place],
        "data-key": `${place} ${name}`,
      });
      made.value = value === undefined || value === "" ? usual[place] ?? "" : value;
      made.addEventListener("focus", () => made.select());
      return made;
    };
    const first = field(low, 0, "Least value");
    const second = field(high, 1, "Greatest value");
    const read = (made, place) => {
      const text = made.value.trim();
      if (text === "" || text === usual[place]) return "";
      const plain = isDate ? text : text.replace(/,(?=\d{3})/g, "");
      if (isDate ? !/^\d{4}-\d\d-\d\d$/.test(plain) : !Number.isFinite(Number(plain))) {
        made.setAttribute("aria-invalid", "true");
        return null;
      }
      return plain;
    };
    const change = () => {
      const limits = [read(first, 0), read(second, 1)];
      if (limits.includes(null)) return;
      if (!isDate && limits[0] !== "" && limits[1] !== "" && Number(limits[0]) > Number(limits[1])) limits.reverse();
      const before = JSON.stringify(state.filters.get(name));
      this.setLimits(name, own, ...limits);
      if (before !== JSON.stringify(state.filters.get(name))) applyFilters();
    };
    for (const made of [first, second]) {
      made.addEventListener("change", change);
      made.addEventListener("blur", () => { if (this.isLate) setTimeout(() => this.draw(), 0); });
    }
    return element("div", { class: isDate ? "range days" : "range" }, first, element("span", { text: "to" }), second);
  },

  categories(name, own) {
    const chosen = new Set(state.filters.get(name)?.values || []);
    const most = Math.max(...own.VALUES.map((one) => one[1]));
    const hits = surveys.hits.get(name);
    const found = hits && new Map(hits.VALUES);
    return own.VALUES.slice(0, 20).map(([value, count]) => {
      const box = element("input", { type: "checkbox", "data-key": `${name} ${value}`, onchange: () => {
        if (box.checked) chosen.add(value); else chosen.delete(value);
        if (chosen.size === 0) state.filters.delete(name);
        else state.filters.set(name, { values: own.VALUES.map((one) => one[0]).filter((one) => chosen.has(one)) });
        applyFilters();
      } });
      box.checked = chosen.has(value);
      const bar = (part, kind) => {
        const made = element("i", { class: kind });
        made.style.width = `${(part / most * 100).toFixed(1)}%`;
        return made;
      };
      return element("label", { class: "cat" }, box, element("span", { text: value, title: value }),
        element("i", {}, bar(count, ""), found ? bar(found.get(value) || 0, "hit") : null), element("b", { text: grouped(count) }));
    });
  },
};
rail.draw = debounce(() => rail.drawNow(), 16);
rail.draw.now = () => rail.drawNow();
