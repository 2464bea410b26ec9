import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { entryOrigins } from "@bough/session/session/internal.js";
import { describe, expect, it, vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { FolderStore } from "../folder/folder-store.js";
import { openStore } from "../open-store.js";
import { lookForSecrets } from "../sync/look-for-secrets.js";
import { SyncStates } from "../sync/sync-state.js";
import { attachStore } from "./attach-store.js";
import type { AttachOptions, StoreEvent } from "./attachment.js";

/** Two machines and the folder where they meet. */
function world() {
  const base = tempFolder();
  const folder = join(base, "store");
  FolderStore.init(folder);
  const search = async () => [];
  return {
    folder,
    machine(name: string) {
      const home = join(base, name);
      const cwd = join(home, "project");
      mkdirSync(cwd, { recursive: true });
      const id = Buffer.from(name.padEnd(8)).toString("hex");
      const store = FolderStore.open({ folder, replica: { id, name }, search, pollMs: 5 });
      const states = new SyncStates(home, "store");
      const create = () => SessionManager.create(cwd, join(home, "sessions"));
      /** Attaches and records every event. */
      const attach = (session: SessionManager, options: AttachOptions = {}) => {
        const events: StoreEvent[] = [];
        let hear: () => void = () => {};
        const attached = attachStore(session, store, {
          states,
          ...options,
          onEvent: (event) => {
            events.push(event);
            hear();
          },
        });
        afterTest(() => attached.detach());
        const until = async (test: () => boolean) => {
          while (!test())
            await new Promise<void>((resolve) => {
              hear = resolve;
            });
        };
        return { attached, events, until };
      };
      return { home, cwd, store, create, attach, states };
    },
  };
}

function say(session: SessionManager, text: string): string {
  return session.appendMessage({ role: "user", content: text, timestamp: 1 });
}

/** The same session on another machine. */
function copyOf(
  session: SessionManager,
  { home, cwd }: { readonly home: string; readonly cwd: string },
): SessionManager {
  const copy = SessionManager.create(cwd, join(home, "sessions"));
  copy.newSession({ id: session.getSessionId() });
  return copy;
}

describe("attachStore", () => {
  it("pushes at the end of a turn, and flush waits until the store has everything", async () => {
    const { machine } = world();
    const laptop = machine("laptop");
    const session = laptop.create();
    const { attached } = laptop.attach(session);
    say(session, "one");
    expect(attached.status.pending).toBe(1);
    await session.flush({ store: true });
    expect(attached.status).toEqual({ state: "idle", pending: 0 });
    const stored = await laptop.store.list();
    expect(stored).toMatchObject([{ id: session.getSessionId(), title: "one", cwd: laptop.cwd }]);
    session.close();
  });

  it("pulls what others appended without moving anyone, and knows where it came from", async () => {
    const { machine } = world();
    const laptop = machine("laptop");
    const desktop = machine("desktop");
    const here = laptop.create();
    laptop.attach(here);
    const first = say(here, "one");
    await here.flush({ store: true });
    const there = copyOf(here, desktop);
    const { attached } = desktop.attach(there);
    const own = say(there, "from the desktop");
    await attached.sync();
    expect(there.getLeafId()).toBe(own);
    expect(there.getEntry(first)).toMatchObject({ type: "message" });
    expect(entryOrigins(desktop.home, there.getSessionId())).toEqual(
      new Map([[first, { id: laptop.store.replica.id, name: "laptop" }]]),
    );
    // Reopening finds the same position, although the last lines came from elsewhere.
    there.close();
    const again = SessionManager.open(there.getSessionFile() as string);
    expect(again.getLeafId()).toBe(own);
    again.close();
    here.close();
  });

  it("in live mode, an entry of one appears in the other automatically", async () => {
    const { machine } = world();
    const laptop = machine("laptop");
    const desktop = machine("desktop");
    const here = laptop.create();
    const seen = laptop.attach(here, { live: true });
    say(here, "one");
    await here.flush({ store: true });
    const there = copyOf(here, desktop);
    desktop.attach(there, { live: true });
    const own = say(there, "from the desktop");
    await seen.until(() => here.getEntry(own) !== undefined);
    expect(seen.events).toContainEqual({
      kind: "synced",
      synced: expect.objectContaining({
        pulled: 1,
        arrivals: [{ replica: desktop.store.replica, entries: 1, turns: 1, tips: [own] }],
      }),
    });
    there.close();
    here.close();
  });

  it("an unreachable store costs nothing, is reported, and gets everything when it is back", async () => {
    const { folder, machine } = world();
    const laptop = machine("laptop");
    const session = laptop.create();
    const { attached, until } = laptop.attach(session, { retryMs: 1 });
    say(session, "one");
    await session.flush({ store: true });
    renameSync(folder, `${folder}.away`);
    say(session, "two");
    say(session, "three");
    await expect(session.flush({ store: true })).rejects.toMatchObject({ code: "store-unreachable" });
    expect(attached.status).toMatchObject({ state: "away", pending: 2, error: { code: "store-unreachable" } });
    renameSync(`${folder}.away`, folder);
    await until(() => attached.status.state === "idle");
    expect(attached.status.pending).toBe(0);
    session.close();
  });

  it("keeps entries here that may not leave, pulls all the same, and remembers a yes", async () => {
    const { machine } = world();
    const laptop = machine("laptop");
    const session = laptop.create();
    const asked: number[] = [];
    const { attached } = laptop.attach(session, {
      mayLeave: async (entries) => {
        asked.push(entries.filter(({ type }) => type === "message").length);
        return "no";
      },
    });
    say(session, "secret");
    await expect(session.flush({ store: true })).rejects.toMatchObject({ code: "secrets-found" });
    expect(attached.status).toMatchObject({ state: "held", pending: 1 });
    expect(await laptop.store.list()).toEqual([]);
    await attached.sync({ mayLeave: async () => "always" });
    say(session, "more");
    await session.flush({ store: true });
    expect(attached.status).toEqual({ state: "idle", pending: 0 });
    expect(asked.every((count) => count === 1)).toBe(true);
    session.close();
  });

  it("checks everything new before any of it is pushed", async () => {
    const { machine } = world();
    const laptop = machine("laptop");
    const session = laptop.create();
    // More lines than fit into one push.
    for (let n = 0; n < 1_500; n++) say(session, `prompt ${n}`);
    say(session, `my key is ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`);
    let answer = false;
    const asked: string[][] = [];
    const ask = async (findings: readonly { readonly title: string }[]) => {
      asked.push(findings.map(({ title }) => title));
      return answer;
    };
    const { attached } = laptop.attach(session, { mayLeave: lookForSecrets({ ask }) });
    await expect(session.flush({ store: true })).rejects.toMatchObject({ code: "secrets-found" });
    expect(await laptop.store.list()).toEqual([]);
    answer = true;
    await session.flush({ store: true });
    expect(attached.status).toEqual({ state: "idle", pending: 0 });
    expect(asked.at(-1)).toEqual([expect.stringMatching(/GitHub/i)]);
    session.close();
  });

  it("pushes what was left behind when the session goes elsewhere or closes", async () => {
    const { machine } = world();
    const laptop = machine("laptop");
    const session = laptop.create();
    const { attached } = laptop.attach(session);
    say(session, "one");
    session.newSession();
    say(session, "two");
    session.close();
    await attached.sync();
    expect((await laptop.store.list()).map(({ title }) => title).sort()).toEqual(["one", "two"]);
  });

  it("takes the title from the session unless it is given one that is not undefined", async () => {
    const { machine } = world();
    const laptop = machine("laptop");
    const session = laptop.create();
    laptop.attach(session, { about: { title: undefined, cwd: "/elsewhere" } });
    say(session, "one");
    await session.flush({ store: true });
    expect(await laptop.store.list()).toMatchObject([{ title: "one", cwd: "/elsewhere" }]);
    session.close();
  });

  it("needs a file, and flush needs a store", async () => {
    const { machine } = world();
    const { store } = machine("laptop");
    const session = SessionManager.inMemory();
    expect(() => attachStore(session, store)).toThrow(expect.objectContaining({ code: "session-not-saved" }));
    await expect(session.flush({ store: true })).rejects.toMatchObject({ code: "no-store" });
  });

  it("works as docs/stores.md shows it", async () => {
    const { folder, machine } = world();
    const { home, store } = machine("laptop");
    vi.stubEnv("BOUGH_HOME", home);
    afterTest(() => vi.unstubAllEnvs());
    const page = readFileSync(join(import.meta.dirname, "../../../../../docs/stores.md"), "utf8");
    const example = page.split("```js\n").find((block) => block.includes("attachStore(")) ?? "";
    const code = example.slice(0, example.indexOf("```")).replace(/^import .*$/gm, "");
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    const run = new AsyncFunction("SessionManager, attachStore, openStore", code.replace("/mnt/share/bough", folder));
    await run(SessionManager, attachStore, openStore);
    expect(await store.list()).toMatchObject([{ title: "Plant a tree" }]);
  });
});
