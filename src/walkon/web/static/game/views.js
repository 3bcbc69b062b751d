// The worlds as people see them: sentences, moves, pictures of the tasks, and the scene of a moment.
// A scene is measured in cells. Its pieces have names, so that the page can let them glide from one scene to the next.
"use strict";
walkon.views = (() => {
  const WAYS = { Up: [0, -1], Down: [0, 1], Left: [-1, 0], Right: [1, 0], Stay: [0, 0] };
  const SIGNS = { Up: "↑", Down: "↓", Left: "←", Right: "→", Stay: "●", Noop: "…", Act: "◆" };
  const KEYS = { Up: "ArrowUp", Down: "ArrowDown", Left: "ArrowLeft", Right: "ArrowRight", Stay: " ", Noop: "n", Act: " " };
  const SIDES = ["above", "below", "left", "right"];
  const ORDER = ["Left", "Up", "Down", "Right", "Stay", "Act", "Noop"];
  const moves = (names, label = (name) => name.toLowerCase()) =>
    names.map((name, move) => ({ name, move, sign: SIGNS[name], key: KEYS[name], label: label(name), way: WAYS[name] || [0, 0] }))
      .sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
  const cellName = ([column, row]) => `column ${column + 1}, row ${row + 1}`;
  const far = (one, other) => Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]);
  const RUNNER = '<g class="prey"><circle r="24"/><path d="M-9-5v1M9-5v1M-7 8q7 6 14 0"/></g>'; // awake
  const PREY = '<g class="prey"><circle r="24"/><path d="M-14-3q5 6 10 0M4-3q5 6 10 0M-6 9q6 5 12 0"/></g>';

  // ---- Night-time Pursuit: the preys sleep, and A sees only the cells beside it.
  const MATE = '<g class="piece-you"><rect x="-36" y="-27" width="72" height="54" rx="16"/><text style="font-size: 22px">mate</text></g>';
  const preys = (library, k) => [...library.names[k].matchAll(/\((\d+),(\d+)\)/g)].map(([, column, row]) => [Number(column), Number(row)]);
  const smallMap = (n, spots) => {
    const lines = Array.from({ length: n + 1 }, (_, i) => `M${i} 0V${n}M0 ${i}H${n}`).join("");
    const marks = spots.map(([x, y]) => `<circle class="spot" cx="${x + 0.5}" cy="${y + 0.5}" r=".36"/>`).join("");
    return `<svg viewBox="-.05 -.05 ${n + 0.1} ${n + 0.1}" aria-hidden="true"><path class="lines" d="${lines}"/>${marks}</svg>`;
  };
  const SEEN = [[0, -1], [0, 1], [-1, 0], [1, 0]]; // above, below, left, right
  const night = {
    noun: "map",
    headline: "Show your partner where to go, without a word.",
    small: (library) => {
      const missed = library.options.noise > 0.2 ? "three things" : "one thing";
      return `You see everything. <b>A</b> sees only the four cells beside it, overlooks ${missed} in ten, and does not know your moves.`;
    },
    question: "What does A think we are after?",
    won: (steps) => `Caught in ${steps} steps.`,
    lost: (steps) => `${steps} steps, not caught.`,
    missed: "the two of you were never on your prey at the same time",
    agent: {
      headline: "Now you are A. Find out what your partner is after.",
      small: "You see only the four cells beside you, and not all that is there. Walk and look; your partner walks to a prey.",
      question: "Which map is it? Press it when you know.",
    },
    actions: () => moves(["Up", "Down", "Left", "Right", "Stay"]),
    moves: () => moves(["Up", "Down", "Left", "Right", "Stay"]),
    task: (library, k) => ({
      words: `prey in ${preys(library, k).map(cellName).join(" and in ")}`,
      picture: smallMap(library.options.size, preys(library, k)),
    }),
    sensed: (library, z, who = "you") => {
      const found = library.readings[z].map((thing, side) => thing && `${thing === 1 ? who : "prey"} ${SIDES[side]}`).filter(Boolean);
      const said = found.join(", ") || "nothing beside it";
      return said[0].toUpperCase() + said.slice(1);
    },
    scene: (game, t) => {
      const { library, setup } = game, n = library.options.size, { state, reading } = game.moments[t];
      const [ac, ar, mc, mr] = library.states[state], both = preys(library, setup.task), you = [mc, mr], agent = [ac, ar];
      const mine = far(you, both[1]) < far(you, both[0]) ? 1 : 0; // the nearer one, the first where they are equal
      const cells = [];
      for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) cells.push({ x, y, kind: far([x, y], agent) === 1 ? "lit" : "dark" });
      const sides = reading === undefined ? [] : SEEN.filter((_, side) => library.readings[reading][side]);
      const eyes = sides.map(([dx, dy]) => [ac + dx, ar + dy]);
      const together = far(you, agent) === 0 ? 0.2 : 0;
      return {
        columns: n, rows: n, cells, eyes,
        things: both.map((cell, i) => ({ cell, picture: PREY, ...(i === mine ? { ring: "you", name: "yours" } : { ring: "A", name: "A's" }) })),
        pieces: [
          { id: "A", kind: "agent", x: ac - together, y: ar, text: "A" },
          { id: "you", kind: "you", x: mc + together, y: mr, text: "you" },
        ],
        words: `Board of ${n} by ${n} cells. You are in ${cellName(you)}. A is in ${cellName(agent)}. `
          + `Your prey sleeps in ${cellName(both[mine])}, A's in ${cellName(both[1 - mine])}.`,
      };
    },
    blind: (game, t) => { // all that A has: the cells beside it
      const reading = game.moments[t].reading, seen = reading === undefined ? [] : game.library.readings[reading];
      const cells = [], things = [];
      for (let y = 0; y < 3; y++) for (let x = 0; x < 3; x++) cells.push({ x, y, kind: far([x, y], [1, 1]) === 1 ? "lit" : "dark" });
      seen.forEach((thing, side) => {
        const cell = SEEN[side].map((step) => 1 + step);
        if (thing) things.push({ cell, picture: thing === 2 ? PREY : MATE });
      });
      return { columns: 3, rows: 3, cells, things, eyes: [], pieces: [{ id: "A", kind: "agent", x: 1, y: 1, text: "you" }],
        words: seen.length ? `Beside you: ${night.sensed(game.library, reading, "teammate")}.` : "It is dark. Take a step to look around." };
    },
  };

  // ---- Pursuit: everybody moves on a board whose edges are joined. States are seen from A; the page remembers where A is.
  const ARROW = (d, dashed) => `<path class="way${dashed ? " dashed" : ""}" d="${d}" marker-end="url(#head)"/>`;
  const trio = (you, agent, prey, ways) =>
    `<svg viewBox="0 0 100 100" aria-hidden="true">${ways}<g transform="translate(${prey}) scale(.42)">${RUNNER}</g><circle class="a" cx="${agent[0]}" cy="${agent[1]}" r="9"/><rect class="y" x="${you[0] - 9}" y="${you[1] - 8}" width="18" height="16" rx="5"/></svg>`;
  const HUNTS = [
    ["Straight at the prey, whatever is in the way.", trio([14, 50], [46, 50], [82, 50], ARROW("M24 50H66"))],
    ["Round the others, to the side that is missing.", trio([14, 50], [40, 50], [64, 50], ARROW("M16 40Q44-8 80 26Q86 34 84 42"))],
    ["To any side of the prey, drawn anew each step.", trio([12, 50], [88, 12], [62, 50], ARROW("M22 46Q36 30 56 28", 1) + ARROW("M22 50H44", 1) + ARROW("M22 54Q36 70 56 72", 1))],
  ];
  const wrap = (n, value) => ((value % n) + n) % n;
  const place = (game, t) => { // where A is: it moves as it wants to, unless the others moved as if it had not
    const { library } = game, n = library.options.size;
    let at = [(n - 1) >> 1, (n - 1) >> 1];
    for (let i = 1; i <= t; i++) {
      const before = library.states[game.moments[i - 1].state], after = library.states[game.moments[i].state];
      const { action, move } = game.moments[i], ways = Object.values(WAYS), own = ways[action];
      const went = (place, way) => [0, 1].every((axis) => wrap(n, after[place + axis] - before[place + axis] - way[axis] + own[axis]) === 0);
      const moved = [ways[move], WAYS.Stay].some((way) => went(0, way)) && ways.some((way) => went(2, way));
      if (moved) at = at.map((value, axis) => wrap(n, value + own[axis]));
    }
    return at;
  };
  const hunt = {
    noun: "way",
    headline: "Hold the prey together, from two opposite sides.",
    small: () => "The edges are joined. <b>A</b> sees worse the further away things are, and does not know which way you hunt. Hunt as the ★ shows.",
    question: "How does A think you hunt?",
    won: (steps) => `Caught in ${steps} steps.`,
    lost: (steps) => `${steps} steps, not caught.`,
    missed: "the two of you never had the prey between you",
    agent: {
      headline: "Now you are A. How does your partner hunt?",
      small: "You are in the middle and see where the others seem to be; far things are often one cell off. The edges are joined.",
      question: "Which way is it? Press it when you know.",
    },
    actions: () => moves(["Up", "Down", "Left", "Right"]),
    moves: () => moves(["Up", "Down", "Left", "Right"]),
    task: (library, k) => ({ words: HUNTS[k][0], picture: HUNTS[k][1], sentence: HUNTS[k][0] }),
    sensed: (library, z, who = "you") => {
      const [mc, mr, pc, pr] = library.readings[z], n = library.options.size;
      const apart = [mc - pc, mr - pr].reduce((all, d) => all + Math.min(wrap(n, d), wrap(n, -d)), 0);
      const place = apart ? `${apart} step${apart === 1 ? "" : "s"} from` : "where you are";
      return `Prey seems ${apart ? `${place} ${who}` : who === "you" ? place : `to be at ${who}`}`;
    },
    scene: (game, t, centred = false) => {
      const { library } = game, n = library.options.size, { state, reading } = game.moments[t];
      const at = centred ? [(n - 1) >> 1, (n - 1) >> 1] : place(game, t);
      const cell = (column, row) => [wrap(n, at[0] + column), wrap(n, at[1] + row)];
      const [mc, mr, pc, pr] = library.states[state], you = cell(mc, mr), prey = cell(pc, pr), cells = [];
      for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) cells.push({ x, y, kind: "lit" });
      const seen = reading === undefined ? null : library.readings[reading];
      const ghosts = seen ? [{ cell: cell(seen[0], seen[1]), text: "you?" }, { cell: cell(seen[2], seen[3]), text: "prey?" }] : [];
      return {
        columns: n, rows: n, cells, ghosts, eyes: [], things: [], joined: true,
        pieces: [
          { id: "prey", kind: "prey-piece", x: prey[0], y: prey[1], picture: RUNNER },
          { id: "A", kind: "agent", x: at[0], y: at[1], text: "A" },
          { id: "you", kind: "you", x: you[0], y: you[1], text: "you" },
        ],
        words: `Board of ${n} by ${n} cells with joined edges. You are in ${cellName(you)}, A in ${cellName(at)}, the prey in ${cellName(prey)}.`,
      };
    },
    blind: (game, t) => {
      const scene = hunt.scene(game, t, true), seen = scene.ghosts || [];
      const [mate, prey] = seen.map((ghost) => ghost.cell);
      return { ...scene, ghosts: seen.map((ghost) => ({ ...ghost, text: ghost.text === "you?" ? "mate?" : ghost.text })),
        pieces: scene.pieces.filter((piece) => piece.id === "A").map((piece) => ({ ...piece, text: "you" })),
        words: mate ? `You are in the middle. Your teammate seems to be in ${cellName(mate)}, the prey in ${cellName(prey)}.` : "Take a step to look around." };
    },
  };

  // ---- Overcooked: A helps on the left, you cook on the right; two counters between you.
  const THINGS = ["nothing", "onion", "plate", "soup"], PANS = ["an empty pan", "a pan with 1 onion", "a pan with 2 onions", "a pan with soup"];
  const ENDS = ["top", "bottom"];
  const ICONS = {
    onion: '<path class="stem" d="M-6-12L0-26 6-12z"/><circle class="onion" r="15"/>',
    plate: '<circle class="plate" r="18"/><circle class="plate in" r="11"/>',
    soup: '<circle class="plate" r="18"/><circle class="broth" r="12"/>',
  };
  const icon = (name, x, y, size = 1) => (name ? `<g transform="translate(${x} ${y}) scale(${size})">${ICONS[name]}</g>` : "");
  const pan = (onions) => `<rect class="handle" x="24" y="-5" width="26" height="10" rx="4"/><circle class="pan" r="30"/>${onions === 3 ? '<circle class="broth" r="22"/>' : icon(onions > 0 ? "onion" : "", -11, 2, 0.7) + icon(onions > 1 ? "onion" : "", 11, 2, 0.7)}`;
  const WINDOW = '<rect class="window" x="-28" y="-30" width="56" height="60" rx="4"/><path class="bars" d="M0-30V30M-28 0H28"/>';
  const heap = (name) => icon(name, -16, 12, 0.8) + icon(name, 16, 12, 0.8) + icon(name, 0, -10, 0.8);
  const kitchenCard = (top, bottom, more = "") => {
    const counter = (y, used) => `<rect class="counter${used ? " used" : ""}" x="20" y="${y}" width="26" height="34" rx="4"/>`;
    const ways = (top ? ARROW("M72 44Q66 28 52 28") : "") + (bottom ? ARROW("M72 56Q66 72 52 72") : "");
    const you = '<rect class="y" x="66" y="42" width="18" height="16" rx="5"/>';
    return `<svg viewBox="0 0 100 100" aria-hidden="true">${counter(12, top)}${counter(54, bottom)}${ways}${you}${more}</svg>`;
  };
  const COOKS = [
    ["Takes from whichever counter is quicker.", kitchenCard(1, 1)],
    ["Stays put, and takes only what lies beside it.", kitchenCard(0, 0, '<path class="way dashed" d="M58 36H92V64H58z"/>')],
    ["Takes from the upper counter only.", kitchenCard(1, 0)],
    ["Takes from the lower counter only.", kitchenCard(0, 1)],
  ];
  const kitchenVerb = (x, cook) => {
    const [helper, own, helperHand, hand, top, bottom, onions] = x;
    const at = cook ? own : helper, held = cook ? hand : helperHand, counter = [top, bottom][at];
    if (!cook) return held === 0 ? `take ${["onion", "plate"][at]}` : counter === 0 ? "put down" : "–";
    if (held === 0) return counter ? `take ${THINGS[counter]}` : "–";
    if (held === 3) return own === 1 ? "serve" : "–";
    if (own === 0 && held === 1 && onions < 3) return "into the pan";
    if (own === 0 && held === 2 && onions === 3) return "fill plate";
    return counter === 0 ? "put down" : "–";
  };
  const kitchenMoves = (cook) => (game, t) => {
    const x = game.library.states[game.moments[t].state];
    return moves(["Up", "Down", "Noop", "Act"], (name) => ({ Up: "up", Down: "down", Noop: "wait", Act: kitchenVerb(x, cook) })[name]);
  };
  const kitchen = {
    noun: "way",
    headline: "Cook with a helper who does not know your habits.",
    small: () => "<b>A</b> brings onions and plates from the left. You cook on the right. <b>A</b> sees everything but how you work: work as the ★ shows.",
    question: "How does A think you work?",
    score: "soups",
    rules: [
      [`${heap("onion")}<g transform="translate(86 0)">${pan(2)}</g><path class="way" d="M30 0H44" marker-end="url(#head)"/>`, "Three onions into the pan"],
      [`${icon("plate", 0, 0, 1.4)}<g transform="translate(86 0)">${pan(3)}</g><path class="way" d="M30 0H44" marker-end="url(#head)"/>`, "A plate takes the soup"],
      [`${icon("soup", 0, 0, 1.4)}<g transform="translate(86 0)">${WINDOW}</g><path class="way" d="M30 0H44" marker-end="url(#head)"/>`, "Out of the window"],
    ],
    agent: {
      headline: "Now you are the helper. How does your cook work?",
      small: "You bring onions and plates. Watch where the cook goes, and what it takes.",
      question: "Which way is it? Press it when you know.",
    },
    actions: kitchenMoves(false),
    moves: kitchenMoves(true),
    task: (library, k) => ({ words: COOKS[k][0], picture: COOKS[k][1], sentence: COOKS[k][0] }),
    did: (game, t, who = "You") => {
      const { move } = game.moments[t], x = game.library.states[game.moments[t - 1].state], verb = kitchenVerb(x, true);
      const DONE = { "–": "waited", serve: "served", "into the pan": "filled the pan", "fill plate": "filled a plate", "put down": "put something down" };
      return `${who} ${move === 3 ? DONE[verb] || verb.replace("take ", verb.endsWith("onion") ? "took an " : "took a ") : ["went up", "went down", "waited"][move]}`;
    },
    sensed: () => "",
    // Of moves that are equally good: one that does something, else the one that tells A most. To go up from the top, and to
    // act where nothing can be done, are ways to wait.
    suggest: (best, game, t) => {
      const { library, setup } = game, { state, memory } = game.moments[t], [, cook, , hand] = library.states[state];
      const all = kitchenMoves(true)(game, t), way = ["Down", "Up"][cook], away = !hand && setup.task >= 2 && cook !== setup.task - 2;
      const kind = ({ name, label }) => (name === way || (name === "Act" && label !== "–") ? name : "Noop");
      const share = (k, what) => all.reduce((sum, each) => sum + (kind(each) === what ? walkon.usual(library, k, state)[each.move] : 0), 0);
      const tells = (what) => share(setup.task, what) / memory.tasks.reduce((sum, p, k) => sum + p * share(k, what), 0);
      const worth = (what) => (best.some((each) => kind(each) === what) ? tells(what) * (what === (away ? way : "Noop") ? 1.1 : 1) : 0); // towards the own counter
      const chosen = worth("Act") ? "Act" : worth(way) > worth("Noop") ? way : "Noop";
      return all.find(({ name }) => name === chosen);
    },
    scene: (game, t, seats = ["A", "you"]) => {
      const x = game.library.states[game.moments[t].state], [helper, cook, helperHand, hand, top, bottom, onions] = x;
      const cells = [["onions", heap("onion")], ["floor", ""], ["counter", icon(THINGS[top] === "nothing" ? "" : THINGS[top], 0, 0, 1.5)], ["floor", ""], ["pan", pan(onions)],
        ["plates", heap("plate")], ["floor", ""], ["counter", icon(THINGS[bottom] === "nothing" ? "" : THINGS[bottom], 0, 0, 1.5)], ["floor", ""], ["window", WINDOW]]
        .map(([ground, picture], i) => ({
          x: i % 5, y: Math.floor(i / 5), kind: ground === "floor" ? "lit" : "tile", picture,
          label: { floor: "", counter: "", pan: ["pan", "1 onion", "2 onions", "soup is ready"][onions] }[ground] ?? ground,
        }));
      const holding = (thing) => (thing ? THINGS[thing] : "");
      return {
        columns: 5, rows: 2, cells, eyes: [], things: [],
        pieces: [
          { id: "A", kind: "agent", x: 1, y: helper, text: seats[0], holds: icon(holding(helperHand), 26, -26, 0.9) },
          { id: "you", kind: "you", x: 3, y: cook, text: seats[1], holds: icon(holding(hand), 26, -26, 0.9) },
        ],
        words: `${seats[0] === "A" ? "A helps" : "You help"} at the ${ENDS[helper]} with ${THINGS[helperHand]}, `
          + `${seats[1] === "you" ? "you cook" : "your teammate cooks"} at the ${ENDS[cook]} with ${THINGS[hand]}. `
          + `Counters: ${THINGS[top]} above, ${THINGS[bottom]} below. There is ${PANS[onions]}.`,
      };
    },
    blind: (game, t) => kitchen.scene(game, t, ["you", "mate"]),
  };
  const sign = (picture) => `<svg viewBox="-34 -34 68 68" aria-hidden="true">${picture}</svg>`;
  night.sign = sign(PREY);
  hunt.sign = sign(RUNNER);
  kitchen.sign = sign(icon("soup", 0, 0, 1.4));
  return { "night-pursuit": night, pursuit: hunt, overcooked: kitchen };
})();

// The libraries that come with the page: their scripts, and games that were chosen because they tell a story.
walkon.games = [
  {
    key: "night-pursuit", world: "night-pursuit", options: { noise: 0.3 }, title: "Night-time Pursuit",
    about: "Two sleeping prey, and a partner who is almost blind.", chosen: [[2, 164], [1, 14], [3, 4], [0, 3], [2, 12], [1, 19], [0, 34], [3, 16]],
  },
  {
    key: "night-pursuit-easy", world: "night-pursuit", options: { noise: 0.1 }, easier: true, title: "Night-time Pursuit, easier",
    about: "The same, and it overlooks less.", chosen: [[3, 23], [1, 1], [2, 11], [3, 4], [0, 2], [1, 3], [2, 20], [3, 8]],
  },
  { key: "pursuit", world: "pursuit", title: "Pursuit", about: "A prey that runs. Your partner guesses how you hunt.", chosen: [[0, 1], [1, 7], [1, 5], [0, 29]] },
  { key: "overcooked", world: "overcooked", title: "Overcooked", about: "One kitchen. Your partner guesses how you work.", chosen: [[3, 25], [1, 11], [2, 29], [0, 29]] },
];
