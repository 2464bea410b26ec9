import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStore } from "@bough/workbench/store/folder/folder-store.js";
import { GitStore } from "@bough/workbench/store/git/git-store.js";
import type { Replica } from "@bough/workbench/store/store.js";
import { afterAll } from "vitest";
import { describeReplicas } from "../support/replicas.js";
import { sampledRuns, sampledStep } from "../support/sampled.js";

const made: string[] = [];
afterAll(() => {
  for (const one of made) rmSync(one, { recursive: true, force: true });
});
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-replicas-"));
  made.push(folder);
  return folder;
}
const search = async () => [];

describeReplicas("folder", {
  hasOrder: false,
  runs: sampledRuns({ all: 10_000, some: 12 }),
  runsYearsApart: sampledRuns({ all: 1_000, some: 3 }),
  newStore: async () => {
    const folder = temporary();
    FolderStore.init(folder);
    return async (replica) => FolderStore.open({ folder, replica, search });
  },
});

/** One remote for some runs, because making it and connecting to it starts processes too. Each run has its own session. */
const RUNS_OF_A_REMOTE = 20;
let runsOfRemote = 0;
let openRemote: (replica: Replica) => Promise<GitStore>;

describeReplicas("git", {
  mostActs: Math.floor(25 / sampledStep(3)),
  runs: sampledRuns({ all: 10_000, some: 1 }),
  runsYearsApart: sampledRuns({ all: 1_000, some: 1 }),
  newStore: async () => {
    if (runsOfRemote % RUNS_OF_A_REMOTE === 0) {
      for (const one of made.splice(0)) rmSync(one, { recursive: true, force: true });
      const remote = join(temporary(), "remote.git");
      execFileSync("git", ["init", "-q", "--bare", "--template=", remote]);
      execFileSync("git", ["-C", remote, "config", "receive.autoGc", "false"]);
      const stores = new Map<string, Promise<GitStore>>();
      openRemote = (replica) => {
        const store = stores.get(replica.id) ?? GitStore.open({ remote, replica, home: temporary(), search });
        stores.set(replica.id, store);
        return store;
      };
    }
    runsOfRemote += 1;
    return openRemote;
  },
});
