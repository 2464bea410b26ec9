/** The contract of all readers, on every transcript of Claude Code that is here. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { interopContract } from "../../../test/contract/interop-contract.js";
import { FIXTURES } from "../../../test/support/interop-source.js";
import { claudeReader } from "./claude-reader.js";

const roots = [join(FIXTURES, "foreign/claude-code"), join(FIXTURES, "real/claude")];
const missing = roots.filter((root) => !existsSync(root));

const samples = roots
  .filter((root) => !missing.includes(root))
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((path) => path.endsWith(".jsonl") && !path.includes("subagents"));

describe("transcripts of Claude Code", () => {
  it.skipIf(missing.length > 0)(
    missing.length > 0 ? "samples are not here: set BOUGH_FIXTURES" : "samples are here",
    () => expect(samples.length).toBeGreaterThan(20),
  );
});

for (const path of samples) {
  interopContract(path.slice(FIXTURES.length + 1), { reader: claudeReader, path, layout: "lines" });
}
