/** Bough as a process of its own, driven by lines over its pipes. Nothing of the program's code is used here. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";

type Line = Readonly<Record<string, unknown>>;

export class ProgramEnded extends Error {}

export interface ProgramPlace {
  /** The entry point of a build: `dist/cli/main.js`. */
  readonly main: string;
  readonly cwd: string;
  readonly home: string;
  readonly args: readonly string[];
}

export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** What it said on standard error. */
  said = "";
  /** What it warned of since this was last emptied. */
  warnings: string[] = [];
  readonly #open = new Map<number, (line: Line) => void>();
  #count = 0;
  #hasEnded = false;

  constructor({ main, cwd, home, args }: ProgramPlace) {
    const { BOUGH_MODEL: _model, ...env } = process.env;
    this.child = spawn(process.execPath, [main, "--mode", "rpc", ...args], {
      cwd,
      env: { ...env, BOUGH_HOME: home, BOUGH_RECORD_GAPS: "throw", WALK_KEY: "walk" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const { stdin, stdout, stderr } = this.child;
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.said = (this.said + text).slice(-20_000);
    });
    stdin?.on("error", () => undefined);
    if (stdout !== null) createInterface({ input: stdout }).on("line", (text) => this.#read(text));
    this.ended = new Promise((resolve) => {
      this.child.on("close", () => {
        this.#hasEnded = true;
        for (const settle of this.#open.values()) settle({ gone: true });
        this.#open.clear();
        resolve();
      });
    });
  }

  async request(method: string, params?: Line): Promise<Line> {
    if (this.#hasEnded) throw new ProgramEnded(this.said);
    const id = ++this.#count;
    const line = await new Promise<Line>((resolve) => {
      this.#open.set(id, resolve);
      (this.child.stdin as Writable).write(`${JSON.stringify({ id, method, params })}\n`);
    });
    if (line.gone === true) throw new ProgramEnded(this.said);
    if (line.error !== undefined) throw new Error(`${method}: ${JSON.stringify(line.error)}`);
    return line.result as Line;
  }

  /** Ends it as a person does who closes the window. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.ended;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  #read(text: string): void {
    const line = JSON.parse(text) as Line;
    if (line.method !== undefined) {
      // Commands that leave marks outside of the folder ask in every mode. Other questions get no answer.
      const result = line.method === "ui.permission" ? "once" : null;
      (this.child.stdin as Writable).write(`${JSON.stringify({ id: line.id, result })}\n`);
      return;
    }
    const { type, level, message } = (line.event ?? {}) as Line;
    if (type === "notice" && level !== "info") this.warnings.push(String(message));
    if (typeof line.id !== "number") return;
    this.#open.get(line.id)?.(line);
    this.#open.delete(line.id);
  }
}
