// Cards, and the comparison of two to four records

// Cards are at least this wide and fill the lines.
const cardSize = { least: 172, height: 150, gap: 10, edge: 16 };

const cards = {
  /** Returns the column that cards show: the chosen one, the first sort key, or the first numeric column. */
  field() {
    const names = fieldColumns();
    if (state.card && [...allColumns(), ...factColumns()].includes(state.card)) return state.card;
    const sorted = state.sort.map((one) => columnOfKey(one.key)).find((name) => names.includes(name));
    return sorted || names.find((name) => surveys.isNumeric(name) && !isFact(name)) || names[0] || "";
  },

  get perLine() {
    const width = find("cards").clientWidth - 2 * cardSize.edge + cardSize.gap;
    return Math.max(1, Math.floor(width / (cardSize.least + cardSize.gap)));
  },
  get width() {
    const width = find("cards").clientWidth - 2 * cardSize.edge + cardSize.gap;
    return Math.min(260, Math.floor(width / this.perLine) - cardSize.gap);
  },
  get step() { return cardSize.height + cardSize.gap; },
  get lines() { return Math.ceil(list.total / this.perLine); },
  get lineStep() { return Math.min(1, highest / Math.max(1, this.lines * this.step)); },

  layOut() {
    if (state.view !== "cards") return;
    let space = find("cards").querySelector(".space");
    if (!space) {
      space = element("div", { class: "space", role: "presentation" });
      find("cards").append(space);
    }
    space.style.height = Math.min(highest, this.lines * this.step + 2 * cardSize.edge) + "px";
  },

  get isScaled() { return this.lines * this.step > highest; },

  /** The first line in view. */
  get topLine() {
    const place = find("cards");
    if (!this.isScaled) return place.scrollTop / this.step;
    return place.scrollTop / Math.max(1, highest - place.clientHeight) * Math.max(0, this.lines - place.clientHeight / this.step);
  },

  drawNow() {
    const place = find("cards");
    const [columns, width] = [this.perLine, this.width];
    const firstLine = Math.max(0, Math.floor(this.topLine) - 1);
    const lastLine = Math.ceil(this.topLine + place.clientHeight / this.step) + 1;
    const [first, last] = [firstLine * columns, Math.min(list.total, lastLine * columns)];
    list.top = Math.floor(this.topLine) * columns;
    const offset = this.isScaled ? place.scrollTop - this.topLine * this.step : 0;
    for (const number of [...list.drawn.keys()]) {
      if (number < first || number >= last || !list.drawn.get(number).isCard) list.remove(number);
    }
    for (let number = last - 1; number >= first; number -= 1) {
      const row = list.row(number);
      let entry = list.drawn.get(number);
      if (!entry || entry.row !== row) {
        entry?.element.remove();
        entry = { row, element: this.card(number, row), isCard: true };
        list.drawn.set(number, entry);
        place.insertBefore(entry.element, list.drawn.get(number + 1)?.element || null);
      }
      const [line, column] = [Math.floor(number / columns), number % columns];
      entry.element.style.left = cardSize.edge + column * (width + cardSize.gap) + "px";
      entry.element.style.width = width + "px";
      entry.element.style.top = cardSize.edge + line * this.step + offset + "px";
      list.mark(entry.element, number, row);
      entry.element.removeAttribute("aria-selected");
    }
    list.drawMessage(place);
    list.loadAround(first, last);
  },

  card(number, row) {
    const made = element("div", { class: "card", id: "row" + number, role: "listitem", "aria-setsize": list.total, "aria-posinset": number + 1 });
    if (!row) return made;
    const box = element("input", {
      type: "checkbox", class: "tick-card", tabindex: "-1", "aria-label": "Select " + row.SUMMARY_HEADER,
      onclick: (event) => { event.stopPropagation(); selection.toggle(number, event.shiftKey); },
    });
    made.append(element("div", { class: "picture-of" }, picture(row["IMAGES.MARQUEE"], "Structure of " + row.SUMMARY_HEADER) || kept.missingPicture(row["IMAGES.MARQUEE"]) || ""), box,
      element("b", { text: row.SUMMARY_HEADER, title: row.IDENTIFIER }));
    const name = this.field();
    if (name) {
      const value = row[columnKey(name)] || "";
      made.append(element("p", {}, element("span", { text: labelOf(name) }),
        element("strong", { text: shortNumber(value) ?? (value || "–"), title: value })));
      const level = surveys.isNumeric(name) && shortNumber(value) !== null ? surveys.level(name, Number(value)) : null;
      if (level !== null) made.append(levelBar(level));
    }
    made.addEventListener("click", (event) => {
      if (event.shiftKey) { selection.extend(number); return; }
      if (event.ctrlKey || event.metaKey) { selection.toggle(number, false); return; }
      document.body.classList.remove("without-detail");
      list.choose(number, true);
    });
    return made;
  },

  moveTo(top) {
    const line = Math.floor(Math.max(0, top) / this.perLine);
    const place = find("cards");
    this.layOut();
    place.scrollTop = this.isScaled ? line / Math.max(1, this.lines) * highest : line * this.step;
    list.draw();
  },

  reveal(number) {
    const line = Math.floor(number / this.perLine);
    const top = this.topLine;
    const room = find("cards").clientHeight / this.step;
    if (line < top) this.moveTo(number);
    else if (line + 1 > top + room) this.moveTo(Math.max(0, line + 2 - Math.floor(room)) * this.perLine);
  },
};

