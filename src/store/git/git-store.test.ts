import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { searchMirror } from "../search-mirror.js";
import { describeStore, replicaNamed } from "../store-contract.test-support.js";
import { GitStore } from "./git-store.js";

const made: string[] = [];
afterAll(() => {
  for (const one of made) rmSync(one, { recursive: true, force: true });
});
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-git-store-"));
  made.push(folder);
  return folder;
}
const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
function bare(): string {
  const remote = join(temporary(), "remote.git");
  git(tmpdir(), "init", "-q", "--bare", "--template=", remote);
  // The remote looks for garbage after each push otherwise, with a process of its own.
  git(remote, "config", "receive.autoGc", "false");
  return remote;
}
function open(remote: string, name: string, home = temporary()): Promise<GitStore> {
  const search = (store: GitStore, query: { words: string }) => searchMirror(store, query, home);
  return GitStore.open({ remote, replica: replicaNamed(name), home, search: search as never, pollMs: 5 });
}

let current = "";
describeStore("git", {
  writers: 3,
  pushes: 2,
  isSampled: true,
  damage: async (hash) => {
    const ref = git(current, "for-each-ref", "--format=%(refname)", "refs/bough-files");
    const change = `M 100644 inline ${hash.slice(0, 2)}/${hash.slice(2)}\ndata 5\nother\n`;
    const input = `commit ${ref}\ncommitter x <x> 0 +0000\ndata 1\nx\nfrom ${ref}^0\n${change}\n`;
    execFileSync("git", ["fast-import", "--quiet"], { cwd: current, input });
  },
  newStore: async () => {
    const remote = bare();
    current = remote;
    return (replica) => open(remote, replica.name);
  },
});

const line = (id: string) =>
  Buffer.from(`{"type":"custom","id":"${id}","parentId":null,"timestamp":"t","customType":"x"}`);
const count = async (store: GitStore) => {
  let lines = 0;
  for await (const piece of store.pull("s")) lines += piece.lines.length;
  return lines;
};

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
    // Not an ancestor of anything: a new commit without parents, and without files.
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
    const programs = await Promise.all(["1", "2", "3"].map(() => open(remote, "same", home)));
    for (const round of ["a", "b"])
      await Promise.all(programs.map((store, n) => store.push("s", [line(`${round}${n}`)])));
    expect(await count(await open(remote, "reader"))).toBe(6);
  });

  it("mends a repository of its own that has lost its HEAD", async () => {
    const [remote, home] = [bare(), temporary()];
    await (await open(remote, "a", home)).push("s", [line("1")]);
    const [folder = ""] = readdirSync(join(home, "stores"));
    rmSync(join(home, "stores", folder, "git", "HEAD"));
    expect(await count(await open(remote, "a", home))).toBe(1);
    expect(readdirSync(join(home, "stores", folder))).toEqual(["git"]);
  });

  it("says that a remote is gone or refuses, without its password", async () => {
    const remote = bare();
    const store = await open(remote, "a");
    renameSync(remote, `${remote}.away`);
    await expect(store.push("s", [line("1")])).rejects.toMatchObject({ code: "store-unreachable" });
    renameSync(`${remote}.away`, remote);
    git(remote, "config", "transfer.hideRefs", "refs/bough");
    await expect(store.push("s", [line("1")])).rejects.toMatchObject({ code: "store-refused" });
    const failure = await open("https://me:hush-hush@127.0.0.1:1/x.git", "a").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "store-unreachable" });
    expect(String(failure)).not.toContain("hush");
    await expect(open("ext::sh -c touch% /tmp/never", "a")).rejects.toMatchObject({ name: "StoreError" });
  });
});
