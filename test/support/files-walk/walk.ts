/**
 * A random walk through a folder with one or two sessions: prompts whose tools write, edit and run commands, moves, undo and
 * redo, restores, edits by a person, git, restarts and kills. It looks at the folder itself, by the hash of every file, reads
 * the session's lines itself, and flags whatever is not as it saw it.
 *
 * What it knows: the whole folder at every entry it saw made (`seen`), what the session believes to be on the disk at its leaf
 * (`leaf`), and every state each path had since the last check (`window`).
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../file-world.js";
import { Place, removeFile } from "./place.js";
import { Program, ProgramEnded } from "./program.js";
import { Random } from "./random.js";
import { type ScriptedCall, type ScriptServer, scriptServer, scriptText } from "./script-server.js";
import { type Line, type RecordLine, SessionLines, type State } from "./session-lines.js";

export type WalkKind = "git" | "plain" | "two";

export interface WalkOptions {
  readonly kind: WalkKind;
  readonly seed: number;
  readonly steps: number;
  /** An empty folder; everything is made below it. */
  readonly folder: string;
  /** The entry point of a build. */
  readonly main: string;
  /** How many worlds are walked through at a time. Default 1. */
  readonly jobs?: number;
  /** Share of steps that end in a kill. */
  readonly kills?: number;
  readonly onStep?: (step: number, flags: number) => void;
  /** Says every step. */
  readonly onSay?: (text: string) => void;
}

export interface WalkResult {
  readonly steps: number;
  readonly kills: number;
  readonly records: number;
  readonly flags: readonly string[];
}

/** Worlds grow old: after so many steps a new folder and new sessions begin. */
const STEPS_IN_A_WORLD = 150;

export async function filesWalk(options: WalkOptions): Promise<WalkResult> {
  const totals = { steps: 0, kills: 0, records: 0 };
  const flags: string[] = [];
  let planned = 0;
  let worlds = 0;
  const walkOn = async () => {
    while (planned < options.steps) {
      const world = worlds++;
      const steps = Math.min(STEPS_IN_A_WORLD, options.steps - planned);
      planned += steps;
      const walk = await walkThrough({ ...options, world, folder: join(options.folder, `w${world}`) }, steps, () =>
        options.onStep?.(++totals.steps, flags.length),
      );
      totals.kills += walk.kills;
      totals.records += walk.seats.reduce((sum, { lines }) => sum + lines.records.length, 0);
      flags.push(...walk.flags);
    }
  };
  await Promise.all(Array.from({ length: options.jobs ?? 1 }, walkOn));
  return { ...totals, flags };
}

/** One world, with a folder and a model of its own. What went wrong is left for a look. */
async function walkThrough(parts: Omit<WalkParts, "server">, steps: number, onStep: () => void): Promise<Walk> {
  const server = await scriptServer();
  try {
    const walk = new Walk({ ...parts, server });
    try {
      await walk.run(steps, onStep);
    } finally {
      await walk.end();
    }
    if (walk.flags.length === 0) rmSync(parts.folder, { recursive: true, force: true });
    return walk;
  } finally {
    server.close();
  }
}

/** One session and the program that has it open. */
interface Seat {
  readonly name: string;
  program: Program;
  lines: SessionLines;
  /** The folder at entries that were seen. */
  readonly seen: Map<string, World>;
  /**
   * The folder on the way to a tool's result, where that is another: what the tool did is recorded below its result, and a
   * branch that starts at the result does not have it.
   */
  readonly above: Map<string, World>;
  /** What the session believes to be on the disk. */
  leaf: World;
  /** The folder before the session. */
  readonly begin: World;
  /** The folder when this process first looked. */
  first: World;
  hasLooked: boolean;
  /**
   * Whether that look may still go on: a prompt does not wait for it, a tool that may change files does. Until then what
   * changes may be seen by it or not, and prompts record nothing of it.
   */
  isLooking: boolean;
  leafId: string | null;
  /** The state before the first record that names a path. */
  readonly base: Map<string, State>;
  /** Paths that changed while no program ran and that no record on the branch names: nothing is promised of them. */
  readonly lax: Set<string>;
  /** Every look since the last prompt was done. */
  window: World[];
  /** Whether the other session's command ran meanwhile. */
  isBeside: boolean;
  /** What files may have been since then for a moment that no look caught: `path` and state. */
  readonly moments: Set<string>;
  /** How many records were checked. */
  checked: number;
}

interface WalkParts extends WalkOptions {
  readonly world: number;
  readonly server: ScriptServer;
}

class Walk {
  readonly flags: string[] = [];
  readonly seats: Seat[] = [];
  kills = 0;
  readonly #parts: WalkParts;
  readonly #random: Random;
  readonly #place: Place;
  readonly #home: string;
  /** Who wrote the newest mark of a state, and who the last one in it. */
  readonly #owners = new Map<string, Owners>();
  /** Every state a path had. */
  readonly #ever = new Map<string, Set<string>>();
  /** What the folder was before each step of a prompt, by its tag. */
  readonly #steps = new Map<string, World[]>();
  /** Prompts that were killed, by their tags, with what the person made of files right after: `path` and state. */
  readonly #killed = new Map<string, Set<string>>();
  #tags = 0;
  #step = 0;
  #trail: string[] = [];

