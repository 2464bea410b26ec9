import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { FolderStore } from "./folder/folder-store.js";
import { SealedStore } from "./sealed-store.js";
import { searchMirror } from "./search-mirror.js";
import { damageContents, describeStore, replicaNamed } from "./store-contract.test-support.js";

const made: string[] = [];
afterAll(() => {
  for (const one of made) rmSync(one, { recursive: true, force: true });
});
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-sealed-"));
  made.push(folder);
  return folder;
}
function sealed(folder: string, name: string, passphrase = "correct horse"): SealedStore {
  const home = temporary();
  const search = async () => [];
  const inner = FolderStore.open({ folder, replica: replicaNamed(name), search, pollMs: 5 });
  return new SealedStore(inner, { passphrase, search: (store, query) => searchMirror(store, query, home) });
}

let current = "";
describeStore("encrypted", {
  writers: 3,
  pushes: 3,
  newStore: async () => {
    const folder = temporary();
    current = folder;
    FolderStore.init(folder);
    return async (replica) => sealed(folder, replica.name);
  },
  damage: async () => damageContents(join(current, "blobs")),
});

it("leaves nothing readable in the store, and opens with the passphrase alone", async () => {
  const folder = temporary();
  FolderStore.init(folder);
  const line = Buffer.from(
    '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"very private"}}',
  );
  const store = sealed(folder, "a");
  await store.push("s", [line], { title: "private title", cwd: "/private/folder" });
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.jsonl?$/.test(name));
  for (const name of files) expect(readFileSync(join(folder, name), "utf8")).not.toContain("private");
  expect(await store.head("s")).toMatchObject({ title: "private title", cwd: "/private/folder" });
  const wrong = sealed(folder, "b", "wrong horse");
  await expect(wrong.list()).rejects.toMatchObject({ code: "wrong-passphrase" });
  await expect(wrong.pull("s").next()).rejects.toMatchObject({ code: "wrong-passphrase" });
});
