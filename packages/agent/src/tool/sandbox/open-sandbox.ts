/** Opens the sandbox of a session, and runs a command inside to be sure that it works. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { isFolder } from "@bough/session/log/index.js";
import { attempt, errorText } from "@bough/session/text/index.js";
import { commandShell } from "../process/command-shell.js";
import { systemCode, ToolFailure } from "../tool-failure.js";
import { blockedInOutput } from "./blocked-in-output.js";
import { ExistingMatches } from "./existing-matches.js";
import { hostSockets, temporarySockets } from "./host-sockets.js";
import { watchMasks } from "./made-by-masks.js";
import { mountsHere } from "./mount-aliases.js";
import { putAway, putBackPlace } from "./moved-places.js";
import { NextSandbox } from "./next-sandbox.js";
import { outsideGitFolders } from "./outside-git-folders.js";
import { appearedPlaces, type Places, ProtectedPlaces } from "./protected-places.js";
import type { Blocked, OpenSandboxOptions, Sandbox, SandboxedCommand, SandboxState, WrapOptions } from "./sandbox.js";
import type { Engine, GivenCommand, PrepareOptions, StartCommand, StartedCommand } from "./sandbox-engine.js";
import { sandboxPlan } from "./sandbox-plan.js";
import type { Found, Problem } from "./sandbox-programs.js";
import type { HostAddress } from "./upstream-tunnel.js";

/** A machine may be busy: only a sandbox that hangs takes this long. */
const PROBE_LIMIT_MS = 120_000;
const NO_RULES = { write: [], denyWrite: [], denyRead: [] };

export function openSandbox(options: OpenSandboxOptions): Sandbox {
  return openSandboxWith(options, { find: engineHere(process.platform) });
}

/** For tests: with another engine, such as one that lacks a protection, or with other sockets. */
export function openSandboxWith(options: OpenSandboxOptions, system: System): Sandbox {
  return new CommandSandbox(options, system);
}

interface System {
  readonly find: FindEngine;
  /** `hostSockets` by default. */
  readonly sockets?: typeof hostSockets;
}

type FindEngine = (cwd: string) => Promise<Found<Engine>>;

/** Engines are loaded when a sandbox opens: they bring servers for the commands inside. */
function engineHere(platform: NodeJS.Platform): FindEngine {
  if (platform === "linux") return async (cwd) => (await import("./linux-engine.js")).linuxEngine(cwd);
  if (platform === "darwin") return async () => (await import("./mac-engine.js")).macEngine();
  return async () => ({
    kind: "problem",
    reason: `there is none for ${platform}`,
    fix: "Use Linux (WSL 2 on Windows) or macOS.",
  });
}

class CommandSandbox implements Sandbox {
  readonly #options: OpenSandboxOptions;
  readonly #cwd: string;
  readonly #started: Promise<Opened>;
  readonly #places: ProtectedPlaces;
  readonly #hostSockets: typeof hostSockets;
  /** Before the first command: sockets that commands make are theirs. */
  readonly #knownSockets: readonly string[];
  readonly #running = new Set<StartedCommand>();
  readonly #next = new NextSandbox();
  /** Questions that are open: two commands that want to connect to one host ask once. */
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #denyWrite = new ExistingMatches();
  readonly #denyRead = new ExistingMatches();
  #moves = 0;
  #state: SandboxState | undefined;

