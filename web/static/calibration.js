// Draws the boards that were found over the picture of the table; their corners are corrected by dragging. A board is
// given by its four anchors: the centres of the first and last space of its top row, then of the last and first space of
// its bottom row. Places off the boards and dice areas are moved and added the same way.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const { spaces: SPACES, anchors: ANCHORS } = JSON.parse(document.getElementById("shape").textContent); // in pitches
const FINGER = 22; // radius of the area that can be dragged, in px of the screen
const KNOB = 9; // radius of the drawn handle, on a board ...
const SMALL_KNOB = 4; // ... and on a place off the boards
const MARGIN = 0.12; // around what was found, relative to the sum of its width and height
const ZOOM = 3; // magnification of the loupe relative to the shown picture
const AREA = 5; // width of a new area of dice, in pitches
const CARD = [2.6, 4.4]; // half the width and height of a new area of a card, in pitches
const COLOURS = { red: "#d9544a", blue: "#5b93dc", green: "#62a957", black: "#222", yellow: "#e3b418", white: "#eee" };

const layout = JSON.parse(document.getElementById("layout").textContent);
const picture = document.getElementById("picture");
const overlay = document.getElementById("overlay");
const loupe = document.getElementById("loupe");
const list = document.getElementById("boards");
let touched = {}; // the points of a row, and the index of the one that was moved or tapped last
const unplaced = new WeakMap(); // points of a new row -> indices of those that have not been placed yet

// --- geometry ---

// The projective map that takes the four ANCHORS to the given points (Heckbert, Fundamentals of texture mapping, 1989).
function planeOf([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const area = dx1 * dy2 - dx2 * dy1;
  const [g, h] = [(sx * dy2 - dx2 * sy) / area, (dx1 * sy - sx * dy1) / area];
  const [[left, top], , [right, bottom]] = ANCHORS;
  return ([x, y]) => {
    const [u, v] = [(x - left) / (right - left), (y - top) / (bottom - top)];
    const depth = g * u + h * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / depth,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / depth,
    ];
  };
}

function hexagon([x, y]) {
  return Array.from({ length: 6 }, (_, corner) => {
    const angle = (corner * Math.PI) / 3 + Math.PI / 6;
    return [x + Math.cos(angle) / Math.sqrt(3), y + Math.sin(angle) / Math.sqrt(3)];
  });
}

// The square around a centre, rotated like the row from *first* to *last*.
function square([x, y], [first, last]) {
  const turn = Math.atan2(last[1] - first[1], last[0] - first[0]);
  const half = (layout.goods_width * pitch()) / Math.SQRT2;
  return Array.from({ length: 4 }, (_, corner) => {
    const angle = turn + ((corner + 0.5) * Math.PI) / 2;
    return [x + half * Math.cos(angle), y + half * Math.sin(angle)];
  });
}

