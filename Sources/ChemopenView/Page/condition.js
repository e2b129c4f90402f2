// Conditions in a self-contained page, which has no program to evaluate them: the comparisons, without structures

/** Returns a function that tests a record: condition(text)(valueOf), where valueOf(name) returns the values of a field. */
function parseCondition(text) {
  let rest = text;
  const fail = (expected) => { throw new Error(`expected ${expected}${rest.trim() ? ", found " + rest.trim() : ", found the end"}`); };
  const take = (pattern) => {
    const found = pattern.exec(rest);
    if (!found) return null;
    rest = rest.slice(found[0].length);
    return found;
  };
  const number = (value) => (value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : null);
  const date = (value) => (/^\s*\d{4}-\d\d-\d\d(?!\S{0}\d)/.test(value) ? value.trim().slice(0, 10) : null);
  const order = (value, limit) => {
    const [a, b] = [number(value), number(limit)];
    if (b !== null) return a === null ? null : a - b;
    const [c, d] = [date(value), date(limit)];
    if (d !== null) return c === null ? null : c < d ? -1 : c > d ? 1 : 0;
    return null;
  };
  const isSame = (value, other) => (number(other) !== null && number(value) !== null ? number(value) === number(other) : value.trim() === other.trim());
  const literal = (inList) => {
    const found = take(/^\s*'([^']*)'/) || take(/^\s*"([^"]*)"/);
    if (found) return found[1];
    const plain = take(inList ? /^\s*([^,)]+)/ : /^\s*((?:(?!\s+(?:and|or)\s)[^)])+)/i);
    if (!plain) fail("a value");
    return plain[1].trim();
  };
  const part = () => {
    if (take(/^\s*not\b/i)) { const inner = part(); return (of) => !inner(of); }
    if (take(/^\s*\(/)) {
      const inner = any();
      if (!take(/^\s*\)/)) fail(")");
      return inner;
    }
    const special = /^\s*(has|contains|number)\s*\(/i.exec(rest);
    if (special) throw new Error(`${special[1]}() requires the program, which this page does not have`);
    const name = take(/^\s*"([^"]+)"/) || take(/^\s*((?:(?!\s+(?:not\s+)?(?:in\s*\(|between\s|exists|is\s))[^!<>=~()])+)/i);
    if (!name) fail("a field name");
    const values = (of) => of(name[1].trim());
    const isNot = Boolean(take(/^\s*not\b/i));
    const turned = (test) => (of) => values(of).some((value) => test(value) !== null && Boolean(test(value)) !== isNot);
    if (take(/^\s*in\s*\(/i)) {
      const list = [];
      do list.push(literal(true)); while (take(/^\s*,/));
      if (!take(/^\s*\)/)) fail(", or )");
      return turned((value) => list.some((one) => isSame(value, one)));
    }
    if (take(/^\s*between\b/i)) {
      const low = take(/^\s*(\S+)/);
      if (!low || !take(/^\s*and\b/i)) fail("and");
      const high = take(/^\s*([^\s)]+)/);
      if (!high) fail("a number or a date");
      return turned((value) => {
        const [a, b] = [order(value, low[1]), order(value, high[1])];
        return a === null || b === null ? null : a >= 0 && b <= 0;
      });
    }
    if (take(/^\s*exists\b/i)) return (of) => values(of).length > 0;
    const is = take(/^\s*is(\s+not)?\s+empty\b/i);
    if (is) return (of) => values(of).every((value) => value.trim() === "") !== Boolean(is[1]);
    const sign = take(/^\s*(!=|<=|>=|==?|<|>|~\*|~)/);
    if (!sign) fail("one of = != < <= > >= ~ ~* in between exists is after the field name");
    const other = literal(false);
    if (/[<>]/.test(sign[1]) && number(other) === null && date(other) === null) {
      throw new Error(`expected a number or a date such as 2024-01-31 after ${sign[1]}, found ${other}`);
    }
    const tests = {
      "=": (value) => isSame(value, other), "==": (value) => isSame(value, other), "!=": (value) => !isSame(value, other),
      "<": (value) => order(value, other) < 0 && order(value, other) !== null, "<=": (value) => order(value, other) !== null && order(value, other) <= 0,
      ">": (value) => order(value, other) > 0, ">=": (value) => order(value, other) !== null && order(value, other) >= 0,
      "~": (value) => value.includes(other), "~*": (value) => value.toLowerCase().includes(other.toLowerCase()),
    };
    return (of) => values(of).some(tests[sign[1]]);
  };
  const all = () => {
    const parts = [part()];
    while (take(/^\s*and\b/i)) parts.push(part());
    return (of) => parts.every((one) => one(of));
  };
  const any = () => {
    const parts = [all()];
    while (take(/^\s*or\b/i)) parts.push(all());
    return (of) => parts.some((one) => one(of));
  };
  const whole = any();
  if (rest.trim()) fail("\"and\", \"or\" or the end");
  return whole;
}

