/** Two terminals with two homes and one store: each continues, both see both branches, and no one is moved. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionManager } from "@bough/session/session/index.js";
import { addStore, initStore, ownReplica, renameReplica } from "@bough/workbench/store/index.js";
import { afterAll, describe, expect, test } from "vitest";
import { PostgresServer, skipWithoutPostgres } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";
import { makePlace, type Place } from "./cli-support.js";
import { runHere } from "./run-here.js";
import {
  command,
  leave,
  matchesKept,
  onlySession,
  openTree,
  promptsOf,
  reading,
  type Seat,
  say,
  sitDown,
} from "./terminal-support.js";

/** A machine with a checkout of the project and a store that both machines have. */
function machine(name: string, address: string, sync: "turn" | "live"): Place {
  const place = makePlace({ settings: { model: "offline/rules", sync } });
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: place.cwd });
  execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd: place.cwd });
  ownReplica(place.home);
  renameReplica(place.home, name);
  addStore(place.home, { name: "home", address });
  return place;
}

/** Every prompt of a session, wherever it is in the tree. */
function allPrompts(session: SessionManager): string[] {
  return session
    .getEntries()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "user" ? [String(texts(entry.message.content))] : [],
    )
    .sort();
}

function texts(content: unknown): unknown {
  return Array.isArray(content) ? content.map((block: { text?: string }) => block.text ?? "").join("") : content;
}

/** How long ago something was, and whether the news comes before or after the tree is open, depends on the machine. */
function withoutAges(text: string): string {
  return text.replace(/ +(?:now|\d+[smh]) *$/gm, " age").replace(/^ desk added .*$/m, " You are already here.");
}

/** The footer: everything is in the store. */
async function pushed({ terminal }: Seat): Promise<void> {
  await terminal.shows((text) => /⇅ ·/.test(text.trimEnd().split("\n").at(-1) ?? ""));
}

/** What a machine began is opened on another one, which never had it. */
function openedElsewhere(first: Seat, place: Place): Seat {
  const id = basename(onlySession(first), ".jsonl").split("_").at(-1) as string;
  return sitDown({ place, args: ["-r", id] });
}

