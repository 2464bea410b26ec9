import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { CONTRACT, STRICTER } from "../../../../../scripts/agent-sdk/contract.mjs";
import { openForeign } from "../../interop/index.js";
import { FolderStore } from "../folder/folder-store.js";
import { replicaNamed } from "../store-contract.test-support.js";
import { syncSessions } from "../sync/sync-sessions.js";
import { SyncStates } from "../sync/sync-state.js";
import { type AgentSdkEntry, storedId, storedProject } from "./agent-sdk-line.js";
import { AgentSdkStore } from "./agent-sdk-store.js";
import type { FoldSessionSummary } from "./agent-sdk-summaries.js";

const made: string[] = [];
afterAll(() => {
  for (const one of made) rmSync(one, { recursive: true, force: true });
});
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "bough-agent-sdk-"));
  made.push(path);
  return path;
}
function stores() {
  const at = folder();
  FolderStore.init(at);
  return (name: string) => FolderStore.open({ folder: at, replica: replicaNamed(name), search: async () => [] });
}

describe("the Claude Agent SDK's session store", () => {
  for (const [name, check] of Object.entries({ ...CONTRACT, ...STRICTER }))
    it(name, () => check(new AgentSdkStore(stores()("a"))));
});

const key = { projectKey: "-home-me-app", sessionId: "5e551011-0000-4000-8000-00000000000a" };
const record = (uuid: string, parentUuid: string | null, text: string): AgentSdkEntry => ({
  type: "user",
  uuid,
  parentUuid,
  timestamp: "2026-01-01T00:00:00.000Z",
  sessionId: key.sessionId,
  cwd: "/home/me/app",
  version: "2.1.0",
  isSidechain: false,
  message: { role: "user", content: text },
});

describe("a transcript in a store", () => {
  it("opens as a tree with its branches, also from the files it is written to", async () => {
    const sdk = new AgentSdkStore(stores()("a"));
    await sdk.append(key, [record("a", null, "start"), record("b", "a", "one way"), record("c", "a", "another way")]);
    const file = await sdk.writeTranscript(key, folder());
    const opened = [await sdk.open(key), await openForeign(file)];
    for (const { session, source, close } of opened) {
      expect(source.agent).toBe("claude-code");
      const start = session.getEntries().find((entry) => JSON.stringify(entry).includes('"start"'));
      expect(session.getChildren(start?.id as string)).toHaveLength(2);
      close();
    }
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("continues after what was loaded, on a machine whose clock is years behind", async () => {
    const open = stores();
    // Replica files are read by name: if order were not stored, the second machine's entries would come first.
    const [late, early] = [open("a"), open("b")].sort((x, y) => (x.replica.id < y.replica.id ? 1 : -1));
    const first = new AgentSdkStore(late as FolderStore);
    await first.append(key, [record("a", null, "1"), record("b", "a", "2")]);
    vi.useFakeTimers({ now: Date.UTC(2001, 0, 1), toFake: ["Date"] });
    try {
      await new AgentSdkStore(early as FolderStore).append(key, [record("c", "b", "3")]);
    } finally {
      vi.useRealTimers();
    }
    expect((await first.load(key))?.map(({ uuid }) => uuid)).toEqual(["a", "b", "c"]);
  });

  it("comes back once if two machines appended the same", async () => {
    const open = stores();
    const [one, two] = [new AgentSdkStore(open("a")), new AgentSdkStore(open("b"))];
    await Promise.all([one, two].map((sdk) => sdk.append(key, [record("a", null, "1")])));
    expect(await one.load(key)).toEqual([record("a", null, "1")]);
  });

  it("is not written outside the folder, whatever a store names its parts", async () => {
    const sdk = new AgentSdkStore(stores()("a"));
    await sdk.append(key, [record("a", null, "1")]);
    await sdk.append({ ...key, subpath: "../../outside" }, [record("b", null, "2")]);
    const into = folder();
    await expect(sdk.writeTranscript(key, into)).rejects.toMatchObject({ code: "store-damaged" });
    expect(readdirSync(into)).toEqual([]);
    await expect(sdk.open({ ...key, sessionId: "none" })).rejects.toMatchObject({ code: "session-not-stored" });
  });

  it("is left alone by syncs of all sessions", async () => {
    const home = folder();
    vi.stubEnv("BOUGH_HOME", home);
    try {
      const store = stores()("a");
      await new AgentSdkStore(store).append(key, [record("a", null, "1")]);
      await store.push("a-session", [Buffer.from('{"type":"custom","id":"x","parentId":null,"customType":"y"}')]);
      const states = new SyncStates(home, "store");
      const { synced } = await syncSessions({ store, states, cwd: home, all: true, dryRun: true });
      expect(synced.map(({ sessionId }) => sessionId)).toEqual(["a-session"]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("has a summary for lists, from what was appended since the last one", async () => {
    const open = stores();
    const batches: string[][] = [];
    const foldSessionSummary: FoldSessionSummary = (before, { sessionId }, entries, { mtime = 0 } = {}) => {
      batches.push(entries.map(({ uuid }) => String(uuid)));
      return { sessionId, mtime, data: { count: Number(before?.data.count ?? 0) + entries.length } };
    };
    const sdk = new AgentSdkStore(open("a"), { foldSessionSummary });
    const summaries = async () => (await sdk.listSessionSummaries?.(key.projectKey))?.map(({ data }) => data.count);
    await sdk.append(key, [record("a", null, "1"), record("b", "a", "2")]);
    await sdk.append({ ...key, subpath: "subagents/x" }, [record("z", null, "1")]);
    expect(await summaries()).toEqual([2]);
    expect(await summaries()).toEqual([2]);
    await new AgentSdkStore(open("b")).append(key, [record("b", "a", "2"), record("c", "b", "3")]);
    expect(await summaries()).toEqual([3]);
    expect(batches).toEqual([["a", "b"], ["c"]]);
    const [listed] = await sdk.listSessions(key.projectKey);
    expect((await sdk.listSessionSummaries?.(key.projectKey))?.[0]?.mtime).toBe(listed?.mtime);
    expect(new AgentSdkStore(open("a")).listSessionSummaries).toBeUndefined();
  });

  it("is begun again with everything that is appended after another process deleted it", async () => {
    const open = stores();
    const [a, b] = [new AgentSdkStore(open("a")), new AgentSdkStore(open("b"))];
    const [one, two] = [record("1", null, "one"), record("2", "1", "two")];
    await b.append(key, [one]);
    await a.delete(key);
    await b.append(key, [one, two]);
    expect(await a.load(key)).toEqual([one, two]);
    await a.delete(key);
    await b.append(key, [two]);
    expect(await a.load(key)).toEqual([two]);
    await b.append(key, [two]);
    expect(await b.load(key)).toEqual([two]);
  });

  it("passes over lines that are not the SDK's", async () => {
    const store = stores()("a");
    const sdk = new AgentSdkStore(store);
    await sdk.append(key, [record("a", null, "1")]);
    const odd = [
      "{}",
      "nonsense",
      '{"type":"custom","id":"x","customType":"claude-agent-sdk","data":{"at":1,"entry":[]}}',
    ];
    await store.push(
      storedId(key),
      odd.map((line) => Buffer.from(line)),
      { project: storedProject(key.projectKey) },
    );
    expect(await sdk.load(key)).toEqual([record("a", null, "1")]);
  });
});
