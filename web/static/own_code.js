// The form for the code of a player's own page. A QR code brings the code along, behind the address's #: it is used at once.
"use strict";

const form = document.getElementById("code-form");
const toast = document.getElementById("toast");

function showMessage(text) {
  toast.textContent = text;
  toast.classList.add("shown");
}

async function join(code) {
  const address = `${form.dataset.address}?lang=${document.documentElement.lang}`;
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify({ code }) });
    if (answer.ok) return location.reload();
    showMessage((await answer.json()).error);
  } catch (error) {
    showMessage(form.dataset.lost);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  join(form.elements.code.value.trim());
});

const brought = location.hash.slice(1);
if (brought) {
  history.replaceState(null, "", location.pathname + location.search);
  join(brought);
}

document.documentElement.dataset.runs = ""; // see supported.js
