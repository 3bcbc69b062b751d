// The page: draws the game, handles keys and presses, guides the first game, and ends it with what there is to say.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id), root = document.documentElement;
  const served = root.hasAttribute("data-server"), words = walkon.words, view = () => walkon.views[state.library.world];
  const keep = (name, value) => { try { localStorage.setItem(`walkon-${name}`, value); } catch { /* private windows may refuse */ } };
  const kept = (name) => { try { return localStorage.getItem(`walkon-${name}`); } catch { return null; } };
  const html = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
  const FRAME = "3.1 3.1A2.8 2.8 0 0 1 5 2.3H95A2.8 2.8 0 0 1 97.7 5V95A2.8 2.8 0 0 1 95 97.7H5A2.8 2.8 0 0 1 2.3 95V5A2.8 2.8 0 0 1 3.1 3.1";
  const any = (count) => Math.floor(Math.random() * count);

  // game: every moment so far; at: the one that is shown; other: the line that was left by going back and moving on;
  // guess: in a round as the agent, the task that was pressed.
  const state = { library: null, game: null, at: 0, other: null, asAgent: false, guess: null, hint: false, guided: false, choosing: false, sent: "" };
  const shown = () => walkon.until(state.game, state.at);
  const ended = () => state.at === state.game.moments.length - 1 && (walkon.over(state.game) || state.guess !== null);

  // ---- Addresses: those of walkon's own page, after a # so that they work from a file too.
  function query(past = state.game.moments.slice(1, state.at + 1)) {
    const { library, game } = state, { agent, task, seed } = game.setup;
    const parts = { world: library.world, ...library.options, agent, task, seed, seat: "you" };
    if (past.length) parts.moves = past.map((moment) => moment.move).join(".");
    if (state.asAgent) parts.actions = past.map((moment) => moment.action).join(".");
    return new URLSearchParams(parts).toString();
  }

  // The same on walkon's own page. There nobody can be the agent: it plays by itself, with the task's own teammate.
  function inside() {
    const parts = new URLSearchParams(query());
    if (state.asAgent) parts.set("seat", state.game.setup.task);
    if (state.asAgent) ["moves", "actions"].forEach((name) => parts.delete(name));
    return parts.toString();
  }

  function wanted() {
    const asked = new URLSearchParams(location.hash.slice(1)), world = asked.get("world");
    const found = walkon.games.filter((each) => each.world === world);
    if (!found.length) return null;
    const number = (name) => Math.min(Math.max(0, Math.floor(Number(asked.get(name)) || 0)), Number.MAX_SAFE_INTEGER);
    const listed = (name) => (asked.get(name) || "").split(".").filter(Boolean).map(Number);
    const same = found.find((each) => asked.has("noise") && each.options?.noise === Number(asked.get("noise")));
    const played = { moves: listed("moves"), actions: asked.has("actions") ? listed("actions") : null };
    return { key: (same || found[0]).key, agent: asked.get("agent"), task: number("task"), seed: number("seed"), ...played };
  }

  async function open({ key, agent = "atpo", task, seed, moves = [], actions = null, asAgent = actions !== null, guided = false, back = false }) {
    try {
      state.library = await walkon.load(key);
    } catch (problem) {
      $("small").textContent = `The game cannot be loaded (${problem.message}).`;
      return;
    }
    if (state.game && !back) try { history.pushState(null, "", location.href); } catch { /* as below */ } // one entry for each game
    const { library } = state, known = agent in library.agents ? agent : "atpo";
    const game = walkon.begin(library, { agent: known, task: Math.min(task, library.tasks.length - 1), seed });
    Object.assign(state, { game, asAgent, guided, other: null, guess: null, choosing: false, sent: "" });
    state.hint = guided || !kept(`met-${library.world}`);
    moves.forEach((move, i) => {
      const action = actions?.[i] ?? null, valid = move < library.B && (action === null || action < library.A);
      if (valid && !walkon.over(state.game)) state.game = walkon.step(state.game, move, action);
    });
    state.at = state.game.moments.length - 1;
    keep(`met-${library.world}`, "yes");
    render();
  }

  // Another game: first the chosen ones of the library, one after the other, then any.
  function another(key = state.library.key, asAgent = state.asAgent, agent = state.game?.setup.agent, guided = false) {
    const entry = walkon.games.find((each) => each.key === key), played = Number(kept(`played-${key}`) || 0);
    const next = asAgent ? undefined : entry.chosen[played];
    const K = state.library?.key === key ? state.library.tasks.length : 3;
    keep(`played-${key}`, played + (asAgent ? 0 : 1));
    const [task, seed] = next || [any(K), any(2 ** 31)];
    return open({ key, agent, task, seed, asAgent, guided });
  }

  // ---- Moves and time.
  function press(move) {
    if (!state.game || ended() || state.guess !== null) return;
    const before = shown();
    if (state.at < state.game.moments.length - 1) state.other = state.game;
    state.game = state.asAgent ? walkon.step(before, null, move) : walkon.step(before, move);
    state.at = state.game.moments.length - 1;
    if (state.at >= 7 || ended()) finishGuide();
    render(true);
  }

  function go(t) {
    state.at = Math.max(0, Math.min(t, state.game.moments.length - 1));
    render();
  }

  function finishGuide() {
    if (state.guided) keep("guided", "yes");
    state.guided = false;
  }

  // ---- Drawing.
  const at = (x, y) => `translate(${x * 100 + 50}px, ${y * 100 + 50}px)`;
  const pieces = new Map();

  function drawBoard(scene, arrow, glide) {
    const board = $("board"), box = board.parentElement;
    board.setAttribute("viewBox", `-4 -4 ${scene.columns * 100 + 8} ${scene.rows * 100 + 8}`);
    board.setAttribute("aria-label", scene.words);
    board.classList.toggle("joined", Boolean(scene.joined));
    box.style.setProperty("--columns", scene.columns);
    box.style.setProperty("--rows", scene.rows);
    const put = (x, y, inside) => `<g transform="translate(${x * 100 + 50} ${y * 100 + 50})">${inside}</g>`;
    const cell = '<rect x="-49" y="-49" width="98" height="98" rx="7" class="cell';
    $("ground").innerHTML = scene.cells.map(({ x, y, kind, picture = "", label = "" }) =>
      put(x, y, `${cell} ${kind}"/>${picture}${label && `<text class="label" y="44">${label}</text>`}`)).join("");
    const ringed = (ring, name) => `<circle class="ring ring-${ring}" r="42"/><text class="ring-name ring-${ring}" y="39">${name}</text>`;
    $("things").innerHTML = scene.things.map(({ cell: [x, y], picture, ring, name }) => put(x, y, picture + (ring ? ringed(ring, name) : ""))).join("");
    const names = new Set(scene.pieces.map((piece) => piece.id));
    for (const [id, each] of pieces) if (!names.has(id)) { each.element.remove(); pieces.delete(id); }
    for (const piece of scene.pieces) {
      let each = pieces.get(piece.id);
      if (!each) {
        each = { element: document.createElementNS("http://www.w3.org/2000/svg", "g") };
        pieces.set(piece.id, each);
      }
      if (!each.element.isConnected) $("pieces").append(each.element); // one that is put there again does not glide
      const far = each.x === undefined || Math.abs(each.x - piece.x) > 1.5 || Math.abs(each.y - piece.y) > 1.5;
      each.element.setAttribute("class", `piece piece-${piece.kind}${glide && !far ? " glides" : ""}`);
      const shape = piece.kind === "agent" ? '<circle r="33"/>' : piece.kind === "you" ? '<rect x="-34" y="-27" width="68" height="54" rx="16"/>' : "";
      each.element.innerHTML = (piece.picture || shape + `<text${piece.text?.length > 3 ? ' style="font-size: 22px"' : ""}>${piece.text}</text>`) + (piece.holds || "");
      each.element.style.transform = at(piece.x, piece.y);
      Object.assign(each, { x: piece.x, y: piece.y });
    }
    const EYE = '<g class="eye"><path d="M-14 0Q0-13 14 0Q0 13-14 0z"/><circle r="4.5"/></g>';
    const GHOST = '<rect x="-44" y="-44" width="88" height="88" rx="12"/>';
    const eyes = scene.eyes.map(([x, y]) => put(x - 0.3, y - 0.32, EYE));
    const ghosts = (scene.ghosts || []).map(({ cell: [x, y], text }) => put(x, y, `<g class="ghost">${GHOST}<text y="36">${text}</text></g>`));
    $("over").innerHTML = ghosts.join("") + eyes.join("") + drawArrow(scene, arrow);
  }

  function drawArrow(scene, arrow) {
    const you = scene.pieces.find((piece) => piece.id === (state.asAgent ? "A" : "you"));
    if (!arrow || !you) return "";
    const [dx, dy] = arrow.way, place = `translate(${you.x * 100 + 50} ${you.y * 100 + 50})`;
    if (!dx && !dy) return `<circle class="hint-ring" transform="${place}" r="46"/>`;
    const met = scene.pieces.some(({ x, y }) => Math.hypot(x - you.x - dx, y - you.y - dy) < 0.5); // somebody is there, who stays visible
    const line = met ? "M40 0H60M48-15L63 0 48 15" : "M42 0H84M68-17L88 0 68 17";
    return `<g class="hint-arrow" transform="${place} rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})"><path d="${line}"/></g>`;
  }

  function drawMaps(game) {
    const { library, setup } = game, { tasks } = walkon.now(game).memory, v = view();
    const hidden = state.asAgent && state.guess === null, list = $("maps");
    list.className = `maps maps-${library.tasks.length}${hidden ? " asks" : ""}`;
    if (list.childElementCount !== library.tasks.length || list.dataset.of !== `${library.key}${hidden}`) {
      list.dataset.of = `${library.key}${hidden}`;
      const line = `d="M${FRAME}" pathLength="100"`; // it begins in the middle of a corner: a quarter is a whole side
      const frame = `<svg class="frame" viewBox="0 0 100 100" aria-hidden="true"><path class="track" ${line}/><path class="fill" ${line}/><path class="strike" d="M4 96L96 4"/></svg>`;
      const silent = (kind, text) => `<span class="${kind}" aria-hidden="true">${text}</span>`;
      list.innerHTML = library.tasks.map((_, k) => {
        const { picture, sentence } = v.task(library, k), below = sentence ? `<p class="sentence">${sentence}</p>` : "";
        const shown = `${silent("tint", "")}${frame}${silent("number", k + 1)}${silent("star", "★")}${silent("picture", picture)}${silent("percent", "")}<span class="heard"></span>`;
        const card = hidden ? `<button type="button" class="card" data-guess="${k}">${shown}</button>` : `<div class="card">${shown}</div>`;
        return `<li class="map">${card}${below}</li>`;
      }).join("");
    }
    [...list.children].forEach((item, k) => {
      const p = tasks[k], own = !state.asAgent ? k === setup.task : state.guess !== null && k === setup.task;
      item.className = `map${own ? " true" : ""}${!hidden && p < 0.005 ? " out" : ""}${state.guess === k ? " guessed" : ""}`;
      item.style.setProperty("--p", hidden ? 0 : p);
      item.querySelector(".percent").textContent = hidden ? "" : words.percent(p);
      const belief = hidden ? "" : `; ${words.percent(p).replace("\u00a0%", " per cent")}`;
      item.querySelector(".heard").textContent = `${v.noun} ${k + 1}${own ? ", the true one" : ""}: ${v.task(library, k).words.replace(/\.$/, "")}${belief}`;
    });
  }

  function drawTime(game) {
    const last = state.game.moments.length - 1, most = Math.max(10, last), input = $("time").querySelector("input");
    $("time").hidden = last === 0;
    input.max = most;
    input.value = state.at;
    input.setAttribute("aria-valuetext", `step ${state.at} of ${last}`);
    const dot = (t, line) => `<i class="${t > line ? "to-come" : t > state.at ? "later" : ""}"></i>`;
    const row = (line, kind) => `<span class="${kind}">${Array.from({ length: most + 1 }, (_, t) => dot(t, line)).join("")}</span>`;
    $("time").querySelector(".dots").innerHTML = row(last, "line") + (state.other ? row(state.other.moments.length - 1, "line left") : "");
    $("other").hidden = !state.other;
    if (state.other) $("other").textContent = `↩ the other line, ${state.other.moments.length - 1} steps`;
  }

  function drawPad(options, suggested) {
    const pad = $("pad"), over = ended() || state.guess !== null;
    const button = ({ move, sign, label }) => {
      const kind = `move${suggested?.move === move ? " glows" : ""}`, useless = label === "–" ? ' aria-disabled="true"' : "";
      const shown = `<span class="sign" aria-hidden="true">${sign}</span><span class="label">${useless ? "nothing" : label}</span>`;
      return `<button type="button" class="${kind}" data-move="${move}"${useless}>${shown}</button>`;
    };
    const hint = state.guided || state.asAgent ? "" : `<button type="button" class="quiet hint" id="hint" aria-pressed="${state.hint}">Hint</button>`;
    const made = over ? "" : options.map(button).join("") + hint;
    if (pad.dataset.made !== made) {
      const held = pad.contains(document.activeElement) ? document.activeElement.dataset.move || document.activeElement.id : null;
      pad.dataset.made = pad.innerHTML = made;
      if (held) (pad.querySelector(`[data-move="${held}"]`) || $(held))?.focus();
    }
    pad.classList.toggle("over", over);
  }

  function drawEnd(game) {
    const end = $("end");
    end.hidden = !ended();
    if (end.hidden) return;
    const over = { title: view().score ? "Time is up." : "It is over.", lines: [`Which ${view().noun} was it? Press it.`] };
    const { title, lines } = state.guess !== null ? words.judged(game, state.guess) : state.asAgent ? over : words.end(game);
    const button = (attributes, text) => `<button type="button" ${attributes}>${text}</button>`;
    const mine = state.asAgent ? button('id="back"', "Back to the game") : button('id="same"', "Same again, other partner");
    const again = button('class="main" id="another"', state.asAgent ? "Another round" : "Another");
    const agents = Object.entries(game.library.agents).filter(([name]) => name !== game.setup.agent);
    const partner = ([name, [label, about]]) => `<li>${button(`data-agent="${name}"`, `<span><b>${html(label)}</b> ${html(about)}</span>`)}</li>`;
    const others = state.choosing ? `<ul class="partners">${agents.map(partner).join("")}</ul>` : "";
    const worlds = walkon.games.filter(({ key, easier }) => key !== game.library.key && !easier);
    const more = worlds.map(({ key, title: name }) => button(`class="quiet" data-world="${key}"`, name)).join("");
    const swap = state.asAgent ? "" : button('class="quiet" data-swap', "you are the agent");
    end.innerHTML = `<div class="ending"><h2>${html(title)}</h2><p>${lines.map(html).join(" ")}</p>${state.asAgent ? "" : strip(game)}
      <div class="buttons">${again}${mine}${button('id="send"', "Send this game")}</div>${others}
      <p class="sent" role="status">${html(state.sent)}</p><p class="more">Next: ${swap}${more}</p></div>`;
  }

  // The belief over tasks, step by step; a press goes back there. The line of dots does the same for keys.
  function strip(game) {
    const guess = (p, k) => `<i class="${k === game.setup.task ? "true" : ""}" style="--p:${p.toFixed(3)}"></i>`;
    const column = ({ memory }, t) => `<button type="button" tabindex="-1" data-step="${t}" title="step ${t}">${memory.tasks.map(guess).join("")}</button>`;
    return `<div class="strip" aria-hidden="true">${game.moments.map(column).join("")}</div><p class="under">The guesses, step by step. Press one to go back.</p>`;
  }

  function drawBubble(game, suggested) {
    const bubble = $("bubble");
    bubble.hidden = !state.guided || ended() || state.at < state.game.moments.length - 1;
    if (bubble.hidden) return "";
    const [where, text] = words.guide(game, suggested.sign);
    bubble.querySelector("p").textContent = text;
    const scene = view().scene(game, state.at), piece = scene.pieces.find((each) => each.id === where);
    const host = where === "maps" ? document.querySelector(".belief") : document.querySelector(".board-box");
    if (bubble.parentElement !== host) host.append(bubble);
    bubble.className = where === "maps" ? "at-maps" : piece.y > 0.9 ? "above" : "below";
    if (piece) {
      bubble.style.setProperty("--x", (piece.x + 0.5) / scene.columns);
      bubble.style.setProperty("--y", (piece.y + (piece.y > 0.9 ? 0 : 1)) / scene.rows);
    }
    return text;
  }

  // The same scene with the names of somebody who was the agent.
  function asAgent(scene) {
    const named = (text) => ({ A: "you", you: "mate", "you?": "mate?" })[text] || text;
    return { ...scene, pieces: scene.pieces.map((piece) => ({ ...piece, text: named(piece.text) })), things: scene.things.map((thing) => ({ ...thing, name: thing.ring === "A" ? "yours" : "mate's" })),
      ghosts: scene.ghosts?.map((ghost) => ({ ...ghost, text: named(ghost.text) })), words: scene.words.replace(/\bYou are\b/, "Your teammate is").replace(/\bA is\b/, "You are").replace(/\byou\b/g, "your teammate") };
  }

  function drawRules() {
    const { rules } = view(), old = document.querySelector(".rules");
    old?.remove();
    if (!rules || ended()) return;
    const cards = rules.map(([picture, text]) => `<li><svg viewBox="-38 -38 182 76" aria-hidden="true">${picture}</svg>${text}</li>`).join("");
    document.querySelector(".world").insertAdjacentHTML("beforeend", `<ol class="rules" aria-label="The rules">${cards}</ol>`);
  }

  function render(moved = false) {
    const game = shown(), { library, setup } = game, v = view(), t = state.at, own = state.asAgent ? v.agent : v;
    $("headline").textContent = own.headline;
    $("small").innerHTML = typeof own.small === "function" ? own.small(library) : own.small;
    $("question").textContent = state.guess === null ? own.question : "What ATPO makes of what you saw";
    root.dataset.world = library.world;
    const options = (state.asAgent ? v.actions : v.moves)(game, t), chances = walkon.usual(library, setup.task, walkon.now(game).state);
    const likeliest = options.filter(({ move }) => chances[move] >= Math.max(...chances) - 1e-9);
    const best = v.suggest ? v.suggest(likeliest, game, t) : likeliest.find(({ move }) => move === chances.indexOf(Math.max(...chances)));
    const suggested = !state.asAgent && (state.guided || state.hint) && !walkon.over(game) ? best : null;
    drawBoard(!state.asAgent ? v.scene(game, t) : state.guess === null ? v.blind(game, t) : asAgent(v.scene(game, t)), suggested, moved);
    drawMaps(game);
    drawTime(game);
    drawRules();
    drawPad(options, suggested);
    drawEnd(game);
    const bubble = drawBubble(game, suggested || best);
    const why = state.asAgent ? (t ? `${words.sensed(game, t, v.did ? "Your cook" : v === walkon.views.pursuit ? "your teammate" : "teammate")}.`.replace("beside it", "beside you") : "Take a step to look around.") : words.why(game, t);
    $("why").textContent = state.guess !== null ? "" : why;
    const did = t && moved ? `Step ${t}. ` : "", belief = words.top(walkon.now(game).memory.tasks);
    const likely = state.asAgent || !t ? "" : ` ${v.noun} ${belief + 1} has ${words.percent(walkon.now(game).memory.tasks[belief]).replace("\u00a0%", " per cent")}.`;
    $("said").textContent = ended() ? "" : `${did}${$("why").textContent}${likely} ${bubble}`.trim();
    const entry = walkon.games.find((each) => each.key === library.key);
    $("change").innerHTML = `${html(entry.title)}<span class="wide"> · ${html(library.agents[setup.agent][0])}</span> ▾`;
    $("change").setAttribute("aria-label", `Change: ${entry.title}, ${library.agents[setup.agent][0]}`);
    $("swap").textContent = state.asAgent ? "Be the teammate" : "Be the agent";
    if (served) {
      $("inside").href = `/?${inside()}`;
      $("compare").href = `/compare?${inside()}`;
    }
    try { history.replaceState(null, "", `#${query()}`); } catch { /* some viewers of files refuse */ }
    if (ended() && moved) $("another").focus({ preventScroll: true });
  }

  // ---- Choices.
  function choose() {
    const { library, game } = state;
    const card = (kind, name, on, title, about, sign = "") =>
      `<li><button type="button" data-${kind}="${name}" aria-pressed="${on}">${sign}<span><b>${html(title)}</b> ${html(about)}</span></button></li>`;
    const worlds = walkon.games.map(({ key, world, title, about }) => card("world", key, key === library.key, title, about, walkon.views[world].sign));
    const partners = Object.entries(library.agents).map(([name, [title, about]]) => card("agent", name, name === game.setup.agent, title, about));
    const seats = [
      card("seat", "you", !state.asAgent, "You are the teammate", "You know the task; your partner guesses it."),
      card("seat", "agent", state.asAgent, "You are the agent", "You see what it sees, and guess the task."),
    ];
    const all = served
      ? `<a href="/?${inside()}">All worlds, sizes and agents</a> · <a href="/compare?${inside()}">Compare two partners with the same luck</a>`
      : "All worlds, sizes and agents, and a look inside: <code>pip install 'walkon[web]'</code>, then <code>walkon serve</code>.";
    const part = (title, cards) => `<h3>${title}</h3><ul>${cards.join("")}</ul>`;
    $("choices").innerHTML = `<div class="top"><h2 id="choices-title">What to play</h2><button type="button" data-close>Close</button></div>
      ${part("World", worlds)}${part("Your seat", seats)}${part("Partner", partners)}<p>${all}</p>`;
    $("choices").showModal();
  }

  // The start of this game, for somebody else; nobody else can open a file or an address of this machine.
  async function send() {
    const own = location.protocol === "file:" || /^(localhost|127\.|\[?::1)/.test(location.hostname), start = `#${query([])}`;
    const where = own ? `Your turn: pip install 'walkon[web]', walkon serve, and open 127.0.0.1:8080/${start}` : `Your turn: ${location.href.split("#")[0]}${start}`;
    const letter = words.letter(shown(), $("end").querySelector("h2").textContent, where, state.asAgent);
    try {
      await navigator.clipboard.writeText(letter);
      state.sent = "Copied: how it went, and where to play the same game.";
    } catch {
      state.sent = `Copy this:\n${letter}`;
    }
    drawEnd(shown());
    $("send").focus();
  }

  // ---- Keys and presses.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || !state.game || $("choices").open) return;
    const on = event.target.closest("input, a, button"), pressing = on && (event.key === " " || event.key === "Enter");
    if (pressing || on?.matches("input")) return;
    const option = (state.asAgent ? view().actions : view().moves)(shown(), state.at).find(({ key }) => key === event.key);
    const actions = { b: () => go(state.at - 1), f: () => go(state.at + 1), h: () => $("hint")?.click(), Enter: () => ended() && $("another").click(), Escape: skip };
    if (!option && !actions[event.key]) return;
    event.preventDefault(); // no scrolling
    if (event.repeat) return; // a key that is held down is one move
    option ? press(option.move) : actions[event.key]();
  });
  function skip() {
    finishGuide();
    render();
  }
  document.addEventListener("click", (event) => {
    const on = event.target.closest("button");
    if (!on || !state.game) return;
    const { move, guess, step, agent, world, seat } = on.dataset, again = { key: state.library.key, task: state.game.setup.task, seed: state.game.setup.seed };
    const close = () => $("choices").open && $("choices").close();
    if (move !== undefined) press(Number(move));
    else if (guess !== undefined) { state.guess = Number(guess); render(true); }
    else if (step !== undefined) go(Number(step));
    else if (agent !== undefined) { close(); open({ ...again, agent }); }
    else if (world !== undefined) { close(); another(world, false, "atpo"); }
    else if (seat !== undefined || on.id === "swap" || "swap" in on.dataset || on.id === "back") {
      close();
      another(state.library.key, seat ? seat === "agent" : !state.asAgent, "atpo");
    }
    else if (on.id === "hint") { state.hint = !state.hint; render(); }
    else if (on.id === "another") another();
    else if (on.id === "same") { state.choosing = !state.choosing; drawEnd(shown()); $("same").focus(); }
    else if (on.id === "send") send();
    else if (on.id === "change") choose();
    else if (on.id === "other") { [state.game, state.other] = [state.other, state.game]; go(Infinity); }
    else if ("close" in on.dataset) close();
    else if (on.closest("#bubble")) skip();
    if (event.detail && on.isConnected) on.blur(); // after a press by hand, keys are moves again
  });
  $("time").querySelector("input").addEventListener("input", (event) => go(Number(event.target.value)));
  $("time").querySelector("input").addEventListener("pointerup", (event) => event.target.blur());
  window.addEventListener("hashchange", () => wanted() && open({ ...wanted(), back: true }));

  const LIGHTS = ["auto", "light", "dark"], light = () => kept("light") || "auto";
  root.dataset.light = light();
  $("light").addEventListener("click", () => {
    keep("light", LIGHTS[(LIGHTS.indexOf(light()) + 1) % LIGHTS.length]);
    root.dataset.light = light();
  });

  $("inside").hidden = $("compare").hidden = !served;
  const first = walkon.games[0], address = wanted(), guided = !kept("guided");
  if (guided) keep(`played-${first.key}`, 0);
  const start = address && !address.moves.length && !address.actions && words.identifies(address.agent || "atpo") && walkon.games.find(({ key }) => key === address.key).world === first.world;
  walkon.ready = address ? open({ ...address, guided: guided && start }) : another(first.key, false, "atpo", guided);
})();
