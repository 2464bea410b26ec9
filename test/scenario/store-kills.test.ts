/** The program is killed in the middle of a turn with a store attached: nothing that was acknowledged is missing, nothing is there twice. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifySession } from "@bough/session/session/index.js";
import { addStore, initStore, openStore } from "@bough/workbench/store/index.js";
import { afterAll, describe, expect, test } from "vitest";
import { PostgresServer, skipWithoutPostgres } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";
import { RpcClient } from "./cli-rpc-client.js";
import { makePlace, type Place, Running, sessionFiles, theOnly } from "./cli-support.js";

const WAIT = { timeout: 60_000 };

/** IDs of entries the client was told about: they are in the file. */
function acknowledged({ events }: RpcClient): string[] {
  return events.flatMap((event) => {
    if (event.type === "message_end") return [event.entryId as string];
    return event.type === "entries" ? (event.ids as string[]) : [];
  });
}

const idsIn = (lines: readonly string[]): string[] => lines.map((line) => (JSON.parse(line) as { id: string }).id);

async function idsInStore(address: string, sessionId: string): Promise<string[]> {
  const store = await openStore(address, { home: tempFolder(), replica: { id: "0".repeat(16), name: "reader" } });
  try {
    const lines: string[] = [];
    for await (const piece of store.pull(sessionId))
      lines.push(...piece.lines.map(({ bytes }) => Buffer.from(bytes).toString()));
    return idsIn(lines);
  } finally {
    await store.close();
  }
}

async function inSync(client: RpcClient): Promise<void> {
  const status = { store: "home", state: "idle", pending: 0 };
  await expect.poll(() => client.request("getStoreStatus"), WAIT).toMatchObject({ status });
}

type Moment = "while a tool runs" | "as the prompt is written";

/** Sends a prompt and kills the program in the middle of its turn. */
async function killIn(moment: Moment, client: RpcClient, place: Place): Promise<void> {
  const running = join(place.cwd, "running");
  const before = acknowledged(client).length;
  const inTool = moment === "while a tool runs";
  const text = inTool ? `$ echo $$ > ${running}; exec sleep 600` : "what is in this folder?";
  client.write(JSON.stringify({ id: "last", method: "prompt", params: { text } }));
  const isThere = () =>
    inTool ? existsSync(running) && readFileSync(running, "utf8").trim() !== "" : acknowledged(client).length > before;
  await expect.poll(isThere, WAIT).toBe(true);
  if (!(client.running instanceof Running)) throw new Error("bug: it runs in this process");
  await client.running.killNow();
  // A killed program cannot end what it started.
  if (inTool) process.kill(Number(readFileSync(running, "utf8")), "SIGKILL");
}

async function killedAndResumed(address: string, moment: Moment): Promise<void> {
  await initStore(address);
  // In a sandbox, the number of a process would mean nothing here.
  const settings = { model: "offline/rules", sync: "live", permissionMode: "auto", sandbox: "off" };
  const place = makePlace({ settings });
  addStore(place.home, { name: "home", address });
  const first = new RpcClient(place);
  await first.request("prompt", { text: "read notes.txt" });
  await inSync(first);
  await killIn(moment, first, place);

  // Any process but the one that was killed: this one.
  const second = new RpcClient(place, ["-c"], { isHere: true });
  await inSync(second);
  await second.request("prompt", { text: "read app.js" });
  await inSync(second);
  const known = [...acknowledged(first), ...acknowledged(second)];
  await second.close();

  const file = theOnly(sessionFiles(place));
  const [sessionId = "", ...ids] = idsIn(readFileSync(file, "utf8").trimEnd().split("\n"));
  const stored = await idsInStore(address, sessionId);
  for (const all of [ids, stored]) {
    expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([]);
    expect(known.filter((id) => !all.includes(id))).toEqual([]);
  }
  expect(known.length).toBeGreaterThan(6);
  expect((await verifySession(file)).ok).toBe(true);
}

const MOMENTS: readonly Moment[] = ["while a tool runs", "as the prompt is written"];

describe("a folder", () => {
  test.each(MOMENTS)("has everything once after the program was killed %s", async (moment) => {
    await killedAndResumed(join(tempFolder(), "store"), moment);
  });
});

describe("PostgreSQL", () => {
  skipWithoutPostgres();
  let server: PostgresServer | undefined;
  afterAll(() => server?.stop());

  test.each(MOMENTS)("has everything once after the program was killed %s", async (moment) => {
    server ??= await PostgresServer.start();
    await killedAndResumed(server.create(`k${MOMENTS.indexOf(moment)}`), moment);
  });
});
