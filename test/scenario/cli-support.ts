/** Runs the built program as a person or another program would: a process of its own, in a home of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { expect } from "vitest";
import { tempFolder } from "../support/temp-folder.js";

export const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** A child that runs longer than this is stuck: it is ended, and the test fails. */
const STUCK_MS = 100_000;

export interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface PlaceOptions {
  /** Of `settings.json`; the offline model by default. `null` writes no file, as in a fresh home. */
  readonly settings?: object | null;
  readonly env?: NodeJS.ProcessEnv;
  /** Where both are; a folder that is deleted after the test by default. */
  readonly folder?: string;
}

/** An empty home and a project with two files. No keys, no settings of whoever runs the tests. */
export function makePlace({
  settings = { model: "offline/rules" },
  env = {},
  folder = tempFolder(),
}: PlaceOptions = {}): Place {
  const home = join(folder, "home");
  const cwd = join(folder, "project");
  mkdirSync(cwd);
  writeProject(cwd);
  if (settings !== null) {
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  }
  const { PATH, TMPDIR } = process.env;
  return {
    home,
    cwd,
    env: { PATH, ...(TMPDIR === undefined ? {} : { TMPDIR }), HOME: folder, BOUGH_HOME: home, ...env },
  };
}

/** The two files of a project. */
export function writeProject(cwd: string): void {
  writeFileSync(join(cwd, "notes.txt"), "buy milk\nwrite tests\n");
  writeFileSync(join(cwd, "app.js"), "console.log('hello');\n");
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program and what it has printed so far. */
export class Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";
  readonly #waiting = new Set<() => void>();
  #isKilled = false;

  constructor(place: Place, args: readonly string[], nodeArgs: readonly string[] = []) {
    this.child = spawn(process.execPath, [...nodeArgs, PROGRAM, ...args], { cwd: place.cwd, env: place.env });
    const stuck = setTimeout(() => this.child.kill("SIGKILL"), STUCK_MS);
    for (const name of ["stdout", "stderr"] as const) {
      this.child[name].setEncoding("utf8").on("data", (text: string) => {
        this[name] += text;
        for (const look of this.#waiting) look();
      });
    }
    // A program that ended does not read what is still being sent to it.
    this.child.stdin.on("error", () => {});
    this.ended = once(this.child, "close").then(([code, signal]) => {
      clearTimeout(stuck);
      if (signal === "SIGKILL" && !this.#isKilled)
        throw new Error(`The program got stuck:\n${this.stdout}\n${this.stderr}`);
      return { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** `kill -9`. Resolves when it is gone. */
  async killNow(): Promise<void> {
    this.#isKilled = true;
    this.child.kill("SIGKILL");
    await this.ended;
  }

  /** Resolves when the program has printed this. */
  printed(text: string): Promise<void> {
    const seen = new Promise<void>((resolve) => {
      const look = () => {
        if (!this.stdout.includes(text)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
    const gone = this.ended.then((end) => {
      if (!end.stdout.includes(text)) throw new Error(`Never printed ${text}: ${JSON.stringify(end)}`);
    });
    return Promise.race([seen, gone]);
  }
}

/** Runs the program to its end. Without `input`, its standard input is empty. */
export async function bough(place: Place, args: readonly string[], input = ""): Promise<Ended> {
  const running = new Running(place, args);
  running.child.stdin.end(input);
  return running.ended;
}

/** Session files of a home, in the order of their names. */
export function sessionFiles({ home }: Place): string[] {
  const root = join(home, "sessions");
  try {
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .map((name) => join(root, name));
  } catch {
    // No session was ever written.
    return [];
  }
}

/** What was said in a session, on the path to its leaf, as `role: text`. Fails where the file is not in order. */
export async function conversation(file: string): Promise<string[]> {
  expect((await verifySession(file)).findings).toEqual([]);
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return session.buildSessionContext().messages.map((message) => {
      const { role } = message;
      const content: unknown = "content" in message ? message.content : undefined;
      if (typeof content === "string") return `${role}: ${content}`;
      const blocks = (content ?? []) as readonly { type: string; text?: string; name?: string }[];
      return `${role}: ${blocks.map((block) => block.text ?? `[${block.type} ${block.name ?? ""}]`).join("")}`;
    });
  } finally {
    session.close();
  }
}

export function theOnly<Item>(items: readonly Item[]): Item {
  expect(items).toHaveLength(1);
  return items[0] as Item;
}
