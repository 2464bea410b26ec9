/** Runs the contract of all readers on every sample chat of Gemini CLI. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { interopContract } from "../../../../../test/contract/interop-contract.js";
import { FIXTURES } from "../../../../../test/support/interop-source.js";
import type { ForeignSession } from "../contract.js";
import { messagesIn } from "./chat-records.js";
import { geminiReader } from "./gemini-reader.js";

const roots = [join(FIXTURES, "foreign/gemini-cli"), join(FIXTURES, "real/gemini")];
const missing = roots.filter((root) => !existsSync(root));
const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/gemini", import.meta.url));
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

/** Records of a JSON file: the object itself, and its messages. */
function recordsOfJson({ path }: ForeignSession): number {
  return 1 + (messagesIn(JSON.parse(readFileSync(path, "utf8"))) ?? []).length;
}

/** Changes the list inside in place; its name varies. */
function putUnknown(copy: string): void {
  const whole: unknown = JSON.parse(readFileSync(copy, "utf8"));
  (messagesIn(whole) as unknown[]).push({ id: "hologram-1", type: "hologram", content: "?" });
  writeFileSync(copy, JSON.stringify(whole));
}

for (const path of samples) {
  const json = path.endsWith(".json");
  const shape = json
    ? ({ layout: "other", countRecords: recordsOfJson, putUnknown } as const)
    : ({ layout: "lines" } as const);
  interopContract(path.replace(FIXTURES, "").replace(own, "own"), { reader: geminiReader, path, ...shape });
}
