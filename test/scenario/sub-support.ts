/** Runs subcommands in a home with sessions to work on: the packed program, or the same code in this process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeDemo } from "@bough/program/cli/demo/make-demo.js";
import { SessionManager } from "@bough/session/session/index.js";
import { inject } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { type Ended, makePlace, type Place } from "./cli-support.js";
import { runHere } from "./run-here.js";

const AS_NOBODY = fileURLToPath(new URL("./sub-as-nobody.mjs", import.meta.url));

/** The main module of the packed program. All test files share one unpacked tarball, see test/support/pack.ts. */
export function packedProgram(): string {
  return inject("packedProgram");
}

export interface SubPlace extends Place {
  /** The folder of this project's sessions. */
  readonly sessions: string;
  /** Five branches, a summary, a compaction, labels. */
  readonly demo: string;
  /** Its id is `first-steps`. It is the one used last. */
  readonly recent: string;
}

/** Old enough that ages do not change while a test runs. */
const TEN_DAYS_MS = 10 * 24 * 3_600_000 + 3_600_000;

const TOLD_IN = "/where/the/demo/was/told";
let told: { readonly name: string; readonly text: string } | undefined;

/** To tell the demo takes longer than most commands that look at it: it is told once. */
function copyOfDemo(dir: string, cwd: string): string {
  if (told === undefined) {
    const made = makeDemo({ dir: tempFolder(), cwd: TOLD_IN, end: new Date(Date.now() - TEN_DAYS_MS) });
    told = { name: basename(made), text: readFileSync(made, "utf8") };
  }
  mkdirSync(dir, { recursive: true });
  const file = join(dir, told.name);
  writeFileSync(file, told.text.replaceAll(TOLD_IN, cwd), { mode: 0o600 });
  return file;
}

export function makeSubPlace(env: NodeJS.ProcessEnv = {}): SubPlace {
  const place = makePlace({ env: { LANG: "C.UTF-8", ...env } });
  const folder = `--${place.cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
  const sessions = join(place.home, "sessions", folder);
  const end = new Date(Date.now() - TEN_DAYS_MS);
  const demo = copyOfDemo(sessions, place.cwd);
  const session = SessionManager.create(place.cwd, sessions);
  session.newSession({ id: "first-steps" });
  session.appendMessage({ role: "user", content: "where do we begin?", timestamp: end.getTime() });
  session.close();
  return { ...place, sessions, demo, recent: session.getSessionFile() as string };
}

export interface RunOptions {
  readonly input?: string;
  /** Whose rights count. As root a folder can always be read. */
  readonly user?: "nobody";
}

/** Runs a subcommand to its end; in this process, unless it needs another user. */
export async function runSub(place: Place, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return options.user === undefined ? runHere(place, args, options) : runPacked(place, args, options);
}

/** Runs the packed program to its end. */
export async function runPacked(
  place: Place,
  args: readonly string[],
  { input = "", user }: RunOptions = {},
): Promise<Ended> {
  const nodeArgs = user === "nobody" && process.getuid?.() === 0 ? [AS_NOBODY, packedProgram()] : [packedProgram()];
  return ended(process.execPath, [...nodeArgs, ...args], place, input);
}

/** The same with a reader that goes away: `head -n 1`, or one that never reads. The code is that of the program. */
export async function runPiped(place: Place, args: readonly string[], reader: string): Promise<Ended> {
  const line = `"$0" "$@" | ${reader}; exit "\${PIPESTATUS[0]}"`;
  return ended("bash", ["-c", line, process.execPath, packedProgram(), ...args], place, "");
}

async function ended(command: string, args: readonly string[], { cwd, env }: Place, input: string): Promise<Ended> {
  const child = spawn(command, args, { cwd, env });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** Makes a folder unreadable for the user the program runs as, and all around it readable. */
export function closeFolder(place: Place, folder: string): void {
  // As root another user runs the program, who has to get as far as the folder.
  for (let up = dirname(folder); up.startsWith(dirname(place.home)); up = dirname(up)) chmodSync(up, 0o755);
  chmodSync(place.cwd, 0o755);
  chmodSync(folder, 0o000);
}

/** Damages a session: a line that is no JSON in the middle, and a last one that was cut off. */
export function damage(file: string, lines: readonly string[]): void {
  const broken = [...lines.slice(0, 3), "{ this is not JSON", ...lines.slice(3, -1), (lines.at(-1) ?? "").slice(0, 40)];
  writeFileSync(file, broken.join("\n"));
}
