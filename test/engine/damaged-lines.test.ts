/** Rule I6: damage costs only the damaged line, is reported, and stays in the file. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { brokenLine, HEADER, HEADER_LINE, line } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { drawn, readableIds } from "../support/tree-notation.js";

function opened(text: string | Buffer) {
  const file = join(tempFolder(), "session.jsonl");
  writeFileSync(file, text);
  return { file, session: SessionManager.open(file, undefined, { newId: readableIds().next }) };
}

function codes(session: SessionManager): string[] {
  return session.getProblems().map(({ code, line: number, entryId }) => [code, number, entryId].join(" ").trim());
}

describe("two records on one line", () => {
  const joined = HEADER_LINE + line("a", null).replace("\n", "?") + line("b", "a") + line("c", "b");

  it("are both on the path as soon as the file is open", () => {
    const { session } = opened(joined);
    expect([drawn(session), session.getEntry("b")?.type]).toEqual(["a-b-c*", "message"]);
    expect(session.buildSessionContext().messages).toEqual([user("a"), user("b"), user("c")]);
    expect(codes(session)).toEqual(["joined-records 2"]);
  });

  it.each(["}", "{", '"', "\\", "\0", " ", "]"])("are both read when the newline became %j", (byte) => {
    const { session } = opened(joined.replace("?", byte));
    expect(session.getEntries().map(({ id, type }) => [id, type])).toContainEqual(["b", "message"]);
    expect(session.getBranch().map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it("are the header and an entry: the session can still be written", () => {
    const { session } = opened(HEADER_LINE.replace("\n", "?") + line("a", null) + line("b", "a"));
    expect([session.getHeader(), session.getReadOnlyReason()]).toEqual([HEADER, undefined]);
    session.appendMessage(user("c"));
    expect(drawn(session)).toBe("a-b-n1*");
  });

  it("are both read when the first has more blocks than anyone counts", () => {
    const content = Array.from({ length: 200 }, (_, i) => ({ type: "text", text: `${i}` }));
    const many = line("a", null, { message: { role: "user", content, timestamp: 1 } });
    const { session } = opened(HEADER_LINE + many.replace("\n", "?") + line("b", "a") + line("c", "b"));
    expect(session.getEntries().map(({ id }) => id)).toContain("b");
  });

  it("are a stump and a whole one: the whole one is read", () => {
    const stump = line("a", null).slice(0, 60);
    const { session } = opened(HEADER_LINE + stump + line("b", null) + line("c", "b"));
    expect([drawn(session), codes(session)]).toEqual(["b-c*", ["joined-records 2"]]);
  });
});

describe("NUL bytes, as a crash of the machine leaves them", () => {
  it.each([1, 16, 17, 4096])("behind a record, %d of them, do not cost it", (count) => {
    const text = `${HEADER_LINE + line("a", null).trimEnd() + "\0".repeat(count)}\n${line("b", "a")}`;
    const { session } = opened(text);
    expect(session.getEntries().map(({ id, type }) => [id, type])).toEqual([
      ["a", "message"],
      ["b", "message"],
    ]);
    expect(codes(session)).toEqual(["joined-records 2"]);
  });

  it.each(["at the end", "in the middle"])("on a separate line %s are reported", (where) => {
    const nuls = "\0".repeat(100);
    const text = HEADER_LINE + line("a", null) + (where === "at the end" ? nuls : `${nuls}\n${line("b", "a")}`);
    const { session } = opened(text);
    expect(codes(session)).toEqual([where === "at the end" ? "torn-tail 3" : "unreadable-line 3"]);
    session.appendMessage(user("c"));
    session.close();
    expect(SessionManager.open(session.getSessionFile() as string).getEntry("n1")?.type).toBe("message");
  });
});

describe("odd ids", () => {
  it.each([
    ["a byte order mark", "\ufeffa"],
    ["half a surrogate pair", "\ud800a"],
    ["an escape", "a\\b"],
    ["a quote", 'a"b'],
    ["a newline", "a\nb"],
    ["other scripts", "日本語"],
    ["the name of a prototype", "__proto__"],
    ["a thousand characters", "x".repeat(1000)],
  ])("with %s are found, read and used as parents", (_, id) => {
    const { file, session } = opened(HEADER_LINE + line(id, null) + line("b", id));
    expect(session.getEntries().map((entry) => [entry.id, entry.type])).toEqual([
      [id, "message"],
      ["b", "message"],
    ]);
    session.branch(id);
    session.appendMessage(user("c"));
    session.close();
    const again = SessionManager.open(file);
    expect([again.getBranch().map((entry) => entry.id), again.getChildren(id).length]).toEqual([[id, "n1"], 2]);
    expect(again.getProblems()).toEqual([]);
  });

  it("that are not UTF-8 lead to their entry all the same", () => {
    const raw = Buffer.from(HEADER_LINE + line("a", null) + line("b#", "a"), "latin1");
    raw[raw.indexOf("b#") + 1] = 0xff;
    const { session } = opened(raw);
    expect(session.getBranch().map(({ type }) => type)).toEqual(["message", "message"]);
    expect(session.buildSessionContext().messages).toHaveLength(2);
    session.appendMessage(user("c"));
    expect(session.getBranch()).toHaveLength(3);
  });
});

describe("findings stay the same when the session continues", () => {
  it.each([
    [
      "a missing parent on a last line without newline",
      line("a", null) + line("b", "gone").trimEnd(),
      "missing-parent 3 b",
    ],
    [
      "a duplicate on a last line without newline",
      line("a", null) + line("a", null, { more: 1 }).trimEnd(),
      "duplicate-id 3 a",
    ],
    ["an unreadable line", `${line("a", null)}what?\n${line("b", "a")}`, "unreadable-line 3"],
  ])("%s", (_, lines, finding) => {
    const { session } = opened(HEADER_LINE + lines);
    const before = session.getEntries().length;
    expect(codes(session)).toEqual([finding]);
    session.appendMessage(user("x"));
    session.appendMessage(user("y"));
    session.refresh();
    expect([codes(session), session.getEntries().length]).toEqual([[finding], before + 2]);
  });

  it("a torn line is named before and after, whatever byte it ends with", () => {
    for (const cut of [line("b", "a").length - 2, line("b", "a").length - 10]) {
      const { session } = opened(HEADER_LINE + line("a", null) + line("b", "a").slice(0, cut));
      expect(codes(session)).toEqual(["torn-tail 3 b"]);
      session.appendMessage(user("x"));
      session.refresh();
      expect(codes(session)).toEqual(["unreadable-line 3 b"]);
    }
  });
});

describe("an entry that cannot be read", () => {
  it("keeps its place between parent and children", () => {
    const { session } = opened(HEADER_LINE + line("a", null) + brokenLine("b", "a") + line("c", "b"));
    expect(session.getBranch().map(({ id, type }) => [id, type])).toEqual([
      ["a", "message"],
      ["b", "unreadable"],
      ["c", "message"],
    ]);
    expect(session.buildSessionContext().messages).toEqual([user("a"), user("c")]);
    expect(codes(session)).toEqual(["unreadable-entry 3 b"]);
  });

  it("is not the leaf, and its bytes stay", () => {
    const text = HEADER_LINE + line("a", null) + brokenLine("b", "a");
    const { file, session } = opened(text);
    expect(session.getLeafId()).toBe("a");
    session.appendMessage(user("c"));
    session.close();
    expect(readFileSync(file, "utf8").startsWith(text)).toBe(true);
  });

  it("of the type unreadable is an entry of an unknown type", () => {
    const { session } = opened(HEADER_LINE + line("a", null, { type: "unreadable" }) + line("b", "a"));
    expect([session.getEntry("a"), session.getProblems()]).toMatchObject([{ id: "a", message: user("a") }, []]);
  });
});