function path(points) {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

// Pixels of the picture per pixel of the screen.
function scale() {
  return 1 / picture.getScreenCTM().a;
}

// Shows the part of the picture in which something was found or drawn, with a margin.
function frame() {
  const [width, height] = layout.image_size;
  const boards = layout.boards.flatMap((board) => SPACES.map(planeOf(board.anchors)));
  const areas = [...layout.dice, ...layout.cards].flatMap((area) => area.corners);
  const points = [...boards, ...layout.places.flatMap((places) => places.points), ...areas];
  if (!points.length) return;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const margin = (Math.max(...xs) - Math.min(...xs) + Math.max(...ys) - Math.min(...ys)) * MARGIN;
  const [left, top] = [Math.max(0, Math.min(...xs) - margin), Math.max(0, Math.min(...ys) - margin)];
  const [right, bottom] = [Math.min(width, Math.max(...xs) + margin), Math.min(height, Math.max(...ys) + margin)];
  picture.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
}

document.getElementById("show-all").addEventListener("click", () => {
  picture.setAttribute("viewBox", `0 0 ${layout.image_size.join(" ")}`);
  draw();
});

// --- drawing ---

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function paint(node, board) {
  node.style.setProperty("--own", COLOURS[board.player] ?? "#fff");
}

function drawLattice(board, parent) {
  const plane = planeOf(board.anchors);
  const hexagons = SPACES.map((space) => path(hexagon(space).map(plane))).join("");
  element("path", { d: hexagons, class: "outline" }, parent);
  element("path", { d: hexagons, class: "lattice" }, parent);
}

function draw() {
  overlay.replaceChildren();
  layout.dice.forEach((area) => drawDice(area, element("g", { class: "area" }, overlay)));
  layout.cards.forEach((area) => drawCard(area, element("g", { class: "places" }, overlay)));
  layout.boards.forEach((board, number) => {
    const group = element("g", {}, overlay);
    paint(group, board);
    drawLattice(board, group);
    const plane = planeOf(board.anchors);
    const [x, y] = plane([0, 0]);
    const size = Math.hypot(plane([0, 1])[0] - x, plane([0, 1])[1] - y);
    const sign = element("text", { x, y, class: "number", "font-size": 2 * size, "stroke-width": 0.2 * size }, group);
    sign.textContent = number + 1;
    board.anchors.forEach((_, corner) => {
      const label = formatted("moved", { number: number + 1, corner: corner + 1 });
      drawHandle(group, board.anchors, corner, label, KNOB, corner < 2 ? "knob top" : "knob");
    });
  });
  layout.places.forEach((places) => drawPlaces(places, element("g", { class: "places" }, overlay)));
}

function drawPlaces(places, group) {
  const row = [places.points[0], places.points.at(-1)];
  places.points.forEach(([x, y], index) => {
    const knob = touched.points === places.points && touched.index === index ? "knob touched" : "knob";
    drawHandle(group, places.points, index, `${nameOf(places.name)} ${index + 1}`, SMALL_KNOB, knob);
    if (shapeOf(places.name) === "square") element("path", { d: path(square([x, y], row)), class: "place" }, group);
    else element("circle", { cx: x, cy: y, r: pitch() / 2, class: "place" }, group);
  });
  drawText(group, row[0], nameOf(places.name));
}

function drawDice(area, group) {
  if (area.owner) paint(group, { player: area.owner });
  const name = optionIn("area", area.owner ?? "").textContent;
  drawArea(group, area.corners, name, 0);
  drawText(group, area.corners[0], name);
}

// The top of a card is the side between its first two corners.
function drawCard(area, group) {
  const option = optionIn("card", area.name);
  drawArea(group, area.corners, option.textContent, 2);
  const [[x0, y0], , [x2, y2]] = area.corners;
  drawText(group, [(x0 + x2) / 2, (y0 + y2) / 2], option.dataset.short);
}

// An area that is dragged by its inside or its corners; the first *top* corners are marked.
function drawArea(group, corners, name, top) {
  const body = element("path", { d: path(corners), class: "place body" }, group);
  body.addEventListener("pointerdown", (event) => drag(event, corners[0], (to) => shift(corners, to)));
  corners.forEach((_, corner) => {
    drawHandle(group, corners, corner, `${name} ${corner + 1}`, SMALL_KNOB, corner < top ? "knob top" : "knob");
  });
}

// Returns the option *value* of the template *id*.
function optionIn(id, value) {
  return document.getElementById(id).content.querySelector(`option[value="${value}"]`);
}

function drawText(group, [x, y], words) {
  const size = 0.55 * pitch();
  element("text", { x, y: y - 0.75 * pitch(), class: "number", "font-size": size, "stroke-width": size / 7 }, group).textContent = words;
}

// Pixels of the picture from a space of the first board to its neighbour.
function pitch() {
  if (!layout.boards.length) return 30;
  const plane = planeOf(layout.boards[0].anchors);
  return Math.hypot(plane([1, 0])[0] - plane([0, 0])[0], plane([1, 0])[1] - plane([0, 0])[1]);
}

function nameOf(name) {
  return optionIn("group", name).textContent;
}

function shapeOf(name) {
  return optionIn("group", name).dataset.shape;
}

function formatted(text, fields) {
  return Object.entries(fields).reduce((result, [key, value]) => result.replace(`{${key}}`, value), document.body.dataset[text]);
}

// Draws a handle that moves *points[index]* by dragging or by arrow keys.
function drawHandle(group, points, index, label, size, knob) {
  const [cx, cy] = points[index];
  const handle = element("circle", {
    cx, cy, r: FINGER * scale(), class: "handle", tabindex: 0, role: "button", "aria-label": label,
  }, group);
  element("circle", { cx, cy, r: size * scale(), class: knob }, group);
  handle.addEventListener("pointerdown", (event) => {
    touched = { points, index };
    drag(event, points[index], (to) => movePoint(points, index, to));
    draw();
  });
  handle.addEventListener("keydown", (event) => nudge(event, points, index, label));
}

// --- moving ---

// Calls *move* with the position to which *from* is dragged, and magnifies what lies there.
function drag(event, from, move) {
  event.preventDefault();
  const start = position(event);
  const [x, y] = from;
  const follow = (moved) => {
    const now = position(moved);
    const to = [x + now.x - start.x, y + now.y - start.y];
    move(to);
    draw();
    magnify(to);
  };
  const drop = () => {
    loupe.setAttribute("hidden", "");
    removeEventListener("pointermove", follow);
    removeEventListener("pointerup", drop);
    removeEventListener("pointercancel", drop);
  };
  addEventListener("pointermove", follow);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
  magnify(from);
}

// Moves all *points* so that the first one is at *to*.
function shift(points, to) {
  const [dx, dy] = [to[0] - points[0][0], to[1] - points[0][1]];
  points.forEach(([x, y], index) => { points[index] = [x + dx, y + dy]; });
}

// Moves *points[index]*. Points of a new row that have not been placed yet move along: shifted with the first one that is
// placed, then rotated and scaled around it with the second.
function movePoint(points, index, to) {
  const loose = unplaced.get(points) ?? new Set();
  loose.delete(index);
  const placed = points.filter((_, i) => i !== index && !loose.has(i));
  const from = points[index];
  if (placed.length < 2) {
    const follow = placed.length ? spread(placed[0], from, to) : ([x, y]) => [x + to[0] - from[0], y + to[1] - from[1]];
    loose.forEach((i) => { points[i] = follow(points[i]); });
  }
  points[index] = to;
}

// Returns the similarity transform that keeps the first point fixed and maps the second to the third.
function spread([cx, cy], [fx, fy], [tx, ty]) {
  const [a, b, c, d] = [fx - cx, fy - cy, tx - cx, ty - cy];
  const square = a * a + b * b;
  const [re, im] = [(a * c + b * d) / square, (a * d - b * c) / square];
  return ([x, y]) => [cx + re * (x - cx) - im * (y - cy), cy + im * (x - cx) + re * (y - cy)];
}

function position(event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
}

function nudge(event, points, index, label) {
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
  if (x === undefined) return;
  event.preventDefault();
  touched = { points, index };
  const step = event.shiftKey ? 10 : 1;
  movePoint(points, index, [points[index][0] + x * step, points[index][1] + y * step]);
  draw();
  overlay.querySelector(`[aria-label="${label}"]`).focus();
}

// Magnifies what the finger covers, at the other side of the picture.
function magnify([x, y]) {
  const reach = (100 * scale()) / ZOOM;
  loupe.removeAttribute("hidden");
  loupe.setAttribute("viewBox", `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}`);
  loupe.classList.toggle("right", x < picture.viewBox.baseVal.x + picture.viewBox.baseVal.width / 2);
  loupe.querySelector("g").replaceChildren(...[...overlay.querySelectorAll("path, .place")].map((part) => {
    const copy = part.cloneNode();
    copy.style.setProperty("--own", getComputedStyle(part).getPropertyValue("--own"));
    return copy;
  }));
}

// --- boards ---

function showBoards() {
  list.replaceChildren();
  layout.boards.forEach((board, number) => {
    const item = document.getElementById("board").content.cloneNode(true).firstElementChild;
    paint(item, board);
    item.querySelector(".sign").textContent = number + 1;
    item.querySelector(".wrong").hidden = !board.doubtful || Boolean(board.printed);
    for (const select of item.querySelectorAll("select")) {
      select.value = board[select.dataset.field] ?? "";
      select.addEventListener("change", () => {
        if (select.dataset.field === "player") assignPlayer(board, select.value);
        else board.printed = select.value || null;
        show();
      });
    }
    item.querySelector("[data-do=turn]").addEventListener("click", () => {
      const plane = planeOf(board.anchors);
      const [c, s] = [Math.cos(Math.PI / 3), Math.sin(Math.PI / 3)];
      board.anchors = ANCHORS.map(([x, y]) => plane([c * x - s * y, s * x + c * y]));
      draw();
    });
    item.querySelector("[data-do=remove]").addEventListener("click", () => {
      const gone = ownedBy(board);
      layout.places = layout.places.filter((places) => !gone.includes(places));
      layout.dice = layout.dice.filter((area) => !gone.includes(area));
      layout.boards.splice(number, 1);
      show();
    });
    list.append(item);
  });
  document.getElementById("add").disabled = !freePlayer();
}

// Each player has one board, so the previous owner of the colour gets the colour that becomes free. What belongs to a
// board is reassigned with it.
function assignPlayer(board, player) {
  const other = layout.boards.find((one) => one.player === player);
  const [own, others] = [ownedBy(board), other ? ownedBy(other) : []];
  const freed = board.player;
  own.forEach((one) => setOwner(one, player));
  others.forEach((one) => setOwner(one, freed));
  // Anything else with the same name takes the name that has become free.
  for (const one of [...layout.places, ...layout.dice]) {
    if (!own.includes(one) && !others.includes(one) && own.some((moved) => hasSameName(one, moved))) setOwner(one, freed);
  }
  if (other) other.player = freed;
  board.player = player;
}

// Returns what only its owner can have of the player's places, and those other places and dice areas that are nearer to
// the board than to any other.
function ownedBy(board) {
  const own = [...layout.places, ...layout.dice].filter((one) => ownerOf(one) === board.player);
  return own.filter((one) => (one.name && "needsBoard" in optionIn("group", one.name).dataset) || nearestBoard(one.points ?? one.corners) === board);
}

function nearestBoard(points) {
  const [x, y] = middleOf(points);
  const distance = (board) => Math.hypot(middleOf(board.anchors)[0] - x, middleOf(board.anchors)[1] - y);
  return [...layout.boards].sort((one, other) => distance(one) - distance(other))[0];
}

function middleOf(points) {
  return [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
}

// Returns the owner of a row of places (KIND:red) or of a dice area.
function ownerOf(one) {
  return one.name ? one.name.split(":")[1] : one.owner;
}

function setOwner(one, player) {
  if (one.name) one.name = `${one.name.split(":")[0]}:${player}`;
  else one.owner = player;
}

function hasSameName(one, other) {
  return one.name ? one.name === other.name : !other.name && one.owner === other.owner;
}

// Returns a player without a board.
function freePlayer() {
  const players = [...document.getElementById("board").content.querySelectorAll("[data-field=player] option")];
  return players.map((option) => option.value).find((player) => !layout.boards.some((board) => board.player === player));
}

function showPlaces() {
  document.getElementById("places").replaceChildren(...layout.places.map((places, number) => {
    const item = document.getElementById("group").content.cloneNode(true).firstElementChild;
    const select = item.querySelector("select");
    select.value = places.name;
    select.addEventListener("change", () => {
      const other = layout.places.find((one) => one.name === select.value);
      if (other) other.name = places.name;
      places.name = select.value;
      if (unplaced.get(places.points)?.size === places.points.length) places.points = newRow(places.name);
      show();
    });
    item.querySelector("output").textContent = places.points.length;
    item.querySelector("[data-do=more]").addEventListener("click", () => {
      const last = places.points.at(-1);
      const before = places.points.at(-2) ?? [last[0] - pitch(), last[1]];
      places.points.push([2 * last[0] - before[0], 2 * last[1] - before[1]]);
      show();
    });
    item.querySelector("[data-do=fewer]").addEventListener("click", () => {
      places.points.splice(touched.points === places.points ? touched.index : -1, 1);
      unplaced.delete(places.points);
      touched = {};
      if (!places.points.length) layout.places.splice(number, 1);
      show();
    });
    return item;
  }));
}

function showDice() {
  document.getElementById("dice").replaceChildren(...layout.dice.map((area, number) => {
    const item = document.getElementById("area").content.cloneNode(true).firstElementChild;
    const select = item.querySelector("select");
    select.value = area.owner ?? "";
    select.addEventListener("change", () => {
      const other = layout.dice.find((one) => select.value && one.owner === select.value);
      if (other) other.owner = area.owner;
      area.owner = select.value || null;
      show();
    });
    item.querySelector("[data-do=remove]").addEventListener("click", () => {
      layout.dice.splice(number, 1);
      show();
    });
    return item;
  }));
}

function showCards() {
  document.getElementById("cards").replaceChildren(...layout.cards.map((area, number) => {
    const item = document.getElementById("card").content.cloneNode(true).firstElementChild;
    const select = item.querySelector("select");
    select.value = area.name;
    select.addEventListener("change", () => {
      const other = layout.cards.find((one) => one.name === select.value);
      if (other) other.name = area.name;
      area.name = select.value;
      show();
    });
    item.querySelector("[data-do=turn]").addEventListener("click", () => {
      area.corners.push(area.corners.shift());
      show();
    });
    item.querySelector("[data-do=remove]").addEventListener("click", () => {
      layout.cards.splice(number, 1);
      show();
    });
    return item;
  }));
  document.getElementById("add-card").disabled = !freeCard();
}

// Returns the name of a card without an area.
function freeCard() {
  const names = [...document.getElementById("card").content.querySelectorAll("option")].map((option) => option.value);
  return names.find((name) => !layout.cards.some((area) => area.name === name));
}

function show() {
  draw();
  showBoards();
  showPlaces();
  showDice();
  showCards();
  goodsWidth.hidden = !layout.places.some((places) => shapeOf(places.name) === "square");
}

const goodsWidth = document.getElementById("goods-width");
const width = goodsWidth.querySelector("input");
width.value = layout.goods_width;
width.addEventListener("input", () => {
  layout.goods_width = Number(width.value);
  draw();
});

document.getElementById("add-places").addEventListener("click", () => {
  const names = [...document.getElementById("group").content.querySelectorAll("option")].map((option) => option.value);
  const owned = (name) => !COLOURS[name.split(":")[1]] || layout.boards.some((board) => name.endsWith(`:${board.player}`));
  const name = names.find((one) => owned(one) && !layout.places.some((places) => places.name === one));
  if (!name) return;
  layout.places.push({ name, points: newRow(name) });
  show();
});

// Returns as many places as the group *name* usually has, in the middle of the view.
function newRow(name) {
  const [x, y] = middleOfView();
  const count = Number(optionIn("group", name).dataset.count);
  const points = Array.from({ length: count }, (_, i) => [x + i * pitch(), y]);
  unplaced.set(points, new Set(points.keys()));
  return points;
}

document.getElementById("add-dice").addEventListener("click", () => {
  layout.dice.push({ owner: null, corners: newArea(AREA / 2, AREA / 2) });
  show();
});

document.getElementById("add-card").addEventListener("click", () => {
  layout.cards.push({ name: freeCard(), corners: newArea(...CARD) });
  show();
});

// Returns the corners of an area in the middle of the view, from its top left; *wide* and *high* are half its size in pitches.
function newArea(wide, high) {
  const [x, y] = middleOfView();
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([right, down]) => [x + right * wide * pitch(), y + down * high * pitch()]);
}

function middleOfView() {
  const { x, y, width, height } = picture.viewBox.baseVal;
  return [x + width / 2, y + height / 2];
}

document.getElementById("add").addEventListener("click", () => {
  const [width, height] = layout.image_size;
  const pitch = Math.min(width, height) / 20;
  layout.boards.push({
    player: freePlayer(), printed: null, seen: 0, anchors: ANCHORS.map(([x, y]) => [width / 2 + pitch * x, height / 2 + pitch * y]),
  });
  show();
});

// Saving ends the page: the companion no longer answers, so the last message stays.
document.getElementById("save").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  const answer = await request("/layout", layout);
  button.disabled = Boolean(answer);
  if (answer) showMessage(answer.message, { stays: true });
});

addEventListener("resize", draw);
frame();
show();

document.documentElement.dataset.runs = ""; // see supported.js
