/** Writes a session as an HTML page. */
import { statSync } from "node:fs";

/** @param {{ path: string, file: string }} input */
export async function run({ path, file }) {
  const { SessionManager } = await import("../../../dist/session/index.js");
  const { exportHtml } = await import("../../../dist/web/index.js");
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const start = performance.now();
  const made = await exportHtml({
    ...{ source: session.getSource(), header: session.getHeader(), file, existing: "replace", now: new Date() },
  });
  const ms = performance.now() - start;
  return { ms, check: made.bytes === statSync(file).size ? made.entries : "wrong size" };
}
