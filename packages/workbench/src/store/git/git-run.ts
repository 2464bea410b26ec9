/** Runs git on a repository of our own, without questions, hooks or settings of the person that would get in the way. */
import { type ChildProcess, spawn } from "node:child_process";
import { startProgram } from "@bough/session/log/index.js";
import { StoreError } from "../store-error.js";
import { gitEnvironment } from "./git-environment.js";

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** It was stopped, because the other side did not answer. */
  readonly isSilent?: true;
}

export interface GitCall {
  /** A bare one. */
  readonly repository: string;
  readonly args: readonly string[];
  /** Goes to standard input. */
  readonly input?: Uint8Array | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  /** For a call over a network: it is stopped if it neither says anything nor ends for as many milliseconds. */
  readonly silence?: number;
}

/** How long git may take to tidy up when it is stopped. */
const GRACE_MS = 1_000;

const SETTINGS = [
  "core.hooksPath=/dev/null",
  // No looking for garbage after every fetch: older versions of git call that `gc`, newer ones `maintenance`.
  "gc.auto=0",
  "maintenance.auto=false",
  "fetch.writeCommitGraph=false",
  // A log of the refs would keep what was removed.
  "core.logAllRefUpdates=false",
  "core.askPass=",
  // What a person wants of pushes and fetches of their own work: many servers refuse signatures and options, and
  // `push.recurseSubmodules=only` pushes nothing else.
  "push.gpgSign=false",
  "push.pushOption=",
  "push.negotiate=false",
  "push.followTags=false",
  "push.recurseSubmodules=no",
  "fetch.recurseSubmodules=no",
  "submodule.recurse=false",
  // Less than one byte a second for half a minute.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=30",
].flatMap((one) => ["-c", one]);

const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  // An address may not name a program to run.
  GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
  GIT_DEFAULT_REF_FORMAT: "files",
  LC_ALL: "C",
};

/** Groups outlive this process unless they are stopped with it. */
const groups = new Set<() => void>();
const stopGroups = () => {
  for (const stop of groups) stop();
};

/** The calls of one store: closing it ends those that are running. */
export class GitRunner {
  readonly #running = new Set<() => void>();
  #isClosed = false;

  async run(call: GitCall): Promise<GitOutput> {
    if (this.#isClosed) throw closed();
    const { child, stop, done } = start(call);
    this.#running.add(stop);
    try {
      child.stdin?.end(call.input);
      const output = await done;
      if (this.#isClosed) throw closed();
      return output;
    } finally {
      this.#running.delete(stop);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#running) stop();
  }
}

function closed(): StoreError {
  return new StoreError("sync-aborted", "The store was closed");
}

interface Running {
  readonly child: ChildProcess;
  readonly stop: () => void;
  readonly done: Promise<GitOutput>;
}

function start({ repository, args, environment, silence }: GitCall): Running {
  const env = { ...gitEnvironment(), ...ENVIRONMENT, ...environment, GIT_DIR: repository };
  // A group of its own can be stopped as a whole, with ssh and what else it started. It has no terminal to ask at.
  const isGroup = silence !== undefined && process.platform !== "win32";
  const child = startProgram({ program: "git", env }, (found) =>
    spawn(found, [...SETTINGS, ...args], { env, detached: isGroup, windowsHide: true }),
  );
  const timers: NodeJS.Timeout[] = [];
  let isSilent = false;
  const signal = (name: NodeJS.Signals) => {
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, name);
      else child.kill(name);
    } catch {
      // It has just ended.
    }
  };
  const stop = () => {
    signal("SIGTERM");
    timers.push(setTimeout(() => signal("SIGKILL"), GRACE_MS));
  };
  const stopWithProcess = () => signal("SIGTERM");
  if (isGroup) {
    if (groups.size === 0) process.on("exit", stopGroups);
    groups.add(stopWithProcess);
  }
  const watch =
    silence === undefined
      ? undefined
      : setTimeout(() => {
          isSilent = true;
          stop();
        }, silence);
  const done = new Promise<GitOutput>((resolve, reject) => {
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    const tidy = () => {
      clearTimeout(watch);
      for (const timer of timers) clearTimeout(timer);
      groups.delete(stopWithProcess);
      if (groups.size === 0) process.off("exit", stopGroups);
    };
    const end = (code: number | null) => {
      tidy();
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
      const stderr = Buffer.concat(errors).toString("utf8");
      resolve({ code: code ?? 1, stdout: Buffer.concat(out), stderr, ...(isSilent ? { isSilent } : {}) });
    };
    child.stdout.on("data", (piece: Buffer) => {
      watch?.refresh();
      out.push(piece);
    });
    child.stderr.on("data", (piece: Buffer) => {
      watch?.refresh();
      errors.push(piece);
    });
    child.on("error", (cause) => {
      tidy();
      reject(new StoreError("package-missing", "git is not installed", { hint: "Install git.", cause }));
    });
    child.on("close", end);
    // An ssh that stays for later connections keeps the pipes open. What a network call prints is only for errors.
    if (silence !== undefined) child.on("exit", (code) => timers.push(setTimeout(() => end(code), GRACE_MS)));
    // git may end before it has read everything.
    child.stdin.on("error", () => {});
  });
  return { child, stop, done };
}
