/** Runs the contract of all readers on every sample transcript of Claude Code. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { interopContract } from "../../../../../test/contract/interop-contract.js";
import { FIXTURES, recordsIn, writeRecords } from "../../../../../test/support/interop-source.js";
import { claudeReader } from "./claude-reader.js";

const roots = [join(FIXTURES, "foreign/claude-code"), join(FIXTURES, "real/claude")];
const missing = roots.filter((root) => !existsSync(root));

const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/claude-code", import.meta.url));
const samples = [own, ...roots]
  .filter((root) => !missing.includes(root))
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((path) => path.endsWith(".jsonl") && !path.includes("subagents"));

describe("transcripts of Claude Code", () => {
  it.skipIf(missing.length > 0)(
    missing.length > 0 ? "samples are not here: set BOUGH_FIXTURES" : "samples are here",
    () => expect(samples.length).toBeGreaterThan(20),
  );
});

/** Most records contain the version of the program that wrote them. */
function putFutureVersion(copy: string): boolean {
  let isPut = false;
  const records = recordsIn(copy).map((text) => {
    // Damaged lines are not changed.
    if (isPut || !/"version":"\d[^"]*"/.test(text) || !text.endsWith("}")) return text;
    isPut = true;
    return text.replace(/"version":"\d[^"]*"/, '"version":"99.1.0"');
  });
  writeRecords(copy, records);
  return isPut;
}

for (const path of samples) {
  const name = path.replace(FIXTURES, "").replace(own, "own");
  interopContract(name, { reader: claudeReader, path, layout: "lines", putFutureVersion });
}
