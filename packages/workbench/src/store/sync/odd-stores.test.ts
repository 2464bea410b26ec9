import { cpSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { FolderStore } from "../folder/folder-store.js";
import { ownReplica } from "../replica.js";
import { header, replicaNamed } from "../store-contract.test-support.js";
import { syncSession } from "./sync-session.js";
import { SyncStates } from "./sync-state.js";

const ID = "5e551011-0000-4000-8000-0000000000ab";
const entry = (id: string, parentId: string | null) =>
  Buffer.from(
    JSON.stringify({
      type: "message",
      id,
      parentId,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: id, timestamp: 1 },
    }),
  );

describe("a store that holds half of a session", () => {
  it("gives what it has, and the tree is whole once the rest is there", async () => {
    const folder = tempFolder();
    FolderStore.init(folder);
    const open = (name: string) => FolderStore.open({ folder, replica: replicaNamed(name), search: async () => [] });
    const [laptop, desktop] = [open("laptop"), open("desktop")];
    // These entries come from a machine synced with another store, which still has their parents.
    await laptop.push(ID, [entry("c", "b"), entry("d", "c")]);
    const home = tempFolder();
    const file = join(home, "session.jsonl");
    const sync = () =>
      syncSession({ store: desktop, states: new SyncStates(home, "x"), sessionId: ID, file, cwd: home });
    expect(await sync()).toMatchObject({ pulled: 2, damaged: 0 });
    const opened = () => SessionManager.open(file, undefined, { readOnly: true });
    let session = opened();
    expect(session.getEntries().map(({ id }) => id)).toEqual(["c", "d"]);
    const position = session.getLeafId();
    session.close();
    await laptop.push(ID, [header(ID), entry("a", null), entry("b", "a")]);
    expect(await sync()).toMatchObject({ pulled: 2 });
    session = opened();
    expect(session.getBranch("d").map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(session.getLeafId()).toBe(position);
    session.close();
  });
});

describe("a copied home folder", () => {
  it("is another replica from its first use on; the first one stays who it is", () => {
    const base = tempFolder();
    const [first, second] = [join(base, "first"), join(base, "second")];
    mkdirSync(first);
    const laptop = ownReplica(first);
    expect(ownReplica(first)).toEqual(laptop);
    cpSync(first, second, { recursive: true });
    const copy = ownReplica(second);
    expect(copy).toMatchObject({ copiedFrom: laptop.id });
    expect(copy.id).not.toBe(laptop.id);
    expect(ownReplica(first).id).toBe(laptop.id);
    expect(ownReplica(second)).toEqual({ id: copy.id, name: copy.name });
    expect(statSync(join(second, "replica.json")).mode & 0o077).toBe(0);
  });
});
