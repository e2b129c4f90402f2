// The list: any number of rows, of which only the visible ones have elements

const pageSize = 20;
const rowHeight = 84;
// Browsers limit the height of elements. In a higher list, one pixel of the scroll bar represents several rows.
const highest = 4000000;

const list = {
  total: 0, complete: false, chosen: -1, top: 0, pages: new Map(), waiting: new Set(), generation: 0,
  isOwnScroll: false,
  // The existing row elements by number. Reusing them preserves their pictures.
  drawn: new Map(),
  // Whether to show the first row as soon as it is loaded because the previous record may not be a match.
  awaitsFirst: false,

  request(extra) {
    const columns = ["SUMMARY_HEADER", "SUMMARY", "IDENTIFIER", "CHILDREN", "IMAGES.MARQUEE"];
    if (state.table) columns.push(...fieldColumns().map((one) => "PROPERTY:" + one));
    const request = {
      request: state.query.trim() ? "SEARCH" : "ROOT", columns, dark: dark.matches, wait: false,
      entities: [{ PERM_ID: state.file }], ...extra,
    };
    if (state.query.trim()) Object.assign(request, { searchtext: state.query, searchdomain: state.domain });
    if (state.sort !== "number") Object.assign(request, { sort: state.sort, descending: state.descending });
    return request;
  },

  /** Reloads the list for another file, search or order. */
  async reset(keepsPlace) {
    this.generation += 1;
    this.pages.clear();
    this.waiting.clear();
    this.complete = false;
    if (!keepsPlace) { this.top = 0; this.total = 0; this.chosen = -1; }
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
      this.total = answer.total;
      this.complete = answer.complete;
      const rows = table(answer);
      const isWhole = rows.length === Math.min(pageSize, answer.total - page * pageSize) && rows.length > 0;
      if (isWhole && (answer.complete || rows.length === pageSize)) this.keep(page, rows);
      tellCount(answer);
      this.layOut();
      if (!answer.complete) setTimeout(() => generation === this.generation && this.goOn(page, rows), 200);
      else if (rows.length > 0 && !isWhole) this.keep(page, rows);
      this.partial = isWhole ? null : { page, rows };
    } catch (error) {
      failure = error.message;
      find("count").textContent = failure;
    } finally {
      if (generation === this.generation) this.waiting.delete(page);
    }
    if (generation !== this.generation) return;
    this.draw();
    this.showFirst(failure);
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
    if (!row) showNone(failure || (state.query.trim() ? "No record matches." : ""));
    else if (this.chosen < 0 && innerWidth > 700) await this.choose(0, false);
    else if (this.chosen < 0) showNone("");
  },

  /** Repeats the request while an index or a search is in progress. */
  goOn(page, rows) {
    if (rows.length < pageSize) this.pages.delete(page);
    const wanted = Math.floor(this.top / pageSize);
    if (this.pages.has(wanted)) {
      source.ask(this.request({ from: 0, count: 0 })).then((answer) => {
        if (this.total !== answer.total || answer.complete) {
          this.total = answer.total;
          this.complete = answer.complete;
          tellCount(answer);
          this.layOut();
          this.draw();
        }
        const generation = this.generation;
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
        this.drawn.delete(page * pageSize + place);
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

  get height() { return Math.min(this.total * rowHeight, highest); },
  get visible() { return Math.max(1, find("scroller").clientHeight / rowHeight); },
  get lastTop() { return Math.max(0, this.total - this.visible); },
  get isScaled() { return this.total * rowHeight > highest; },

  layOut() {
    find("rows").style.height = this.height + "px";
  },

  /** Returns the scroll position for the top row. */
  scrollPlace() {
    const range = this.height - find("scroller").clientHeight;
    return this.isScaled ? (this.lastTop > 0 ? (this.top / this.lastTop) * range : 0) : this.top * rowHeight;
  },

  moveTo(top) {
    this.top = Math.max(0, Math.min(top, this.lastTop));
    this.isOwnScroll = true;
    find("scroller").scrollTop = this.scrollPlace();
    requestAnimationFrame(() => { this.isOwnScroll = false; });
    this.draw();
  },

  scrolled() {
    if (this.isOwnScroll) return;
    const scroller = find("scroller");
    const range = this.height - scroller.clientHeight;
    const isScaled = this.isScaled && range > 0;
    this.top = isScaled ? (scroller.scrollTop / range) * this.lastTop : scroller.scrollTop / rowHeight;
    this.draw();
  },

  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.drawNow();
    });
  },

  drawNow() {
    const first = Math.max(0, Math.floor(this.top) - 2);
    const last = Math.min(this.total, Math.ceil(this.top + this.visible) + 2);
    const offset = this.scrollPlace() - this.top * rowHeight;
    const rows = [];
    const drawn = new Map();
    for (let number = first; number < last; number += 1) {
      const row = this.row(number);
      const old = this.drawn.get(number);
      const entry = old && old.row === row && old.total === this.total ? old
        : { row, total: this.total, element: this.drawRow(number, row) };
      entry.element.style.transform = `translateY(${offset + number * rowHeight}px)`;
      entry.element.setAttribute("aria-selected", String(number === this.chosen));
      drawn.set(number, entry);
      rows.push(entry.element);
    }
    this.drawn = drawn;
    const place = find("rows");
    if (this.total === 0 && this.complete) rows.push(element("p", { class: "empty", text: "No records." }));
    place.replaceChildren(...rows);
    if (this.chosen >= 0) place.setAttribute("aria-activedescendant", "row" + this.chosen);
    else place.removeAttribute("aria-activedescendant");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (let page = Math.floor(first / pageSize); page * pageSize < last; page += 1) this.load(page);
      // Preload the next page.
      const lastPage = Math.floor((this.total - 1) / pageSize);
      if (this.complete || last < this.total) this.load(Math.min(Math.floor(last / pageSize) + 1, lastPage));
    }, this.row(first) && this.row(last - 1) ? 150 : 4);
  },

  drawRow(number, row) {
    const made = element("div", {
      class: row ? "row" : "row waiting", id: "row" + number, role: "option", "aria-posinset": number + 1,
      "aria-setsize": this.total,
    });
    const isListed = state.query.trim() || state.sort !== "number";
    const own = row ? row.IDENTIFIER.split("#").pop() : "";
    made.append(element("span", { class: "number", text: isListed && row ? own : String(number + 1) }));
    if (!row) {
      made.append(element("span", { class: "thumb" }), element("span", { class: "words", text: "…" }));
      return made;
    }
    const image = picture(row["IMAGES.MARQUEE"], "Structure of " + row.SUMMARY_HEADER);
    made.append(element("span", { class: "thumb" }, image));
    made.append(element("span", { class: "words" },
      element("div", { class: "name", text: row.SUMMARY_HEADER }),
      element("div", { class: "summary", text: row.SUMMARY })));
    if (state.table) {
      for (const name of fieldColumns()) {
        const value = row["PROPERTY:" + name] || "";
        made.append(element("span", { class: "cell", text: value, title: value }));
      }
    }
    made.addEventListener("click", () => this.choose(number, true));
    return made;
  },

  /** Chooses a row and shows its record. */
  async choose(number, isStep) {
    if (this.total === 0) return;
    this.chosen = Math.max(0, Math.min(number, this.total - 1));
    if (this.chosen < this.top) this.moveTo(this.chosen);
    if (this.chosen + 1 > this.top + this.visible) this.moveTo(this.chosen + 1 - this.visible);
    this.draw();
    if (!this.row(this.chosen)) await this.load(Math.floor(this.chosen / pageSize));
    const row = this.row(this.chosen);
    if (row) await show(row.PERM_ID, isStep);
  },
};

function tellCount(answer) {
  const count = answer.total.toLocaleString("en");
  const thing = answer.total === 1 ? "record" : "records";
  const progress = answer.complete ? "" : ` … ${Math.floor((answer.progress || 0) * 100)} %`;
  const note = answer.note ? `: ${answer.note}` : "";
  find("count").textContent = `${count} ${thing}${progress}${note}`;
}
