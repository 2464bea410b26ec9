/** The names and contents of the files in a ref of a git store. */
import { createHash, randomBytes } from "node:crypto";
import { jsonObject } from "@bough/session/text/index.js";
import { nameOfSession, sessionOfName } from "../session-about.js";
import type { Change, TreeFile } from "./git-import.js";

export const NAME = "replica.json";
export const ABOUT = "/about.json";
export type Facts = Readonly<Record<string, unknown>>;

export function hasFacts(path: string): boolean {
  return path === NAME || path.endsWith(ABOUT);
}

export function factsIn(content: Buffer | undefined): Facts {
  return jsonObject(content?.toString("utf8") ?? "") ?? {};
}

export function groupBySession(files: readonly TreeFile[]): Map<string, TreeFile[]> {
  const sessions = new Map<string, TreeFile[]>();
  for (const file of files) {
    const [top, name] = file.path.split("/");
    if (top !== "sessions" || name === undefined) continue;
    const id = sessionOfName(name);
    const known = sessions.get(id);
    if (known === undefined) sessions.set(id, [file]);
    else known.push(file);
  }
  return sessions;
}

export function fileOf(sessionId: string, lines: readonly Uint8Array[]): Change {
  const newline = Buffer.from("\n");
  const content = Buffer.concat(lines.flatMap((line) => [line, newline]));
  return { path: `${folderOf(sessionId)}/${stamp()}.jsonl`, content };
}

let last = 0;

/** A name that sorts by time; later calls always sort later, even if the clock is set back. */
export function stamp(): string {
  last = Math.max(last + 1, Date.now());
  return `${String(last).padStart(15, "0")}-${randomBytes(4).toString("hex")}`;
}

export function folderOf(sessionId: string): string {
  return `sessions/${nameOfSession(sessionId)}`;
}

export function projectKey(project: string | undefined): string {
  return project === undefined ? "none" : createHash("sha256").update(project).digest("hex").slice(0, 16);
}

export function jsonBytes(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

export function splitLines(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(0x0a, at);
    const stop = end < 0 ? content.length : end;
    if (stop > at) lines.push(content.subarray(at, stop));
    at = stop + 1;
  }
  return lines;
}
