// The form for what the owner's copy prints. Answers are sent in the format of the Châteauma's setup; the companion renders
// everything that is shown.
"use strict";

const sheet = document.getElementById("sheet");

// --- answering ---

async function saveAnswers(answers) {
  const saved = await request("/answers", answers);
  if (!saved) return;
  for (const [name, part] of Object.entries(saved.parts)) {
    const shown = document.getElementById(name);
    if (shown) Idiomorph.morph(shown, part);
  }
  if (sheet.open) sheet.close();
  showMessage(saved.message);
}

const ANSWERS = {
  order: (form) => ({ inventory_order: ranked(form).map((button) => button.dataset.type) }),
  marks: (form) => ({ marks: { [form.dataset.modifier]: Object.fromEntries(marked(form)) } }),
  spots: (form) => ({ [form.id]: { places: [...form.querySelectorAll("[aria-checked=true]")].map((one) => JSON.parse(one.dataset.spot)) } }),
  trade: (form) => ({ trade_routes: { [form.dataset.letter]: [...form.querySelectorAll("fieldset")].map(tradeSquare) } }),
  card: (form) => ({ cards: { [form.dataset.number ?? form.elements.number.value]: spaces(form) } }),
};

function tradeSquare(square) {
  return [Number(square.querySelector("[data-number]").value), square.querySelector("[data-bonus]").value];
}

function marked(form) {
  return [...form.querySelectorAll("fieldset")]
    .map((colour) => [colour.dataset.type, [...colour.querySelectorAll(":checked")].map((box) => Number(box.value))])
    .filter(([, numbers]) => numbers.length);
}

// The spaces of a card. Untouched ones are left out, unless the card was read by the camera: then all are confirmed.
function spaces(form) {
  return [...form.querySelectorAll(".space-form")].map((space) => {
    const inputs = [...space.querySelectorAll("input")];
    const colour = space.querySelector("[type=radio]:checked")?.value;
    const touched = "read" in form.dataset || inputs.some((input) => input.checked !== input.defaultChecked);
    return colour && touched ? { colour, sell_goods: space.querySelector("[type=checkbox]").checked } : null;
  });
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  saveAnswers(ANSWERS[event.target.dataset.kind](event.target));
});

// --- the inventory's order ---

// Returns the tapped buttons in the order of their taps.
function ranked(form) {
  const chosen = [...form.querySelectorAll("[data-rank]")];
  return chosen.sort((one, other) => one.dataset.rank - other.dataset.rank);
}

function rank(form, chosen) {
  for (const button of form.querySelectorAll("[data-type]")) {
    const place = chosen.indexOf(button) + 1;
    if (place) button.dataset.rank = place;
    else delete button.dataset.rank;
    button.setAttribute("aria-pressed", place > 0);
    button.querySelector("b").textContent = place || "";
  }
}

function tapType(button) {
  const chosen = ranked(button.form);
  rank(button.form, chosen.includes(button) ? chosen.filter((one) => one !== button) : [...chosen, button]);
}

// --- places of a drawing ---

function toggleSpot(event) {
  const spot = event.target.closest("[data-spot]");
  if (!spot || (event.key !== undefined && ![" ", "Enter"].includes(event.key))) return;
  event.preventDefault();
  spot.setAttribute("aria-checked", spot.getAttribute("aria-checked") !== "true");
}

document.addEventListener("click", toggleSpot);
document.addEventListener("keydown", toggleSpot);

// --- what is tapped ---

function show(part, focus) {
  sheet.innerHTML = part;
  sheet.scrollTop = 0;
  if (!sheet.open) sheet.showModal();
  const space = sheet.querySelectorAll(".space-form")[focus];
  (space?.querySelector(":checked") ?? space?.querySelector("input"))?.focus();
}

async function openCard({ open, focus }) {
  const part = await request(open);
  if (part) show(part, focus);
}

async function read(button) {
  button.disabled = true;
  const part = await request("/reading", {});
  button.disabled = false;
  if (part) show(part);
}

async function leave(path) {
  const answer = await request(path, {});
  if (answer) showMessage(answer.message);
}

document.addEventListener("click", (event) => {
  if (event.target === sheet) return sheet.close(); // a tap outside the sheet
  const target = event.target.closest("button");
  if (!target) return;
  if ("answer" in target.dataset) saveAnswers(JSON.parse(target.dataset.answer));
  else if ("open" in target.dataset) openCard(target.dataset);
  else if ("type" in target.dataset) tapType(target);
  else if ("reset" in target.dataset) rank(target.form, []);
  else if ("read" in target.dataset) read(target);
  else if ("done" in target.dataset) leave("/done");
  else if ("back" in target.dataset) leave("/back");
  else if ("close" in target.dataset) sheet.close();
});

// --- on to the game ---

if ("game" in document.body.dataset) followWhenGone(document.body.dataset.ownPath);

document.documentElement.dataset.runs = ""; // see supported.js
