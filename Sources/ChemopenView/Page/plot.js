// A plot of two columns, colored by a third one, in which a lasso selects records

const plot = {
  most: 20000, points: [], turn: 0, key: "",

  forget() {
    this.key = "";
    if (state.view === "plot") this.draw();
  },

  numeric() { return [...allColumns(), ...factColumns()].filter((name) => surveys.isNumeric(name)); },

  /** Draws the axes' menus, and loads the values of all hits if necessary. */
  async draw() {
    if (state.view !== "plot") return;
    const names = this.numeric();
    const usual = fieldColumns().filter((name) => names.includes(name));
    if (!names.includes(state.plot.x)) state.plot.x = usual[0] || names[0] || "";
    if (!names.includes(state.plot.y)) state.plot.y = usual.find((name) => name !== state.plot.x) || names[1] || state.plot.x;
    const colors = ["", ...names, ...allColumns().filter((name) => surveys.get(name)?.KIND === "category")];
    if (!colors.includes(state.plot.color)) state.plot.color = "";
    const place = find("plot");
    if (names.length === 0) {
      place.replaceChildren(element("p", { class: "empty", text: surveys.isComplete ? "No column contains numbers." : "…" }));
      return;
    }
    const menu = (label, key, options) => {
      const select = element("select", { onchange: () => {
        state.plot[key] = select.value;
        writeAddress(false);
        this.draw();
      } }, ...options.map((name) => element("option", { value: name, text: name === "" ? "–" : (isFact(name) ? "ƒ " : "") + labelOf(name) })));
      select.value = state.plot[key];
      return element("label", {}, label, select);
    };
    if (!place.querySelector("canvas")) {
      place.replaceChildren(element("header"), element("div", { class: "field" }, this.canvas()));
    }
    place.querySelector("header").replaceChildren(menu("x", "x", names), menu("y", "y", names), menu("Color", "color", colors),
      element("small", { id: "plot-told", role: "status" }));
    const key = JSON.stringify([state.file, searchOf(), state.plot]);
    if (key !== this.key) {
      this.key = key;
      await this.load();
    }
    this.drawPoints();
  },

  async load() {
    this.turn += 1;
    const turn = this.turn;
    this.points = [];
    const names = [state.plot.x, state.plot.y, state.plot.color].filter(Boolean);
    const columns = [...new Set(names)].map(columnKey);
    const search = searchOf();
    for (let from = 0; from < this.most;) {
      let answer;
      try {
        answer = await source.ask({
          request: search ? "SEARCH" : "ROOT", entities: scope(), columns: ["SUMMARY_HEADER", ...columns], from,
          count: isServed ? 200 : 1000, ...search,
        });
      } catch (error) {
        tell(error.message);
        return;
      }
      if (turn !== this.turn) return;
      const rows = table(answer);
      rows.forEach((row, place) => {
        const [x, y] = [state.plot.x, state.plot.y].map((name) => row[columnKey(name)]);
        if (shortNumber(x || "") === null || shortNumber(y || "") === null) return;
        this.points.push({ id: row.PERM_ID, name: row.SUMMARY_HEADER, number: from + place, x: Number(x), y: Number(y),
          color: state.plot.color ? row[columnKey(state.plot.color)] || "" : "" });
      });
      from += rows.length;
      this.drawPoints();
      if (rows.length === 0 || from >= answer.total) break;
      if (from >= this.most) tell(`The plot shows the first ${grouped(this.most)} of ${grouped(answer.total)} records.`);
    }
  },

  scale(values, name, low, high) {
    const isLog = surveys.isLog(surveys.get(name)) && values.every((one) => one > 0);
    const to = (one) => (isLog ? Math.log10(one) : one);
    let [first, last] = [Infinity, -Infinity];
    for (const one of values) { first = Math.min(first, to(one)); last = Math.max(last, to(one)); }
    if (!(first < last)) [first, last] = [first - 1, first + 1];
    const edge = (last - first) * 0.03;
    [first, last] = [first - edge, last + edge];
    const ticks = [];
    if (isLog && last - first >= 2) for (let power = Math.ceil(first); power <= last; power += 1) ticks.push([power, String(Number((10 ** power).toPrecision(1)))]);
    else {
      const size = 10 ** Math.floor(Math.log10((last - first) / 5));
      const step = [1, 2, 5, 10].map((one) => one * size).find((one) => (last - first) / one <= 7);
      for (let value = Math.ceil(first / step) * step; value <= last; value += step) {
        ticks.push([value, shortNumber(String(Number((isLog ? 10 ** value : value).toPrecision(6))))]);
      }
    }
    const place = (one) => low + (to(one) - first) / (last - first) * (high - low);
    return { place, ticks: ticks.map(([value, text]) => [low + (value - first) / (last - first) * (high - low), text]) };
  },

  colors() {
    const name = state.plot.color;
    if (!name) return () => this.theme("--in");
    if (surveys.isNumeric(name)) {
      return (point) => {
        const level = shortNumber(point.color) === null ? null : surveys.position(name, Number(point.color));
        return level === null ? this.theme("--faint") : `hsl(${Math.round(230 - 200 * level)} 70% ${dark.matches ? 65 : 45}%)`;
      };
    }
    const values = (surveys.get(name)?.VALUES || []).map((one) => one[0]);
    return (point) => {
      const place = values.indexOf(point.color.trim());
      return place < 0 ? this.theme("--faint") : `hsl(${(140 + place * 137) % 360} 55% ${dark.matches ? 65 : 42}%)`;
    };
  },

  theme(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); },

  drawPoints() {
    const canvas = find("plot").querySelector("canvas");
    if (state.view !== "plot" || !canvas) return;
    const box = canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.max(1, box.width * ratio), Math.max(1, box.height * ratio)];
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "11px " + getComputedStyle(document.body).fontFamily;
    context.clearRect(0, 0, box.width, box.height);
    const told = find("plot-told");
    if (told) told.textContent = `${grouped(this.points.length)} points` + (state.plot.color && !surveys.isNumeric(state.plot.color)
      ? ": " + (surveys.get(state.plot.color)?.VALUES || []).slice(0, 6).map((one) => one[0]).join(", ") : "");
    canvas.setAttribute("aria-label", `Plot of ${labelOf(state.plot.y)} against ${labelOf(state.plot.x)}, ${this.points.length} points`);
    if (this.points.length === 0) return;
    const x = this.scale(this.points.map((one) => one.x), state.plot.x, 52, box.width - 12);
    const y = this.scale(this.points.map((one) => one.y), state.plot.y, box.height - 40, 12);
    context.strokeStyle = this.theme("--line");
    context.fillStyle = this.theme("--quiet");
    context.textAlign = "center";
    for (const [place, text] of x.ticks) {
      context.beginPath(); context.moveTo(place, 12); context.lineTo(place, box.height - 40); context.stroke();
      context.fillText(text, place, box.height - 26);
    }
    context.textAlign = "right";
    for (const [place, text] of y.ticks) {
      context.beginPath(); context.moveTo(52, place); context.lineTo(box.width - 12, place); context.stroke();
      context.fillText(text, 46, place + 4);
    }
    context.textAlign = "center";
    context.fillStyle = this.theme("--text");
    context.fillText(labelOf(state.plot.x), box.width / 2, box.height - 8);
    context.save();
    context.translate(12, box.height / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(labelOf(state.plot.y), 0, 0);
    context.restore();
    const color = this.colors();
    const size = this.points.length > 4000 ? 2 : 3;
    for (const point of this.points) {
      [point.left, point.top] = [x.place(point.x), y.place(point.y)];
      context.globalAlpha = this.points.length > 2000 ? 0.6 : 0.85;
      context.fillStyle = color(point);
      context.beginPath();
      context.arc(point.left, point.top, size, 0, 7);
      context.fill();
    }
    context.globalAlpha = 1;
    context.strokeStyle = this.theme("--text");
    context.lineWidth = 1.5;
    for (const point of this.points) {
      if (!selection.has(point.id) && point.id !== state.id) continue;
      context.beginPath();
      context.arc(point.left, point.top, size + 2, 0, 7);
      context.stroke();
    }
    if (this.lasso) {
      context.strokeStyle = this.theme("--accent");
      context.beginPath();
      this.lasso.forEach(([left, top], place) => (place === 0 ? context.moveTo(left, top) : context.lineTo(left, top)));
      context.closePath();
      context.stroke();
    }
  },

  canvas() {
    const canvas = element("canvas", { tabindex: "0", role: "img" });
    const local = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.lasso = [local(event)];
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.lasso) return;
      this.lasso.push(local(event));
      this.drawPoints();
    });
    canvas.addEventListener("pointerup", (event) => {
      const lasso = this.lasso;
      this.lasso = null;
      if (!lasso) return;
      if (lasso.length < 5) this.choose(local(event));
      else {
        if (!event.shiftKey) { selection.all = false; selection.ids.clear(); }
        for (const point of this.points) if (this.isInside(point, lasso)) selection.ids.add(point.id);
        selection.changed();
      }
      this.drawPoints();
    });
    return canvas;
  },

  /** Shows the record of the nearest point. */
  choose([left, top]) {
    let [best, least] = [null, 144];
    for (const point of this.points) {
      const distance = (point.left - left) ** 2 + (point.top - top) ** 2;
      if (distance < least) [best, least] = [point, distance];
    }
    if (best) show(best.id, true).then(() => this.drawPoints());
  },

  isInside(point, lasso) {
    let isIn = false;
    for (let place = 0, last = lasso.length - 1; place < lasso.length; last = place, place += 1) {
      const [[a, b], [c, d]] = [lasso[place], lasso[last]];
      if (b > point.top !== d > point.top && point.left < (c - a) * (point.top - b) / (d - b) + a) isIn = !isIn;
    }
    return isIn;
  },
};