  constructor(parts: WalkParts) {
    this.#parts = parts;
    const { seed, world, kind, folder, server } = parts;
    this.#random = new Random(seed * 1000 + world);
    this.#home = join(folder, "home");
    mkdirSync(join(folder, "gates"), { recursive: true });
    mkdirSync(this.#home, { recursive: true });
    const isGit = kind === "git" || (kind === "two" && (world + seed) % 2 === 0);
    this.#place = new Place({
      root: join(folder, "project"),
      isGit,
      number: seed + (kind === "two" ? Math.floor(world / 2) : world),
      random: this.#random,
    });
    const provider = {
      baseUrl: server.address,
      api: "openai-completions",
      apiKeyEnv: "WALK_KEY",
      models: [{ id: "walk", contextWindow: 10_000_000, maxOutput: 1000 }],
    };
    writeFileSync(
      join(this.#home, "settings.json"),
      JSON.stringify({ models: { providers: { walk: provider } }, model: "walk/walk" }),
    );
  }

  async run(steps: number, onStep: () => void): Promise<void> {
    this.#parts.server.onStep = (tag) => void this.#steps.get(tag)?.push(this.#look());
    const names = this.#parts.kind === "two" ? ["A", "B"] : ["A"];
    for (const name of names) this.seats.push(await this.#open(name));
    for (const seat of this.seats) await this.#prompt(seat, [[this.#write(seat)]]);
    for (this.#step = 1; this.#step <= steps; this.#step++) {
      try {
        await this.#take();
      } catch (error) {
        const said = error instanceof ProgramEnded ? `the program ended: ${error.message}` : String(error);
        this.#flag(said);
        for (const seat of this.seats) await this.#restart(seat);
      }
      onStep();
    }
  }

  async end(): Promise<void> {
    for (const { program } of this.seats) await program.kill();
  }

  async #take(): Promise<void> {
    const random = this.#random;
    const seat = random.pick(this.seats);
    const { kind, kills = 0.03 } = this.#parts;
    if (random.chance(kills)) return this.#kill(seat);
    const what = random.weighted({
      prompt: 8,
      move: 5,
      undo: 1.5,
      redo: 1,
      restore: 1.5,
      outside: 4,
      git: this.#place.gitKind === undefined ? 0 : 3,
      restart: 0.4,
      together: kind === "two" ? 4 : 0,
    });
    if (what === "prompt") await this.#prompt(seat, this.#batches(seat));
    else if (what === "move") await this.#move(seat);
    else if (what === "undo" || what === "redo") await this.#undo(seat, what);
    else if (what === "restore") await this.#restore(seat);
    else if (what === "outside") this.#outside();
    else if (what === "git") this.#git();
    else if (what === "together") await this.#together();
    else {
      this.#say(`${seat.name}: closed and opened`);
      await seat.program.close();
      await this.#restart(seat);
    }
  }

  // What is done

