// The list of records: any number of rows and columns, of which only the visible ones have elements

const pageSize = 20;
const rowHeights = { "": 92, middle: 56, low: 32 };
const headHeight = 52;
// Browsers limit the height of elements. In a higher list, one pixel of the scroll bar represents several rows.
const highest = 4000000;

const list = {
  total: 0, fileTotal: 0, complete: false, chosen: -1, top: 0, pages: new Map(), waiting: new Set(), generation: 0,
  isOwnScroll: false, since: 0, frozenWidth: 300, headCells: new Map(),
  // The existing row elements by number. Reusing them preserves their pictures.
  drawn: new Map(),
  // Whether to show the first row as soon as it is loaded because the previous record may not be a match.
  awaitsFirst: false,

  get rowHeight() { return rowHeights[state.density] || 92; },

  columns() {
    const own = ["SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "IMAGES.MARQUEE"];
    return state.file === everything ? [...own, "CATEGORY"] : own;
  },

  request(extra) {
    const columns = [...this.columns(), ...fieldColumns().map(columnKey)];
    const card = cards.field();
    if (card && !columns.includes(columnKey(card))) columns.push(columnKey(card));
    const search = searchOf();
    const request = {
      request: search ? "SEARCH" : "ROOT", columns, dark: dark.matches, wait: false,
      entities: scope(), ...(search || !isServed ? {} : { level: "top" }), ...search, ...extra,
    };
    const highlight = highlightOf();
    if (highlight) request.highlight = highlight;
    if (state.sort.length > 0) request.sort = state.sort;
    return request;
  },

  /** Reloads the list for another file, search or order. */
  async reset(keepsPlace) {
    this.generation += 1;
    this.pages.clear();
    this.waiting.clear();
    this.complete = false;
    this.since = performance.now();
    if (!keepsPlace) { this.top = 0; this.total = 0; this.chosen = -1; }
    this.drawHead();
    this.loading = this.load(Math.floor(this.top / pageSize));
    // If the list is reset again in the meantime, wait for the latest request.
    for (let loading; loading !== this.loading;) await (loading = this.loading);
    this.draw();
  },

  async load(page) {
    if (page < 0 || this.pages.has(page) || this.waiting.has(page)) return;
    this.waiting.add(page);
    const generation = this.generation;
    let failure = "";
    try {
      const answer = await source.ask(this.request({ from: page * pageSize, count: pageSize }));
      if (generation !== this.generation) return;
      showFault("");
      this.take(answer);
      const rows = table(answer);
      this.findNameColumn(rows);
      const isWhole = rows.length === Math.min(pageSize, answer.total - page * pageSize) && rows.length > 0;
      if (isWhole && (answer.complete || rows.length === pageSize)) this.keep(page, rows);
      this.layOut();
      if (!answer.complete) setTimeout(() => generation === this.generation && this.goOn(page, rows), 200);
      else if (rows.length > 0 && !isWhole) this.keep(page, rows);
      this.partial = isWhole ? null : { page, rows };
    } catch (error) {
      failure = error.message;
      if (generation === this.generation) {
        showFault(failure);
        [this.total, this.complete] = [0, true];
        tellCount({ total: 0, complete: true });
        this.layOut();
      }
    } finally {
      if (generation === this.generation) this.waiting.delete(page);
    }
    if (generation !== this.generation) return;
    this.draw();
    this.showFirst(failure);
  },

  /** Finds the field that contains the names of the records, which the table would show twice. */
  findNameColumn(rows) {
    if (preferences.nameColumn !== undefined || rows.length === 0 || state.columns) return;
    const names = allColumns().slice(0, 4).filter((name) => rows[0][columnKey(name)] !== undefined);
    preferences.nameColumn = names.find((name) => rows.every((row) => row[columnKey(name)] === row.SUMMARY_HEADER)) || null;
    if (preferences.nameColumn) this.redraw();
  },

  take(answer) {
    this.total = answer.total;
    this.complete = answer.complete;
    if (!searchOf()) this.fileTotal = answer.total;
    tellCount(answer);
    if (answer.note) showFault(answer.note);
  },

  /** Shows the first row if the previous record may not be a match, or a message if there are no rows. */
  async showFirst(failure) {
    if (!this.awaitsFirst) return;
    const row = this.row(0);
    if (!row && !failure && !this.complete) {
      find("detail").classList.add("stale");
      return;
    }
    this.awaitsFirst = false;
    if (!row) {
      showNone(failure || (searchOf() ? kept.onDevice("No record matches.", "No record on this device matches.") : ""));
      if (!failure && searchOf()) this.offerLooser(this.generation);
    } else if (this.chosen < 0 && innerWidth > 700) await this.choose(0, false);
    else if (this.chosen < 0) showNone("");
  },

  /** Offers the nearest looser condition if there are no hits. */
  async offerLooser(generation) {
    let choice = null;
    try {
      choice = await loosen();
    } catch {
      return;
    }
    if (!choice || generation !== this.generation || this.total > 0) return;
    this.looser = choice;
    this.draw();
  },

  /** Repeats the request while an index or a search is in progress. */
  goOn(page, rows) {
    if (rows.length < pageSize) this.pages.delete(page);
    const wanted = Math.floor(this.top / pageSize);
    if (this.pages.has(wanted)) {
      const generation = this.generation;
      source.ask(this.request({ from: 0, count: 0 })).then((answer) => {
        if (generation !== this.generation) return;
        if (this.total !== answer.total || answer.complete) {
          this.take(answer);
          this.layOut();
          this.draw();
        }
        if (!answer.complete) setTimeout(() => generation === this.generation && this.goOn(page, rows), 300);
      }, () => {});
    } else {
      this.load(wanted);
    }
  },

  keep(page, rows) {
    this.pages.set(page, rows);
    this.fillIn(page, rows);
    const most = 60;
    if (this.pages.size > most) this.pages.delete(this.pages.keys().next().value);
  },

  /** Requests pictures again that were not ready in time for their rows. */
  fillIn(page, rows, times = 0) {
    const isOpen = (row) => row["IMAGES.MARQUEE"] && row["IMAGES.MARQUEE"].preliminary;
    if (times > 20 || !rows.some(isOpen)) return;
    const generation = this.generation;
    setTimeout(async () => {
      if (generation !== this.generation || this.pages.get(page) !== rows) return;
      const later = table(await source.ask(this.request({ from: page * pageSize, count: pageSize })));
      if (generation !== this.generation || this.pages.get(page) !== rows || later.length !== rows.length) return;
      for (const [place, row] of later.entries()) {
        if (!isOpen(rows[place]) || isOpen(row) || row.PERM_ID !== rows[place].PERM_ID) continue;
        rows[place] = row;
        this.remove(page * pageSize + place);
      }
      this.draw();
      this.fillIn(page, rows, times + 1);
    }, 500);
  },

  row(number) {
    const page = Math.floor(number / pageSize);
    const rows = this.pages.get(page) || (this.partial && this.partial.page === page ? this.partial.rows : null);
    return rows ? rows[number % pageSize] : undefined;
  },

  /** Returns the row of a record that is loaded. */
  rowOf(id) {
    for (const rows of this.pages.values()) {
      const row = rows.find((one) => one.PERM_ID === id);
      if (row) return row;
    }
    return undefined;
  },

  get height() { return Math.min(this.total * this.rowHeight, highest); },
  get room() { return Math.max(1, find("scroller").clientHeight - headHeight); },
  get visible() { return Math.max(1, this.room / this.rowHeight); },
  get lastTop() { return Math.max(0, this.total - this.visible); },
  get isScaled() { return this.total * this.rowHeight > highest; },

  layOut() {
    find("body").style.height = this.height + "px";
    find("rows").setAttribute("aria-rowcount", String(this.complete ? this.total + 1 : -1));
    cards.layOut();
  },

  /** Returns the scroll position for the top row. */
  scrollPlace() {
    const range = this.height - this.room;
    return this.isScaled ? (this.lastTop > 0 ? (this.top / this.lastTop) * range : 0) : this.top * this.rowHeight;
  },

  moveTo(top) {
    if (state.view === "cards") return cards.moveTo(top);
    this.top = Math.max(0, Math.min(top, this.lastTop));
    this.isOwnScroll = true;
    find("scroller").scrollTop = this.scrollPlace();
    requestAnimationFrame(() => { this.isOwnScroll = false; });
    this.draw();
  },

  scrolled() {
    if (this.isOwnScroll || state.view !== "table") {
      this.draw();
      return;
    }
    const scroller = find("scroller");
    const range = this.height - this.room;
    const isScaled = this.isScaled && range > 0;
    this.top = isScaled ? (scroller.scrollTop / range) * this.lastTop : scroller.scrollTop / this.rowHeight;
    this.draw();
  },

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (state.view === "cards") cards.drawNow(); else this.drawNow();
    });
  },

  /** Draws all rows again because their form has changed. */
  redraw() {
    for (const number of [...this.drawn.keys()]) this.remove(number);
    this.drawHead();
    this.draw();
  },

  remove(number) {
    this.drawn.get(number)?.element.remove();
    this.drawn.delete(number);
  },

  /** Returns the columns in view, with some more at both sides. */
  columnWindow() {
    const scroller = find("scroller");
    const from = scroller.scrollLeft - 100;
    const until = scroller.scrollLeft + scroller.clientWidth + 100;
    const all = this.allColumns || laidOutColumns();
    const isIn = (one) => one.left + one.width + this.frozenWidth > from && one.left + this.frozenWidth < until;
    let first = all.findIndex(isIn);
    if (first < 0) first = all.length;
    let last = first;
    while (last < all.length && isIn(all[last])) last += 1;
    return { first, last, key: `${first}-${last}` };
  },


  drawNow() {
    const columns = this.columnWindow();
    if (columns.key !== this.columnKey) this.drawHeads(columns);
    const first = Math.max(0, Math.floor(this.top) - 2);
    const last = Math.min(this.total, Math.ceil(this.top + this.visible) + 2);
    const offset = this.scrollPlace() - this.top * this.rowHeight;
    const place = find("body");
    for (const number of [...this.drawn.keys()]) if (number < first || number >= last) this.remove(number);
    // From the last row to the first, so that each new element precedes the next one in the document.
    for (let number = last - 1; number >= first; number -= 1) {
      const row = this.row(number);
      let entry = this.drawn.get(number);
      if (!entry || entry.row !== row) {
        entry?.element.remove();
        entry = { row, element: this.drawRow(number, row), columns: "", cells: new Map() };
        this.drawn.set(number, entry);
        place.insertBefore(entry.element, this.drawn.get(number + 1)?.element || null);
      }
      if (entry.columns !== columns.key) this.drawCells(entry, columns);
      const transform = `translateY(${offset + number * this.rowHeight}px)`;
      if (entry.transform !== transform) entry.element.style.transform = entry.transform = transform;
      this.mark(entry.element, number, row);
    }
    this.drawMessage(place);
    const host = find("rows");
    host.classList.toggle("scrolled-right", find("scroller").scrollLeft > 0);
    if (this.chosen >= 0 && this.drawn.has(this.chosen)) host.setAttribute("aria-activedescendant", "row" + this.chosen);
    else host.removeAttribute("aria-activedescendant");
    this.loadAround(first, last);
  },

  mark(made, number, row) {
    const isChosen = number === this.chosen;
    made.classList.toggle("chosen", isChosen);
    if (isChosen) made.setAttribute("aria-current", "true"); else made.removeAttribute("aria-current");
    const isSelected = Boolean(row) && selection.has(row.PERM_ID);
    made.setAttribute("aria-selected", String(isSelected));
    const box = made.querySelector(".tick input, input.tick-card");
    if (box) box.checked = isSelected;
  },

  drawMessage(place) {
    const isEmpty = this.total === 0 && this.complete;
    const old = place.querySelector(".empty");
    if (!isEmpty) {
      old?.remove();
      this.looser = null;
      return;
    }
    const isTable = state.view === "table";
    const words = element("div", { role: isTable ? "gridcell" : null }, kept.onDevice(
      "No records.", searchOf() ? "No record on this device matches." : "No records on this device."));
    const message = element("div", { class: "empty", role: isTable ? "row" : "listitem" }, words);
    if (this.looser && searchOf()) {
      const { label, total, remove } = this.looser;
      words.append(element("button", {
        type: "button", class: "plain", text: `Without “${label}”: ${grouped(total)} ${total === 1 ? "record" : "records"}`,
        onclick: () => { this.looser = null; remove(); },
      }));
    }
    if (old) old.replaceWith(message); else place.append(message);
  },

  loadAround(first, last) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (let page = Math.floor(first / pageSize); page * pageSize < last; page += 1) this.load(page);
      // Preload the next page.
      const lastPage = Math.floor((this.total - 1) / pageSize);
      if (this.complete || last < this.total) this.load(Math.min(Math.floor(last / pageSize) + 1, lastPage));
    }, this.row(first) && this.row(last - 1) ? 150 : 4);
  },

  drawRow(number, row) {
    const made = element("div", { class: row ? "row" : "row waiting", id: "row" + number, role: "row", "aria-rowindex": number + 2 });
    const frozen = element("div", { class: "frozen", role: "presentation" });
    made.append(frozen);
    if (!row) {
      frozen.append(element("div", { class: "tick", role: "gridcell" }), element("div", { class: "thumb", role: "gridcell" }),
        element("div", { class: "words", role: "gridcell", text: "…" }));
      return made;
    }
    const box = element("input", {
      type: "checkbox", tabindex: "-1", "aria-label": "Select " + row.SUMMARY_HEADER,
      onclick: (event) => { event.stopPropagation(); selection.toggle(number, event.shiftKey); },
    });
    const image = this.rowHeight > 40 || state.density === "low" ? picture(row["IMAGES.MARQUEE"], "Structure of " + row.SUMMARY_HEADER) : null;
    frozen.append(
      element("div", { class: "tick", role: "gridcell", "aria-colindex": "1" }, box),
      element("div", { class: "thumb", role: "gridcell", "aria-colindex": "2" }, image || kept.missingPicture(row["IMAGES.MARQUEE"])),
      element("div", { class: "words", role: "gridcell", "aria-colindex": "3", title: row.IDENTIFIER },
        element("div", { class: "name", text: row.SUMMARY_HEADER }),
        element("div", { class: "summary", title: row.SUMMARY }, ...withSubscripts(this.shortSummary(row.SUMMARY))),
        // Among the records of all collections, each one names its own.
        ...(row.CATEGORY ? [element("div", { class: "summary", text: row.CATEGORY, title: row.CATEGORY })] : [])));
    made.addEventListener("click", (event) => {
      if (event.shiftKey) { selection.extend(number); return; }
      if (event.ctrlKey || event.metaKey) { selection.toggle(number, false); return; }
      find("rows").focus({ preventScroll: true });
      this.choose(number, true);
    });
    return made;
  },

  /** Returns the formula of a molecule without the counts of its atoms, which the record shows. */
  shortSummary(text) {
    return text.replace(/^([A-Z][A-Za-z0-9]*( \d*[+−])?), \d+ atoms?, \d+ bonds?$/, "$1");
  },

  drawCells(entry, columns) {
    entry.columns = columns.key;
    if (!entry.row) return;
    this.fillLine(entry.element, entry.cells, columns, (column, place) => {
      const cell = this.cell(column.name, entry.row);
      cell.setAttribute("aria-colindex", String(place + 4));
      return cell;
    });
  },

  /** Adds the columns that came into view to a line, and removes those out of view. */
  fillLine(line, cells, columns, create) {
    for (const [place, cell] of cells) {
      if (place >= columns.first && place < columns.last) continue;
      cell.remove();
      cells.delete(place);
    }
    for (let place = columns.last - 1; place >= columns.first; place -= 1) {
      if (cells.has(place)) continue;
      const column = this.allColumns[place];
      const cell = create(column, place);
      cell.style.left = this.frozenWidth + column.left + "px";
      cell.style.width = column.width + "px";
      cells.set(place, cell);
      // Cells are in the order of their columns for screen readers.
      line.insertBefore(cell, cells.get(place + 1) || null);
    }
  },

  /** Creates a cell. Numbers are short and at the right; the tooltip contains the text of the file. */
  cell(name, row) {
    const value = row[columnKey(name)] || "";
    const own = surveys.get(name);
    const isNumeric = surveys.isNumeric(name);
    const number = isNumeric ? shortNumber(value) : null;
    const kinds = ["cell", isNumeric ? "num" : "text"];
    if (isFact(name)) kinds.push("computed");
    if (state.sort[0] && columnOfKey(state.sort[0].key) === name) kinds.push("strong");
    const made = element("div", { class: kinds.join(" "), role: "gridcell", title: value });
    if (value === "") {
      if (isNumeric) made.append(element("span", { class: "nothing", text: "–" }));
    } else if (number !== null) {
      made.append(element("span", { text: number }));
      const level = surveys.level(name, Number(value));
      if (level !== null) made.append(levelBar(level));
    } else if (isNumeric && !isFact(name)) {
      made.append(element("span", {}, element("em", { text: value })));
    } else if (own && own.KIND === "category" && value.length < 24) {
      const place = own.VALUES.findIndex((one) => one[0] === value.trim());
      made.append(element("span", { class: "tag t" + (own.VALUES.length > 5 ? "x" : place), text: value }));
    } else {
      made.append(element("span", { text: value }));
    }
    return made;
  },

  // The header

  drawHead() {
    const all = laidOutColumns();
    this.allColumns = all;
    const columns = this.columnWindow();
    const line = element("div", { class: "line", role: "row", "aria-rowindex": "1" });
    const box = element("input", { type: "checkbox", "aria-label": "Select all records", tabindex: "-1", onclick: () => selection.toggleAll() });
    box.checked = selection.all;
    const sort = (key, text) => element("button", {
      type: "button", tabindex: "-1", onclick: (event) => sortBy(key, event.shiftKey),
    }, ...[].concat(text), this.arrow(key));
    const frozen = element("div", { class: "frozen", role: "presentation" },
      element("div", { class: "head tick", role: "columnheader", "aria-colindex": "1" }, box),
      element("div", { class: "head thumb", role: "columnheader", "aria-colindex": "2", "aria-sort": this.order("formula") },
        sort("formula", "Structure")),
      element("div", { class: "head words", role: "columnheader", "aria-colindex": "3", "aria-sort": this.order("name") },
        sort("name", preferences.nameColumn || "Name")));
    line.append(frozen);
    find("columns").replaceChildren(line);
    this.frozenWidth = frozen.offsetWidth || 300;
    this.headCells = new Map();
    this.drawHeads(columns);
    const host = find("rows");
    const last = all[all.length - 1];
    host.style.width = innerWidth > 700 ? `${this.frozenWidth + (last ? last.left + last.width : 0) + 16}px` : "";
    host.setAttribute("aria-colcount", String(all.length + 3));
    find("main").classList.toggle("low", state.density === "low");
    find("main").classList.toggle("middle", state.density === "middle");
    find("main").style.setProperty("--row", this.rowHeight + "px");
    const total = allColumns().length;
    const count = all.filter((one) => !isFact(one.name)).length;
    find("chosen-columns").textContent = `${count} of ${total}`;
    find("choose").disabled = total === 0 && factColumns().length === 0;
  },

  /** Creates the headers of the columns in view. */
  drawHeads(columns) {
    this.columnKey = columns.key;
    const line = find("columns").firstChild;
    if (!line) return;
    this.fillLine(line, this.headCells, columns, (column, place) => this.head(column, place, (key, text) => element("button", {
      type: "button", tabindex: "-1", onclick: (event) => sortBy(key, event.shiftKey),
    }, ...[].concat(text), this.arrow(key))));
  },

  order(key) {
    const own = state.sort.find((one) => one.key === key);
    return own ? own.descending ? "descending" : "ascending" : "none";
  },

  arrow(key) {
    const place = state.sort.findIndex((one) => one.key === key);
    const text = place < 0 ? "" : (state.sort[place].descending ? "↓" : "↑") + (state.sort.length > 1 ? String(place + 1) : "");
    return element("span", { class: "arrow", text });
  },

  head(column, place, sort) {
    const { name, width } = column;
    const isNumeric = surveys.isNumeric(name);
    const made = element("div", {
      class: `head cell-head${isNumeric ? " num" : ""}`, role: "columnheader", "aria-colindex": place + 4,
      "aria-sort": this.order(sortKey(name)), draggable: "true", title: labelOf(name), "data-name": name,
    }, sort(sortKey(name), labelled(name)));
    const own = surveys.get(name);
    if (isNumeric && own && own.NUMBERS > 1) {
      const drawn = surveys.drawn(name, Math.min(76, width - 16), 18, surveys.bins(name, 19).bars);
      drawn.setAttribute("aria-hidden", "true");
      made.append(drawn);
    }
    const edge = element("span", { class: "edge", "aria-hidden": "true" });
    edge.addEventListener("pointerdown", (event) => this.resize(event, column, made));
    edge.addEventListener("click", (event) => event.stopPropagation());
    made.append(edge);
    made.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/column", name);
      event.dataTransfer.effectAllowed = "move";
      this.dragged = name;
    });
    made.addEventListener("dragover", (event) => { if (this.dragged) { event.preventDefault(); made.classList.add("over"); } });
    made.addEventListener("dragleave", () => made.classList.remove("over"));
    made.addEventListener("drop", (event) => {
      event.preventDefault();
      made.classList.remove("over");
      if (this.dragged && this.dragged !== name) moveColumn(this.dragged, name);
      this.dragged = null;
    });
    made.addEventListener("dragend", () => { this.dragged = null; });
    return made;
  },

  resize(event, column, made) {
    event.preventDefault();
    event.stopPropagation();
    made.draggable = false;
    const [start, width] = [event.clientX, column.width];
    const move = (moved) => {
      state.widths.set(column.name, Math.min(900, Math.max(40, width + moved.clientX - start)));
      made.style.width = state.widths.get(column.name) + "px";
    };
    const end = () => {
      removeEventListener("pointermove", move);
      this.redraw();
      writeAddress(false);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end, { once: true });
  },

  /** Chooses a row and shows its record. */
  async choose(number, isStep) {
    if (this.total === 0) return;
    this.chosen = Math.max(0, Math.min(number, this.total - 1));
    this.reveal(this.chosen);
    this.draw();
    if (!this.row(this.chosen)) await this.load(Math.floor(this.chosen / pageSize));
    const row = this.row(this.chosen);
    if (row) await show(row.PERM_ID, isStep);
  },

  reveal(number) {
    if (state.view === "cards") return cards.reveal(number);
    if (number < this.top) this.moveTo(number);
    if (number + 1 > this.top + this.visible) this.moveTo(number + 1 - this.visible);
    return undefined;
  },
};

/** Creates the bar in a cell for a value from 0 to 1. */
function levelBar(level) {
  const bar = element("i");
  bar.style.width = `${(Math.min(1, Math.max(0, level)) * 100).toFixed(1)}%`;
  return element("span", { class: "level", "aria-hidden": "true" }, bar);
}

function tellCount(answer) {
  const count = grouped(answer.total);
  const thing = answer.total === 1 ? "record" : "records";
  const of = searchOf() && list.fileTotal > 0 ? ` of ${grouped(list.fileTotal)} records` : ` ${thing}`;
  const progress = answer.complete ? "" : ` … ${Math.floor((answer.progress || 0) * 100)} %`;
  find("count").textContent = count + of + progress;
  const seconds = (performance.now() - list.since) / 1000;
  if (answer.complete && list.since && searchOf()) {
    find("found").textContent = `found in ${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0)} s`;
    list.since = 0;
  } else if (!searchOf()) find("found").textContent = "";
  find("export-count").textContent = answer.complete ? count : "";
}
