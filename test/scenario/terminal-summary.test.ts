import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOLS } from "@bough/agent/model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { afterEach, describe, expect, test } from "vitest";
import { SharedSeat } from "./terminal-shared.js";
import {
  closeSearchedTree,
  type DemoSeat,
  leave,
  openTree,
  promptsOf,
  reading,
  say,
  sitDownAtDemo,
} from "./terminal-support.js";

const QUESTION = "Bring a summary?";
const LAST_OF_LEXER = "What is still open with it?";
/** So much is worth a question. */
const LONG_TEXT = "one line of many that were worth reading\n".repeat(80);

/** Enter on a side branch, in the tree. */
async function goToLexer(seat: DemoSeat): Promise<void> {
  await openTree(seat);
  seat.terminal.press("/").type("Try a hand-written").press("enter");
  await seat.terminal.shows(/❯.*#2 {2}Try a hand-written[\s\S]*Enter go to the end of #2/);
  seat.terminal.press("enter");
}

/** Some work at the end of the trunk, which is then left. */
async function asked(sitting: Promise<DemoSeat>): Promise<DemoSeat> {
  const seat = await sitting;
  writeFileSync(join(seat.place.cwd, "long.txt"), LONG_TEXT);
  await say(seat, "!cat long.txt", /worth reading/);
  await goToLexer(seat);
  await seat.terminal.shows(QUESTION);
  return seat;
}

/** Where one is afterwards, and the summaries on the way there. */
function found({ file }: DemoSeat): Promise<{ last: string | undefined; summaries: string[] }> {
  return reading(file, (session) => ({
    last: promptsOf(session).at(-1),
    summaries: session.getBranch().flatMap((entry) => (entry.type === "branch_summary" ? [entry.summary] : [])),
  }));
}

describe("leaving a branch with real work", () => {
  const shared = new SharedSeat();

  test("says what is left, and Enter goes without a summary", async () => {
    const seat = await asked(shared.atDemo());
    const { terminal } = seat;
    await terminal.shows(
      /Leaving #1 What is in this folder\?: \d+ entries, ≈.* tokens, \d+ files\. It\s+stays in the tree\./,
    );
    await terminal.shows("A summary tells the new branch what this one found out.");
    terminal.press("enter");
    await terminal.shows("Moved to");
    await shared.leave(seat);
    expect(await found(seat)).toEqual({ last: LAST_OF_LEXER, summaries: [] });
  });

  test("s brings one along, as a note that names where it is from", async () => {
    const seat = await asked(shared.atDemo());
    seat.terminal.press("s");
    await seat.terminal.shows(/◆ summary of #1/);
    await shared.leave(seat);
    const { last, summaries } = await found(seat);
    expect(last).toBe(LAST_OF_LEXER);
    expect(summaries).toEqual([expect.stringContaining("## Goal")]);
  });

  test("w opens an editor for instructions, and Esc there returns to the question", async () => {
    const seat = await asked(shared.atDemo());
    const { terminal } = seat;
    terminal.press("w").type("nonsense");
    await terminal.shows("nonsense");
    await terminal.escape(QUESTION);
    terminal.press("w").type("the README");
    await terminal.shows(/What should the summary of #1 keep\?[\s\S]*the README/);
    terminal.press("enter");
    await terminal.shows(/◆ summary of #1/);
    await shared.leave(seat);
    expect((await found(seat)).summaries).toHaveLength(1);
  });

  test("Esc stays, and nothing is written", async () => {
    const seat = await asked(shared.atDemo());
    await seat.terminal.escape((text) => !text.includes(QUESTION));
    await closeSearchedTree(seat);
    await shared.leave(seat);
    expect(await found(seat)).toMatchObject({ last: "Write that down in the README" });
  });

  test("s in the tree goes there with a summary, without another question", async () => {
    const seat = await shared.atDemo();
    const { terminal } = seat;
    await openTree(seat);
    terminal.press("/").type("Try a hand-written").press("enter");
    await terminal.shows(/❯.*Try a hand-written/);
    terminal.press("s");
    await terminal.shows(/◆ summary of #1/);
    expect(terminal.text).not.toContain(QUESTION);
    await shared.leave(seat);
  });

  // The last one: it changes settings.
  test("a stops the asking for good", async () => {
    const seat = await asked(shared.atDemo());
    const { terminal } = seat;
    terminal.press("a");
    await terminal.shows("Moved to");
    await shared.leave(seat);
    expect(JSON.parse(readFileSync(join(seat.place.home, "settings.json"), "utf8"))).toMatchObject({
      branchSummary: "never",
    });
  });
});

describe("a summary that a server has to write", () => {
  const chat = PROTOCOLS.find(({ api }) => api === "openai-completions");
  const servers: WireServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function atServer(): Promise<{ readonly seat: DemoSeat; readonly server: WireServer }> {
    const server = await wireServer();
    servers.push(server);
    const providers = {
      local: { baseUrl: `${server.origin}${chat?.base}`, api: "openai-completions", models: [{ id: "writer" }] },
    };
    const settings = { model: "local/writer", models: { providers }, retry: { maxRetries: 0 } };
    return { seat: await asked(sitDownAtDemo({ settings, args: ["--model", "local/writer"] })), server };
  }

  const refusal = (status: number) => ({ status, body: chat?.failure(status, "slow down", "rate_limit") ?? "" });

  test("Esc while it is written keeps the position", async () => {
    const { seat, server } = await atServer();
    server.reply({ frames: [], after: "wait" });
    seat.terminal.press("s");
    await seat.terminal.shows(/◆ Summarizing #1/);
    await seat.terminal.escape("You are still on #1 What is in this folder?");
    await server.requests[0]?.closedEarly;
    await closeSearchedTree(seat);
    await leave(seat);
    expect(await found(seat)).toMatchObject({ last: "Write that down in the README" });
  });

  test("one that fails says why; Esc stays, and Enter goes without", async () => {
    const { seat, server } = await atServer();
    const { terminal } = seat;
    server.reply(refusal(429), refusal(500));
    terminal.press("s");
    await terminal.shows(/No summary: [\s\S]*You\s+are\s+still\s+on\s+#1/);
    await terminal.escape((text) => !text.includes("No summary:"));
    await terminal.shows(/❯.*#2 {2}Try a hand-written/);
    terminal.press("enter");
    await terminal.shows(QUESTION);
    terminal.press("s");
    await terminal.shows("No summary:");
    terminal.press("enter");
    await terminal.shows("Moved to");
    await leave(seat);
    expect(await found(seat)).toEqual({ last: LAST_OF_LEXER, summaries: [] });
  });

  test("after one that failed, r tries again", async () => {
    const { seat, server } = await atServer();
    const { terminal } = seat;
    server.reply(refusal(429), {
      frames: chat?.frames({ parts: [{ text: "## Goal\nA summary by a server." }], stop: "stop" }) ?? [],
      after: "end",
    });
    terminal.press("s");
    await terminal.shows("No summary:");
    terminal.press("r");
    await terminal.shows(/◆ summary of #1/);
    await leave(seat);
    expect((await found(seat)).summaries).toEqual([expect.stringContaining("A summary by a server.")]);
  });
});