  constructor(options: OpenSandboxOptions, { find, sockets: listed = hostSockets }: System) {
    this.#options = options;
    this.#hostSockets = listed;
    this.#cwd = attempt(() => realpathSync(options.cwd)) ?? options.cwd;
    this.#places = new ProtectedPlaces(this.#cwd);
    const sockets = this.#cwd === "/" ? [] : this.#places.now().sockets;
    this.#knownSockets = [...temporarySockets(), ...sockets];
    this.#started = this.#start(find).then((started) => {
      this.#state = started.state;
      return started;
    });
  }

  get state(): SandboxState | undefined {
    return this.#state;
  }

  readonly ready = async (): Promise<SandboxState> => (await this.#started).state;

  readonly wrap = async (command: string, options: WrapOptions): Promise<SandboxedCommand> => {
    const { state, engine } = await this.#started;
    if (state.kind !== "on" || engine === undefined) throw new ToolFailure("The sandbox is not available");
    return this.#wrap(engine, command, options);
  };

  readonly putBack = async ({ what, movedTo }: Blocked): Promise<void> => {
    if (movedTo === undefined) throw new ToolFailure(`${what} was not moved`);
    putBackPlace({ path: what, movedTo });
  };

  readonly close = async (): Promise<void> => {
    await this.#started;
    for (const started of this.#running) started.close();
    this.#running.clear();
    await this.#next.close();
  };

  async #wrap(engine: Engine, command: string, { callId, signal, env }: WrapOptions): Promise<SandboxedCommand> {
    const refused = new Set<string>();
    try {
      signal.throwIfAborted();
      const { write, denyWrite, denyRead } = this.#options.paths?.() ?? NO_RULES;
      const rules = {
        write,
        denyWrite: await this.#denyWrite.now(denyWrite),
        denyRead: await this.#denyRead.now(denyRead),
      };
      signal.throwIfAborted();
      const gitFolders = outsideGitFolders(this.#cwd);
      const before = this.#places.now(gitFolders);
      const plan = sandboxPlan({
        cwd: this.#cwd,
        home: this.#options.home,
        rules,
        places: before,
        gitFolders,
        hostSockets: this.#hostSockets(this.#knownSockets),
        sockets: this.#options.sockets ?? [],
        mounts: mountsHere(),
      });
      const allow = this.#allowance(callId, refused);
      const options = { plan, temporary: tmpdir() };
      const started =
        (env === undefined ? undefined : await this.#startPrepared(options, { command, env, allow })) ??
        (await startAnew(engine, { ...options, command, allow }));
      this.#running.add(started);
      let ended: Promise<readonly Blocked[]> | undefined;
      const finish = async (output: string): Promise<readonly Blocked[]> => {
        this.#running.delete(started);
        await started.ended();
        started.close();
        started.removeMade();
        if (env !== undefined) setImmediate(() => this.#next.prepare(engine, options));
        const network = [...refused].map((what) => ({ kind: "network", what, certain: true }) as const);
        return [...network, ...this.#putAway(before, gitFolders), ...blockedInOutput(output, plan)];
      };
      return {
        line: started.line,
        ...(started.start === undefined ? {} : { start: started.start }),
        hasRun: started.hasRun,
        problem: started.problem,
        finish: (output = "") => {
          ended ??= finish(output);
          return ended;
        },
      };
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      throw new ToolFailure(`The sandbox could not be set up for this command: ${setUpProblem(error).reason}`);
    }
  }

  async #startPrepared(options: PrepareOptions, command: GivenCommand): Promise<Started | undefined> {
    const taken = await this.#next.take(options);
    return taken === undefined ? undefined : { ...taken.sandbox.give(command), removeMade: taken.removeMade };
  }

  /** Whether one command may connect: a host is asked about once, whatever it is asked for. */
  #allowance(callId: string, refused: Set<string>): (asked: HostAddress) => Promise<boolean> {
    const answers = new Map<string, Promise<boolean>>();
    return async ({ host, port }) => {
      let answer = answers.get(host);
      if (answer === undefined) {
        answer = this.#ask({ host, port, callId });
        answers.set(host, answer);
      }
      const isAllowed = await answer;
      if (!isAllowed) refused.add(`${host.includes(":") ? `[${host}]` : host}:${port}`);
      return isAllowed;
    };
  }

  #ask(asked: HostAddress & { readonly callId: string }): Promise<boolean> {
    const open = this.#asking.get(asked.host);
    if (open !== undefined) return open;
    // Whatever goes wrong while asking is a no.
    const answer = Promise.resolve()
      .then(() => this.#options.allowHost(asked))
      .catch(() => false)
      .finally(() => this.#asking.delete(asked.host));
    this.#asking.set(asked.host, answer);
    return answer;
  }

  #putAway(before: Places, gitFolders: readonly string[]): readonly Blocked[] {
    const isOwn = this.#options.isOwn ?? (() => false);
    const rules = this.#options.paths?.() ?? NO_RULES;
    const moved: Blocked[] = [];
    const after = this.#places.after(before, gitFolders);
    for (const appeared of appearedPlaces(before, after, { isOwn, open: rules.write })) {
      this.#moves += 1;
      const name = `${new Date().toISOString().replace(/[:.]/g, "-")}-${process.pid}-${this.#moves}`;
      const movedTo = attempt(() => putAway(appeared, { home: this.#options.home, name }));
      // Something else may have taken it meanwhile.
      if (movedTo !== undefined) moved.push({ kind: "moved", what: appeared.path, certain: true, movedTo });
    }
    return moved;
  }

  async #start(find: FindEngine): Promise<Opened> {
    try {
      if (this.#cwd === "/") {
        return unavailable({ reason: "the working directory is /", fix: "Start Bough in a project's folder." });
      }
      if (!isFolder(this.#cwd)) {
        return unavailable({ reason: `${this.#cwd} is not a folder`, fix: "Start Bough in a project's folder." });
      }
      const found = await find(this.#cwd);
      if (found.kind === "problem") return unavailable(found);
      const engine = found.programs;
      const problem = await this.#probe(engine);
      return problem === undefined ? { state: { kind: "on" }, engine } : unavailable(problem);
    } catch (error) {
      return unavailable(setUpProblem(error));
    }
  }

  /** A real command, inside: programs that are installed may still not be allowed to make a sandbox. */
  async #probe(engine: Engine): Promise<Problem | undefined> {
    const signal = AbortSignal.timeout(PROBE_LIMIT_MS);
    const plan = sandboxPlan({
      ...{ cwd: this.#cwd, home: this.#options.home, rules: NO_RULES, mounts: [] },
      ...{ places: NO_PLACES, gitFolders: [], hostSockets: [], sockets: [] },
    });
    const started = await engine.start({
      ...{ plan, command: "exit 0", temporary: tmpdir(), allow: async () => false },
    });
    try {
      const child = spawn(commandShell().program, ["-c", started.line], {
        cwd: this.#cwd,
        stdio: ["ignore", "ignore", "pipe"],
        signal,
        killSignal: "SIGKILL",
      });
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
      return code === 0 ? undefined : engine.explain(started.problem() || said);
    } catch (error) {
      if (!signal.aborted) throw error;
      const limit = `${PROBE_LIMIT_MS / 60_000} minutes`;
      return {
        reason: `a command inside it did not end within ${limit}`,
        fix: "Start Bough again when this machine is less busy.",
      };
    } finally {
      started.close();
    }
  }
}

const NO_PLACES: Places = {
  closed: new Map(),
  gitFolders: [],
  pinned: [],
  links: new Map(),
  configs: new Map(),
  sockets: [],
  isComplete: true,
};

async function startAnew(engine: Engine, command: StartCommand): Promise<Started> {
  const removeMade = watchMasks(command.plan);
  return { ...(await engine.start(command)), removeMade };
}

interface Started extends StartedCommand {
  readonly removeMade: () => void;
}

interface Opened {
  readonly state: SandboxState;
  readonly engine?: Engine;
}

/** Everything that the sandbox writes is in the temporary folder. */
function setUpProblem(error: unknown): Problem {
  const isNotWritable = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "ENOENT"].includes(systemCode(error) ?? "");
  if (!isNotWritable) return { reason: errorText(error), fix: "Run bough doctor." };
  return {
    reason: `the temporary folder ${tmpdir()} cannot be written (${errorText(error)})`,
    fix: "Make room there, or set TMPDIR to another folder.",
  };
}

function unavailable({ reason, fix }: Problem): Opened {
  return { state: { kind: "unavailable", reason, fix } };
}
