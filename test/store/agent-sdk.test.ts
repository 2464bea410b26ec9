import { AgentSdkStore } from "@bough/workbench/store/index.js";
import { PostgresStore } from "@bough/workbench/store/postgres/postgres-store.js";
import { replicaNamed } from "@bough/workbench/store/store-contract.test-support.js";
import { afterAll, describe, it } from "vitest";
import { CONTRACT, STRICTER } from "../../scripts/agent-sdk/contract.mjs";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";

let server: PostgresServer;
let store: PostgresStore;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
  const url = server.create("sdk");
  await PostgresStore.init(url);
  store = await PostgresStore.open({ url, replica: replicaNamed("a") });
});
afterAll(async () => {
  await store?.close();
  server?.stop();
});

describe("the Claude Agent SDK's session store in PostgreSQL", () => {
  for (const [name, check] of Object.entries({ ...CONTRACT, ...STRICTER }))
    it(name, () => check(new AgentSdkStore(store)));
});
