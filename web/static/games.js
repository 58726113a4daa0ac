// Brings in games from a file that another companion has written, and lists them.
"use strict";

const form = document.getElementById("bring");
const told = document.getElementById("told");

function tell(sentences) {
  told.replaceChildren(...sentences.map((sentence) => {
    const line = document.createElement("p");
    line.textContent = sentence;
    return line;
  }));
}

// The list as it is now, in place of the one that is shown.
async function listAnew() {
  const page = await (await fetch(location.href)).text();
  const found = new DOMParser().parseFromString(page, "text/html");
  for (const part of ["past", "records"]) {
    document.getElementById(part).replaceWith(document.importNode(found.getElementById(part), true));
  }
}

form?.elements.file.addEventListener("change", async () => {
  const [file] = form.elements.file.files;
  if (!file) return;
  tell([told.dataset.reading]);
  const headers = { "Content-Type": "application/jsonl", "X-Companion-Token": form.dataset.token };
  try {
    const answer = await fetch(`/games.jsonl?lang=${document.documentElement.lang}`, { method: "POST", headers, body: file });
    const json = await answer.json();
    tell(answer.ok ? json.told : [json.error]);
    if (answer.ok) await listAnew();
  } catch (error) {
    tell([told.dataset.lost]);
  }
  form.reset();
});

document.documentElement.dataset.runs = ""; // see supported.js
