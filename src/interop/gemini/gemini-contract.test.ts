/** The contract of all readers, on every chat of Gemini CLI that is here. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { interopContract } from "../../../test/contract/interop-contract.js";
import { FIXTURES } from "../../../test/support/interop-source.js";
import type { ForeignSession } from "../contract.js";
import { messagesIn } from "./chat-records.js";
import { geminiReader } from "./gemini-reader.js";

const roots = [join(FIXTURES, "foreign/gemini-cli"), join(FIXTURES, "real/gemini")];
const missing = roots.filter((root) => !existsSync(root));
const own = fileURLToPath(new URL("../../../test/fixtures/interop/gemini", import.meta.url));
const samples = [own, ...roots]
  .filter((root) => !missing.includes(root))
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((path) => /\.jsonl?$/.test(path) && !path.endsWith("projects.json"));

describe("chats of Gemini CLI", () => {
  it.skipIf(missing.length > 0)(
    missing.length > 0 ? "samples are not here: set BOUGH_FIXTURES" : "samples are here",
    () => expect(samples.length).toBeGreaterThan(15),
  );
});

/** In a JSON file: the object itself, and its messages. */
function recordsOfJson({ path }: ForeignSession): number {
  return 1 + (messagesIn(JSON.parse(readFileSync(path, "utf8"))) ?? []).length;
}

for (const path of samples) {
  const json = path.endsWith(".json");
  const shape = json ? ({ layout: "other", countRecords: recordsOfJson } as const) : ({ layout: "lines" } as const);
  interopContract(path.replace(FIXTURES, "").replace(own, "own"), { reader: geminiReader, path, ...shape });
}
