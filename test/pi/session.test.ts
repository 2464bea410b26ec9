import { join } from "node:path";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { type Seat, sit } from "./pi-seat.js";

/** The id of the nth user message of the path, from 1. */
function prompt({ started }: Seat, number: number): string {
  const prompts = started.agent.session
    .getBranch()
    .filter((entry) => entry.type === "message" && entry.message.role === "user");
  return prompts[number - 1]?.id ?? "";
}

test("own-compaction: writes the summary, and hears that it was used", async () => {
  const seat = await sit({ extensions: ["own-compaction.ts"], steps: ["one".repeat(3000), "two".repeat(30_000)] });
  await seat.send("first prompt");
  await seat.send("second prompt");
  await seat.send("/shrink with care");
  await seat.started.agent.whenIdle();
  const entry = seat.started.agent.session.getBranch().findLast(({ type }) => type === "compaction");
  expect(entry).toMatchObject({
    summary: expect.stringMatching(/^Of \d+ messages \(manual\): \[User\]: first prompt/),
    details: { by: "own-compaction" },
  });
  expect(seat.said).toContain("info: compacted by an extension");
  expect(seat.said.join()).toContain("done: Of ");
  expect(seat.server.requests).toHaveLength(2);
});

test("no-compaction: cancels, and is told that it failed", async () => {
  const seat = await sit({ extensions: ["no-compaction.ts"], steps: ["one".repeat(3000), "two".repeat(30_000)] });
  await seat.send("first prompt");
  await seat.send("second prompt");
  await seat.started.agent.compact();
  expect(lines(seat.started.agent.session)).not.toContain("compaction");
  expect(seat.said).toEqual(["warning: not compacted (manual, aborted true)"]);
});

test("tree-guard and bookmark: a labelled leaf is not left", async () => {
  const seat = await sit({ extensions: ["tree-guard.ts", "bookmark.ts"], steps: ["one", "two"] });
  await seat.send("/bookmark early");
  await seat.send("first");
  await seat.send("second");
  const leaf = seat.started.agent.session.getLeafId();
  await seat.send("/bookmark keep");
  expect(seat.said).toEqual(["warning: nothing to label", "info: label: keep"]);
  const { agent } = seat.started;
  expect(await agent.navigateTree(prompt(seat, 2), { place: "exact" })).toMatchObject({ cancelled: true });
  await seat.send("/bookmark");
  expect(await agent.navigateTree(prompt(seat, 1), { place: "exact" })).toMatchObject({ kind: "done" });
  expect(seat.said.at(-1)).toContain("moved from ");
  expect(leaf).not.toBeNull();
});

test("tree-summary: summarizes what is left, without a model", async () => {
  const seat = await sit({ extensions: ["tree-summary.ts"], steps: ["one", "two"] });
  await seat.send("first");
  await seat.send("second");
  await seat.started.agent.navigateTree(prompt(seat, 1), { place: "exact", summarize: true });
  expect(seat.started.agent.session.getLeafEntry()).toMatchObject({
    type: "branch_summary",
    summary: "A branch with 1 prompt(s).",
    details: { prompts: 1 },
  });
  expect(seat.server.requests).toHaveLength(2);
});

test("stay-here: asks before another session, and refuses forks", async () => {
  const seat = await sit({ extensions: ["stay-here.ts"], steps: ["one"], answers: [false, true] });
  await seat.send("first");
  const { agent } = seat.started;
  expect(await agent.newSession()).toMatchObject({ kind: "cancelled", by: "stay-here" });
  expect(await agent.fork(prompt(seat, 1))).toMatchObject({ cancelled: true });
  expect(await agent.newSession()).toMatchObject({ kind: "done" });
  expect(seat.said).toEqual(Array(2).fill("confirm: Leave this session? For a new one"));
});

test("name-watch: names a session and hears of names", async () => {
  const seat = await sit({ extensions: ["name-watch.ts"], steps: ["one"] });
  await seat.send("plant a very tall tree");
  seat.started.agent.rename("The oak");
  await seat.started.agent.whenIdle();
  expect(seat.said).toEqual(["info: called plant a very", "info: called The oak"]);
  expect(seat.started.agent.session.getSessionName()).toBe("The oak");
});

