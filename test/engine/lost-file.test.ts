/** Rule I7: files that vanish, are replaced or shrink under a running session. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { HEADER_LINE, line } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { drawn, readableIds, tree } from "../support/tree-notation.js";

const LETTERS = "a-b-c-d";

/** A running session with entries a to d that this process wrote, and its file. */
function running() {
  const dir = join(tempFolder(), "sessions");
  const session = tree(LETTERS, { dir });
  const file = session.getSessionFile() as string;
  return { dir, session, file, bytes: readFileSync(file) };
}

/** What opening the file now shows; unreadable entries are named. */
function found(file: string): string {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  const unreadable = session.getEntries().filter(({ type }) => type === "unreadable");
  const drawing = drawn(session) + unreadable.map(({ id }) => `, ${id} is unreadable`).join("");
  session.close();
  return drawing;
}

/** Another session's file, longer than the running one's. */
function anotherSession(dir: string): string {
  const options = { newSessionId: () => "another" };
  const other = tree("o1-o2-o3-o4-o5-o6-o7-o8-o9", { dir, options });
  other.close();
  return other.getSessionFile() as string;
}

/** The backups beside the session file, as bytes. */
function putAside(file: string): Buffer[] {
  const names = readdirSync(dirname(file)).filter((name) => join(dirname(file), name).startsWith(`${file}.replaced-`));
  return names.map((name) => readFileSync(join(dirname(file), name)));
}

describe("everything this session wrote is in the file after the next append, when the file was", () => {
  const harm: Readonly<Record<string, (file: string, bytes: Buffer) => void>> = {
    deleted: (file) => rmSync(file),
    "deleted with its folder": (file) => rmSync(dirname(file), { recursive: true }),
    "renamed away": (file) => renameSync(file, `${file}.elsewhere`),
    "truncated to nothing": (file) => truncateSync(file, 0),
    "truncated to its header": (file, bytes) => truncateSync(file, bytes.indexOf("\n") + 1),
    "truncated inside its header": (file) => truncateSync(file, 10),
    "truncated to half": (file, bytes) => truncateSync(file, bytes.length >> 1),
    "truncated by one byte": (file, bytes) => truncateSync(file, bytes.length - 1),
    "truncated by two bytes": (file, bytes) => truncateSync(file, bytes.length - 2),
    "truncated to nothing and deleted": (file) => {
      truncateSync(file, 0);
      rmSync(file);
    },
    "replaced by an older copy of itself": (file, bytes) => {
      writeFileSync(`${file}.old`, bytes.subarray(0, bytes.lastIndexOf("\n", bytes.length - 2) + 1));
      renameSync(`${file}.old`, file);
    },
    "replaced by a copy of itself with a damaged line": (file, bytes) => {
      writeFileSync(`${file}.old`, bytes.toString().replace('"content":"b"', '"content":"b'));
      renameSync(`${file}.old`, file);
    },
    "replaced by garbage": (file) => {
      writeFileSync(`${file}.garbage`, "no session\n".repeat(100));
      renameSync(`${file}.garbage`, file);
    },
    "overwritten in place with garbage": (file) => writeFileSync(file, "no session\n".repeat(100)),
    "overwritten in place with a longer session": (file) => copyFileSync(anotherSession(tempFolder()), file),
  };

  it.each(Object.entries(harm))("%s", (_, act) => {
    const { session, file, bytes } = running();
    act(file, bytes);
    session.appendMessage(user("e"));
    expect([drawn(session), found(file)]).toEqual(["a-b-c-d-n1*", "a-b-c-d-n1*"]);
    session.appendMessage(user("f"));
    session.close();
    expect(found(file)).toBe("a-b-c-d-n1-n2*");
  });

  it.each(Object.entries(harm))("%s, and the session is looked at before it", (_, act) => {
    const { session, file, bytes } = running();
    act(file, bytes);
    expect(session.getEntries().map(({ type }) => type)).toEqual(Array(4).fill("message"));
    expect(session.buildSessionContext().messages).toHaveLength(4);
    session.appendMessage(user("e"));
    session.close();
    expect(found(file)).toBe("a-b-c-d-n1*");
  });
});

