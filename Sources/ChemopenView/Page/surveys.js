// The distributions of fields and facts, which the program computes: for the filters, the headers and the record

const surveys = {
  /** The distributions by name of the column, of all records and of the hits. */
  all: new Map(), hits: new Map(), isComplete: false, turn: 0, hitTurn: 0,

  get(name) { return this.all.get(name); },
  isNumeric(name) {
    const own = this.get(name);
    if (own) return own.KIND === "number";
    return isFact(name) && Boolean(preferences.facts.find((one) => one.key === name)?.number);
  },

  read(answer) {
    return new Map(table(answer).map((row) => [columnOfKey(row.NAME), row]));
  },

  /** Returns the facts whose distributions are shown. They require the structures, so there are none for large files. */
  facts() {
    const large = list.fileTotal > 50000;
    const names = [...fieldColumns(), ...state.filters.keys()].filter(isFact).map(labelOf);
    const numbers = new Set(preferences.facts.filter((one) => one.number).map((one) => one.label));
    return large ? [] : [...new Set(names)].filter((one) => numbers.has(one));
  },

  request() {
    const request = { request: "STATISTICS", entities: scope(), wait: false };
    const facts = this.facts();
    return facts.length ? { ...request, facts } : request;
  },

  forget() {
    this.turn += 1;
    [this.all, this.hits, this.isComplete] = [new Map(), new Map(), false];
    rail.draw();
  },

  /** Loads the distributions of all records, and later those of the hits. */
  async load() {
    this.turn += 1;
    const turn = this.turn;
    for (let pause = 80; ; pause = Math.min(pause * 2, 1000)) {
      let answer;
      try {
        answer = await source.ask(this.request());
      } catch {
        return;
      }
      if (turn !== this.turn) return;
      const before = [...this.all.values()].map((one) => one.KIND).join();
      if (answer.rows.length > 0 || answer.complete) {
        this.all = this.read(answer);
        const changes = before !== [...this.all.values()].map((one) => one.KIND).join();
        if (changes) list.redraw();
        rail.draw();
        list.drawHead();
        tellOthers();
      }
      if (answer.complete) break;
      await new Promise((resume) => setTimeout(resume, pause));
      if (turn !== this.turn) return;
    }
    this.isComplete = true;
    inspector.drawFacts();
    plot.draw();
    this.loadHits();
  },

  /** Loads the distributions of the hits. */
  async loadHits() {
    this.hitTurn += 1;
    const turn = this.hitTurn;
    const search = searchOf();
    if (!search) {
      this.hits = new Map();
      rail.draw();
      return;
    }
    for (let pause = 120; ; pause = Math.min(pause * 2, 1000)) {
      await new Promise((resume) => setTimeout(resume, pause));
      if (turn !== this.hitTurn) return;
      let answer;
      try {
        answer = await source.ask({ ...this.request(), ...search });
      } catch {
        return;
      }
      if (turn !== this.hitTurn) return;
      if (!answer.complete) continue;
      this.hits = this.read(answer);
      rail.draw();
      return;
    }
  },

  /** Returns a histogram as [{ low, high, count }], with about the given number of bins, and whether it is logarithmic. */
  bins(name, most, own = this.get(name)) {
    if (!own) return { bars: [], isLog: false };
    const whole = this.get(name) || own;
    const isLog = this.isLog(whole);
    const from = whole.KIND === "date" ? own.DATES : isLog ? own.POWERS : own.BINS;
    const range = whole.KIND === "date" ? whole.DATES : isLog ? whole.POWERS : whole.BINS;
    if (!from || !range || range.counts.length === 0) return { bars: [], isLog };
    const step = (one) => (isLog ? 1 : one.width);
    // The bins of all records are the same or wider than those of some of them.
    const size = Math.max(1, Math.ceil(range.counts.length / most));
    const start = range.first;
    const bars = Array.from({ length: Math.ceil(range.counts.length / size) }, (_, place) => {
      const [low, high] = [start + place * size, start + (place + 1) * size];
      const scale = (index) => (isLog ? 10 ** (index / range.perDecade) : index * range.width);
      return { low: scale(low), high: scale(high), count: 0 };
    });
    const factor = step(from) / step(range);
    from.counts.forEach((count, place) => {
      const index = Math.floor((from.first + place) * factor + 1e-9) - start;
      const bar = bars[Math.min(bars.length - 1, Math.max(0, Math.floor(index / size)))];
      if (bar) bar.count += count;
    });
    return { bars, isLog };
  },

  /** Whether the spread requires a logarithmic scale. */
  isLog(own) {
    return Boolean(own && own.KIND === "number" && own.POWERS && own.MIN > 0 && own.MAX / own.MIN > 1000);
  },

  /** Returns the share of numbers below a value. */
  share(name, value) {
    const { bars } = this.bins(name, 1000);
    const total = bars.reduce((sum, bar) => sum + bar.count, 0);
    if (total === 0) return null;
    let below = 0;
    for (const bar of bars) {
      if (bar.high <= value) below += bar.count;
      else if (bar.low < value) below += bar.count * (value - bar.low) / (bar.high - bar.low);
    }
    return below / total;
  },

  /** Returns a value's position in its histogram, from 0 to 1. */
  position(name, value) {
    const { bars, isLog } = this.bins(name, 1000);
    if (bars.length === 0) return null;
    const scale = (one) => (isLog ? Math.log10(one) : one);
    if (isLog && value <= 0) return 0;
    const [low, high] = [scale(bars[0].low), scale(bars[bars.length - 1].high)];
    return Math.min(1, Math.max(0, (scale(value) - low) / (high - low || 1)));
  },

  /** Returns how far a value is from the least to the greatest one, for the bar in its cell. */
  level(name, value) {
    const own = this.get(name);
    if (!own || own.MIN === null || own.MAX === own.MIN) return null;
    if (this.isLog(own)) return value > 0 ? Math.log(value / own.MIN) / Math.log(own.MAX / own.MIN) : 0;
    const low = own.MIN >= 0 && own.MIN < own.MAX / 2 ? 0 : own.MIN;
    return (value - low) / (own.MAX - low);
  },

  /** Draws a histogram. Bars outside of the limits are pale. */
  drawn(name, width, height, bars, { inside = () => true, hits = null, mark = null } = {}) {
    const most = Math.max(1, ...bars.map((bar) => bar.count));
    const each = width / Math.max(1, bars.length);
    const made = shape("svg", {
      class: "histogram", width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": "Distribution of " + labelOf(name), preserveAspectRatio: "none",
    });
    const bar = (place, count, kind) => {
      if (count === 0) return;
      const size = Math.max(1, count / most * (height - 2));
      made.append(shape("rect", {
        class: kind, x: (place * each).toFixed(1), y: (height - size).toFixed(1), width: Math.max(1, each - 1).toFixed(1),
        height: size.toFixed(1), rx: 1,
      }));
    };
    bars.forEach((one, place) => {
      const isIn = inside(one);
      bar(place, one.count, isIn && !hits ? "in" : "off");
      if (hits) bar(place, hits[place].count, "in");
    });
    if (mark !== null) made.append(shape("path", { class: "mark", d: `M${(mark * width).toFixed(1)} 0V${height}` }));
    return made;
  },
};

/** Counts in the foot of the page the values that are not numbers. */
function tellOthers() {
  const odd = fieldColumns().map((name) => surveys.get(name)).filter((one) => one && one.KIND === "number" && one.OTHERS > 0);
  const texts = odd.slice(0, 2).map((one) => {
    const label = columnOfKey(one.NAME);
    const is = one.OTHERS === 1 ? "value is not a number" : "values are not numbers";
    return `${label}: ${grouped(one.OTHERS)} ${is} (“${one.EXAMPLE}”)`;
  });
  find("others").textContent = texts.join(" · ") + (odd.length > 2 ? ` · and ${odd.length - 2} more fields` : "");
}
