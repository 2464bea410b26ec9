import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { RepairReport } from "./repair/repair-report.js";
import { repairSession } from "./repair-session.js";
import { SessionManager } from "./session-manager.js";
import { DAMAGED, entry, file, HEADER, line, TIME } from "./verify/damaged-files.test-support.js";
import { verifySession } from "./verify-session.js";

const folder = mkdtempSync(join(tmpdir(), "bough-repair-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** A file in a folder of its own. */
function written(bytes: Buffer, name = "session.jsonl"): string {
  const place = join(folder, String(files++));
  mkdirSync(place);
  writeFileSync(join(place, name), bytes);
  return join(place, name);
}

type Repaired = RepairReport & { readonly kind: "repaired" };

async function repaired(path: string): Promise<Repaired> {
  const report = await repairSession(path);
  if (report.kind !== "repaired") throw new Error(`${path} was ${report.kind}`);
  return report;
}

/** The result of a repair, without the findings before and after. */
function done({ out, kept, changed, dropped, fileChanges, proof }: Repaired): object {
  return { out: basename(out), kept, changed, dropped, fileChanges, proof };
}

function leafOf(path: string): string | null {
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const leaf = session.getLeafId();
  session.close();
  return leaf;
}

const [a, b, c] = [line("a", null), line("b", "a"), line("c", "b")];

/** The header of a repaired session: it has an ID derived from the original's, and is otherwise unchanged. */
const digest = createHash("sha256").update("repaired the-session").digest("hex");
const NEW_HEADER = HEADER.replace(
  "the-session",
  digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
);

/** Files with nothing to repair, and files that are refused. */
const CLEAN = new Set([
  "nothing wrong",
  "empty file",
  "bytes that are not UTF-8",
  "deep nesting",
  "__proto__ keys",
  "parents that come later",
  "clock going backwards",
  "last newline missing",
]);
const REFUSED = new Set(["a later version", "a version that is no number"]);

describe("repairing a session", () => {
  test.each(Object.keys(DAMAGED).filter((name) => !CLEAN.has(name) && !REFUSED.has(name)))(
    "gives a sound file with the same leaf, and nothing to do the second time: %s",
    async (name) => {
      const bytes = DAMAGED[name] as Buffer;
      const path = written(bytes);
      const report = await repaired(path);
      expect(readFileSync(path).equals(bytes)).toBe(true);
      expect(await verifySession(report.out)).toMatchObject({ counts: { damage: 0 }, findings: report.remaining });
      expect(leafOf(report.out)).toBe(leafOf(path));
      expect(report.proof.found).toBe(report.proof.readable);
      expect(report.kept + report.changed.length).toBe(report.proof.readable);
      expect((await repairSession(report.out)).kind).toBe("clean");
      expect(readFileSync((await repaired(path)).out).equals(readFileSync(report.out))).toBe(true);
    },
  );

  test.each([...CLEAN])("writes nothing where there is nothing to repair: %s", async (name) => {
    const path = written(DAMAGED[name] as Buffer);
    const before = await verifySession(path);
    expect(await repairSession(path)).toEqual({ kind: "clean", path, before });
    expect(readdirSync(join(path, ".."))).toEqual(["session.jsonl"]);
  });

  test.each([...REFUSED])("refuses what it does not understand: %s", async (name) => {
    const path = written(DAMAGED[name] as Buffer);
    await expect(repairSession(path)).rejects.toMatchObject({ code: "future-version" });
    expect(readdirSync(join(path, ".."))).toEqual(["session.jsonl"]);
  });

  test("refuses a damaged header of a later version, and a file without anything of a session", async () => {
    const half = HEADER.replace('"version":3', '"version":9').slice(0, 60);
    await expect(repairSession(written(file(half, a)))).rejects.toMatchObject({ code: "future-version" });
    await expect(repairSession(written(Buffer.from("\x89PNG\n\x1a\n\0")))).rejects.toMatchObject({
      code: "not-a-session",
    });
    await expect(repairSession(folder)).rejects.toMatchObject({ code: "is-directory" });
  });

  test("reports what it kept, changed and dropped", async () => {
    const newId = createHash("sha256")
      .update(line("d", "gone", "two"))
      .digest("hex")
      .slice(0, 12);
    const path = written(
      file(HEADER, a, "junk", b.slice(0, -4), `${c}#${line("d", "c")}`, line("d", "gone", "two"), a),
    );
    const report = await repaired(path);
    expect(done(report)).toEqual({
      out: "session.repaired.jsonl",
      kept: 2,
      changed: [
        { line: 5, id: "c", reasons: [{ kind: "new-parent", from: "b", to: "a" }] },
        {
          line: 6,
          id: newId,
          reasons: [
            { kind: "new-id", from: "d" },
            { kind: "new-parent", from: "gone", to: null },
          ],
        },
      ],
      dropped: [
        { line: 3, offset: 240, bytes: 4, reason: "the line is not JSON" },
        { line: 4, offset: 245, bytes: 131, reason: "the line is not JSON" },
        { line: 5, offset: 377, bytes: 1, reason: "bytes beside the records of a line" },
        { line: 7, offset: 790, bytes: 136, reason: "the same line again" },
      ],
      fileChanges: ["position-recorded"],
      proof: { readable: 4, found: 4 },
    });
    const newLines = readFileSync(report.out, "utf8").split("\n");
    expect(newLines.slice(0, 5)).toEqual([
      NEW_HEADER,
      a,
      line("c", "a", "c"),
      line("d", "c"),
      line(newId, null, "two"),
    ]);
    expect(newLines[5]).toMatch(/"parentId":"d".*"customType":"bough.position"/);
    expect(newLines.slice(6)).toEqual([""]);
  });

  test("keeps bytes it does not understand, and changes one value where it must", async () => {
    const odd = `{"type" : "message", "id":"b","parentId":"gone" ,"n":1e-05,"big":12345678901234567890,"\\u00e9":"\xff\\u00e9"}`;
    const path = written(Buffer.from(`${HEADER}\n${a}\n${odd}\n`, "latin1"));
    const report = await repaired(path);
    expect(readFileSync(report.out, "latin1")).toBe(`${NEW_HEADER}\n${a}\n${odd.replace('"gone"', "null")}\n`);
  });

  test("attaches entries to the parent of a damaged line, however many there are", async () => {
    const report = await repaired(written(DAMAGED["a chain of unreadable lines"] as Buffer));
    expect(readFileSync(report.out)).toEqual(file(NEW_HEADER, a, line("d", "a"), line("e", "d")));
  });

  test("upgrades an old file on the way", async () => {
    const path = written(DAMAGED["version 1"] as Buffer);
    const report = await repaired(path);
    const session = SessionManager.open(report.out, undefined, { readOnly: true });
    expect(session.getBranch().map((one) => one.type === "message" && one.message)).toEqual([
      { role: "user", content: "one" },
      { role: "user", content: "two" },
    ]);
    expect(report.fileChanges).toEqual(["upgraded"]);
    expect(session.getHeader().version).toBe(3);
    session.close();
  });

  test("keeps oh-my-pi's title line before the header", async () => {
    const title = `{"type":"title","v":1,"title":"T","pad":"   "}`;
    const report = await repaired(written(file(title, HEADER, a, "junk", b)));
    expect(readFileSync(report.out)).toEqual(file(title, NEW_HEADER, a, b));
  });

  test("keeps labels of entries that are gone, and says so", async () => {
    const label = entry("l", "b", `"type":"label"`, `"targetId":"gone","label":"L"`);
    const report = await repaired(written(file(HEADER, a, "junk", b, label)));
    expect(readFileSync(report.out)).toEqual(file(NEW_HEADER, a, b, label));
    expect(report.remaining.map(({ code, line: at }) => ({ code, at }))).toEqual([{ code: "missing-target", at: 4 }]);
  });
});

describe("a header that cannot be read", () => {
  async function headerAfter(bytes: Buffer, name?: string): Promise<unknown> {
    const report = await repaired(written(bytes, name));
    return JSON.parse(readFileSync(report.out, "utf8").split("\n")[0] as string);
  }

  test("is made from what is left of it", async () => {
    const torn = HEADER.replace('"/work"', '"/work","parentSession":"/x.jsonl","more":{').slice(0, -1);
    expect(await headerAfter(file(torn, a), "2026-01-01T00-00-00-000Z_other-id.jsonl")).toEqual({
      type: "session",
      version: 3,
      id: "the-session",
      timestamp: TIME,
      cwd: "/work",
      parentSession: "/x.jsonl",
    });
  });

  test("is the old one, with an id of its own, where an entry was joined to it", async () => {
    const header = HEADER.replace("}", ',"extra":{"kept":true}}');
    const expected = { ...(JSON.parse(header) as object), id: expect.not.stringMatching("the-session") as unknown };
    expect(await headerAfter(file(header + a, b))).toEqual(expected);
    expect(await headerAfter(file(header + a.slice(0, 60), b))).toEqual(expected);
  });

  test("is made from the name of the file and its first entry", async () => {
    const header = { type: "session", version: 3, id: "0199-abc", timestamp: TIME, cwd: "" };
    expect(await headerAfter(file(a, b), "2026-01-01T00-00-00-000Z_0199-abc.jsonl")).toEqual(header);
  });

  test("gets an id made from the first entry where nothing names it", async () => {
    const hex = createHash("sha256").update(`a ${TIME}`).digest("hex");
    const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
    expect(await headerAfter(file(a, b))).toEqual({ type: "session", version: 3, id, timestamp: TIME, cwd: "" });
  });
});

describe("the new file", () => {
  test("is a separate session: a list has two IDs, and the same repair gives the same one", async () => {
    const path = written(DAMAGED["torn tail"] as Buffer);
    const report = await repaired(path);
    const listed = await SessionManager.list("/work", join(path, ".."));
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(["the-session", report.sessionId]));
    expect(listed).toHaveLength(2);
    expect((await repaired(path)).sessionId).toBe(report.sessionId);
  });

  const damaged = DAMAGED["torn tail"] as Buffer;

  test("never takes the place of another", async () => {
    const path = written(damaged);
    const names: string[] = [];
    for (let i = 0; i < 3; i++) names.push(basename((await repaired(path)).out));
    expect(names).toEqual(["session.repaired.jsonl", "session.repaired-2.jsonl", "session.repaired-3.jsonl"]);
    await expect(repairSession(path, { out: path })).rejects.toMatchObject({ code: "write-failed" });
    expect(readdirSync(join(path, "..")).toSorted()).toEqual(["session.jsonl", ...names].toSorted());
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  test("goes where it is asked to, for its owner alone", async () => {
    const path = written(damaged);
    const out = join(path, "..", "new", "folder", "whole.jsonl");
    expect(await repairSession(path, { out })).toMatchObject({ kind: "repaired", out });
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  test("is not there when the repair was stopped", async () => {
    const path = written(damaged);
    await expect(repairSession(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    expect(readdirSync(join(path, ".."))).toEqual(["session.jsonl"]);
  });

  test("is not there when the original was changed meanwhile", async () => {
    const path = written(damaged);
    const work = repairSession(path);
    // The file grows while it is read: the engine then opens at an entry that the repair did not see.
    writeFileSync(path, file("", line("z", "b")), { flag: "a" });
    await expect(work).rejects.toMatchObject({ code: "repair-failed" });
    expect(readdirSync(join(path, ".."))).toEqual(["session.jsonl"]);
  });
});
