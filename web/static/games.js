// Imports games from a file that another companion has written, and updates the list.
"use strict";

const form = document.getElementById("import");
const report = document.getElementById("import-report");

function showReport(sentences) {
  report.replaceChildren(...sentences.map((sentence) => {
    const line = document.createElement("p");
    line.textContent = sentence;
    return line;
  }));
}

// Replaces the shown list by the current one.
async function updateList() {
  const page = await (await fetch(location.href)).text();
  const found = new DOMParser().parseFromString(page, "text/html");
  for (const part of ["past", "records"]) {
    document.getElementById(part).replaceWith(document.importNode(found.getElementById(part), true));
  }
}

form?.elements.file.addEventListener("change", async () => {
  const [file] = form.elements.file.files;
  if (!file) return;
  showReport([report.dataset.reading]);
  const headers = { "Content-Type": "application/jsonl", "X-Companion-Token": form.dataset.token };
  try {
    const answer = await fetch(`/games.jsonl?lang=${document.documentElement.lang}`, { method: "POST", headers, body: file });
    const json = await answer.json();
    showReport(answer.ok ? json.messages : [json.error]);
    if (answer.ok) await updateList();
  } catch (error) {
    showReport([report.dataset.lost]);
  }
  form.reset();
});

document.documentElement.dataset.runs = ""; // see supported.js
