import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SessionManager } from "./session-manager.js";
import { DAMAGED, entry, file, HEADER, line } from "./verify/damaged-files.test-support.js";

const folder = mkdtempSync(join(tmpdir(), "bough-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const broken = (text: string) => text.replace('"content"', '"content');

describe("opening a damaged session", () => {
  test("ends where the recorded position is an entry that cannot be read", () => {
    const path = join(folder, "position.jsonl");
    const position = entry("p", "b", `"type":"custom"`, `"customType":"bough.position"`);
    writeFileSync(path, file(HEADER, line("a", null), broken(line("b", "a")), position));
    const script = `
      import { SessionManager } from ${JSON.stringify(new URL("../../dist/session/index.js", import.meta.url).href)};
      const session = SessionManager.open(${JSON.stringify(path)}, undefined, { readOnly: true });
      console.log(session.getLeafId());`;
    // In a process of its own, because a loop without an end could not be stopped in this one.
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      timeout: 10_000,
      encoding: "utf8",
    });
    expect({ signal: run.signal, printed: run.stdout.trim() }).toEqual({ signal: null, printed: "a" });
  });

  test("connects entries whose parent shares a line with another record", () => {
    const path = join(folder, "joined.jsonl");
    writeFileSync(path, DAMAGED["joined records"] as Buffer);
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getBranch().map(({ id }) => id)).toEqual(["a", "b", "c"]);
    session.close();
  });
});
