import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { afterAll } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { describeReplicas } from "../support/replicas.js";
import { sampledRuns } from "../support/sampled.js";

let server: PostgresServer;
let url: string;
const stores = new Map<string, Promise<PostgresStore>>();
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
  url = server.create("replicas");
  await PostgresStore.init(url);
});
afterAll(async () => {
  for (const store of stores.values()) await (await store).close();
  server?.stop();
});

describeReplicas("postgres", {
  runs: sampledRuns({ all: 10_000, some: 4 }),
  runsYearsApart: sampledRuns({ all: 1_000, some: 1 }),
  newStore: async () => (replica) => {
    const store = stores.get(replica.id) ?? PostgresStore.open({ url, replica });
    stores.set(replica.id, store);
    return store;
  },
});
