/** Machines that share a store and run the program without a terminal: what each continues, and what reaches the store. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { filesPlace } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { type FilesRoot, filesRoot } from "@bough/workbench/checkpoint/index.js";
import { addStore, initStore, ownReplica, renameReplica } from "@bough/workbench/store/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { AcpClient } from "./acp-client.js";
import { RpcClient } from "./cli-rpc-client.js";
import { conversation, makePlace, type Place, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

/** A store, and machines that have a checkout of the same project each. */
async function world(settings: object = {}) {
  const address = join(tempFolder(), "store");
  await initStore(address);
  const machine = (name: string, more: object = {}): Place => {
    const place = makePlace({ settings: { model: "offline/rules", files: "off", ...settings, ...more } });
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: place.cwd });
    execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd: place.cwd });
    ownReplica(place.home);
    renameReplica(place.home, name);
    addStore(place.home, { name: "home", address });
    return place;
  };
  return { address, machine };
}

async function prompts(file: string): Promise<string[]> {
  return (await conversation(file)).flatMap((line) => (line.startsWith("user: ") ? [line.slice(6)] : []));
}

function positionIn(file: string): string | null {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  session.close();
  return session.getLeafId();
}

/** Everything that is in a folder store. */
function stored(address: string): string {
  return readdirSync(address, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith(".jsonl"))
    .map((item) => readFileSync(join(item.parentPath, item.name), "utf8"))
    .join("");
}

const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

describe("continuing what another machine continued", () => {
  test("-c starts at the end of it, says so on standard error, and writes nothing before the next entry", async () => {
    const { machine } = await world();
    const [laptop, desk] = [machine("office laptop"), machine("desk")];
    const sync = (place: Place) => runHere(place, ["sync"]);
    await runHere(laptop, ["-p", "list files"]);
    await sync(laptop);
    await sync(desk);
    await runHere(desk, ["-p", "-c", "read notes.txt"]);
    await runHere(desk, ["-p", "-c", "read app.js"]);
    await sync(desk);
    const file = theOnly(sessionFiles(laptop));
    const before = positionIn(file);
    await sync(laptop);
    // A pull moves no one.
    expect(positionIn(file)).toBe(before);
    const bytes = readFileSync(file);
    const opened = await runHere(laptop, ["--mode", "rpc", "-c"]);
    expect(opened.stdout).toContain("desk continued from here with 2 turns. You are at the end of them.");
    expect(readFileSync(file).equals(bytes)).toBe(true);
    const ended = await runHere(laptop, ["-p", "-c", "list files again"]);
    expect(ended).toMatchObject({
      code: 0,
      stderr:
        "bough: desk continued from here with 2 turns. You are at the end of them.\n  /tree shows where you were.\n",
    });
    expect(await prompts(file)).toEqual(["list files", "read notes.txt", "read app.js", "list files again"]);
    // It is its own end now.
    expect((await runHere(laptop, ["-p", "-c", "read notes.txt"])).stderr).toBe("");
  });

  test("stays where one was if there are several ends, or if one went on oneself", async () => {
    const { machine } = await world();
    const [laptop, desk, server] = [machine("office laptop"), machine("desk"), machine("server")];
    const sync = (place: Place) => runHere(place, ["sync"]);
    await runHere(laptop, ["-p", "list files"]);
    for (const place of [laptop, desk, server]) await sync(place);
    await runHere(desk, ["-p", "-c", "read notes.txt"]);
    await runHere(server, ["-p", "-c", "read app.js"]);
    for (const place of [desk, server, laptop, desk]) await sync(place);
    expect((await runHere(desk, ["-p", "-c", "list files"])).stderr).toBe("");
    const ended = await runHere(laptop, ["-p", "-c", "read app.js"]);
    expect(ended.stderr).toMatch(
      /^bough: (?:desk and server|server and desk) continued from here on 2 branches\. You are where you were\.\n {2}\/tree shows them\.\n$/,
    );
    expect(await prompts(theOnly(sessionFiles(laptop)))).toEqual(["list files", "read app.js"]);
  });
});

describe("what is last after a sync", () => {
  test("is what was worked with last, on whichever machine, not what was pulled last", async () => {
    const { machine } = await world();
    const [laptop, desk] = [machine("office laptop"), machine("desk")];
    await runHere(laptop, ["-p", "list files"]);
    await runHere(laptop, ["sync"]);
    await runHere(desk, ["-p", "read app.js"]);
    await runHere(desk, ["sync"]);
    const last = async (): Promise<string[]> => {
      const { stdout } = await runHere(desk, ["ls", "--json"]);
      return JSON.parse(stdout).sessions.map((one: { firstMessage: string }) => one.firstMessage);
    };
    // The session of the laptop came after the one that was made here.
    expect(await last()).toEqual(["read app.js", "list files"]);
    await runHere(desk, ["-p", "-c", "read notes.txt"]);
    const own = sessionFiles(desk).find((file) => readFileSync(file, "utf8").includes("read app.js")) as string;
    expect(await prompts(own)).toEqual(["read app.js", "read notes.txt"]);
    await runHere(laptop, ["-p", "-c", "read notes.txt"]);
    await runHere(laptop, ["sync"]);
    await runHere(desk, ["sync"]);
    // Now the laptop was last.
    expect(await last()).toEqual(["list files", "read app.js"]);
  });

  test("ls and search take the name of a store after a blank, and hint at = for any other word", async () => {
    const { address, machine } = await world();
    const place = machine("desk");
    addStore(place.home, { name: "car", address });
    await runHere(place, ["-p", "list files"]);
    await runHere(place, ["sync"]);
    expect((await runHere(place, ["ls", "--store", "car", "--json"])).stdout).toContain('"store":"car"');
    expect((await runHere(place, ["search", "--store", "car", "list", "--json"])).stdout).toContain('"store":"car"');
    expect(await runHere(place, ["ls", "--store", "bus"])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("Did you mean --store=bus?") },
    });
    expect((await runHere(place, ["search", "--store", "bus", "list"])).stderr).toContain("--store=bus");
  });
});

