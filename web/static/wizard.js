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
  const told = await ask("/begin", chosen());
  if (told) tell(told.said);
});

goOnWithout(document.body.dataset.here); // whoever began it
