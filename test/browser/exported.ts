/** Exports for browser tests: the demo session, or one made for the test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDemo } from "@bough/program/cli/demo/make-demo.js";
import { SessionManager } from "@bough/session/session/index.js";
import { exportHtml, type HtmlExportRequest } from "@bough/workbench/export/export-html.js";
import { afterAll } from "vitest";

/** A folder that is deleted after all tests of the file. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-browser-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const DEMO_END = new Date("2026-03-02T12:00:00Z");

export function openDemo(folder: string): SessionManager {
  return SessionManager.open(makeDemo({ dir: join(folder, "sessions"), cwd: "/home/reader/parser", end: DEMO_END }));
}

export async function exported(
  session: SessionManager,
  file: string,
  changes: Partial<HtmlExportRequest> = {},
): Promise<string> {
  const made = await exportHtml({
    source: session.getSource(),
    header: session.getHeader(),
    file,
    existing: "replace",
    now: DEMO_END,
    newSessionId: () => "the-copy",
    ...changes,
  });
  return made.file;
}
