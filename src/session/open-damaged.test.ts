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

  test("keeps a record that shares a line with one that was written again", () => {
    const path = join(folder, "joined-again.jsonl");
    writeFileSync(path, file(HEADER, line("a", null) + line("b", "a"), line("a", null)));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getEntries().map(({ id }) => id)).toEqual(["a", "b"]);
    session.close();
  });

  test("tells of a damaged line once", () => {
    const path = join(folder, "once.jsonl");
    const stump = line("a", null).replace('"parentId":null,', "").slice(0, -30);
    const both = `${stump.replace("{", '{"parentId":null,')}${line("b", "a").slice(1)}`;
    writeFileSync(path, file(HEADER, both, line("c", "a"), line("d", "gone")));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getProblems().map(({ code, line: at }) => ({ code, at }))).toEqual([
      { code: "unreadable-line", at: 2 },
      { code: "missing-parent", at: 4 },
    ]);
    session.close();
  });

  test("knows a record that shares a line with another, also where nothing hangs under it", () => {
    const path = join(folder, "joined-tip.jsonl");
    writeFileSync(path, file(HEADER, line("a", null) + line("tip", "a"), line("b", "a")));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getEntry("tip")).toMatchObject({ parentId: "a" });
    session.close();
  });

  test("names the line that is damaged, also where a later one brings it up", () => {
    const path = join(folder, "joined-twice.jsonl");
    writeFileSync(path, file(HEADER, line("a", null) + line("a", null), line("a", null)));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getProblems().map(({ code, line: at }) => ({ code, at }))).toContainEqual({
      code: "joined-records",
      at: 2,
    });
    session.close();
  });
});
