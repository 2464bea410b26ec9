/** Runs the contract of all readers on every sample session of pi and its forks. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { interopContract } from "../../../../../test/contract/interop-contract.js";
import { FIXTURES, recordsIn, writeRecords } from "../../../../../test/support/interop-source.js";
import { piReader } from "./pi-reader.js";

const roots = ["foreign/pi", "foreign/oh-my-pi", "real/pi", "real/pi-new"].map((folder) => join(FIXTURES, folder));
const missing = roots.filter((root) => !existsSync(root));

const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/pi", import.meta.url));
const samples = [own, ...roots]
  .filter((root) => !missing.includes(root))
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((path) => path.endsWith(".jsonl"));

describe("session files of pi", () => {
  it.skipIf(missing.length > 0)(
    missing.length > 0 ? "samples are not here: set BOUGH_FIXTURES" : "samples are here",
    () => expect(samples.length).toBeGreaterThan(20),
  );
});

/** Headers of the current version; older ones look different. */
function putFutureVersion(copy: string): boolean {
  const [first = "", ...rest] = recordsIn(copy);
  const future = first.replace(/^(\{"type":"session","version":)3,/, "$199,");
  if (future === first) return false;
  writeRecords(copy, [future, ...rest]);
  return true;
}

for (const path of samples) {
  const name = path.replace(FIXTURES, "").replace(own, "own");
  interopContract(name, { reader: piReader, path, layout: "lines", putFutureVersion });
}
