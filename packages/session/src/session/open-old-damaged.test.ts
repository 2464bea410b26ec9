/**
 * Lines of old files that hold several records are read like those of version 3: in place, when upgraded and when
 * repaired.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { repairSession } from "./repair-session.js";
import { SessionManager } from "./session-manager.js";
import { verifySession } from "./verify-session.js";

const TIME = "2025-11-01T00:00:00.000Z";

interface Dialect {
  readonly header: object;
  readonly links: (id: string, parent: string) => object;
}

const DIALECTS: readonly (readonly [string, Dialect])[] = [
  ["of version 1", { header: {}, links: () => ({}) }],
  [
    "of version 2",
    { header: { version: 2 }, links: (id, parent) => ({ id, parentId: parent === "head" ? null : parent }) },
  ],
  ["with uuids", { header: { version: 2, uuid: "head" }, links: (id, parent) => ({ uuid: id, parentUuid: parent }) }],
];

function fileOf({ header, links }: Dialect): { readonly path: string; readonly folder: string } {
  const folder = tempFolder();
  const path = join(folder, "old.jsonl");
  const said = (text: string, id: string, parent: string) => {
    const message = { role: "user", content: text, timestamp: 1 };
    return JSON.stringify({ type: "message", ...links(id, parent), timestamp: TIME, message });
  };
  const [one, two] = [said("one", "aaaa", "head"), said("two", "bbbb", "aaaa")];
  const [three, four] = [said("three", "cccc", "bbbb"), said("four", "dddd", "cccc")];
  const head = JSON.stringify({ type: "session", id: "s", timestamp: TIME, cwd: "/p", ...header });
  writeFileSync(path, `${[head, one + two, two.slice(0, 20) + three, four].join("\n")}\n`);
  return { path, folder };
}

function spoken(session: SessionManager): unknown[] {
  return session.getBranch().flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
}

const WORDS = ["one", "two", "three", "four"].map((content) => expect.objectContaining({ content }));

describe.each(DIALECTS)("a line with several records in a file %s", (_name, dialect) => {
  it("is read record by record, and reported", () => {
    const { path } = fileOf(dialect);
    const before = readFileSync(path);
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(spoken(session)).toEqual(WORDS);
    expect(
      session
        .getProblems()
        .map(({ code, line }) => [code, line])
        .sort(),
    ).toEqual([
      ["joined-records", 2],
      ["joined-records", 3],
    ]);
    session.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is verified as such", async () => {
    const report = await verifySession(fileOf(dialect).path);
    expect([report.entries, report.readable]).toEqual([4, 4]);
    expect(report.findings.map(({ code }) => code)).toEqual(expect.arrayContaining(["joined-records"]));
    expect(report.findings.map(({ code }) => code)).not.toContain("unreadable-line");
  });

  it("comes along when the file is upgraded, with the same ids", () => {
    const { path, folder } = fileOf(dialect);
    const looked = SessionManager.open(path, undefined, { readOnly: true });
    const ids = looked.getBranch().map(({ id }) => id);
    looked.close();
    const session = SessionManager.open(path, folder);
    expect([spoken(session), session.getBranch().map(({ id }) => id)]).toEqual([WORDS, ids]);
    session.close();
  });

  it("comes along when the file is repaired", async () => {
    const { path, folder } = fileOf(dialect);
    const target = join(folder, "repaired.jsonl");
    await repairSession(path, { out: target });
    const session = SessionManager.open(target, undefined, { readOnly: true });
    expect([spoken(session), session.getProblems()]).toEqual([WORDS, []]);
    session.close();
  });
});
