/** The sessions of every folder: how many, how large, whether they are readable. */
import { accessSync, constants, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { SessionManager, sessionsRoot, verifySession } from "@bough/session/session/index.js";
import { counted, defined, shortBytes } from "@bough/session/text/index.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Check } from "./check-environment.js";

/** Larger ones still open, but it is worth knowing before copying or sharing them. */
const LARGE = 200e6;
const SHOWN = 10;

/** Opening reads the start of every line and finds most damage; `--deep` reads every byte. */
export async function checkSessions({
  flags,
  signal,
}: Pick<SubcommandCall, "flags" | "signal">): Promise<{ readonly checks: readonly Check[]; readonly damaged: number }> {
  const checks: Check[] = [];
  const { files, unreadable } = sessionFiles();
  const bad: Check[] = [];
  let bytes = 0;
  for (const { path, isLoop } of unreadable) {
    const hint = isLoop ? `It is a link that leads to itself: ls -ld ${path}` : `Check its owner: ls -ld ${path}`;
    bad.push(problem("error", `Cannot read ${path.endsWith(".jsonl") ? "session" : "folder"}: ${path}`, hint));
  }
  let damaged = 0;
  for (const { path, size, mode } of files) {
    signal.throwIfAborted();
    bytes += size;
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      bad.push(problem("warning", `Other users can read ${path}`, `Make it private: chmod 600 ${path}`));
    }
    if (size > LARGE) bad.push(problem("note", `${path} has ${shortBytes(size)}`));
    if (size === 0) {
      bad.push(
        problem(
          "note",
          `Nothing was saved in ${path}`,
          "The program was stopped before it saved anything. The file can be deleted.",
        ),
      );
      continue;
    }
    if (!isReadable(path)) {
      bad.push(problem("error", `Cannot read session: ${path}`, `Check its owner: ls -l ${path}`));
      continue;
    }
    const found = await damageIn(path, { deep: flags.isOn("deep"), signal });
    if (found === undefined) continue;
    damaged += 1;
    bad.push(problem("error", `${path} is damaged: ${found}`, `For details, run: bough verify ${path}`));
  }
  const how = flags.isOn("deep") ? "every byte read" : "opened; --deep reads every byte";
  checks.push(problem("ok", `${counted(files.length, "session")}, ${shortBytes(bytes)} (${how})`));
  checks.push(...bad.slice(0, SHOWN));
  if (bad.length > SHOWN) checks.push(problem("note", `and ${bad.length - SHOWN} more like these`));
  return { checks, damaged };
}

function problem(level: Check["level"], message: string, hint?: string): Check {
  return { area: "Sessions", level, message, ...defined({ hint }) };
}

async function damageIn(
  path: string,
  { deep, signal }: { deep: boolean; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    if (deep) {
      const report = await verifySession(path, { signal });
      return report.ok ? undefined : counted(report.counts.damage, "finding");
    }
    const session = SessionManager.open(path, undefined, { readOnly: true });
    try {
      const [first] = session.getProblems();
      return first === undefined ? undefined : `line ${first.line}, ${first.cause}`;
    } finally {
      session.close();
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return (error as Error).message;
  }
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

interface UnreadablePlace {
  readonly path: string;
  readonly isLoop: boolean;
}

function sessionFiles(): { readonly files: readonly FoundFile[]; readonly unreadable: readonly UnreadablePlace[] } {
  const root = sessionsRoot();
  const files: FoundFile[] = [];
  const unreadable: UnreadablePlace[] = [];
  for (const name of namesIn(root, unreadable)) {
    const folder = join(root, name);
    if (statsAt(folder, unreadable)?.isDirectory() !== true) continue;
    for (const file of namesIn(folder, unreadable)) {
      if (!file.endsWith(".jsonl")) continue;
      const path = join(folder, file);
      const stats = statsAt(path, unreadable);
      if (stats?.isFile() === true) files.push({ path, size: stats.size, mode: stats.mode });
    }
  }
  return { files, unreadable };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    // We have no access, which is the answer.
    return false;
  }
}

function namesIn(folder: string, unreadable: UnreadablePlace[]): string[] {
  if (statsAt(folder, unreadable) === undefined) return [];
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return readdirSync(folder).sort();
  } catch {
    // Reported as a check: the rest can still be examined.
    unreadable.push({ path: folder, isLoop: false });
    return [];
  }
}

/** Files that exist; unreadable ones are added to the list. */
function statsAt(path: string, unreadable: UnreadablePlace[]): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    unreadable.push({ path, isLoop: (error as NodeJS.ErrnoException).code === "ELOOP" });
    return undefined;
  }
}
