// The page on which a game is set up. What is chosen is sent as it stands; the seats are drawn by the companion.
"use strict";

const form = document.getElementById("choice");
const seats = document.getElementById("seats");

function chosen() {
  const fields = (seat) => [...seat.querySelectorAll("input, select")].filter((one) => one.type !== "checkbox");
  const ticked = (seat) => [...seat.querySelectorAll(":checked[type=checkbox]")].map((box) => box.value);
  return {
    edition: form.elements.edition.value,
    seats: [...document.querySelectorAll(".seat")].map((seat) => ({
      ...Object.fromEntries(fields(seat).map((field) => [field.name, field.value])),
      modifiers: ticked(seat),
    })),
  };
}

async function draw(choice, more = "") {
  const drawn = await ask(`/seats${more}`, choice);
  if (!drawn) return false;
  Idiomorph.morph(seats, drawn, { morphStyle: "innerHTML" });
  keep();
  return true;
}

// What was chosen and typed outlives a page that is loaded again; another time that people sit down has another token.
const KEPT = "seating";
const TOKEN = document.body.dataset.token;

function keep() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ token: TOKEN, choice: chosen() }));
  } catch (error) {
    // Without storage, it is gone with the page.
  }
}

function kept() {
  try {
    const { token, choice } = JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
    return token === TOKEN ? choice : null;
  } catch (error) {
    return null;
  }
}

function forget() {
  try {
    sessionStorage.removeItem(KEPT);
  } catch (error) {
    // Nothing is kept.
  }
}

async function restore() {
  const choice = kept();
  if (!choice || !(await draw(choice))) forget();
}

form.addEventListener("input", keep);
form.addEventListener("change", (event) => {
  if (event.target.name !== "name") draw(chosen());
});

// What a button makes of the seats; *number* is that of the seat it belongs to.
const CHANGES = {
  up: (all, number) => [...all.slice(0, number - 1), all[number], all[number - 1], ...all.slice(number + 1)],
  remove: (all, number) => all.filter((_, other) => other !== number),
  first: (all, number) => [...all.slice(number), ...all.slice(0, number)], // who sits to the left comes next
};

let asking = 0; // the seat whose duchy is looked for

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const { more, duchies, duchy, close } = button?.dataset ?? {};
  const sheet = document.getElementById("duchies");
  if (event.target === sheet || close !== undefined) return sheet.close();
  if (more !== undefined) return void draw(chosen(), "?more=1");
  const number = Number(button?.closest(".seat")?.dataset.number);
  if (duchies !== undefined) {
    asking = number;
    return sheet.showModal();
  }
  const choice = chosen();
  if (duchy !== undefined) {
    choice.seats[asking].duchy = duchy;
    sheet.close();
    return void draw(choice);
  }
  const change = Object.keys(CHANGES).find((name) => name in (button?.dataset ?? {}));
  if (change) draw({ ...choice, seats: CHANGES[change](choice.seats, number) });
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = await ask("/begin", chosen());
  if (told) tell(told.said);
});

document.getElementById("back")?.addEventListener("click", async () => {
  const told = await ask("/back", {});
  if (told) tell(told.said);
});

document.getElementById("leave")?.addEventListener("click", () => {
  const sheet = document.getElementById("leaving");
  waitToBeSure(sheet);
  sheet.showModal();
});
document.getElementById("leaving")?.addEventListener("click", async (event) => {
  const sheet = event.currentTarget;
  const button = event.target.closest("button");
  if (event.target === sheet || button?.dataset.close !== undefined) return sheet.close();
  if (button?.dataset.do !== "switch_off") return;
  const told = await ask("/switch-off", {});
  if (!told) return sheet.close();
  sheet.querySelector("p").textContent = told.said; // stays, for nobody answers any more
  button.remove();
});

restore();
goOnWithout(document.body.dataset.here, forget); // whoever began it

document.documentElement.dataset.runs = ""; // see supported.js