describe("another file in its place", () => {
  it.each(["renamed over it", "copied over it"])("is kept aside word for word when it was %s", (how) => {
    const { session, file } = running();
    const other = anotherSession(tempFolder());
    const otherBytes = readFileSync(other);
    if (how === "renamed over it") renameSync(other, file);
    else copyFileSync(other, file);
    session.appendMessage(user("e"));
    session.close();
    expect([found(file), putAside(file)]).toEqual(["a-b-c-d-n1*", [otherBytes]]);
  });

  it("is joined when it is the same session with other entries", () => {
    const { session, file, bytes } = running();
    writeFileSync(`${file}.new`, bytes.subarray(0, bytes.indexOf('{"type":"message","id":"c"')));
    appendFileSync(`${file}.new`, line("x", "b"));
    renameSync(`${file}.new`, file);
    session.appendMessage(user("e"));
    expect([drawn(session), session.refresh(), putAside(file)]).toEqual(["a-b-x; b-c-d-n1*", ["x"], []]);
    session.close();
    expect(found(file)).toBe("a-b-x; b-c-d-n1*");
  });

  it("is a folder: the append says so, waits, and is written when the folder is gone", () => {
    const { session, file } = running();
    rmSync(file);
    mkdirSync(file);
    expect(() => session.appendMessage(user("e"))).toThrow(expect.objectContaining({ name: "SessionError" }));
    expect([drawn(session), session.getWaitingCount()]).toEqual(["a-b-c-d-n1*", 1]);
    rmSync(file, { recursive: true });
    session.appendMessage(user("f"));
    session.close();
    expect(found(file)).toBe("a-b-c-d-n1-n2*");
  });

  it("is where its folder was: the append says so, waits, and is written when that file is gone", () => {
    const { dir, session, file } = running();
    rmSync(dir, { recursive: true });
    writeFileSync(dir, "in the way");
    expect(() => session.appendMessage(user("e"))).toThrow(expect.objectContaining({ name: "SessionError" }));
    rmSync(dir);
    session.appendMessage(user("f"));
    session.close();
    expect(found(file)).toBe("a-b-c-d-n1-n2*");
  });
});

it("creates the file again for the owner alone, and its folder too", () => {
  const { dir, session, file } = running();
  rmSync(dir, { recursive: true });
  session.appendMessage(user("e"));
  expect([statSync(file).mode & 0o777, statSync(dir).mode & 0o777]).toEqual([0o600, 0o700]);
});

describe("two managers on one file", () => {
  it("converge and lose nothing when it is deleted under both", () => {
    const { session, file } = running();
    const second = SessionManager.open(file, undefined, { newId: readableIds("s").next });
    second.appendMessage(user("s"));
    rmSync(file);
    session.appendMessage(user("e"));
    second.appendMessage(user("s"));
    session.refresh();
    const paths = (of: SessionManager) =>
      ["n1", "s2"].map((id) =>
        of
          .getBranch(id)
          .map((entry) => entry.id)
          .join("-"),
      );
    expect(paths(session)).toEqual(["a-b-c-d-n1", "a-b-c-d-s1-s2"]);
    session.close();
    second.close();
    const again = SessionManager.open(file, undefined, { readOnly: true });
    const said = again.getEntries().filter(({ type }) => type === "message");
    expect([...paths(again), said.length]).toEqual(["a-b-c-d-n1", "a-b-c-d-s1-s2", 7]);
    again.close();
  });

  it("lose nothing when one of them is gone before the file is", () => {
    const { session, file } = running();
    const second = SessionManager.open(file, undefined, { newId: readableIds("s").next });
    second.appendMessage(user("s"));
    second.close();
    rmSync(file);
    session.appendMessage(user("e"));
    session.close();
    // By time: the other one has a later clock.
    expect(found(file)).toBe("a-b-c-d-n1*; d-s1");
  });

  it("agree on the session when both were opened before there was a file", () => {
    const file = join(tempFolder(), "new.jsonl");
    const first = SessionManager.open(file);
    const second = SessionManager.open(file);
    first.appendMessage(user("a"));
    second.appendMessage(user("b"));
    expect([second.getHeader(), second.getSessionId()]).toEqual([first.getHeader(), first.getSessionId()]);
  });
});

describe("what this process did not write", () => {
  function opened() {
    const file = join(tempFolder(), "session.jsonl");
    writeFileSync(file, HEADER_LINE + line("a", null) + line("b", "a") + line("c", "b"));
    return { file, session: SessionManager.open(file, undefined, { newId: readableIds().next }) };
  }

  it.each(["deleted", "renamed away", "replaced by another session"])("is there when the file was %s", (how) => {
    const { file, session } = opened();
    if (how === "deleted") rmSync(file);
    else if (how === "renamed away") renameSync(file, `${file}.elsewhere`);
    else renameSync(anotherSession(tempFolder()), file);
    session.appendMessage(user("d"));
    session.close();
    expect(found(file)).toBe("a-b-c-n1*");
  });

  it("is reported as lost when the file was cut short, and the session goes on from what is left", () => {
    const { file, session } = opened();
    truncateSync(file, HEADER_LINE.length + line("a", null).length);
    session.refresh();
    expect(session.getProblems().map(({ code, entryId }) => [code, entryId])).toEqual([
      ["lost-bytes", "b"],
      ["lost-bytes", "c"],
    ]);
    expect([session.getLeafId(), session.buildSessionContext().messages]).toEqual(["a", [user("a")]]);
    session.appendMessage(user("d"));
    session.close();
    expect(found(file)).toBe("a-n1*");
  });
});

it("lets go of files that were replaced while it only reads", () => {
  const file = join(tempFolder(), "session.jsonl");
  writeFileSync(file, HEADER_LINE + line("a", null));
  const session = SessionManager.open(file, undefined, { readOnly: true });
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let i = 0; i < 20; i++) {
    writeFileSync(`${file}.new`, HEADER_LINE + line("a", null) + line(`b${i}`, "a"));
    renameSync(`${file}.new`, file);
    expect(session.refresh()).toEqual([`b${i}`]);
  }
  expect(open() - before).toBe(0);
  session.close();
});
