/** The commands of docs/stores.md for a team, run against a real PostgreSQL with TLS. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterAll, expect, it, vi } from "vitest";
import { runCommand } from "../../packages/program/src/cli/subcommand/import/run-command.test-support.js";
import { afterTest } from "../support/after-test.js";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/stores.md"), "utf8");
const [, TEAM = ""] = /\n## For a team\n(.*?)\n## /s.exec(PAGE) ?? [];
const [SERVER = [], OWNER = [], WRITER = [], BACKUP = [], RESTORE = []] = [...TEAM.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, block = ""]) => block.trim().split("\n"),
);

let server: PostgresServer;
beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

function machine(name: string, folder: string) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  execFileSync("git", ["init", "-q"], { cwd });
  execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd });
  const home = join(folder, `${name}-home`);
  const bough = (...args: string[]) => {
    vi.stubEnv("BOUGH_HOME", home);
    return runCommand({ cwd }, args);
  };
  const prompt = (text: string) => {
    vi.stubEnv("BOUGH_HOME", home);
    const session = SessionManager.create(cwd);
    session.appendMessage({ role: "user", content: text, timestamp: 1 });
    session.close();
    return session.getSessionId();
  };
  return { cwd, bough, prompt };
}

it("sets up a server with TLS and roles in ten commands, and restores it from a backup", async ({ skip }) => {
  if (spawnSync("openssl", ["version"]).error !== undefined) skip("openssl is not installed: apt-get install openssl");
  expect([SERVER.length + OWNER.length + WRITER.length, BACKUP.length, RESTORE.length]).toEqual([10, 2, 2]);
  afterTest(() => vi.unstubAllEnvs());
  const folder = tempFolder();
  // As on a new server: its administrator connects, others only as the page arranges it.
  const hba = server.sql("show hba_file");
  writeFileSync(hba, "host all bough 127.0.0.1/32 trust\n");
  server.sql("select pg_reload_conf()");
  const here = (command: string) =>
    command
      .replaceAll("@db.example.com/", `@localhost:${server.port}/`)
      .replaceAll("db.example.com", "localhost")
      .replace("install -o postgres", server.isOwnedByPostgres ? "install -o postgres" : "install");
  const env = { ...process.env, ...server.environment };
  const shell = (command: string) => {
    // Without a terminal of its own, as it would ask there for passwords.
    const { status, stderr } = spawnSync("setsid", ["-w", "bash", "-c", here(command)], {
      cwd: folder,
      env,
      input: "secret\n".repeat(4),
      encoding: "utf8",
    });
    expect({ command, status, stderr }).toMatchObject({ command, status: 0 });
  };
  for (const command of SERVER) shell(command);

  const [owner, ada, eve] = [machine("owner", folder), machine("ada", folder), machine("eve", folder)];
  const run = async ({ bough, cwd }: ReturnType<typeof machine>, command: string) => {
    writeFileSync(join(cwd, "server.crt"), readFileSync(join(folder, "server.crt")));
    const words = [...here(command).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    expect(words.shift()).toBe("bough");
    return bough(...words);
  };
  for (const command of OWNER) expect(await run(owner, command)).toMatchObject({ code: 0, stderr: "" });
  for (const command of WRITER) expect(await run(ada, command)).toMatchObject({ code: 0, stderr: "" });
  expect((await ada.bough("store", "list")).stdout).not.toMatch(/secret|not encrypted/);

  const id = ada.prompt("the birch is ill");
  expect((await ada.bough("sync")).stdout).toContain("Synced 1 session with team.");
  expect((await owner.bough("sync")).stdout).toContain("pulled");
  expect((await ada.bough("store", "remove", id, "--yes")).stderr).toContain("ada is a writer of this store");
  const refused = await run(eve, (WRITER[0] ?? "").replace("ada:secret", "ada:wrong"));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("rejected the user name or password") });
  expect(refused.stderr).not.toContain("wrong@");
  // The certificate is checked, although it is this machine.
  const unknown = (WRITER[0] ?? "").replace("&sslrootcert=server.crt", "");
  expect((await run(eve, unknown)).stderr).toContain("is not trusted");

  expect((await ada.bough("store", "users")).stdout).toBe("ada  writer  example.com/team/app\nYou are a writer.\n");
  expect(JSON.parse((await owner.bough("store", "users", "--json")).stdout)).toEqual({
    store: "team",
    role: "owner",
    users: [{ name: "ada", role: "writer", projects: ["example.com/team/app"] }],
  });
  const log = JSON.parse((await owner.bough("store", "log", "--json")).stdout).log;
  expect(log).toMatchObject([
    { user: "ada", action: "pushed", sessionId: id, project: "example.com/team/app" },
    { user: "keeper", action: "user added", detail: "ada, writer, example.com/team/app" },
  ]);
  expect((await owner.bough("store", "log", id)).stdout).toMatch(/ada pushed: \d entries/);

  for (const command of BACKUP) shell(command);
  const late = ada.prompt("pushed after the backup");
  await ada.bough("sync");
  shell("dropdb bough");
  for (const command of RESTORE) shell(command);
  expect((await owner.bough("ls", "--store")).stdout).not.toContain(late);
  expect((await ada.bough("sync")).code).toBe(0);
  expect((await owner.bough("ls", "--store")).stdout).toContain(late);
  expect((await ada.bough("store", "remove", id, "--yes")).stderr).toContain("ada is a writer of this store");

  // Taking the role away keeps what is on her machine, and says what is wrong.
  expect((await owner.bough("store", "users", "add", "ada", "--role", "reader")).stdout).toContain("now a reader");
  const kept = ada.prompt("as a reader");
  const asReader = await ada.bough("sync");
  expect(asReader).toMatchObject({ code: 1, stdout: expect.stringContaining("ada is a reader of this store") });
  owner.prompt("from the owner");
  await owner.bough("sync");
  expect((await ada.bough("sync")).stdout).toContain("from the owner");
  expect((await owner.bough("store", "users", "remove", "ada")).stdout).toContain(
    "ada has no access to team any more.",
  );
  const without = await ada.bough("sync");
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("bough store users add") });
  expect((await ada.bough("show", kept)).stdout).toContain("as a reader");
}, 300_000);
