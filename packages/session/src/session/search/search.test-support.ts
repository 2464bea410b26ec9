/** Session files for tests of the search. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SearchHit } from "./search-hit.js";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-search-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/w"}';

/** The line of an entry; by default a user message with the text `text`. */
export function line(id: string, parentId: string | null, fields: string | Readonly<Record<string, unknown>>): string {
  const message = { role: "user", content: fields, timestamp: 1 };
  const { type = "message", ...rest } = typeof fields === "string" ? { type: "message", message } : fields;
  return JSON.stringify({ type, id, parentId, timestamp: "2025-01-01T00:00:01.000Z", ...rest });
}

export interface FileOptions {
  readonly name?: string;
  /** Seconds since 1970. */
  readonly modified?: number;
}

export function writeLines(folder: string, lines: readonly string[], options: FileOptions = {}): string {
  const path = join(folder, options.name ?? "s1.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  if (options.modified !== undefined) utimesSync(path, options.modified, options.modified);
  return path;
}

export async function all(hits: AsyncIterable<SearchHit>): Promise<SearchHit[]> {
  const found: SearchHit[] = [];
  for await (const hit of hits) found.push(hit);
  return found;
}

export async function idsOf(hits: AsyncIterable<SearchHit>): Promise<string[]> {
  return (await all(hits)).map((hit) => hit.entryId);
}
