// The page on which a game is set up. It sends all choices at once; the companion renders the seats.
"use strict";

const form = document.getElementById("choice");
const seats = document.getElementById("seats");

// Returns the values of the fields in *part* by name; of boxes that share a name, a list of those that are ticked.
function values(part) {
  const found = {};
  for (const field of part.querySelectorAll("input, select")) {
    if (field.type !== "checkbox") found[field.name] = field.value;
    else found[field.name] = [...(found[field.name] ?? []), ...(field.checked ? [field.value] : [])];
  }
  return found;
}

function choices() {
  const { game, ...options } = values(document.getElementById("options"));
  return { game, options, seats: [...document.querySelectorAll(".seat")].map(values) };
}

// What people have unfolded stays so.
function isNotFolding(name, node) {
  return name !== "open" || node.tagName !== "DETAILS";
}

async function draw(choice, change = "") {
  const drawn = await request(`/seats${change}`, choice);
  if (!drawn) return false;
  Idiomorph.morph(seats, drawn, { morphStyle: "innerHTML", callbacks: { beforeAttributeUpdated: isNotFolding } });
  saveDraft();
  return true;
}

// Choices survive a reload of the page. Each new setup has another token, so that old choices are not restored.
const DRAFT = "setup_form";
const TOKEN = document.body.dataset.token;

function saveDraft() {
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify({ token: TOKEN, choice: choices() }));
  } catch (error) {
    // Without storage, a reload loses the choices.
  }
}

function savedDraft() {
  try {
    const { token, choice } = JSON.parse(sessionStorage.getItem(DRAFT)) ?? {};
    return token === TOKEN ? choice : null;
  } catch (error) {
    return null;
  }
}

function dropDraft() {
  try {
    sessionStorage.removeItem(DRAFT);
  } catch (error) {
    // Nothing was stored.
  }
}

async function restoreDraft() {
  const choice = savedDraft();
  if (!choice || !(await draw(choice))) dropDraft();
}

// What has just been chosen for a seat may go with something that is chosen for the game.
function chosen(value) {
  return `?chosen=${encodeURIComponent(value)}`;
}

form.addEventListener("input", saveDraft);
form.addEventListener("change", (event) => {
  if ("game" in event.target.dataset) return openGame(event.target.value);
  if (event.target.name === "name") return;
  draw(choices(), event.target.closest(".seat") ? chosen(event.target.value) : "");
});

// Another game has a form, texts and style sheets of its own.
function openGame(game) {
  dropDraft();
  location.assign(localized(`/?game=${encodeURIComponent(game)}`));
}

// What each button does to the seats; *number* is the button's own seat.
const CHANGES = {
  up: (all, number) => [...all.slice(0, number - 1), all[number], all[number - 1], ...all.slice(number + 1)],
  remove: (all, number) => all.filter((_, other) => other !== number),
  first: (all, number) => [...all.slice(number), ...all.slice(0, number)], // the player to the left is next
};

let picturedSeat = 0; // number of the seat for which a picture is being chosen

// Opens the sheet with the pictures of an option at the chosen one: there may be many.
function showPictures(option, chosen) {
  const sheet = document.getElementById(`pictures-${option}`);
  sheet.showModal();
  sheet.querySelector(`[data-value="${CSS.escape(chosen)}"]`)?.focus();
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const { more, pictures, option, value, close } = button?.dataset ?? {};
  const sheet = event.target.closest("dialog");
  if (sheet && (event.target === sheet || close !== undefined)) return sheet.close();
  if (more !== undefined) return void draw(choices(), "?more=1");
  const number = Number(button?.closest(".seat")?.dataset.number);
  if (pictures !== undefined) {
    picturedSeat = number;
    return showPictures(pictures, choices().seats[number][pictures]);
  }
  const choice = choices();
  if (option !== undefined) {
    choice.seats[picturedSeat][option] = value;
    sheet.close();
    return void draw(choice, chosen(value));
  }
  const change = Object.keys(CHANGES).find((name) => name in (button?.dataset ?? {}));
  if (change) draw({ ...choice, seats: CHANGES[change](choice.seats, number) });
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await request("/begin", choices());
  if (answer) showMessage(answer.message);
});

document.getElementById("learn")?.addEventListener("click", async (event) => {
  const answer = await request("/learn", { game: event.currentTarget.dataset.game });
  if (answer) showMessage(answer.message);
});

document.getElementById("back")?.addEventListener("click", async () => {
  const answer = await request("/back", {});
  if (answer) showMessage(answer.message);
});

document.getElementById("switch-off")?.addEventListener("click", () => {
  const sheet = document.getElementById("switch-off-dialog");
  ignoreDoubleTaps(sheet);
  sheet.showModal();
});
document.getElementById("switch-off-dialog")?.addEventListener("click", async (event) => {
  const sheet = event.currentTarget;
  const button = event.target.closest("button");
  if (event.target === sheet || button?.dataset.close !== undefined) return sheet.close();
  if (button?.dataset.do !== "switch_off") return;
  const answer = await request("/switch-off", {});
  if (!answer) return sheet.close();
  sheet.querySelector("p").textContent = answer.message; // stays: the companion no longer answers
  button.remove();
});

restoreDraft();
followWhenGone(document.body.dataset.ownPath, dropDraft); // also when another device has begun the game

document.documentElement.dataset.runs = ""; // see supported.js
