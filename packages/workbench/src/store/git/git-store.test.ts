import { readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { addressInTest } from "../../../../../test/support/address-in-test.js";
import { hashOf } from "../../checkpoint/index.js";
import { describeStore } from "../store-contract.test-support.js";
import {
  addFile,
  bare,
  count,
  git,
  line,
  open,
  ownRepository,
  piecesOf,
  refsIn,
  refusePushes,
  script,
  temporary,
} from "./git-remote.test-support.js";

let current = "";
describeStore("git", {
  writers: 3,
  pushes: 2,
  isSampled: true,
  damage: async (hash) => {
    const [ref = ""] = refsIn(current, "refs/bough-files");
    addFile(current, { ref, path: `${hash.slice(0, 2)}/${hash.slice(2)}`, text: "other" });
  },
  newStore: async () => {
    const remote = bare();
    current = remote;
    return (replica) => open(remote, replica.name);
  },
});

describe("a git remote", () => {
  it("has no branch and no tag from it, one ref for each replica and project", async () => {
    const remote = bare();
    await (await open(remote, "a")).push("s", [line("1")], { project: "p" });
    await (await open(remote, "b")).push("s", [line("2")], { project: "p" });
    const refs = git(remote, "for-each-ref", "--format=%(refname)").split("\n");
    expect(refs).toHaveLength(2);
    for (const ref of refs) expect(ref).toMatch(/^refs\/bough\/[0-9a-f]{16}\/[0-9a-f]{16}$/);
  });

  it("gets back what it lost: a ref that was deleted is pushed whole", async () => {
    const remote = bare();
    const a = await open(remote, "a");
    await a.push("s", [line("1")]);
    const ref = git(remote, "for-each-ref", "--format=%(refname)");
    git(remote, "update-ref", "-d", ref);
    git(remote, "gc", "-q", "--prune=now");
    await a.push("s", [line("2")]);
    expect(await count(await open(remote, "b"))).toBe(2);
  });

  it("gets back what it lost: a ref that was force-pushed to an older or another state", async () => {
    const remote = bare();
    const a = await open(remote, "a");
    await a.push("s", [line("1")]);
    const ref = git(remote, "for-each-ref", "--format=%(refname)");
    const first = git(remote, "rev-parse", ref);
    await a.push("s", [line("2")]);
    git(remote, "update-ref", ref, first);
    await a.push("s", [line("3")]);
    const b = await open(remote, "b");
    expect(await count(b)).toBe(3);
    // A commit without parents and files, so it is not an ancestor of anything.
    const empty = git(remote, "hash-object", "-t", "tree", "-w", "/dev/null");
    const other = git(remote, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit-tree", empty, "-m", "x");
    git(remote, "update-ref", ref, other);
    git(remote, "gc", "-q", "--prune=now");
    await a.push("s", [line("4")]);
    expect(await count(b)).toBe(4);
    expect(await count(await open(remote, "c"))).toBe(4);
  });

  it("unites what two machines with one replica ID pushed", async () => {
    const remote = bare();
    const [one, two] = await Promise.all([open(remote, "same"), open(remote, "same")]);
    await Promise.all([one.push("s", [line("1")]), two.push("s", [line("2")])]);
    await one.push("s", [line("3")]);
    expect(await count(await open(remote, "reader"))).toBe(3);
  });

  it("takes what several programs of one home push at the same moment", async () => {
    const [remote, home] = [bare(), temporary()];
    const programs = await Promise.all(["1", "2", "3"].map(() => open(remote, "same", { home })));
    for (const round of ["a", "b"])
      await Promise.all(programs.map((store, n) => store.push("s", [line(`${round}${n}`)])));
    expect(await count(await open(remote, "reader"))).toBe(6);
  });

  it("takes pushes of the same moment in one commit for each project, and reports a removed session alone", async () => {
    const remote = bare();
    const [a, b] = [await open(remote, "a"), await open(remote, "b")];
    await a.push("gone", [line("0")], { project: "p" });
    await b.remove("gone");
    const before = Number(git(remote, "rev-list", "--count", "--all"));
    const push = (id: string, project: string) => a.push(id, [line(`${id}1`), line(`${id}2`)], { project });
    const pushed = await Promise.allSettled([
      push("one", "p"),
      push("two", "q"),
      push("gone", "p"),
      push("three", "p"),
      // Must know the lines of the first.
      a.push("one", [line("one2"), line("one3")], { project: "p" }),
      b.push("one", [line("theirs")], { project: "p" }),
    ]);
    expect(pushed).toMatchObject([
      { value: { added: 2, isAlone: true } },
      { value: { added: 2, isAlone: true } },
      { reason: { code: "session-removed" } },
      { value: { added: 2, isAlone: true } },
      { value: { added: 1 } },
      { value: { added: 1 } },
    ]);
    // One for each project, one for the second push of a session, and one of the other machine.
    expect(Number(git(remote, "rev-list", "--count", "--all")) - before).toBe(4);
    const c = await open(remote, "c");
    const counts = (await c.list()).filter(({ removed }) => removed !== true).map(({ id }) => count(c, id));
    expect((await Promise.all(counts)).sort()).toEqual([2, 2, 4]);
  });

  it("takes the others of a push of which the remote refuses one", async () => {
    const remote = bare();
    script(join(remote, "hooks", "update"), `git grep -q -e forbidden "$3" -- && exit 1; exit 0`);
    const a = await open(remote, "a");
    const ids = ["one", "forbidden", "two", "three", "four"];
    const pushed = await Promise.allSettled(ids.map((id) => a.push(id, [line(id)])));
    const refused = { reason: { code: "store-refused" } };
    const stored = { value: { added: 1 } };
    expect(pushed).toMatchObject([stored, refused, stored, stored, stored]);
    expect((await (await open(remote, "b")).list()).map(({ id }) => id).sort()).toEqual([
      "four",
      "one",
      "three",
      "two",
    ]);
    const contentOf = (text: string) => ({ hash: hashOf(Buffer.from(text)), content: Buffer.from(text) });
    const contents = ids.map(contentOf);
    const put = await Promise.allSettled(contents.map((one) => a.blobs.put([one])));
    expect(put.map(({ status }) => status)).toEqual(ids.map((id) => (id === "forbidden" ? "rejected" : "fulfilled")));
    const hashes = contents.map(({ hash }) => hash).filter((hash) => hash !== contentOf("forbidden").hash);
    expect(await (await open(remote, "b")).blobs.has(contents.map(({ hash }) => hash))).toEqual(new Set(hashes));
  });

  it("has a push that was refused once it is repeated, and once", async () => {
    const remote = bare();
    const a = await open(remote, "a");
    for (const id of ["1", "2"]) {
      refusePushes(remote, { refuse: true });
      await expect(a.push("s", [line(id)])).rejects.toMatchObject({ code: "store-refused" });
      refusePushes(remote, { refuse: false });
      expect(await a.push("s", [line(id)])).toMatchObject({ added: 1 });
    }
    const [content, hash] = [Buffer.from("c"), "2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6"];
    refusePushes(remote, { refuse: true });
    await expect(a.remove("s")).rejects.toMatchObject({ code: "store-refused" });
    await expect(a.blobs.put([{ hash, content }])).rejects.toMatchObject({ code: "store-refused" });
    refusePushes(remote, { refuse: false });
    await a.push("s", [line("3")]);
    await a.blobs.put([{ hash, content }]);
    const b = await open(remote, "b");
    expect(await count(b)).toBe(3);
    expect(await b.blobs.has([hash])).toEqual(new Set([hash]));
  });

  it("gets back what it lost also if nothing new is pushed, and once", async () => {
    const remote = bare();
    const a = await open(remote, "a");
    await a.push("s", [line("1")]);
    const [ref = ""] = refsIn(remote);
    const first = git(remote, "rev-parse", ref);
    git(remote, "update-ref", "-d", ref);
    expect(await a.head("s")).toBeUndefined();
    expect(await a.push("s", [line("1")])).toEqual({ added: 0 });
    await a.push("s", [line("2")]);
    git(remote, "update-ref", ref, first);
    expect(await a.push("s", [line("1"), line("2")])).toEqual({ added: 0 });
    expect(await count(await open(remote, "b"))).toBe(2);
  });

  it("says that it is not what it was at a cursor, once", async () => {
    const remote = bare();
    const [a, b] = [await open(remote, "a"), await open(remote, "b")];
    await a.push("s", [line("1")]);
    const [{ cursor = "" } = {}] = await piecesOf(b);
    const [ref = ""] = refsIn(remote);
    git(remote, "update-ref", "-d", ref);
    const empty = await piecesOf(b, cursor);
    expect(empty).toEqual([{ lines: [], cursor: "{}", lost: true }]);
    expect(await piecesOf(b, "{}")).toEqual([]);
    // The same line in another file.
    const c = await open(remote, "a");
    await c.push("s", [line("1")]);
    const [again] = await piecesOf(b, cursor);
    expect(again).toMatchObject({ lines: [{ bytes: line("1") }], lost: true });
    expect(await piecesOf(b, again?.cursor)).toEqual([]);
    for (const none of [undefined, "not a cursor"]) expect((await piecesOf(b, none))[0]).not.toHaveProperty("lost");
    await c.remove("s");
    expect(await piecesOf(b, cursor)).toEqual([]);
  });

  it("tells addresses apart that look alike when shown", async () => {
    const remote = bare();
    const [one, other] = [await open(remote, "a"), await open(`file://${remote}`, "a")];
    expect(one.key).not.toBe(other.key);
    expect(one.key).not.toContain(remote);
  });

  it("repairs its own repository if it has lost its HEAD", async () => {
    const [remote, home] = [bare(), temporary()];
    await (await open(remote, "a", { home })).push("s", [line("1")]);
    const own = ownRepository(home);
    rmSync(join(own, "HEAD"));
    expect(await count(await open(remote, "a", { home }))).toBe(1);
    expect(readdirSync(dirname(own))).toEqual(["git"]);
  });

  it("says that a remote is gone or refuses, without its password", async () => {
    const remote = bare();
    const store = await open(remote, "a");
    renameSync(remote, `${remote}.away`);
    await expect(store.push("s", [line("1")])).rejects.toMatchObject({ code: "store-unreachable" });
    renameSync(`${remote}.away`, remote);
    git(remote, "config", "transfer.hideRefs", "refs/bough");
    await expect(store.push("s", [line("1")])).rejects.toMatchObject({ code: "store-refused" });
    const failure = await open(addressInTest("https://me:hush-hush§127.0.0.1:1/x.git"), "a").catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "store-unreachable" });
    expect(String(failure)).not.toContain("hush");
    await expect(open("ext::sh -c touch% /tmp/never", "a")).rejects.toMatchObject({ name: "StoreError" });
  });
});
