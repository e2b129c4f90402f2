"use strict";

// The login page. A token in the fragment of the address is used directly: browsers do not send the fragment to the server.

async function enter(token) {
  const answer = await fetch("enter", { method: "POST", headers: { Authorization: "Bearer " + token } });
  if (answer.ok) {
    location.replace("./");
  } else {
    document.getElementById("told").textContent = answer.status === 401 ? "The token is not valid." : "The login failed.";
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
