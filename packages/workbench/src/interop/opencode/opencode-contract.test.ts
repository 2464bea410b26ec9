/** Runs the contract of all readers on every sample session of opencode: exports, databases and older files. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { interopContract } from "../../../../../test/contract/interop-contract.js";
import { FIXTURES } from "../../../../../test/support/interop-source.js";
import type { ForeignSession } from "../contract.js";
import { openExport } from "./export-store.js";
import { describeStore } from "./opencode-places.js";
import { opencodeReader } from "./opencode-reader.js";

const roots = [join(FIXTURES, "foreign/opencode"), join(FIXTURES, "real/opencode")];
const missing = roots.filter((root) => !existsSync(root));
const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/opencode", import.meta.url));
const files = [own, ...roots]
  .filter((root) => !missing.includes(root))
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))));

const exported = files.filter((path) => /\/(?:export|interop\/opencode)\/.*\.json$|synthetic-export/.test(path));
const stored = files.filter((path) => /\/storage-v2\/session\/.*\.json$/.test(path));
const databases = files.filter((path) => path.endsWith("/opencode.db"));

describe("sessions of opencode", () => {
  it.skipIf(missing.length > 0)(
    missing.length > 0 ? "samples are not here: set BOUGH_FIXTURES" : "samples are here",
    () => expect([exported.length > 10, stored.length, databases.length]).toEqual([true, 2, 5]),
  );
});

function inExport({ path }: ForeignSession): number {
  const messages = [...openExport(path).messages("")];
  return 1 + messages.reduce((sum, { parts }) => sum + 1 + parts.length, 0);
}

function changeExport(copy: string, change: (whole: { info: object; messages: object[] }) => object): void {
  writeFileSync(copy, JSON.stringify(change(JSON.parse(readFileSync(copy, "utf8")))));
}

function putUnknown(copy: string): void {
  const message = { info: { id: "msg_z", role: "user", time: {} }, parts: [{ id: "prt_z", type: "hologram" }] };
  changeExport(copy, (whole) => ({ ...whole, messages: [...whole.messages, message] }));
}

function putFutureVersion(copy: string): boolean {
  changeExport(copy, (whole) => ({ ...whole, info: { ...whole.info, version: "99.0.0" } }));
  return true;
}

for (const path of exported) {
  const name = path.replace(FIXTURES, "").replace(own, "own");
  const future = { putUnknown, putFutureVersion };
  interopContract(name, { reader: opencodeReader, path, layout: "other", countRecords: inExport, ...future });
}

for (const path of stored) {
  const countRecords = (source: ForeignSession) => source.files.length;
  interopContract(path.replace(FIXTURES, "").replace(own, "own"), {
    reader: opencodeReader,
    path,
    layout: "other",
    countRecords,
  });
}

for (const path of databases) {
  const scenario = path.slice(0, path.indexOf("/.local/"));
  const exports = readdirSync(join(scenario, "export"));
  for (const { id } of await describeStore(path)) {
    // opencode's own export of a session and its sub-agents matches the rows in the database.
    const parts = scenario.endsWith("subagent") ? exports : exports.filter((name) => name.startsWith(id));
    const countRecords = (source: ForeignSession) =>
      parts.reduce((sum, name) => sum + inExport({ ...source, path: join(scenario, "export", name) }), 0);
    const name = `${path.replace(FIXTURES, "").replace(own, "own")} ${id}`;
    interopContract(name, { reader: opencodeReader, path, id, layout: "other", countRecords });
  }
}
