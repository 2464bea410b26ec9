import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeStaleLocks } from "./git-folder.js";
import { bare, count, git, line, open, ownRepository, refsIn, temporary } from "./git-remote.test-support.js";

const hashOf = (text: string) => createHash("sha1").update(text).digest("hex");

interface Place {
  readonly own: string;
  readonly ref: string;
  /** The path of an object in the repository. */
  readonly at: (name: string) => string;
}

const blobIn = (repository: string, ref: string) =>
  /blob (\w+)\t\S+jsonl/.exec(git(repository, "ls-tree", "-r", ref))?.[1] ?? "";

/** What a full disk, a crash or a sync program may do to the repository on this machine. */
const DAMAGES: Readonly<Record<string, (place: Place) => void>> = {
  "a missing content": ({ own, ref, at }) => rmSync(at(blobIn(own, ref))),
  "an empty content": ({ own, ref, at }) => empty(at(blobIn(own, ref))),
  "a missing tree": ({ own, ref, at }) => rmSync(at(git(own, "rev-parse", `${ref}^{tree}`))),
  "an empty HEAD": ({ own }) => empty(join(own, "HEAD")),
  "no objects": ({ own }) => rmSync(join(own, "objects"), { recursive: true }),
  "an empty ref": ({ own, ref }) => empty(join(own, ref)),
};

function empty(path: string): void {
  rmSync(path);
  writeFileSync(path, "");
}

function damageTarget(home: string): Place {
  const own = ownRepository(home);
  const [ref = ""] = refsIn(own, "refs/store");
  return { own, ref, at: (name) => join(own, "objects", name.slice(0, 2), name.slice(2)) };
}

/** A remote with one line, and the home of a machine that reads it. */
async function prepare() {
  const [remote, home] = [bare(), temporary()];
  const writer = await open(remote, "a");
  await writer.push("s", [line("1")]);
  await open(remote, "b", { home });
  return { remote, home, writer };
}

describe("the repository of a git store on this machine", () => {
  it("is fetched again if it is damaged, and no line is left out", async () => {
    const { remote, home } = await prepare();
    for (const [name, damage] of Object.entries(DAMAGES)) {
      const copy = temporary();
      cpSync(home, copy, { recursive: true });
      const place = damageTarget(copy);
      damage(place);
      expect(await count(await open(remote, "b", { home: copy })), name).toBe(1);
      expect(readdirSync(dirname(place.own)), name).toEqual(["git"]);
    }
  });

  it("is fetched again while a store is open, also for a push", async () => {
    const { remote, home } = await prepare();
    const b = await open(remote, "b", { home });
    await b.push("s", [line("2")]);
    rmSync(ownRepository(home), { recursive: true });
    expect(await b.push("s", [line("2"), line("3")])).toMatchObject({ added: 1 });
    expect(await count(await open(remote, "c"))).toBe(3);
  });

  it("says that lines cannot be read if the remote has lost them too, and stays at the cursor", async () => {
    const { remote, home } = await prepare();
    const { own, ref, at } = damageTarget(home);
    const blob = blobIn(own, ref);
    rmSync(at(blob));
    rmSync(join(remote, "objects", blob.slice(0, 2), blob.slice(2)));
    const b = await open(remote, "b", { home });
    await expect(count(b)).rejects.toMatchObject({ code: "store-damaged" });
  });

  it("is not blocked by the locks of killed programs", async () => {
    const { remote, home, writer } = await prepare();
    const { own, ref } = damageTarget(home);
    const locks = [`${ref}.lock`, "packed-refs.lock"].map((name) => join(own, name));
    for (const lock of locks) {
      writeFileSync(lock, "");
      utimesSync(lock, new Date(0), new Date(0));
    }
    await writer.push("s", [line("2")]);
    expect(await count(await open(remote, "b", { home }))).toBe(2);
    expect(locks.filter((lock) => existsSync(lock))).toEqual([]);
    writeFileSync(`${locks[0]}`, "");
    removeStaleLocks(own);
    expect(existsSync(`${locks[0]}`)).toBe(true);
  });

  it("is packed when it has many loose objects", async () => {
    const remote = bare();
    // git estimates the number of objects from one of their 256 folders.
    const isCounted = (id: string) => hashOf(`blob ${line(id).length}\0${line(id)}`).startsWith("17");
    const ids = Array.from({ length: 5_000 }, (_, n) => String(n)).filter(isCounted);
    const blobs = ids.map((id) => `M 100644 inline sessions/s/${id}.jsonl\ndata ${line(id).length}\n${line(id)}\n`);
    const input = `commit refs/bough/p/x\ncommitter x <x> 0 +0000\ndata 1\nx\n${blobs.join("")}\n`;
    execFileSync("git", ["fast-import", "--quiet"], { cwd: remote, input });
    const home = temporary();
    const store = await open(remote, "a", { home });
    expect(git(ownRepository(home), "count-objects")).toMatch(/^0 objects/);
    expect(await count(store)).toBe(ids.length);
  });
});
