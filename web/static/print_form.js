// The page on which owners say what their copy prints. What is tapped is sent as the Châteauma's set-up takes it; all that
// is shown is made by the companion.
"use strict";

const sheet = document.getElementById("sheet");

// --- answering ---

async function keep(answers) {
  const kept = await ask("/answers", answers);
  if (!kept) return;
  for (const [name, part] of Object.entries(kept.parts)) {
    const shown = document.getElementById(name);
    if (shown) Idiomorph.morph(shown, part);
  }
  if (sheet.open) sheet.close();
  tell(kept.said);
}

const ANSWERS = {
  order: (form) => ({ inventory_order: ranked(form).map((button) => button.dataset.type) }),
  marks: (form) => ({ marks: { [form.dataset.modifier]: Object.fromEntries(marked(form)) } }),
  card: (form) => ({ cards: { [form.dataset.number ?? form.elements.number.value]: spaces(form) } }),
};

function marked(form) {
  return [...form.querySelectorAll("fieldset")]
    .map((colour) => [colour.dataset.type, [...colour.querySelectorAll(":checked")].map((box) => Number(box.value))])
    .filter(([, numbers]) => numbers.length);
}

// The spaces of a card. Those that nobody has touched stay as they are, but for a reading: that is confirmed as a whole.
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
  keep(ANSWERS[event.target.dataset.kind](event.target));
});

// --- the inventory's order ---

// Its buttons that have been tapped, in that order.
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

// --- what is tapped ---

function show(part, focus) {
  sheet.innerHTML = part;
  sheet.scrollTop = 0;
  if (!sheet.open) sheet.showModal();
  const space = sheet.querySelectorAll(".space-form")[focus];
  (space?.querySelector(":checked") ?? space?.querySelector("input"))?.focus();
}

async function openCard({ open, focus }) {
  const part = await ask(open);
  if (part) show(part, focus);
}

async function read(button) {
  button.disabled = true;
  const part = await ask("/reading", {});
  button.disabled = false;
  if (part) show(part);
}

async function end() {
  const told = await ask("/done", {});
  if (told) tell(told.said);
}

document.addEventListener("click", (event) => {
  if (event.target === sheet) return sheet.close(); // beside the sheet
  const target = event.target.closest("button");
  if (!target) return;
  if ("answer" in target.dataset) keep(JSON.parse(target.dataset.answer));
  else if ("open" in target.dataset) openCard(target.dataset);
  else if ("type" in target.dataset) tapType(target);
  else if ("again" in target.dataset) rank(target.form, []);
  else if ("read" in target.dataset) read(target);
  else if ("done" in target.dataset) end();
  else if ("close" in target.dataset) sheet.close();
});

// --- on to the game ---

if ("game" in document.body.dataset) goOnWithout(document.body.dataset.here);

document.documentElement.dataset.runs = ""; // see supported.js
