/**
 * Runs every case of the benchmark once with very little data: checks that it runs and is correct, not how long it takes.
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

interface Results {
  readonly code: number;
  readonly faults: readonly string[];
  readonly rows: readonly { readonly case: string }[];
}

/** All cases in one run, started by the first test. */
let run: Promise<Results> | undefined;

async function results(): Promise<Results> {
  const file = join(tempFolder(), "results.json");
  const names = CASE_NAMES.filter((name) => MISSING[name] === undefined);
  const child = spawn(process.execPath, [ENTRY, "--once", "--only", names.join(), "--json", file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let progress = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    progress += text;
  });
  const [code] = await once(child, "close");
  expect(existsSync(file), progress).toBe(true);
  return { ...JSON.parse(readFileSync(file, "utf8")), code };
}

it.for(CASE_NAMES)("%s runs, and its answers are right", { timeout: 600_000 }, async (name, { skip }) => {
  const missing = MISSING[name];
  if (missing !== undefined) skip(`It needs ${missing}: apt-get install ${missing}`);
  run ??= results();
  const { faults, rows } = await run;
  expect(faults.filter((fault) => fault.startsWith(`${name}: `))).toEqual([]);
  expect(rows.filter((row) => row.case === name).length, "what was measured").toBeGreaterThan(0);
});

it("ends with 0 if every case that could run was right", { timeout: 600_000 }, async () => {
  run ??= results();
  const { code, faults } = await run;
  expect({ code, faults }).toEqual({ code: 0, faults: [] });
});