describe("syncing after each turn without a terminal", () => {
  test.each([
    ["-p", ["-p", "list files"], ""],
    ["a piped prompt", [], "list files"],
    ["--mode json", ["--mode", "json", "-p", "list files"], ""],
  ])("%s pushes its turn before it ends, and says nothing", async (_, args, input) => {
    const { address, machine } = await world({ sync: "turn" });
    const ended = await runHere(machine("desk"), args, input === "" ? {} : { input });
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toMatch(/sync|store/i);
    expect(stored(address)).toContain("notes.txt");
  });

  test.each([["text"], ["json"]])("an unreachable store is one line on standard error (%s)", async (mode) => {
    const { address, machine } = await world({ sync: "turn" });
    const place = machine("desk");
    renameSync(address, `${address}.away`);
    const ended = await runHere(place, [...(mode === "json" ? ["--mode", "json"] : []), "-p", "list files"]);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^bough: .*store.*\n$/);
    expect(ended.stdout).not.toContain("saved here");
  });

  test("what may contain secrets stays here and is named, masked", async () => {
    const { address, machine } = await world({ sync: "turn" });
    const place = machine("desk");
    const { code, stdout, stderr } = await runHere(place, ["-p", `my key is ${TOKEN}`]);
    expect([code, stdout.includes("possible secret")]).toEqual([0, false]);
    expect(stderr).toMatch(
      /^bough: Not synced: this session contains 1 possible secret \(.*, entry \w+\)\. To sync it/,
    );
    expect(stderr).not.toContain(TOKEN);
    expect(stored(address)).not.toContain(TOKEN);
  });

  test("bough acp syncs a file once, whichever of its branches has a turn", async () => {
    const { address, machine } = await world({ sync: "turn" });
    const place = machine("desk");
    const acp = new AcpClient(place, { isHere: true });
    const { sessionId } = await acp.begin();
    await acp.say(sessionId, "read notes.txt");
    await expect.poll(() => stored(address)).toContain("buy milk");
    const fork = await acp.fork(sessionId);
    await acp.say(fork.sessionId, "read app.js");
    await expect.poll(() => stored(address)).toContain("console.log");
    // The one that synced is gone: the other one does it now.
    await acp.agent.request("session/close", { sessionId });
    writeFileSync(join(place.cwd, "later.txt"), "after the first was closed");
    await acp.say(fork.sessionId, "read later.txt");
    await expect.poll(() => stored(address)).toContain("after the first was closed");
    const lines = stored(address).trimEnd().split("\n");
    expect(new Set(lines).size).toBe(lines.length);
    await acp.say(fork.sessionId, `my key is ${TOKEN}`);
    await acp.end();
    expect(acp.stderr.match(/possible secret/g)).toHaveLength(1);
    expect(stored(address)).not.toContain(TOKEN);
  });
});

describe("contents of files that only the store has", () => {
  /** A machine that has synced a session of another one, in which a tool wrote `a.txt` twice. */
  async function synced() {
    const { address, machine } = await world({ files: "ask" });
    const [laptop, desk] = [machine("office laptop"), machine("desk")];
    const { store } = (await filesRoot(laptop.cwd, laptop.home)) as FilesRoot;
    const sessions = join(laptop.home, "sessions", "app");
    const { session, step } = await filesPlace({ root: laptop.cwd, store, sessions });
    const first = await step("write it", { "a.txt": "one\n" });
    const second = await step("write it again", { "a.txt": "two\n" });
    session.close();
    expect((await runHere(laptop, ["sync"])).code).toBe(0);
    expect((await runHere(desk, ["sync"])).code).toBe(0);
    writeFileSync(join(desk.cwd, "a.txt"), "two\n");
    return { address, desk, first, second, read: () => readFileSync(join(desk.cwd, "a.txt"), "utf8") };
  }

  test("are fetched by a subcommand that shows or restores them", async () => {
    const { desk, first, second, read } = await synced();
    const { stdout } = await runHere(desk, ["diff", `#${first}`, `#${second}`]);
    expect(stdout).toContain("-one\n+two\n");
    expect(await runHere(desk, ["restore-files", `#${first}`])).toMatchObject({ code: 0 });
    expect(read()).toBe("one\n");
  });

  test("are fetched by the agent and by slash commands", async () => {
    const { desk, first, second, read } = await synced();
    const client = new RpcClient(desk, ["-c"], { isHere: true });
    expect(await client.request("diffFiles", { from: first, to: second })).toMatchObject({
      files: [{ path: "a.txt", patch: expect.stringContaining("-one\n+two\n") }],
    });
    expect(await client.request("runCommand", { line: `/restore ${first}` })).toMatchObject({ kind: "done" });
    expect(read()).toBe("one\n");
    await client.close();
  });

  test("are missing, and named, if the store is gone", async () => {
    const { address, desk, first, read } = await synced();
    renameSync(address, `${address}-away`);
    const { code, stdout } = await runHere(desk, ["restore-files", `#${first}`, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ plan: { missing: [{ path: "a.txt" }] } });
    expect([read(), existsSync(address)]).toEqual(["two\n", false]);
  });
});
