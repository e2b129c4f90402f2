"use strict";

// Asks for a token once. One that comes behind the # of the address is taken without a question: nothing of that travels.

async function enter(token) {
  const answer = await fetch("enter", { method: "POST", headers: { Authorization: "Bearer " + token } });
  if (answer.ok) {
    location.replace("./");
  } else {
    document.getElementById("told").textContent = answer.status === 401 ? "There is no such token." : "That did not work.";
  }
}

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(document.getElementById("token").value.trim());
});

const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  history.replaceState(null, "", "./");
  enter(given);
}
