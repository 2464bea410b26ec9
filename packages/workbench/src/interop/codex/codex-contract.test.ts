/** Runs the contract of all readers on every sample rollout of Codex. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { interopContract } from "../../../../../test/contract/interop-contract.js";
import { FIXTURES, recordsIn, writeRecords } from "../../../../../test/support/interop-source.js";
import { codexReader } from "./codex-reader.js";

const roots = [join(FIXTURES, "foreign/codex"), join(FIXTURES, "real/codex")];
const missing = roots.filter((root) => !existsSync(root));
const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/codex", import.meta.url));
const samples = [own, ...roots]
  .filter((root) => !missing.includes(root))
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((path) => path.endsWith(".jsonl"));

describe("rollouts of Codex", () => {
  it.skipIf(missing.length > 0)(
    missing.length > 0 ? "samples are not here: set BOUGH_FIXTURES" : "samples are here",
    () => expect(samples.length).toBeGreaterThan(20),
  );
});

/** The first line contains the program's version, except in the oldest files. */
function putFutureVersion(copy: string): boolean {
  const [first = "", ...rest] = recordsIn(copy);
  const meta = JSON.parse(first) as { type?: string; payload?: { id?: string } };
  if (meta.type !== "session_meta" || meta.payload?.id === undefined) return false;
  writeRecords(copy, [JSON.stringify({ ...meta, payload: { ...meta.payload, cli_version: "99.0.0" } }), ...rest]);
  return true;
}

for (const path of samples) {
  const damaged = path.endsWith("rollout-malformed.jsonl") ? 1 : 0;
  interopContract(path.replace(FIXTURES, "").replace(own, "own"), {
    reader: codexReader,
    path,
    layout: "lines",
    damaged,
    putFutureVersion,
  });
}