  #write(seat: Seat): ScriptedCall {
    // A file that is named is followed by the session that named it, and not by the other.
    const path = this.#parts.kind !== "two" && this.#random.chance(0.08) ? "named.log" : this.#place.path();
    if (path.endsWith(".log")) this.#place.named.add(path);
    return { name: "write", input: { path, content: this.#place.content(seat.name) } };
  }

  #edit(seat: Seat): ScriptedCall {
    const path = this.#place.path();
    const text = this.#place.text(path);
    const old = text?.match(/@\w+:\d+/)?.[0];
    if (old === undefined || text === undefined || text.split(old).length > 2) return this.#write(seat);
    return { name: "edit", input: { path, edits: [{ oldText: old, newText: this.#place.mark(seat.name) }] } };
  }

  #batches(seat: Seat): readonly (readonly ScriptedCall[])[] {
    const random = this.#random;
    const call = (): ScriptedCall => {
      const what = random.weighted({ write: 3, edit: 3, bash: 5, read: 1 });
      if (what === "write") return this.#write(seat);
      if (what === "edit") return this.#edit(seat);
      if (what === "read") return { name: "read", input: { path: this.#place.path() } };
      const own = this.#parts.kind === "two";
      return { name: "bash", input: { command: this.#place.command(seat.name, { own }) } };
    };
    return Array.from({ length: random.below(4) }, () => Array.from({ length: random.chance(0.8) ? 1 : 2 }, call));
  }

  async #prompt(seat: Seat, batches: readonly (readonly ScriptedCall[])[]): Promise<void> {
    const isUnsure = seat.isLooking && this.#hasChanged(seat);
    const { tag, sent } = this.#send(seat, batches);
    const result = await sent;
    if (result.kind !== "done") this.#flag(`a prompt ended with ${JSON.stringify(result).slice(0, 500)}`);
    await this.#afterPrompt(seat, tag, { isAlone: !isUnsure });
    // A tool waits for the first look, and the prompt after it records whatever changed since.
    if (isUnsure) await this.#prompt(seat, seat.isLooking ? [[LOOK]] : []);
  }

  /** Whether the folder is another one since a first look began that may still go on. */
  #hasChanged(seat: Seat): boolean {
    const now = this.#look();
    return names(now, seat.first).some((path) => now[path] !== seat.first[path]);
  }

  #send(seat: Seat, batches: readonly (readonly ScriptedCall[])[]) {
    const tag = `${seat.name}${++this.#tags}`;
    this.#say(`${seat.name}: prompt ${tag} ${JSON.stringify(batches)}`);
    this.#steps.set(tag, []);
    if (batches.some((calls) => calls.length > 1 && /tar cf|git add/.test(JSON.stringify(calls)))) {
      this.#place.hasCopiesInPassing = true;
    }
    if (!seat.hasLooked) {
      seat.first = this.#look();
      seat.hasLooked = true;
      seat.isLooking = true;
      this.#relax(seat, seat.first);
    } else if (seat.isLooking) this.#relax(seat, this.#look());
    if (batches.flat().some(({ name }) => name !== "read")) seat.isLooking = false;
    return { tag, sent: seat.program.request("prompt", { text: scriptText({ tag, batches }) }) };
  }

  /** Takes down what the folder was at each entry of the prompt, and checks the records. */
  async #afterPrompt(seat: Seat, tag: string, { isAlone = true } = {}): Promise<void> {
    const after = this.#look();
    await this.#readLeaf(seat);
    this.#checkRecords(seat);
    const steps = this.#steps.get(tag) ?? [];
    const path = seat.lines.path(seat.leafId);
    const from = path.findIndex((line) => isPrompt(line, tag));
    if (from < 0) return this.#flag(`prompt ${tag} is not on the path to the leaf`);
    // While another session works, no moment belongs to an entry. The next prompt records what is left.
    if (!isAlone) return;
    let step = 0;
    const at = (n: number) => steps[n] ?? after;
    for (const [index, line] of path.slice(from).entries()) {
      const role = roleOf(line);
      if (role === "user") seat.seen.set(line.id, at(0));
      // The assistant's message comes before its tools run.
      if (role === "assistant") seat.seen.set(line.id, at(step++));
      const next = path.slice(from + index + 1).find((one) => roleOf(one) !== undefined);
      if (role === "toolResult") seat.above.set(line.id, at(step - 1));
      if (role === "toolResult" && (next === undefined || roleOf(next) === "assistant"))
        seat.seen.set(line.id, at(step));
    }
    if (seat.leafId !== null) seat.seen.set(seat.leafId, after);
    seat.leaf = after;
    this.#checkLeaf(seat, after);
    seat.window = seat.isLooking ? [...seat.window, after] : [after];
    seat.isBeside = false;
    seat.moments.clear();
  }

  async #move(seat: Seat): Promise<void> {
    const random = this.#random;
    const targets = [...seat.seen.keys()];
    const target = random.pick(random.chance(0.6) ? targets.slice(-12) : targets);
    const files = random.chance(0.8) ? "follow" : "stay";
    const conflicts = random.chance(0.5) ? "take" : "keep";
    this.#say(`${seat.name}: move to ${target} ${files} ${conflicts}`);
    await this.#moved(seat, { files, conflicts, target }, () =>
      seat.program.request("switchTo", { entryId: target, to: "entry", files, conflicts }),
    );
  }

  async #undo(seat: Seat, what: "undo" | "redo"): Promise<void> {
    const conflicts = this.#random.chance(0.5) ? "take" : "keep";
    this.#say(`${seat.name}: ${what} ${conflicts}`);
    await this.#moved(seat, { files: "follow", conflicts }, async () => {
      try {
        return await seat.program.request(`${what}Move`, { files: "follow", conflicts });
      } catch (error) {
        if (/nothing-to-(undo|redo)/.test(String(error))) return { kind: "unchanged" };
        throw error;
      }
    });
  }

  async #restore(seat: Seat): Promise<void> {
    const target = this.#random.pick([...seat.seen.keys()].slice(-12));
    const conflicts = this.#random.chance(0.5) ? "take" : "keep";
    this.#say(`${seat.name}: restore ${target} ${conflicts}`);
    await this.#moved(seat, { files: "follow", conflicts, target, isRestore: true }, () =>
      seat.program.request("restoreFiles", { entryId: target, conflicts }),
    );
  }

  #outside(): void {
    for (let count = 1 + this.#random.below(3); count > 0; count--) {
      this.#say(`person: ${this.#place.outside()}`);
      this.#look();
    }
  }

  #git(): void {
    this.#say(`person: ${this.#place.gitCommand()}`);
    this.#look();
  }

  /** One session's command runs while the other session does something. Each must record what was its own. */
  async #together(): Promise<void> {
    const random = this.#random;
    const [first, second] = random.chance(0.5) ? this.seats : [...this.seats].reverse();
    if (first === undefined || second === undefined) return;
    const open = this.#gate("open");
    const go = this.#gate("go");
    const path = this.#place.path();
    const half = `echo ${this.#place.mark(first.name)} >> 'shared-${first.name}.txt'`;
    const wait = `for i in $(seq 2000); do [ -e '${go}' ] && break; sleep 0.01; done`;
    const end = this.#place.command(first.name, { own: true });
    const one = this.#send(first, [
      [{ name: "bash", input: { command: `${half}; touch '${open}'; ${wait}; ${end}` } }],
    ]);
    await until(() => existsSync(open));
    const call: ScriptedCall = random.chance(0.5)
      ? { name: "write", input: { path, content: this.#place.content(second.name) } }
      : { name: "bash", input: { command: this.#place.command(second.name, { own: true }) } };
    for (const seat of this.seats) seat.isBeside = true;
    this.#rememberMoments(changeBy({ name: "bash", input: { command: end } }), changeBy(call));
    const isFirstLook = !second.hasLooked || second.isLooking;
    const two = this.#send(second, [[call]]);
    if (random.chance(0.5)) {
      await two.sent;
      writeFileSync(go, "");
      await one.sent;
    } else {
      writeFileSync(go, "");
      await Promise.all([one.sent, two.sent]);
    }
    for (const name of [open, go]) removeFile(name);
    // The second one looked for the first time at some moment while the command of the first one ran: what no record named
    // until then may be known to it as it was before that command, or after.
    if (isFirstLook) this.#relax(second, this.#look());
    await this.#afterPrompt(first, one.tag, { isAlone: false });
    this.#look();
    await this.#afterPrompt(second, two.tag, { isAlone: false });
    // What the other one did in between counts as done outside, and is recorded at the next prompt.
    for (const seat of [first, second]) await this.#prompt(seat, []);
  }

  /**
   * Both change the same file, and nothing waits for the other: it may be for a moment what the first one makes of it. A
   * session that looks just then records that.
   */
  #rememberMoments(one: CallChange | undefined, two: CallChange | undefined): void {
    if (one === undefined || two === undefined || one.path !== two.path) return;
    const { path } = one;
    const text = this.#place.text(path) ?? null;
    const [ofOne, ofTwo] = [one.of(text), two.of(text)];
    for (const content of [text, ofOne, ofTwo, two.of(ofOne), one.of(ofTwo)]) {
      const hash = content === null ? null : createHash("sha256").update(content).digest("hex");
      for (const state of hash === null ? [null] : [`- ${hash}`, `x ${hash}`]) {
        for (const seat of this.seats) seat.moments.add(`${path} ${state}`);
        if (state !== null) this.#ever.set(path, (this.#ever.get(path) ?? new Set()).add(state));
      }
    }
  }

  // Kills

  async #kill(seat: Seat): Promise<void> {
    this.kills += 1;
    const what = this.#random.weighted({ tool: 4, prompt: 2, move: 3, idle: 1 });
    if (what === "tool") await this.#killInTool(seat);
    else if (what === "move") await this.#killInMove(seat);
    else if (what === "prompt") {
      const { tag, sent } = this.#send(seat, this.#batches(seat));
      sent.catch(() => undefined);
      await this.#pause();
      this.#say(`${seat.name}: killed in a prompt`);
      await seat.program.kill();
      await this.#quiet();
      await this.#restart(seat, tag);
      await this.#prompt(seat, []);
    } else {
      this.#say(`${seat.name}: killed`);
      await seat.program.kill();
      await this.#restart(seat);
    }
  }

  async #killInTool(seat: Seat): Promise<void> {
    // What changed while a first look may have gone on is recorded with the tool, and not above the prompt.
    if (seat.isLooking && this.#hasChanged(seat)) await this.#prompt(seat, []);
    const open = this.#gate("half");
    const end = this.#gate("end");
    const own = this.#parts.kind === "two";
    const half = this.#place.command(seat.name, { own });
    const rest = this.#random.chance(0.5) ? `; sleep 0.2; ${this.#place.command(seat.name, { own })}` : "";
    const command = `trap 'touch "${end}"' EXIT; ${half}; touch '${open}'${rest}`;
    const before = this.#look();
    const { tag, sent } = this.#send(seat, [[{ name: "bash", input: { command } }]]);
    sent.catch(() => undefined);
    await until(() => existsSync(open));
    this.#look();
    this.#say(`${seat.name}: killed in a tool`);
    await seat.program.kill();
    await until(() => existsSync(end));
    for (const name of [open, end]) removeFile(name);
    this.#look();
    await this.#restart(seat, tag);
    // Whatever the command did is recorded by the next prompt at the latest.
    await this.#prompt(seat, []);
    const prompt = seat.lines.findLast((line) => isPrompt(line, tag));
    if (prompt === undefined) return this.#flag(`prompt ${tag} was lost in a kill`);
    seat.seen.set(prompt.id, this.#steps.get(tag)?.[0] ?? before);
  }

  /** A move or a restore is killed: the folder is as before it or as after it, and the session knows which. */
  async #killInMove(seat: Seat): Promise<void> {
    const random = this.#random;
    const target = random.pick([...seat.seen.keys()]);
    const isRestore = random.chance(0.3);
    const conflicts = random.chance(0.3) ? "take" : "keep";
    const wanted = this.#stateOf(seat, target);
    const before = this.#look();
    const { leaf: believed, leafId: from } = seat;
    this.#say(`${seat.name}: killed in a ${isRestore ? "restore of" : "move to"} ${target} ${conflicts}`);
    const moved = isRestore
      ? seat.program.request("restoreFiles", { entryId: target, conflicts })
      : seat.program.request("switchTo", { entryId: target, to: "entry", files: "follow", conflicts });
    moved.catch(() => undefined);
    await this.#pause(random.chance(0.5) ? 10 : 60);
    await seat.program.kill();
    const killed = this.#look();
    if (random.chance(0.3)) this.#outside();
    const edited = this.#look();
    await this.#takeSeat(seat);
    const after = this.#look();
    const added = seat.lines.records.slice(seat.checked);
    this.#checkRecords(seat);
    const sides = new Set<string>();
    const isDone = (path: string) => conflicts === "take" || before[path] === believed[path];
    const mayBeKept = (path: string) =>
      this.#isBlocked(path, before) || (conflicts === "keep" && this.#isShared(seat, path));
    let isUnsure = false;
    for (const path of names(before, wanted, believed, after)) {
      const states = [after, before, believed, wanted, edited, killed].map((world) => world[path] ?? null);
      const [now, old, known, goal, left, atKill] = states as [...States, State, State];
      const said = `${path}: was ${old}, session left ${known}, wanted ${goal}, is ${now}`;
      if (left !== atKill) {
        // A person changed it after the kill. A file that is gone may be one that was about to be replaced.
        if (left !== null && left !== old && left !== goal && now !== left)
          this.#flag(`a killed move was finished over what a person wrote since; ${said}`);
      } else if (known === goal) {
        if (now !== old && !seat.lax.has(path)) this.#flag(`a killed move changed a file not on its way; ${said}`);
      } else if (old === goal) {
        if (now !== old) this.#flag(`a killed move changed what was there already; ${said}`);
      } else if (seat.lax.has(path) || mayBeKept(path)) isUnsure = true;
      else if (isDone(path)) sides.add(now === old ? "before" : now === goal ? "after" : `neither (${said})`);
      else if (now !== old) this.#flag(`a killed move did not keep a conflict; ${said}`);
    }
    if (sides.size > 1) this.#flag(`a killed move left the folder in between: ${[...sides].join(", ")}`);
    const isThere = isRestore || seat.lines.path(seat.leafId).some(({ id }) => id === target);
    if (sides.has("after") && !isThere) this.#flag("files of a killed move are there, and the conversation is not");
    // What it wrote down before it left: what a conflict would have cost.
    seat.leaf = added.filter((record) => isLeaving(seat.lines, record, { from, target })).reduce(changedBy, believed);
    if (sides.has("after") || (sides.size === 0 && isThere && !isUnsure)) {
      if (!isRestore) seat.leaf = this.#stateOf(seat, seat.leafId ?? "");
      else {
        // What another session may have made is kept, and so what the session believes of it stays.
        const isSure = (path: string) => isDone(path) && !mayBeKept(path);
        const done = names(believed, wanted).filter((path) => isSure(path) || after[path] === wanted[path]);
        const way = done.filter((path) => believed[path] !== wanted[path]);
        const changes = way.map((path) => ({ path, before: null, after: wanted[path] ?? null }));
        seat.leaf = changedBy(seat.leaf, { changes });
      }
    } else if (sides.size === 0 && isThere) {
      // Only files were on its way of which nothing is promised, or that may be kept: which side it is does not show.
      for (const path of names(believed, wanted)) if (believed[path] !== wanted[path]) seat.lax.add(path);
    }
    this.#relax(seat, after);
    if (seat.leafId !== null) seat.seen.set(seat.leafId, this.#stateOf(seat, seat.leafId));
  }

  /** As long as it takes for something to have begun. */
  async #pause(most = 60): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#random.next() * most));
  }

  /** Until no command of a killed program changes anything any more. */
  async #quiet(): Promise<void> {
    for (let same = 0; same < 3; ) {
      const before = JSON.stringify(this.#place.look());
      await new Promise((resolve) => setTimeout(resolve, 20));
      same = JSON.stringify(this.#look()) === before ? same + 1 : 0;
    }
  }

  // Sessions

  async #open(name: string): Promise<Seat> {
    const program = this.#start([]);
    const { sessionFile } = await program.request("getState");
    const first = this.#look();
    return {
      name,
      program,
      lines: new SessionLines(String(sessionFile)),
      seen: new Map(),
      above: new Map(),
      leaf: first,
      begin: first,
      first,
      hasLooked: false,
      isLooking: false,
      leafId: null,
      base: new Map(),
      lax: new Set(),
      window: [first],
      isBeside: false,
      moments: new Set(),
      checked: 0,
    };
  }

  /** With the tag of the prompt that was killed, if one was. */
  async #restart(seat: Seat, tag?: string): Promise<void> {
    await seat.program.kill();
    const before = this.#look();
    if (this.#random.chance(0.3)) this.#outside();
    const after = this.#look();
    if (tag !== undefined) {
      const changed = names(before, after).filter((path) => before[path] !== after[path]);
      this.#killed.set(tag, new Set(changed.map((path) => `${path} ${after[path]}`)));
    }
    await this.#takeSeat(seat);
    this.#relax(seat, this.#look());
  }

  /** Opens the session again. */
  async #takeSeat(seat: Seat): Promise<void> {
    const args = existsSync(seat.lines.file) ? ["--session", seat.lines.file] : [];
    seat.program = this.#start(args);
    const { sessionFile } = await seat.program.request("getState");
    if (sessionFile !== seat.lines.file) seat.lines = new SessionLines(String(sessionFile));
    await this.#readLeaf(seat);
    seat.hasLooked = false;
    seat.isLooking = false;
  }

  /** A path that no record on this branch names was not watched before the first look of a program. */
  #relax(seat: Seat, now: World): void {
    for (const path of names(now, seat.leaf)) {
      if (now[path] === seat.leaf[path]) continue;
      if (seat.lines.stateAt(seat.leafId, path) === undefined) seat.lax.add(path);
    }
  }

  #start(args: readonly string[]): Program {
    const { main } = this.#parts;
    // In a sandbox, no command outlives a program that is killed.
    const auto = ["--permission", "auto", "--sandbox", "off"];
    return new Program({ main, cwd: this.#place.root, home: this.#home, args: [...auto, ...args] });
  }

  async #readLeaf(seat: Seat): Promise<void> {
    const { leafId } = await seat.program.request("getState");
    for (const warning of seat.program.warnings.splice(0))
      if (warning.startsWith("Files are no longer recorded")) this.#flag(warning);
    seat.leafId = leafId as string | null;
    seat.lines.update();
  }

  /** The folder at an entry: as it was seen, or as it was seen above and the records since then say. */
  #stateOf(seat: Seat, id: string): World {
    const path = seat.lines.path(id);
    const from = path.findLastIndex((line) => seat.seen.has(line.id));
    const start = path[from]?.id ?? "";
    const isOwn = start === id;
    const world = (isOwn ? undefined : seat.above.get(start)) ?? seat.seen.get(start) ?? seat.begin;
    return path.slice(from + 1).reduce((now, { id: at }) => {
      const record = seat.lines.record(at);
      return record === undefined ? now : changedBy(now, record);
    }, world);
  }

  // Checks

  /** Does a move, and compares the folder with what it has to be. */
  async #moved(
    seat: Seat,
    request: {
      readonly files: string;
      readonly conflicts: string;
      readonly target?: string;
      readonly isRestore?: boolean;
    },
    move: () => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<void> {
    const before = this.#look();
    const believed = seat.leaf;
    const result = await move();
    const after = this.#look();
    await this.#readLeaf(seat);
    this.#checkRecords(seat);
    const moved = (request.isRestore === true ? result : result.files) as Moved | undefined;
    if (result.kind === "unchanged" || result.kind === "cancelled" || moved?.kind === "failed") {
      if (moved?.kind === "failed") this.#flag(`files could not be restored: ${JSON.stringify(moved)}`);
      this.#same(before, after, `${result.kind} changed files`);
      return;
    }
    const target = request.target ?? seat.leafId;
    const wanted = target === null ? seat.begin : this.#stateOf(seat, target);
    if (request.files === "stay" || moved?.kind === "stayed") {
      this.#same(before, after, "a move without the files changed some");
      if (seat.leafId !== null) seat.seen.set(seat.leafId, wanted);
      return;
    }
    if ((moved?.missing ?? []).length > 0) this.#flag(`contents are missing: ${moved?.missing}`);
    const next: Record<string, string> = {};
    for (const path of names(before, after, believed, wanted)) {
      const [now, old, known, goal] = [after, before, believed, wanted].map((world) => world[path] ?? null) as States;
      const isOnWay = known !== goal;
      // What a restore keeps is not recorded yet, as it is after a move.
      const isKeptByMove = isOnWay || (moved?.kept ?? []).includes(path);
      const isPending = now === old && (!isKeptByMove || request.isRestore === true);
      const value = isPending ? known : now;
      if (value !== null) next[path] = value;
      if (seat.lax.has(path)) continue;
      const said = `${path}: was ${old}, session left ${known}, wanted ${goal}, is ${now}`;
      const isFree = isOnWay && (old === known || old === goal);
      if (!isOnWay) {
        if (now !== old && !(request.conflicts === "take" && now === goal))
          this.#flag(`a file not on the way changed; ${said}`);
      } else if (isFree || request.conflicts === "take") {
        const isKept = now === old && (moved?.kept ?? []).includes(path);
        const mayBeKept = this.#isBlocked(path, before) || (request.conflicts === "keep" && this.#isShared(seat, path));
        if (now === goal || (isKept && mayBeKept)) continue;
        this.#flag(`a file is not what it was; ${said}; kept ${moved?.kept}`);
      } else if (now !== old) this.#flag(`a conflict was not kept; ${said}`);
    }
    seat.leaf = next;
    if (seat.leafId !== null) seat.seen.set(seat.leafId, next);
  }

  /** Whether another session may have made a change of the path that this one knows: then it is kept unless asked for. */
  #isShared({ lines }: Seat, path: string): boolean {
    if (this.#parts.kind !== "two") return false;
    return lines.records.some((record) => record.with !== undefined && record.changes.some((one) => one.path === path));
  }

  #same(before: World, after: World, what: string): void {
    for (const path of names(before, after)) {
      if (before[path] !== after[path]) this.#flag(`${what}: ${path} was ${before[path]}, is ${after[path]}`);
    }
  }

  /** Whether something of another kind is where the path, or a folder of it, has to be. */
  #isBlocked(path: string, world: World): boolean {
    const parts = path.split("/");
    const above = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
    return (
      above.some((folder) => world[folder] !== undefined) ||
      Object.keys(world).some((name) => name.startsWith(`${path}/`))
    );
  }

  /** Every record says what was there before, as its branch left it, and bytes that were on the disk. */
  #checkRecords(seat: Seat): void {
    for (const record of seat.lines.records.slice(seat.checked)) {
      if (record.isElsewhere) continue;
      for (const { path, before, after } of record.changes) {
        const said = `${record.id} by ${record.by} ${record.tool ?? ""} ${path}: ${before} to ${after}`;
        const above = seat.lines.stateAt(record.parentId, path);
        const known = above === undefined ? seat.base.get(path) : above;
        if (known === undefined) {
          seat.base.set(path, before);
          if (!wasThere(seat, path, before)) this.#flag(`a record's before was never on the disk; ${said}`);
        } else if (known !== before) this.#flag(`a record's before is not its parent's state, ${known}; ${said}`);
        // A restore also says how a branch differs from what was there at another time.
        const isKnown = record.by === "restore" ? this.#wasEverThere(path, after) : wasThere(seat, path, after);
        if (!isKnown) this.#flag(`a record's after was not on the disk; ${said}`);
        this.#checkOwner(seat, record, { path, after, said });
      }
    }
    seat.checked = seat.lines.records.length;
  }

  #wasEverThere(path: string, state: State): boolean {
    return state === null || this.#ever.get(path)?.has(state) === true;
  }

  /**
   * With two sessions each file says who wrote it last. What one did must not count as done by the other's tools. What a
   * person did in the second after a kill counts as done by the command that ran: when it ended was seen by no one. That
   * may also be a file that the person moved, with what the other session had written in it.
   */
  #checkOwner(
    seat: Seat,
    record: RecordLine,
    { path, after, said }: { readonly path: string; readonly after: State; readonly said: string },
  ): void {
    if (this.#parts.kind !== "two" || record.by !== "tool" || record.with !== undefined || after === null) return;
    // Of two that wrote beside each other the one with the older mark may have been the later one; both write at the end.
    const owner = this.#owners.get(after)?.[seat.isBeside ? "last" : "newest"];
    const isUnseen = record.callIds.some((id) => this.#killed.get(tagOf(id))?.has(`${path} ${after}`) === true);
    if (owner !== undefined && owner !== seat.name && !isUnseen)
      this.#flag(`${seat.name} recorded as its own what ${owner} did; ${said}`);
  }

  /** What the records say of the leaf is what is on the disk. */
  #checkLeaf(seat: Seat, disk: World): void {
    const paths = new Set([...names(disk, seat.first), ...seat.base.keys()]);
    for (const path of paths) {
      if (seat.lax.has(path)) continue;
      const said = seat.lines.stateAt(seat.leafId, path);
      const unsaid = seat.base.has(path) ? seat.base.get(path) : seat.first[path];
      const state = (said === undefined ? unsaid : said) ?? null;
      if (state === (disk[path] ?? null)) continue;
      const source = said !== undefined ? "record" : seat.base.has(path) ? "base" : "first look";
      this.#flag(`by its ${source} ${path} is ${state}, on the disk it is ${disk[path] ?? null}`);
    }
  }

  // Small things

  #look(): World {
    const world = this.#place.look();
    for (const { window } of this.seats) window.push(world);
    for (const [path, state] of Object.entries(world)) {
      const states = this.#ever.get(path) ?? new Set();
      this.#ever.set(path, states.add(state));
    }
    if (this.#parts.kind === "two") this.#learnOwners(world);
    return world;
  }

  #learnOwners(world: World): void {
    for (const [path, state] of Object.entries(world)) {
      if (this.#owners.has(state) || state.startsWith("->")) continue;
      try {
        const text = readFileSync(join(this.#place.root, path));
        const hash = createHash("sha256").update(text).digest("hex");
        if (!state.endsWith(hash)) continue;
        const marks = [...text.toString("utf8").matchAll(/@(\w+):(\d+)/g)];
        const last = marks.at(-1)?.[1];
        const newest = marks.sort((a, b) => Number(a[2]) - Number(b[2])).at(-1)?.[1];
        if (last !== undefined && newest !== undefined) this.#owners.set(state, { last, newest });
      } catch {
        // Gone already.
      }
    }
  }

  #gate(name: string): string {
    return join(this.#parts.folder, "gates", `${name}-${++this.#tags}`);
  }

  #say(text: string): void {
    this.#trail.push(`${this.#step} ${text}`);
    if (this.#trail.length > 12) this.#trail.shift();
    this.#parts.onSay?.(`${this.#parts.kind} world ${this.#parts.world} step ${this.#step}: ${text}`);
  }

  #flag(text: string): void {
    const { kind, seed, world } = this.#parts;
    const where = `${kind} seed ${seed} world ${world} (${this.#place.gitKind ?? "no git"}) step ${this.#step}`;
    this.#parts.onSay?.(`FLAG ${where}: ${text}`);
    this.flags.push(`${where}: ${text}\n    ${this.#trail.slice(-4).join("\n    ")}`);
  }
}

interface Moved {
  readonly kind: string;
  readonly kept?: readonly string[];
  readonly missing?: readonly string[];
}

type Owners = Readonly<Record<"last" | "newest", string>>;

type States = [State, State, State, State];

function names(...worlds: readonly World[]): readonly string[] {
  return [...new Set(worlds.flatMap((world) => Object.keys(world)))].sort();
}

function changedBy(world: World, { changes }: Pick<RecordLine, "changes">): World {
  const next: Record<string, string> = { ...world };
  for (const { path, after } of changes) {
    if (after === null) delete next[path];
    else next[path] = after;
  }
  return next;
}

/** Whether a record was written below the entry that a move leaves, and not below the one it goes to. */
function isLeaving(
  lines: SessionLines,
  { parentId }: RecordLine,
  { from, target }: { readonly from: string | null; readonly target: string },
): boolean {
  const path = lines.path(parentId).map(({ id }) => id);
  const left = from === null ? 0 : path.indexOf(from);
  return left >= 0 && !path.slice(left + 1).includes(target);
}

interface CallChange {
  readonly path: string;
  /** What becomes of the file's text; null is nothing. */
  readonly of: (text: string | null) => string | null;
}

/** What a call does that keeps to files that say who wrote them. */
function changeBy({ name, input }: ScriptedCall): CallChange | undefined {
  if (name === "write") return { path: String(input.path), of: () => String(input.content) };
  const command = String(input.command);
  const removed = /^rm -f '([^']+)'$/.exec(command)?.[1];
  if (removed !== undefined) return { path: removed, of: () => null };
  const [, mark, how, quoted, rest] = /echo (\S+) (>>?) '([^']+)'(\S*)$/.exec(command) ?? [];
  if (quoted === undefined) return undefined;
  return { path: `${quoted}${rest}`, of: (text) => `${how === ">>" ? (text ?? "") : ""}${mark}\n` };
}

