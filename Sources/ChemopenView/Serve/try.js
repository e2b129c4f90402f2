"use strict";

// Sends raw requests and shows the answers, to help authors of mappings and clients.

const find = (id) => document.getElementById(id);
let entity = null;

const kinds = {
  CLIENT_PREFS: () => ({ request: "CLIENT_PREFS" }),
  NAVIGATION: () => ({ request: "NAVIGATION" }),
  ROOT: () => (entity ? { request: "ROOT", category: entity.REFCON, count: 10 } : { request: "ROOT", count: 10 }),
  ORPHANS: () => ({ request: "ROOT", level: "orphans", count: 100 }),
  DRILL: () => ({ request: "DRILL", entities: entity ? [entity] : [], count: 10 }),
  DETAIL: () => ({ request: "DETAIL", entities: entity ? [entity] : [] }),
  SEARCH: () => ({ request: "SEARCH", searchtext: "", searchdomain: null, count: 10 }),
  SKETCH: () => (entity ? { request: "SKETCH", entities: [entity] } : { request: "SKETCH", text: "CCO" }),
};

function cell(value) {
  const made = document.createElement("td");
  const address = value && value.DATA && `data:image/${value.DATA.FORMAT === "SVG" ? "svg+xml" : "png"};base64,${value.DATA.BASE64}`;
  const image = value && value.MARQUEE ? value.MARQUEE : null;
  if (image) return cell(image);
  if (address) {
    const picture = document.createElement("img");
    picture.src = address;
    picture.alt = "";
    picture.width = 160;
    made.append(picture);
  } else {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    made.textContent = text.length > 300 ? text.slice(0, 300) + "…" : text;
  }
  return made;
}

async function send() {
  const began = performance.now();
  find("rows").replaceChildren();
  let text = "";
  try {
    const response = await fetch("browse", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: find("request").value,
    });
    text = await response.text();
    const answer = JSON.parse(text);
    const again = response.headers.get("Retry-After");
    const note = answer.note ? `; ${answer.note}` : "";
    find("told").textContent = answer.error
      || `${response.status}, ${answer.rows.length} of ${answer.total ?? answer.rows.length} rows, ${text.length} bytes, `
      + `${Math.round(performance.now() - began)} ms` + (again ? `; retry in ${again} s` : "") + note;
    if (answer.error) return;
    const head = document.createElement("tr");
    head.append(...answer.headers.map((name) => Object.assign(document.createElement("th"), { textContent: name })));
    const rows = answer.rows.map((values) => {
      const row = document.createElement("tr");
      row.append(...values.map(cell));
      if (answer.headers[0] === "PERM_ID") {
        row.addEventListener("click", () => { entity = { PERM_ID: values[0], REFCON: values[1] }; propose("DETAIL"); });
      }
      return row;
    });
    find("rows").replaceChildren(head, ...rows);
  } catch (error) {
    find("told").textContent = error.message;
  } finally {
    find("answer").textContent = text;
  }
}

function propose(kind) {
  find("request").value = JSON.stringify(kinds[kind](), null, 1).replace(/\n\s*/g, " ");
}

find("kinds").append(...Object.keys(kinds).map((kind) => {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind });
  button.addEventListener("click", () => { propose(kind); send(); });
  return button;
}));
find("send").addEventListener("click", send);
propose("CLIENT_PREFS");
send();