async function bothBranches(address: string): Promise<void> {
  const laptop = sitDown({ place: machine("office laptop", address, "live") });
  await laptop.terminal.shows("New session");
  await say(laptop, "list the files here", "notes.txt");
  await pushed(laptop);

  const desk = openedElsewhere(laptop, machine("desk", address, "live"));
  await desk.terminal.shows(/list the files here[\s\S]*notes\.txt/);
  await say(desk, "read notes.txt", "buy milk");

  // Nobody pressed anything there.
  await laptop.terminal.shows("desk added 1 turn on #1.");
  await say(laptop, "read app.js", "console.log");
  await desk.terminal.shows("office laptop added 1 turn on #2.");

  await openTree(desk);
  await desk.terminal.shows(/#2 +read app\.js.*⇅ office laptop/);
  await openTree(laptop);
  await laptop.terminal.shows(/#1 .*⇅ desk/);
  for (const seat of [laptop, desk]) {
    await seat.terminal.escape((text) => !/^ Tree .*on #/m.test(text));
    await leave(seat);
  }
  const all = ["list the files here", "read app.js", "read notes.txt"];
  expect(await reading(onlySession(laptop), allPrompts)).toEqual(all);
  expect(await reading(onlySession(desk), allPrompts)).toEqual(all);
  expect(await reading(onlySession(laptop), promptsOf)).toEqual(["list the files here", "read app.js"]);
  expect(await reading(onlySession(desk), promptsOf)).toEqual(["list the files here", "read notes.txt"]);
}

/** A session that one machine has begun and pushed to a folder. */
async function begun() {
  const address = join(tempFolder(), "store");
  await initStore(address);
  const laptop = sitDown({ place: machine("office laptop", address, "turn") });
  await laptop.terminal.shows("New session");
  await say(laptop, "list the files here", "notes.txt");
  await pushed(laptop);
  return { laptop, address };
}

describe("two terminals with two homes and one folder", () => {
  test("live: a branch of one appears in the other without a key, with the name of its machine", async () => {
    const address = join(tempFolder(), "store");
    await initStore(address);
    await bothBranches(address);
  });

  test("after each turn: the list has what the other one began, Enter fetches and opens it, and both have both branches", async () => {
    const { laptop, address } = await begun();
    const place = machine("desk", address, "turn");
    const desk = sitDown({ place, args: ["-r"] });
    await desk.terminal.shows(/list the files here +⇅ office laptop/);
    for (const width of [40, 120, 80]) {
      desk.terminal.resize(width, 24);
      await matchesKept(desk, `resume-stored-${width}`, "panel", withoutAges);
    }
    (await desk.terminal.yieldNow()).press("enter");
    await desk.terminal.shows(/list the files here[\s\S]*notes\.txt/);
    // Both continue from the same answer; the laptop's turn is over before the desk's begins.
    await say(laptop, "read app.js", "console.log");
    await pushed(laptop);
    await say(desk, "read notes.txt", "buy milk");
    await pushed(desk);
    await command(laptop, "/sync", /desk added 1 turn on #2|1 turn from desk on #2|Already in sync/);
    await openTree(laptop);
    await matchesKept(laptop, "stores-tree", "panel", withoutAges);
    await laptop.terminal.escape((text) => !/^ Tree .*on #/m.test(text));
    await command(laptop, "/branches", /Branches · 2/);
    await matchesKept(laptop, "stores-branches", "panel", withoutAges);
    await laptop.terminal.escape((text) => !text.includes("Branches · 2"));
    await leave(laptop);
    await leave(desk);
    expect(await reading(onlySession(desk), allPrompts)).toHaveLength(3);
    expect(await reading(onlySession(desk), promptsOf)).toEqual(["list the files here", "read notes.txt"]);

    renameSync(address, `${address}.away`);
    const again = sitDown({ place, args: ["-r"] });
    await again.terminal.shows("Sessions of other machines are not shown: ");
    await again.terminal.shows(/list the files here +12 +2/);
    await again.terminal.escape((text) => !/^ Sessions/m.test(text));
    await leave(again);
  });

  test("-c starts at the end of what another machine added, and says so", async () => {
    const { laptop, address } = await begun();
    await leave(laptop);
    const id = basename(onlySession(laptop), ".jsonl").split("_").at(-1) as string;
    const desk = sitDown({ place: machine("desk", address, "turn"), args: ["-r", id] });
    await desk.terminal.shows(/list the files here[\s\S]*notes\.txt/);
    await say(desk, "read notes.txt", "buy milk");
    await pushed(desk);
    await leave(desk);
    expect(await runHere(laptop.place, ["sync"])).toMatchObject({ code: 0 });
    const again = sitDown({ place: laptop.place, args: ["-c"] });
    await again.terminal.shows(/desk continued from here with 1 turn\.\s+You\s+are\s+at\s+the\s+end\s+of\s+it/);
    await say(again, "read app.js", "console.log");
    await leave(again);
    expect(await reading(onlySession(laptop), promptsOf)).toEqual([
      "list the files here",
      "read notes.txt",
      "read app.js",
    ]);
  });

  test("an unreachable store is in the footer, a killed terminal loses nothing, and everything arrives when both are back", async () => {
    const address = join(tempFolder(), "store");
    await initStore(address);
    const place = machine("office laptop", address, "turn");
    const seat = sitDown({ place });
    await seat.terminal.shows("New session");
    await say(seat, "list the files here", "notes.txt");
    await pushed(seat);
    renameSync(address, `${address}.away`);
    await say(seat, "read notes.txt", "buy milk");
    await seat.terminal.shows(/⇅ \d+ (?:store )?away/);
    await seat.terminal.shows(/Your\s+work\s+is\s+saved\s+here\./);
    seat.terminal.kill("SIGKILL");
    await seat.terminal.ends();
    renameSync(`${address}.away`, address);
    const again = sitDown({ place, args: ["-c"] });
    await again.terminal.shows("buy milk");
    await pushed(again);
    await leave(again);
    const [session = ""] = readdirSync(join(address, "sessions"));
    const other = machine("desk", address, "turn");
    const there = sitDown({ place: other, args: ["-r", session] });
    await there.terminal.shows("buy milk");
    await leave(there);
  });

  test("what may contain a secret is asked about before it leaves", async () => {
    const address = join(tempFolder(), "store");
    await initStore(address);
    const place = machine("office laptop", address, "turn");
    const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    writeFileSync(join(place.cwd, "notes.txt"), `token ${secret}\n`);
    const seat = sitDown({ place });
    await seat.terminal.shows("New session");
    seat.terminal.type("read notes.txt").press("enter");
    await seat.terminal.shows(/contains 1 possible secret\.\s+Sync it anyway\?/);
    // Enter keeps it here: who only wants to go on does not give anything away.
    (await seat.terminal.yieldNow()).press("enter");
    await seat.terminal.shows(/⇅ \d+ held/);
    const stored = () =>
      readdirSync(address, { recursive: true, encoding: "utf8", withFileTypes: true })
        .filter((item) => item.isFile())
        .map((item) => readFileSync(join(item.parentPath, item.name), "utf8"))
        .join("");
    expect(stored()).not.toContain(secret);
    await command(seat, "/sync", /Sync it anyway\?/);
    (await seat.terminal.yieldNow()).press("y");
    await seat.terminal.shows(/Synced with home: \d+ entries pushed/);
    await pushed(seat);
    expect(stored()).toContain(secret);
    await leave(seat);
  });
});

describe("two terminals with two homes and PostgreSQL", () => {
  skipWithoutPostgres();
  let server: PostgresServer | undefined;
  afterAll(() => server?.stop());

  test("live: both see both branches", async () => {
    server = await PostgresServer.start();
    const address = server.create("stores");
    await initStore(address);
    await bothBranches(address);
  });
});
