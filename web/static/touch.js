// Touching pieces (see web/touch.py): a touched piece lights up what can be touched next; once the move is clear, it is made.
// It works while a turn is entered by hand; otherwise a tap on a piece opens its sheet (see page.js).
"use strict";

let touched = []; // names of the pieces, in order
let lit = new Map(); // name of a piece that can be touched next -> what is then entered; null if more has to be touched
let touchedVersion = null; // of the table on which they were touched

function pieces(name) {
  return document.querySelectorAll(`[data-piece="${CSS.escape(name)}"]`);
}

function forgetTouches() {
  touched = [];
  lit = new Map();
  for (const badge of document.querySelectorAll(".worth")) badge.remove();
  for (const piece of document.querySelectorAll(".touched-piece, .lit")) piece.classList.remove("touched-piece", "lit");
  const card = document.getElementById("touched");
  if (card) card.replaceChildren();
}

async function touchPiece(name) {
  if (lit.get(name)) return make(lit.get(name));
  if (touched.includes(name)) return leaveTouches();
  const next = lit.has(name) ? [...touched, name] : [name];
  const { version } = state();
  try {
    const fields = next.map((piece) => `piece=${encodeURIComponent(piece)}`).join("&");
    const answer = await fetch(localized(`/touch?${fields}`));
    const given = await answer.json();
    if (!answer.ok) return showMessage(given.error);
    if (state().version !== version) return;
    if (given.do) make(given.do);
    else showTouches(next, given);
  } catch (error) {
    showAge();
  }
}

function leaveTouches() {
  forgetTouches();
  fit();
}

function make(text) {
  forgetTouches();
  send({ do: "tap", text });
}

function showTouches(names, given) {
  forgetTouches();
  touched = names;
  touchedVersion = state().version;
  for (const name of names) for (const piece of pieces(name)) piece.classList.add("touched-piece");
  for (const one of given.lit) {
    lit.set(one.piece, one.do);
    for (const piece of pieces(one.piece)) {
      piece.classList.add("lit");
      piece.insertAdjacentHTML("beforeend", one.badge);
    }
  }
  const card = document.getElementById("touched");
  card.innerHTML = given.card;
  fit();
  card.scrollIntoView({ block: "nearest" });
}

// Before what a tap on a piece opens otherwise.
document.addEventListener("click", (event) => {
  const piece = event.target.closest("[data-piece]");
  if (!piece || !("touch" in state()) || sheet.contains(piece)) return;
  event.stopPropagation();
  touchPiece(piece.dataset.piece);
}, true);

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && touched.length) leaveTouches();
});

document.addEventListener("table", () => {
  if (touched.length && state().version !== touchedVersion) forgetTouches();
});
