/** Writes a session as an HTML page. */
import { statSync } from "node:fs";

/** @param {{ path: string, file: string }} input */
export async function run({ path, file }) {
  const { SessionManager } = await import("../../../dist/session/index.js");
  const { exportSession } = await import("../../../dist/export/index.js");
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const start = performance.now();
  const made = await exportSession(session, {
    format: "html",
    scope: "all",
    file,
    existing: "replace",
    secrets: "keep",
  });
  const ms = performance.now() - start;
  return { ms, check: made.bytes === statSync(file).size ? made.entries : "wrong size" };
}
