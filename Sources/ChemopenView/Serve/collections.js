// The collections of a team server: a list to choose from, and the way to leave

// The value of `state.file` that stands for the records of all collections.
const everything = "all";

/** Returns the entities of requests about the shown collection or file: none means all. */
const scope = () => (state.file === everything ? [] : [{ PERM_ID: state.file }]);

/** Returns the name of a collection or file in menus. */
function nameOfFile(one) {
  // The name of a category that is not a file starts with the name of its collection.
  const isFile = !isServed || (one.PROPERTIES || []).some((property) => property.name === "format");
  return isFile || !one.CATEGORY ? one.SUMMARY_HEADER : `${one.CATEGORY}: ${one.SUMMARY_HEADER}`;
}

const picker = {
  // The maximum number of entries to draw; a long menu is slow.
  most: 500, least: 30,

  /** Whether the files are in a list with a search instead of a menu. */
  get isUsed() { return isServed || files.length > this.least; },

  entries() {
    const all = { key: everything, label: "All collections", hint: grouped(files.reduce((sum, one) => sum + (parseInt(one.SUMMARY, 10) || 0), 0)) + " records" };
    const own = files.map((one) => ({ key: one.PERM_ID, label: nameOfFile(one), hint: one.SUMMARY }));
    return isServed && files.length > 1 ? [all, ...own] : own;
  },

  draw() {
    const words = find("collection-sought").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.entries().filter((one) => words.every((word) => one.label.toLowerCase().includes(word)));
    const shown = found.slice(0, this.most).map((one) => element("button", {
      type: "button", "data-key": one.key, "aria-current": one.key === state.file ? "true" : undefined,
      onclick: () => { find("picker").close(); openFile(one.key); },
    }, element("span", { text: one.label }), element("small", { text: one.hint })));
    const rest = found.length - shown.length;
    const note = found.length === 0 ? "No match." : rest > 0 ? `${grouped(rest)} more; type a part of the name` : "";
    find("collection-choices").replaceChildren(...shown, ...(note ? [element("p", { class: "under", text: note })] : []));
  },

  open() {
    find("collection-sought").value = "";
    find("picker").querySelector("h2").textContent = isServed ? "Collections" : "Files";
    this.draw();
    find("picker").showModal();
    const current = find("collection-choices").querySelector("[aria-current]");
    current?.scrollIntoView({ block: "center" });
    find("collection-sought").focus();
  },

  key(event) {
    const buttons = [...find("collection-choices").querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    if (event.key === "Enter" && at < 0) buttons[0]?.click();
    else if (event.key === "ArrowDown") buttons[Math.min(buttons.length - 1, at + 1)]?.focus();
    else if (event.key === "ArrowUp") (at > 0 ? buttons[at - 1] : find("collection-sought")).focus();
    else return;
    event.preventDefault();
  },

  /** Shows the name of the chosen collection. */
  drawName() {
    const isUsed = this.isUsed;
    find("file").hidden = isUsed;
    find("collection").hidden = !isUsed;
    const own = this.entries().find((one) => one.key === state.file);
    find("collection-name").textContent = own ? own.label : "No collections";
  },
};

find("collection").addEventListener("click", () => picker.open());
find("collection-sought").addEventListener("input", () => picker.draw());
find("picker").addEventListener("keydown", (event) => picker.key(event));

const departure = {
  /** Deletes everything that the page stores on this device, and then the token. */
  async leave() {
    kept.isLeaving = true;
    find("leave-now").disabled = true;
    find("leave-told").textContent = "";
    let hasLeft = false;
    try {
      hasLeft = (await fetch("leave", { method: "POST" })).ok;
    } catch {
      // Without a network, the browser keeps the cookie, which scripts cannot access.
    }
    await kept.clearDevice();
    if (hasLeft) { location.replace("./"); return; }
    kept.isLeaving = false;
    find("leave-now").disabled = false;
    find("leave-told").textContent = "The copies on this device are deleted, but the browser still has the token "
      + "because the server cannot be reached. Leave again when it can, or let the administrator revoke the token.";
  },
};

find("leave").hidden = !isServed;
find("leave").addEventListener("click", () => { find("leave-told").textContent = ""; find("leaver").showModal(); });
find("leave-now").addEventListener("click", () => departure.leave());
