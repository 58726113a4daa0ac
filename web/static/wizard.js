// The page on which a game is set up. What is chosen is sent as it stands; the seats are drawn by the companion.
"use strict";

const SAYING = 6000; // milliseconds for which a message stays
const ONWARD = 500; // milliseconds between looks whether the game has begun

const form = document.getElementById("choice");
const seats = document.getElementById("seats");
const say = document.getElementById("say");

function local(path) {
  return `${path}${path.includes("?") ? "&" : "?"}lang=${document.documentElement.lang}`;
}

function tell(text) {
  say.textContent = text;
  say.classList.add("shown");
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => say.classList.remove("shown"), SAYING);
}

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

async function send(path, choice) {
  const headers = { "Content-Type": "application/json", "X-Token": document.body.dataset.token };
  try {
    const answer = await fetch(local(path), { method: "POST", headers, body: JSON.stringify(choice) });
    const told = answer.headers.get("Content-Type").includes("json") ? await answer.json() : await answer.text();
    if (answer.ok) return told;
    tell(told.error);
  } catch (error) {
    tell(document.body.dataset.lost);
  }
  return null;
}

async function draw(choice, more = "") {
  const drawn = await send(`/seats${more}`, choice);
  if (drawn) Idiomorph.morph(seats, drawn, { morphStyle: "innerHTML" });
}

form.addEventListener("change", (event) => {
  if (event.target.name !== "name") draw(chosen());
});

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-up], [data-remove], [data-more]");
  if (!button) return;
  const choice = chosen();
  if ("more" in button.dataset) return void draw(choice, "?more=1");
  const number = Number(button.closest(".seat").dataset.number);
  const [seat] = choice.seats.splice(number, 1);
  if ("up" in button.dataset) choice.seats.splice(number - 1, 0, seat);
  draw(choice);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = await send("/begin", chosen());
  if (told) tell(told.said);
});

// What comes next has the same address, and no such path. Between the two nobody answers.
async function goOn() {
  try {
    if ((await fetch("/seating")).status === 404) location.replace(local("/"));
  } catch (error) {
    // Not yet.
  }
}

setInterval(goOn, ONWARD); // whoever began it
