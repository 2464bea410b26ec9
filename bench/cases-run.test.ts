/**
 * Runs every case of the benchmark once in its small form: checks that it runs and is correct, not how long it takes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isOnPath } from "../test/support/missing-tools.js";
import { tempFolder } from "../test/support/temp-folder.js";
import { CASE_NAMES } from "./index.mjs";

const ENTRY = fileURLToPath(new URL("./run.mjs", import.meta.url));
/** The Debian package that a case needs, if it is missing. */
const MISSING: Readonly<Record<string, string | undefined>> = {
  files: isOnPath("git") ? undefined : "git",
  history: isOnPath("git") ? undefined : "git",
  page: isOnPath("chromium") ? undefined : "chromium",
  sandbox: isOnPath("bwrap") && isOnPath("socat") ? undefined : "bubblewrap socat",
  stores: existsSync("/usr/lib/postgresql") ? undefined : "postgresql",
};

it.for(CASE_NAMES)("%s runs, and its answers are right", { timeout: 600_000 }, async (name, { skip }) => {
  const missing = MISSING[name];
  if (missing !== undefined) skip(`It needs ${missing}: apt-get install ${missing}`);
  const file = join(tempFolder(), "results.json");
  const child = spawn(process.execPath, [ENTRY, "--quick", "--once", "--only", name, "--json", file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let progress = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    progress += text;
  });
  const [code] = await once(child, "close");
  expect(existsSync(file), progress).toBe(true);
  const { faults, rows } = JSON.parse(readFileSync(file, "utf8")) as {
    faults: readonly string[];
    rows: readonly { readonly case: string }[];
  };
  expect([faults, code]).toEqual([[], 0]);
  // This one has only large sessions.
  if (name !== "rpc-block") expect(rows.length, "what was measured").toBeGreaterThan(0);
});
