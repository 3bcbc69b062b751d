// The engine: libraries as walkon packed them, luck as numpy draws it, beliefs and decisions as the agents have them.
// Everything here is a pure function of its arguments; the page holds the only state.
"use strict";
const walkon = { libraries: {}, waiting: {} };

// A script with a library calls this; load() waits for it.
function walkonLibrary(script) {
  walkon.waiting[script.key](script);
}

walkon.load = (key) => {
  walkon.libraries[key] ??= new Promise((done, failed) => {
    walkon.waiting[key] = (script) => walkon.unpack(script).then(done, failed);
    const tag = document.createElement("script");
    tag.src = `${key}.js`;
    tag.onerror = () => failed(new Error(`${key}.js cannot be read`));
    document.head.append(tag);
  });
  return walkon.libraries[key];
};

walkon.unpack = async (script) => {
  const KINDS = { u1: Uint8Array, u2: Uint16Array, i1: Int8Array, f8: Float64Array };
  const bytes = Uint8Array.from(atob(script.data), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const block = await new Response(inflated).arrayBuffer();
  const get = (name) => {
    const [kind, at, size] = script.arrays[name];
    return new KINDS[kind](block, at, size);
  };
  const has = (name) => name in script.arrays;
  const numbers = get("numbers");
  const exact = (name) => Float64Array.from(get(name), (index) => numbers[index]);
  const rows = (name) => {
    const counts = get(`${name}.counts`), ends = new Uint32Array(counts.length);
    counts.forEach((count, i) => (ends[i] = count + (i ? ends[i - 1] : 0)));
    return { begins: ends.map((end, i) => end - counts[i]), ends, columns: get(`${name}.columns`), values: exact(`${name}.values`) };
  };
  const joined = (one, other) => {
    const both = new one.constructor(one.length + other.length);
    both.set(one);
    both.set(other, one.length);
    return both;
  };
  const base = rows("team");
  const team = (k) => { // the rows of task 0, and the task's own in their place
    const own = rows(`team${k}`), begins = base.begins.slice(), ends = base.ends.slice(), after = base.columns.length;
    get(`changed${k}`).forEach((row, i) => {
      begins[row] = after + own.begins[i];
      ends[row] = after + own.ends[i];
    });
    return { begins, ends, columns: joined(base.columns, own.columns), values: joined(base.values, own.values) };
  };
  const vectors = (k) => {
    const scales = get(`scales${k}`), at = (i) => 2 * Math.floor(i / script.X);
    const entries = Float64Array.from(get(`levels${k}`), (level, i) => scales[at(i)] + scales[at(i) + 1] * level);
    return { entries, actions: get(`actions${k}`) };
  };
  const sensor = has("sensor0.counts") ? rows("sensor0") : null;
  const width = (name, size) => get(name).length / size;
  const split = (name, size) => Array.from({ length: size }, (_, i) => Array.from(get(name).subarray(i * width(name, size), (i + 1) * width(name, size))));
  const { data, arrays, ...facts } = script;
  return {
    ...facts,
    states: split("states", script.X),
    readings: has("observations") ? split("observations", script.Z) : null,
    tasks: script.names.map((name, k) => ({
      name,
      team: team(k),
      sensor: has(`sensor${k}.counts`) ? rows(`sensor${k}`) : sensor,
      teammates: exact(`teammates${k}`), // [X, B]
      start: exact(`start${k}`),
      solved: has(`solved${k}`) ? new Set(get(`solved${k}`)) : null,
      tally: has(`tally${k}`) ? get(`tally${k}`) : null, // [X, A, B]
      best: has(`best${k}`) ? get(`best${k}`) : null, // bits of the best actions of each state
      vectors: has(`levels${k}`) ? vectors(k) : null,
    })),
  };
};

// Luck: numpy's default generator, PCG64 seeded by SeedSequence. One number for the start, then four for each step.
walkon.luck = (seed, horizon) => {
  const next = walkon.generator(seed), start = next();
  const steps = Array.from({ length: horizon }, () => ({ world: next(), sensor: next(), teammates: next(), agent: next() }));
  return { start, steps };
};

walkon.generator = (seed) => {
  const times = (a, b) => Math.imul(a, b) >>> 0, shifted = (a) => (a ^ (a >>> 16)) >>> 0;
  let constant = 0x43b0d7e5;
  const hashed = (value) => {
    const mixed = (value ^ constant) >>> 0;
    constant = times(constant, 0x931e8875);
    return shifted(times(mixed, constant));
  };
  const pool = [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0, 0, 0].map(hashed);
  for (let from = 0; from < 4; from++)
    for (let to = 0; to < 4; to++)
      if (from !== to) pool[to] = shifted((times(0xca01f9dd, pool[to]) - times(0x4973f715, hashed(pool[from]))) >>> 0);
  constant = 0x8b51f9dd;
  const words = Array.from({ length: 8 }, (_, i) => {
    const mixed = (pool[i % 4] ^ constant) >>> 0;
    constant = times(constant, 0x58f38ded);
    return BigInt(shifted(times(mixed, constant)));
  });
  const [a, b, c, d] = [0, 2, 4, 6].map((i) => words[i] | (words[i + 1] << 32n));
  const low = (n, bits) => BigInt.asUintN(bits, n), odd = low((((c << 64n) | d) << 1n) | 1n, 128);
  const stepped = (state) => low(state * 0x2360ed051fc65da44385df649fccf645n + odd, 128);
  let state = stepped(low(odd + ((a << 64n) | b), 128)); // the first of two steps leads from 0 to the increment
  return () => {
    state = stepped(state);
    const folded = low((state >> 64n) ^ state, 64), turn = state >> 122n;
    return Number(low((folded >> turn) | (folded << (64n - turn)), 64) >> 11n) * 2 ** -53;
  };
};

// The first outcome at which the sum of the probabilities exceeds a number in [0, 1).
walkon.draw = ({ columns, values }, begin, end, number) => {
  let total = 0;
  for (let i = begin; i < end; i++) if (number < (total += values[i])) return columns[i];
  return columns[end - 1];
};

walkon.choose = (probabilities, number) => {
  let total = 0, last = 0;
  for (let a = 0; a < probabilities.length; a++) {
    if (number < (total += probabilities[a])) return a;
    if (probabilities[a] > 0) last = a;
  }
  return last;
};

// What the agent knows at the start: all tasks alike, and where each may begin; or the state, if it is seen.
walkon.remember = (library, agent, target, state) => {
  const K = library.tasks.length, told = agent === "perseus";
  return {
    tasks: library.tasks.map((_, k) => (told ? Number(k === target) : 1 / K)),
    states: library.tasks.map((task) => (library.observed ? walkon.certain(library, state) : task.start)),
    refuted: library.tasks.map(() => false),
  };
};

walkon.certain = (library, state) => {
  const belief = new Float64Array(library.X);
  belief[state] = 1;
  return belief;
};

// For every task: the joint weight of each next state and the observation. Its sum is how probable the observation was.
walkon.update = (library, memory, action, z, agent, target) => {
  const { X, B } = library, weights = [], states = [];
  library.tasks.forEach((task, k) => {
    const before = memory.states[k], { begins, ends, columns, values } = task.team, after = new Float64Array(X);
    for (let x = 0; x < X; x++) {
      if (before[x] === 0) continue;
      for (let b = 0; b < B; b++) {
        const weight = before[x] * task.teammates[x * B + b], row = (action * B + b) * X + x;
        if (weight > 0) for (let i = begins[row]; i < ends[row]; i++) after[columns[i]] += weight * values[i];
      }
    }
    let total = 0;
    for (let y = 0; y < X; y++) if (after[y] > 0) total += after[y] *= walkon.seen(library, task, y, z);
    if (total > 0) for (let y = 0; y < X; y++) after[y] /= total;
    weights.push(total);
    states.push(total > 0 ? after : before);
  });
  const sum = memory.tasks.reduce((all, p, k) => all + p * weights[k], 0);
  if (!(sum > 0)) return walkon.remember(library, agent, target, z); // nothing explains it: start again
  const frozen = agent === "random-picker" || agent === "random";
  const tasks = frozen ? memory.tasks : memory.tasks.map((p, k) => (p * weights[k]) / sum);
  return { tasks, states, refuted: memory.refuted.map((before, k) => before || weights[k] === 0) };
};

walkon.seen = (library, task, y, z) => {
  if (library.observed) return y === z ? 1 : 0;
  const { begins, ends, columns, values } = task.sensor;
  for (let i = begins[y]; i < ends[y]; i++) if (columns[i] === z) return values[i];
  return 0;
};

// The actions of the vectors that are best at a belief, or of the states that it holds possible: [A], adding up to 1.
walkon.policy = (library, task, belief) => {
  const { X, A } = library, chosen = new Array(A).fill(0);
  if (task.best) {
    const x = belief.indexOf(1), count = [...Array(A).keys()].filter((a) => (task.best[x] >> a) & 1).length;
    return chosen.map((_, a) => ((task.best[x] >> a) & 1) / count);
  }
  const { entries, actions } = task.vectors, values = new Float64Array(actions.length), held = [];
  for (let x = 0; x < X; x++) if (belief[x] > 0) held.push(x);
  for (let i = 0; i < actions.length; i++) {
    let value = 0;
    for (const x of held) value += belief[x] * entries[i * X + x];
    values[i] = value;
  }
  const best = values.reduce((most, value) => Math.max(most, value), -Infinity);
  values.forEach((value, i) => value >= best - 1e-9 * Math.abs(best) && (chosen[actions[i]] = 1));
  const count = chosen.reduce((all, one) => all + one, 0);
  return chosen.map((one) => one / count);
};

// The probability of each action: the policies of the tasks, mixed by the belief over tasks.
walkon.decide = (library, agent, memory) => {
  const mixed = new Array(library.A).fill(0);
  if (agent === "random") return mixed.fill(1 / library.A);
  memory.tasks.forEach((p, k) => {
    if (p > 0) walkon.policy(library, library.tasks[k], memory.states[k]).forEach((share, a) => (mixed[a] += p * share));
  });
  if (agent !== "atpo-greedy") return mixed;
  const top = Math.max(...mixed), best = mixed.map((p) => Number(p >= top - 1e-9 * top));
  return best.map((one) => one / best.reduce((all, each) => all + each, 0));
};

// A game is its setup and its moments so far; every step makes a longer one.
walkon.begin = (library, setup) => {
  const luck = walkon.luck(setup.seed, library.horizon), state = walkon.choose(library.tasks[setup.task].start, luck.start);
  return { library, setup, luck, moments: [{ state, memory: walkon.remember(library, setup.agent, setup.task, state) }] };
};

walkon.now = (game) => game.moments[game.moments.length - 1];
walkon.over = (game) => game.moments.length > game.library.horizon || walkon.solved(game, walkon.now(game).state);
walkon.solved = (game, state) => game.library.tasks[game.setup.task].solved?.has(state) ?? false;
walkon.count = (game) => game.moments.reduce((all, moment) => all + (moment.counted || 0), 0);
walkon.until = (game, t) => ({ ...game, moments: game.moments.slice(0, t + 1) });

// What the task's own teammate does here: the chances of its moves, without the errors that the agent expects of people.
walkon.usual = (library, k, state) => {
  const { B, tremble } = library;
  return Array.from({ length: B }, (_, b) => {
    const p = (library.tasks[k].teammates[state * B + b] - tremble / B) / (1 - tremble);
    return p > 1e-9 ? p : 0;
  });
};

// One step: the teammate's move and the agent's action, each drawn by its own rule if it is not given.
walkon.step = (game, move = null, action = null) => {
  const { library, setup } = game, { X, B, A } = library, { state, memory } = walkon.now(game);
  const task = library.tasks[setup.task], luck = game.luck.steps[game.moments.length - 1];
  const a = action ?? walkon.choose(walkon.decide(library, setup.agent, memory), luck.agent);
  const b = move ?? walkon.choose(walkon.usual(library, setup.task, state), luck.teammates);
  const row = (a * B + b) * X + state;
  const y = walkon.draw(task.team, task.team.begins[row], task.team.ends[row], luck.world);
  const z = library.observed ? y : walkon.draw(task.sensor, task.sensor.begins[y], task.sensor.ends[y], luck.sensor);
  const after = walkon.update(library, memory, a, z, setup.agent, setup.task);
  const counted = task.tally ? task.tally[(state * A + a) * B + b] : 0;
  return { ...game, moments: [...game.moments, { state: y, memory: after, action: a, move: b, reading: z, counted }] };
};

// The same luck, played by an agent that is told the task, with the task's own teammate.
walkon.par = (game) => {
  let other = walkon.begin(game.library, { ...game.setup, agent: "perseus" });
  while (!walkon.over(other)) other = walkon.step(other);
  return other;
};