/** A tool that may change files, and changes none that are followed. */
const LOOK: ScriptedCall = { name: "bash", input: { command: "mkdir -p out; touch out/look" } };

const EMPTY = createHash("sha256").digest("hex");

/**
 * A shell empties a file before a command writes to it. A session that looks while the other one's command runs may meet it
 * at that moment, which no look of this walk can catch: it was there, and what comes of it is in the next record.
 */
function wasThere({ window, isBeside, moments }: Seat, path: string, state: State): boolean {
  if (isBeside && (state?.endsWith(EMPTY) === true || moments.has(`${path} ${state}`))) return true;
  return window.some((world) => (world[path] ?? null) === state);
}

function roleOf(line: Line): string | undefined {
  if (line.type !== "message") return undefined;
  return (line.message as { role?: string }).role;
}

/** `call_A17-0_1` is one of the prompt `A17`. */
function tagOf(callId: string): string {
  return /^call_(\w+)-/.exec(callId)?.[1] ?? "";
}

function isPrompt(line: Line, tag: string): boolean {
  return roleOf(line) === "user" && JSON.stringify(line.message).includes(`walk:{\\"tag\\":\\"${tag}\\"`);
}

/** Waits for something that another process does. */
async function until(isThere: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isThere()) {
    if (Date.now() > end) throw new Error("a gate did not open within a minute");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
