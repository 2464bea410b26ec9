import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SessionManager } from "../session-manager.js";
import { DAMAGED, entry, file, HEADER, line } from "../verify/damaged-files.test-support.js";

const folder = mkdtempSync(join(tmpdir(), "bough-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const broken = (text: string) => text.replace('"content"', '"content');

describe("opening a damaged session", () => {
  test("ends where the recorded position is an entry that cannot be read", () => {
    const path = join(folder, "position.jsonl");
    const position = entry("p", "b", `"type":"custom"`, `"customType":"bough.position"`);
    writeFileSync(path, file(HEADER, line("a", null), broken(line("b", "a")), position));
    const script = `
      import { SessionManager } from ${JSON.stringify(new URL("../../../../../dist/session/index.js", import.meta.url).href)};
      const session = SessionManager.open(${JSON.stringify(path)}, undefined, { readOnly: true });
      console.log(session.getLeafId());`;
    // In a separate process, because an endless loop could not be stopped in this one.
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      timeout: 100_000,
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

  test("reports a damaged line once", () => {
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

  test("finds a record that shares a line with another, even if it has no children", () => {
    const path = join(folder, "joined-tip.jsonl");
    writeFileSync(path, file(HEADER, line("a", null) + line("tip", "a"), line("b", "a")));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getEntry("tip")).toMatchObject({ parentId: "a" });
    session.close();
  });

  test("names the damaged line, even if a later one revealed it", () => {
    const path = join(folder, "joined-twice.jsonl");
    writeFileSync(path, file(HEADER, line("a", null) + line("a", null), line("a", null)));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getProblems().map(({ code, line: at }) => ({ code, at }))).toContainEqual({
      code: "joined-records",
      at: 2,
    });
    session.close();
  });

  const stump = line("x", "a").slice(0, -20);
  /** The line of `x` was cut off, `y` follows directly, and both programs continued. */
  const JOINED = file(HEADER, line("a", null), stump + line("y", "a"), line("x", "a"), line("z", "x"));

  test("a cut line with a record behind it that is written again later keeps every entry", () => {
    const path = join(folder, "cut-and-again.jsonl");
    writeFileSync(path, JOINED);
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(
      session
        .getEntries()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["a", "x", "y", "z"]);
    expect(session.getBranch().map(({ id }) => id)).toEqual(["a", "x", "z"]);
    expect(session.getChildIds("a")).toEqual(["x", "y"]);
    expect(session.getProblems().map(({ code, line: at }) => ({ code, at }))).toEqual([
      { code: "joined-records", at: 3 },
      { code: "unreadable-line", at: 3 },
    ]);
    session.close();
  });

  test("the record behind a stump is found while the session is open", () => {
    const path = join(folder, "cut-while-open.jsonl");
    const lines = JOINED.toString().split("\n");
    writeFileSync(path, file(...lines.slice(0, 2)));
    const session = SessionManager.open(path);
    appendFileSync(path, file(line("b", "a"), ...lines.slice(2, -1)));
    expect([...session.refresh()].sort()).toEqual(["b", "x", "z"]);
    expect(session.getEntry("y")).toMatchObject({ parentId: "a" });
    expect(
      session
        .getEntries()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["a", "b", "x", "y", "z"]);
    session.close();
  });

  test("stumps that hold each other's records, and long chains of them, are read without recursion", () => {
    const ring = join(folder, "ring.jsonl");
    const cut = (id: string) => line(id, "a").slice(0, -20);
    const both = [cut("x") + line("y", "a"), cut("y") + line("x", "a")];
    writeFileSync(ring, file(HEADER, line("a", null), ...both, line("x", "a"), line("y", "a")));
    const session = SessionManager.open(ring, undefined, { readOnly: true });
    expect(
      session
        .getEntries()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["a", "x", "y"]);
    session.close();

    const chain = join(folder, "chain.jsonl");
    const lines = Array.from({ length: 5_000 }, (_, i) => cut(`e${i}`) + line(`e${i + 1}`, "a"));
    writeFileSync(chain, file(HEADER, line("a", null), ...lines, line("e0", "a")));
    const long = SessionManager.open(chain, undefined, { readOnly: true });
    expect(long.getEntries()).toHaveLength(5_002);
    long.close();
  });
});