/** Returns the statistics of records in a self-contained page, in the form of the STATISTICS request. */
function pageStatistics(names, valuesOf) {
  const headers = ["NAME", "KIND", "COUNT", "EMPTY", "NUMBERS", "OTHERS", "EXAMPLE", "MIN", "MAX", "MEAN", "BINS", "POWERS", "DATES", "VALUES"];
  const bins = (values, most = 320) => {
    if (values.length === 0) return null;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const target = Math.max((high - low) / 150, Math.abs(high) * 1e-12, 1e-300);
    let width = 10 ** Math.floor(Math.log10(target));
    if (width < target) width = 2 * width >= target ? 2 * width : 10 * width;
    const first = Math.floor(low / width + 1e-9);
    const counts = new Array(Math.min(most, Math.floor(high / width + 1e-9) - first + 1)).fill(0);
    for (const value of values) counts[Math.min(counts.length - 1, Math.floor(value / width + 1e-9) - first)] += 1;
    return { first, width, counts, least: low, greatest: high };
  };
  const rows = names.map((name) => {
    const texts = valuesOf(name);
    const known = texts.map((one) => one.trim()).filter(Boolean);
    const isNumber = (one) => Number.isFinite(Number(one));
    const numbers = known.filter(isNumber).map(Number);
    const days = known.filter((one) => /^\d{4}-\d\d-\d\d/.test(one)).map((one) => Date.parse(one.slice(0, 10)) / 86400000).filter(Number.isFinite);
    const counts = new Map();
    for (const one of known) counts.set(one, (counts.get(one) || 0) + 1);
    const values = counts.size <= 64 && [...counts.keys()].every((one) => one.length <= 60) ? [...counts].sort((a, b) => b[1] - a[1]) : [];
    const kind = known.length === 0 ? "text" : numbers.length >= known.length * 0.6 ? "number" : days.length >= known.length * 0.6 ? "date"
      : values.length > 0 && values.length <= 20 && known.length >= 2 * values.length ? "category" : "text";
    let powers = null;
    if (numbers.length > 0 && numbers.every((one) => one > 0)) {
      const places = numbers.map((one) => Math.floor(Math.log10(one) * 20 + 1e-9));
      const first = Math.min(...places);
      powers = { first, perDecade: 20, counts: new Array(Math.max(...places) - first + 1).fill(0) };
      for (const place of places) powers.counts[place - first] += 1;
    }
    return ["field:" + name, kind, texts.length, texts.length - known.length, numbers.length, known.length - numbers.length,
      known.find((one) => !isNumber(one)) || "", numbers.length ? Math.min(...numbers) : null, numbers.length ? Math.max(...numbers) : null,
      numbers.length ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : null, bins(numbers), powers, bins(days), values];
  });
  return { headers, rows, total: rows.length, complete: true };
}