test("more-resources: brings a skill and a template", async () => {
  const seat = await sit({ extensions: ["more-resources"], steps: ["fine"] });
  await seat.send("/review notes.txt");
  expect(seat.told(1)).toContain("How to cut a tree back");
  expect(seat.told(1)).toContain("Review notes.txt and name three weaknesses.");
});

test("shopping: has its own list on every branch", async () => {
  const add = (item: string) => [{ call: "shopping", input: { action: "add", item } }];
  const steps = [add("milk"), "ok", add("bread"), "ok", add("soap"), "ok"];
  const seat = await sit({ extensions: ["shopping.ts"], steps });
  await seat.send("milk");
  const fork = seat.started.agent.session.getLeafId() as string;
  await seat.send("bread");
  await seat.send("/shopping");
  await seat.started.agent.navigateTree(fork, { place: "exact" });
  await seat.send("/shopping");
  await seat.send("soap");
  await seat.send("/shopping");
  expect(seat.said).toEqual(["info: list: milk, bread", "info: list: milk", "info: list: milk, soap"]);
  expect(seat.told(1)).toContain("Keep the shopping list of the user");
  expect(seat.told(1)).toContain("Use shopping whenever");
});

test("counter: keeps state in entries the model does not see, also across a restart", async () => {
  const seat = await sit({ extensions: ["counter.ts"], steps: ["one", "two"] });
  await seat.send("first");
  await seat.send("second");
  await seat.send("/count");
  expect(seat.said).toEqual(["info: count 2"]);
  expect(seat.told(2)).not.toContain("count");
  const file = seat.started.agent.session.getSessionFile() as string;
  await seat.started.close();
  const again = await sit({ extensions: ["counter.ts"], request: { session: { kind: "open", reference: file } } });
  await again.send("/count");
  expect(again.said).toEqual(["info: count 2"]);
});

test("start-over: goes to a new session with a start, and goes on there", async () => {
  const seat = await sit({ extensions: ["start-over.ts"], steps: ["one", "two"] });
  await seat.send("first");
  const before = seat.started.agent.session.getSessionFile();
  await seat.send("/start-over oaks are slow");
  await seat.started.agent.whenIdle();
  const { session } = seat.started.agent;
  expect(session.getSessionFile()).not.toBe(before);
  expect(session.getHeader()?.parentSession).toBe(before);
  const said = lines(session).filter((line) => /^(user|assistant)/.test(line));
  expect(said).toEqual(["user: Learned so far: oaks are slow", "user: Go on", "assistant(stop): two"]);
  expect(seat.said).toEqual(["info: new session with a start"]);
  expect(seat.told(2)).not.toContain("first");
});

test("travel: moves in the tree, forks, and opens other sessions", async () => {
  const seat = await sit({ extensions: ["travel.ts"], steps: ["one", "two"] });
  await seat.send("first");
  const answer = seat.started.agent.session.getLeafId() as string;
  await seat.send("second");
  await seat.send(`/to ${answer}`);
  const { session } = seat.started.agent;
  expect(seat.said.at(-1)).toBe(`info: at ${session.getLeafId()}`);
  expect([session.getLabel(answer), session.getBranch().at(-2)?.id]).toEqual(["came back", answer]);
  await seat.send("/nodes");
  expect(seat.said.at(-1)).toMatch(/^info: [5-9] nodes, true$/);
  await seat.send(`/split ${answer}`);
  expect(seat.said.at(-1)).toMatch(/^info: forked with [34]$/);
  const other = SessionManager.create(seat.cwd, join(seat.cwd, "sessions"));
  other.appendMessage({ role: "user", content: "elsewhere", timestamp: 1 });
  other.close();
  await seat.send(`/hop ${other.getSessionFile()}`);
  expect(seat.said.at(-1)).toBe(`info: in ${other.getSessionId()}`);
  expect(lines(seat.started.agent.session)).toContain("user: elsewhere");
});

test("facts: the context says what is so", async () => {
  const seat = await sit({ extensions: ["facts.ts"], steps: ["one"], answers: [] });
  await seat.send("first");
  await seat.send("/facts");
  expect(JSON.parse((seat.said.at(-1) ?? "").replace("info: ", ""))).toEqual({
    mode: "print",
    hasUI: true,
    idle: true,
    pending: false,
    trusted: false,
    signal: true,
    window: 100_000,
    counted: true,
    prompt: true,
    options: true,
    scoped: 0,
    model: "wire/first",
    level: "off",
  });
});
