/** Sessions are private to their owner, and a refusal of the system is an error with a code. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { runChild } from "../support/run-child.js";
import { HEADER_LINE, header, line } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { tree } from "../support/tree-notation.js";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("files are made for the owner alone, whatever the umask", () => {
  const before = process.umask();
  afterEach(() => process.umask(before));

  it.each(["000", "022", "077"])("umask %s", (mask) => {
    process.umask(Number.parseInt(mask, 8));
    const root = tempFolder();
    const dir = join(root, "deep", "sessions");
    const session = tree("a-b", { dir });
    const first = session.getSessionFile() as string;
    session.announce("test");
    const fork = session.createBranchedSession("a") as string;
    session.newSession({ id: "another" });
    session.appendMessage(user("x"));
    const made = [first, fork, session.getSessionFile() as string];
    session.close();
    const copy = SessionManager.forkFrom(first, "/w", join(root, "copies"));
    made.push(copy.getSessionFile() as string);
    copy.close();
    const old = join(dir, "old.jsonl");
    writeFileSync(old, header({ version: 2 }), { mode: 0o600 });
    SessionManager.open(old).close();
    made.push(old);
    expect(made.map(modeOf)).toEqual(Array(5).fill("600"));
    expect([join(root, "deep"), dir, join(root, "copies")].map(modeOf)).toEqual(["700", "700", "700"]);
    expect(readdirSync(dir).filter((name) => /\.(new|upgrade|restore)$/.test(name))).toEqual([]);
  });

  it("leaves the mode of a file that is there", () => {
    const file = join(tempFolder(), "session.jsonl");
    writeFileSync(file, HEADER_LINE + line("a", null));
    chmodSync(file, 0o640);
    const session = SessionManager.open(file);
    session.appendMessage(user("b"));
    session.close();
    expect(modeOf(file)).toBe("640");
  });
});

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const without = (what: string) => `NOT TESTED: ${what} needs root, to become somebody else`;
const titled = (what: string) => (isRoot ? what : without(what));

/** A folder that the user nobody can enter and read, with a session in it that may only be read. */
function shared() {
  const folder = mkdtempSync(join(tmpdir(), "bough-shared-"));
  made.push(folder);
  chmodSync(folder, 0o755);
  const file = join(folder, "session.jsonl");
  writeFileSync(file, HEADER_LINE + line("a", null) + line("b", "a"));
  chmodSync(file, 0o644);
  return { folder, file };
}

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function asNobody(act: string, path: string): Promise<unknown> {
  return JSON.parse(await runChild("engine-as-nobody.mjs", [act, path])) as unknown;
}

describe("in a folder that may only be read", () => {
  it.skipIf(!isRoot)(titled("a session can be read, and an attempt to write it has a code"), async () => {
    const { file } = shared();
    const before = readFileSync(file);
    expect([await asNobody("read", file), await asNobody("write", file)]).toMatchObject([
      { ids: ["a", "b"], readOnly: "asked" },
      { name: "SessionError", code: "write-failed" },
    ]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.skipIf(!isRoot)(
    titled("a new session keeps its entry in memory and says that it could not be written"),
    async () => {
      const { folder } = shared();
      const before = readdirSync(folder);
      const refused = { name: "SessionError", code: "write-failed", waiting: 1, leaf: true };
      expect([await asNobody("create", folder), await asNobody("create", join(folder, "deeper"))]).toEqual([
        refused,
        refused,
      ]);
      expect(readdirSync(folder)).toEqual(before);
    },
  );

  it.skipIf(!isRoot)(titled("an old file is not upgraded, which has a code, and can be read"), async () => {
    const { folder, file } = shared();
    const old = header({ version: 2 }) + line("a", null);
    writeFileSync(file, old);
    // The file itself is writable, but the folder accepts no new file.
    chownSync(file, NOBODY, NOBODY);
    expect([await asNobody("write", file), await asNobody("read", file)]).toMatchObject([
      { name: "SessionError", code: "upgrade-failed" },
      { ids: ["a"] },
    ]);
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual([old, ["session.jsonl"]]);
  });
});

describe("among files of others", () => {
  it.skipIf(!isRoot)(
    titled("lists and the most recent session pass over files that may not be read, and refuse such a folder"),
    async () => {
      const { folder, file } = shared();
      const secret = join(folder, "zz-secret.jsonl");
      writeFileSync(secret, header({ id: "secret" }));
      chmodSync(secret, 0o600);
      mkdirSync(join(folder, "locked"), { mode: 0o700 });
      expect(await asNobody("list", folder)).toEqual(["session-1"]);
      expect(await asNobody("recent", folder)).toBe(file);
      expect(await asNobody("read", secret)).toMatchObject({ name: "SessionError", code: "read-failed" });
      expect(await asNobody("list", join(folder, "locked"))).toMatchObject({
        name: "SessionError",
        code: "read-failed",
      });
      expect(await asNobody("recent", join(folder, "locked"))).toMatchObject({ code: "read-failed" });
    },
  );
});
