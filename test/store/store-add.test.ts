import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@bough/program/cli/subcommand/import/run-command.test-support.js";
import { afterAll, describe, expect, it, vi } from "vitest";
import { afterTest } from "../support/after-test.js";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";

let server: PostgresServer;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

function machine() {
  const [cwd, home] = [tempFolder(), tempFolder()];
  afterTest(() => vi.unstubAllEnvs());
  vi.stubEnv("BOUGH_HOME", home);
  const store = (...args: string[]) => runCommand({ cwd }, ["store", ...args]);
  return { home, store };
}

describe("bough store add with a database", () => {
  it("creates the tables, and asks who may only use them for no more", async () => {
    const { home, store } = machine();
    const url = server.create("added");
    expect(await store("add", "owner", url)).toMatchObject({ code: 0, stderr: "" });
    server.sql("create user guest", "added");
    server.sql("revoke create on schema public from public; revoke all on database added from public", "added");
    server.sql("grant connect on database added to guest; grant usage on schema bough to guest", "added");
    server.sql("grant select, insert, update, delete on all tables in schema bough to guest", "added");
    const guest = url.replace("bough@", "guest:hush@");
    const added = await store("add", "guest", guest);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(added.stdout).toMatch(/^Added guest: postgres:\/\/guest@127\.0\.0\.1:\d+\/added, 0 sessions\./);
    expect(JSON.parse(readFileSync(join(home, "stores.json"), "utf8")).stores).toMatchObject([{}, { address: guest }]);
    expect(await store("status", "guest")).toMatchObject({ code: 0 });
  });

  it("does not add one whose tables are missing and may not be created", async () => {
    const { store } = machine();
    const url = server.create("bare").replace("bough@", "stranger:hush@");
    server.sql("create user stranger");
    const failed = await store("add", "bare", url);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("The store was not added.") });
    expect(failed.stderr).not.toContain("hush");
  });
});
