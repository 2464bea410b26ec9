/** Runs git on a repository of our own, without prompts and hooks, and without user settings that would interfere. */
import { type ChildProcess, spawn } from "node:child_process";
import { startProgram } from "@bough/session/log/index.js";
import { StoreError } from "../store-error.js";
import { gitEnvironment } from "./git-environment.js";

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** It was stopped because the remote did not answer. */
  readonly isSilent?: true;
}

export interface GitCall {
  /** The path of a bare repository. */
  readonly repository: string;
  readonly args: readonly string[];
  /** Written to standard input. */
  readonly input?: Uint8Array | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  /** For network calls: git is stopped after this many milliseconds without output. */
  readonly silence?: number;
}

/** How long git may take to clean up when it is stopped. */
const GRACE_MS = 1_000;

const SETTINGS = [
  "core.hooksPath=/dev/null",
  // No garbage collection after every fetch: `gc` in older versions of git, `maintenance` in newer ones.
  "gc.auto=0",
  "maintenance.auto=false",
  "fetch.writeCommitGraph=false",
  // Reflogs would keep removed sessions.
  "core.logAllRefUpdates=false",
  "core.askPass=",
  // Settings for the user's own pushes and fetches: many servers refuse signatures and options, and
  // `push.recurseSubmodules=only` pushes nothing else.
  "push.gpgSign=false",
  "push.pushOption=",
  "push.negotiate=false",
  "push.followTags=false",
  "push.recurseSubmodules=no",
  "fetch.recurseSubmodules=no",
  "submodule.recurse=false",
  // Stop if less than one byte per second arrives for half a minute.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=30",
].flatMap((one) => ["-c", one]);

const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  // An address must not name a program to run.
  GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
  GIT_DEFAULT_REF_FORMAT: "files",
  LC_ALL: "C",
};

/** Process groups outlive this process unless they are stopped when it exits. */
const groups = new Set<() => void>();
const stopGroups = () => {
  for (const stop of groups) stop();
};

/** The git calls of one store; closing the store stops the running ones. */
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
  // A process group can be stopped as a whole, including ssh. It has no terminal to prompt on.
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
      // It has already exited.
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
    // An ssh kept for later connections holds the pipes open. The output of network calls is only used for errors.
    if (silence !== undefined) child.on("exit", (code) => timers.push(setTimeout(() => end(code), GRACE_MS)));
    // git may exit before it has read all input.
    child.stdin.on("error", () => {});
  });
  return { child, stop, done };
}