find("cards").addEventListener("scroll", () => { list.draw(); noteScroll(); });

const compare = {
  turn: 0,

  toggle() {
    state.compares = !state.compares;
    writeAddress(true);
    this.draw();
  },

  close() {
    state.compares = false;
    writeAddress(false);
    this.draw();
  },

  async draw() {
    const place = find("compare");
    const ids = selection.all ? [] : [...selection.ids].slice(0, 4);
    this.turn += 1;
    const turn = this.turn;
    document.body.classList.toggle("comparing", state.compares && ids.length >= 2);
    if (!state.compares || ids.length < 2) {
      place.hidden = true;
      place.replaceChildren();
      list.draw();
      return;
    }
    let rows;
    try {
      rows = table(await source.ask({
        request: "DETAIL", entities: ids.map((id) => ({ PERM_ID: id })), dark: dark.matches,
        columns: ["SUMMARY_HEADER", "SUMMARY", "IMAGES.MARQUEE", "PROPERTIES"], compares: true,
      }));
    } catch (error) {
      tell(error.message);
      return;
    }
    if (turn !== this.turn || rows.length < 2) return;
    place.hidden = false;
    const button = (text, act) => element("button", { type: "button", class: "plain", text, onclick: act });
    place.replaceChildren(
      element("header", {}, element("h2", { text: "Compare" }),
        element("span", { text: `${rows.length} of ${grouped(list.total)} · what differs is dark, what is equal is pale` }),
        button("Copy as table", () => this.copy()), button("Esc", () => this.close())),
      element("div", { class: "sides" }, ...rows.map((row) => element("div", { class: "side" },
        this.picture(row) || element("span", { text: "no structure" }),
        element("p", {}, element("b", { text: row.SUMMARY_HEADER }), " ", ...withSubscripts(list.shortSummary(row.SUMMARY))))),
      element("div", { class: "changes-of", tabindex: "0", role: "region", "aria-label": "Fields" }, this.table(rows))));
    list.layOut();
    list.draw();
  },

  picture(row) {
    const image = picture(row["IMAGES.MARQUEE"], "Structure of " + row.SUMMARY_HEADER);
    if (image) image.width = Math.round(row["IMAGES.MARQUEE"].width * 2.2);
    return image;
  },

  /** Returns the values of each field: [{ name, values, change }], the differing ones first. */
  lines(rows) {
    const values = rows.map((row) => {
      const own = new Map();
      for (const one of row.PROPERTIES) {
        if (one.group !== "data" && !(one.group === "structure" && ["mass", "formula"].includes(one.name))) continue;
        const name = one.name;
        own.set(name, own.has(name) ? own.get(name) + "\n" + one.value : one.value);
      }
      return own;
    });
    const names = [...new Set(values.flatMap((one) => [...one.keys()]))];
    const lines = names.map((name) => {
      const texts = values.map((one) => one.get(name) ?? "");
      return { name, texts, isEqual: texts.every((one) => one === texts[0]), change: this.change(name, texts) };
    });
    return [...lines.filter((one) => !one.isEqual), ...lines.filter((one) => one.isEqual)];
  },

  /** Returns the change of a number from the first to the last record: a factor for values over several powers of ten. */
  change(name, texts) {
    const [first, last] = [texts[0], texts[texts.length - 1]].map((one) => (shortNumber(one) === null ? NaN : Number(one)));
    if (Number.isNaN(first) || Number.isNaN(last) || first === last) return "";
    if (surveys.isLog(surveys.get(name)) && first > 0 && last > 0) {
      const factor = last / first;
      return factor >= 1 ? `× ${Number(factor.toPrecision(2))}` : `÷ ${Number((1 / factor).toPrecision(2))}`;
    }
    const places = Math.max(...[texts[0], texts[texts.length - 1]].map((one) => (one.split(".")[1] || "").trim().length));
    const difference = (last - first).toFixed(Math.min(places, 6));
    return (last > first ? "+" : "−") + difference.replace("-", "");
  },

  table(rows) {
    this.rows = rows;
    return element("table", {}, element("thead", { class: "unseen" }, element("tr", {}, element("th", { text: "Field" }),
      ...rows.map((row) => element("th", { text: row.SUMMARY_HEADER })), element("th", { text: "Change" }))),
    element("tbody", {}, ...this.lines(rows).map((line) => element("tr", { class: line.isEqual ? "equal" : "" },
      element("th", { scope: "row", text: line.name }),
      ...line.texts.map((text) => element("td", { text: text || "–" })), element("td", { class: "by", text: line.change })))));
  },

  async copy() {
    const plain = (text) => text.replace(/[\t\r\n]+/g, " ");
    const lines = [["Field", ...this.rows.map((row) => row.SUMMARY_HEADER), "Change"],
      ...this.lines(this.rows).map((line) => [line.name, ...line.texts, line.change])];
    try {
      await writeClipboard(lines.map((line) => line.map(plain).join("\t")).join("\n") + "\n");
      tell("Copied the comparison as a table.");
    } catch (error) {
      tell(error.message);
    }
  },
};
