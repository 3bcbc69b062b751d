// What the page says about a game: one sentence for a step, what the guide points at, and how it ended.
"use strict";
walkon.words = (() => {
  const CERTAIN = 0.95, OUT = 0.005, MUCH = 0.08;
  const top = (tasks) => tasks.indexOf(Math.max(...tasks));
  const percent = (p) => (p > 0 && p < 0.005 ? "<\u00a01\u00a0%" : p < 1 && p >= 0.995 ? ">\u00a099\u00a0%" : `${Math.round(100 * p)}\u00a0%`);
  const inSteps = (count) => `${count} step${count === 1 ? "" : "s"}`;
  const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);
  const view = (game) => walkon.views[game.library.world];
  const identifies = (agent) => agent === "atpo" || agent === "atpo-greedy";

  // What an observation did to the belief over tasks.
  function effect(before, after, noun, who = "A") {
    const now = top(after), was = top(before), change = after.map((p, k) => p - before[k]);
    if (after[now] >= CERTAIN) return before[now] >= CERTAIN ? `: ${who} stays certain.` : `. Now ${who} is certain: ${noun} ${now + 1}.`;
    if (before[was] >= CERTAIN) return `. ${who} doubts ${noun} ${was + 1} again.`;
    const gain = change.indexOf(Math.max(...change)), loss = change.indexOf(Math.min(...change));
    if (change[gain] >= 3 * MUCH) return `: that fits ${noun} ${gain + 1} best.`;
    const out = after.flatMap((p, k) => (p < OUT && before[k] >= OUT ? [k + 1] : []));
    if (out.length) return `: that rules out ${noun}${out.length > 1 ? "s" : ""} ${list(out)}.`;
    if (change[gain] >= MUCH) return `: that fits ${noun} ${gain + 1} best.`;
    if (change[loss] <= -MUCH) return `: ${noun} ${loss + 1} fits less now.`;
    return ": that hardly helps.";
  }

  const sensed = (game, t, who) => {
    const v = view(game);
    return v.did ? v.did(game, t, who) : v.sensed(game.library, game.moments[t].reading, who);
  };

  // At most twelve words on what the agent observed, and what that did.
  function why(game, t) {
    const { library, setup } = game;
    if (setup.agent === "perseus") return t ? "This partner was told the task." : "This partner is told the task.";
    if (!identifies(setup.agent)) return "This partner never learns. See what that costs.";
    if (t === 0) return `A has seen nothing yet: all ${view(game).noun}s are equally likely.`;
    return sensed(game, t) + effect(game.moments[t - 1].memory.tasks, game.moments[t].memory.tasks, view(game).noun);
  }

  // The first game in bubbles: where each points, and what it says. They follow the game that is played, whatever it is.
  function guide(game, sign) {
    const t = game.moments.length - 1, { library, setup } = game, k = setup.task;
    if (t === 0) return ["you", `This is you. Go to your prey; A has to find its own. Press\u00a0${sign}.`];
    const now = walkon.now(game), p = now.memory.tasks, before = game.moments[t - 1].memory.tasks;
    const saw = view(game).sensed(library, now.reading).toLowerCase();
    const home = walkon.usual(library, k, now.state)[4] > 0.5;
    if (p[k] >= CERTAIN && before[k] < CERTAIN) return ["maps", `It saw ${saw}. Now it is certain: your map has ${percent(p[k])}.`];
    if (p[k] - before[k] >= 0.2) return ["maps", `It saw ${saw}. Your map ★ fits well: ${percent(p[k])}. The frame fills.`];
    const place = (moment) => library.states[moment.state].slice(0, 2).join(), stayed = place(now) === place(game.moments[t - 1]);
    const first = stayed ? "A did not get anywhere." : "A moved too.";
    if (t === 1) return ["A", `${first} It looked at the bright cells and saw ${saw.replace(" beside it", "")}.`];
    if (t === 2) return ["maps", "These are its four guesses, still almost even. The ★ is yours; A cannot see it."];
    if (home) return ["you", p[k] >= CERTAIN ? "Stay on your prey, and let it come." : "Stay on your prey. A still has to find out."];
    return ["you", p[k] >= CERTAIN ? `It knows where to go. Keep walking:\u00a0${sign}.` : `A learns only from what it sees. Keep walking:\u00a0${sign}.`];
  }

  // The step after which the agent was certain of the task to the end; null if it was not.
  function certainSince(game) {
    const k = game.setup.task, sure = game.moments.map((moment) => moment.memory.tasks[k] >= CERTAIN);
    return sure[sure.length - 1] ? sure.lastIndexOf(false) + 1 : null;
  }

  function end(game) {
    const v = view(game), { setup } = game, steps = game.moments.length - 1, k = setup.task;
    const won = walkon.solved(game, walkon.now(game).state), par = walkon.par(game), lines = [];
    const title = v.score ? `${walkon.count(game)} ${v.score} in ${steps} steps.` : won ? v.won(steps) : v.lost(steps);
    if (identifies(setup.agent)) {
      const since = certainSince(game), gains = game.moments.map((moment, t) => (t ? moment.memory.tasks[k] - game.moments[t - 1].memory.tasks[k] : 0));
      const best = gains.indexOf(Math.max(...gains)), worst = gains.indexOf(Math.min(...gains));
      const about = (t) => `step ${t}${sensed(game, t) ? `, “${sensed(game, t).toLowerCase()}”` : ""}`;
      if (won || v.score) {
        lines.push(since === null ? `It was never certain of your ${v.noun}.` : `It was certain after ${inSteps(since)}.`);
        if (gains[best] > MUCH) lines.push(`What gave it away: ${about(best)}.`);
      } else {
        const held = game.library.tasks.map((_, j) => game.moments.filter((moment) => top(moment.memory.tasks) === j).length);
        const wrong = held.map((count, j) => (j === k ? 0 : count)), longest = wrong.indexOf(Math.max(...wrong));
        if (wrong[longest] > 1) lines.push(`For ${wrong[longest]} steps it held ${v.noun} ${longest + 1} for the likeliest.`);
        if (gains[worst] < -MUCH) lines.push(`What misled it: ${about(worst)}.`);
        if (since !== null) lines.push(`It was certain after ${inSteps(since)}, but ${v.missed}.`);
      }
    }
    const told = par.moments.length - 1, solved = walkon.solved(par, walkon.now(par).state);
    if (setup.agent !== "perseus") {
      const mine = v.score ? walkon.count(game) : -steps, bar = v.score ? walkon.count(par) : -told;
      const does = v.score ? `who is told your way makes it ${bar}` : `who is told your ${v.noun} needs ${told}`;
      const rank = mine < bar ? ": that is par." : mine > bar ? ": you beat par." : " too: you made par.";
      if (!v.score && !solved) lines.push(`With the same luck, even a partner who is told your ${v.noun} fails.`);
      else lines.push(`With the same luck, a partner ${does}${won || v.score ? rank : "."}`);
    }
    return { title, lines };
  }

  // A round as the agent: how good the guess was, beside the agent's own belief at the same moment.
  function judged(game, guess) {
    const v = view(game), k = game.setup.task, p = walkon.now(game).memory.tasks, steps = game.moments.length - 1;
    const since = certainSince(game);
    const title = guess === k ? `Right, after ${inSteps(steps)}.` : `It was ${v.noun} ${k + 1}.`;
    const lines = [guess === k ? `From what you saw, ATPO gives it ${percent(p[k])}.` : `From what you saw, ATPO gives your ${v.noun} ${guess + 1} ${percent(p[guess])}, and ${v.noun} ${k + 1} ${percent(p[k])}.`];
    if (since !== null && since < steps) lines.push(`It was certain ${inSteps(steps - since)} before you.`);
    else if (guess === k && since === null) lines.push("You were quicker: it is not certain yet.");
    return { title, lines };
  }

  // What is sent to somebody: how it went, in squares that give no task away, and where the same game is.
  function letter(game, title, where, asAgent) {
    const { setup, moments } = game, every = Math.ceil((moments.length - 1) / 20), k = setup.task;
    const square = ({ memory }) => (memory.tasks[k] >= CERTAIN ? "🟩" : memory.tasks[k] >= 0.5 ? "🟨" : "⬜");
    const squares = moments.filter((_, t) => t && (moments.length - 1 - t) % every === 0).map(square).join("");
    const sure = squares && identifies(setup.agent) ? `How sure an almost blind partner was of what I wanted:\n${squares}\n` : "";
    const told = asAgent || setup.agent === "perseus" ? null : walkon.par(game), score = view(game).score;
    const bar = !told ? "" : score ? ` Par: ${walkon.count(told)}.` : walkon.solved(told, walkon.now(told).state) ? ` Par: ${told.moments.length - 1}.` : "";
    return `walkon: ${title}${bar}\n${sure}${where}`;
  }

  return { letter, effect, why, guide, end, judged, percent, sensed, top, identifies };
})();
