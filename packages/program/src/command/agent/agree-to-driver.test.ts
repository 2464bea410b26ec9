import { driverNamed } from "@bough/agent/driver/index.js";
import { parseRule, type Rule } from "@bough/agent/tool/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testContext } from "../command-context.test-support.js";
import { agreeToDriver } from "./agree-to-driver.js";
import { agreeParts } from "./use-driver.js";

function place(asks?: "now" | "later", rules: readonly Rule[] = []) {
  const home = tempFolder();
  const folder = tempFolder();
  const session = SessionManager.create(folder, tempFolder());
  session.appendMessage({ role: "user", content: "What is a bough?", timestamp: 1 });
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const made = { api: "x", provider: "x", model: "x", usage, stopReason: "stop", timestamp: 1 } as const;
  session.appendMessage({ role: "assistant", content: [{ type: "text", text: "A branch." }], ...made });
  const start = async (name: string, answer = true) => {
    const questions: string[] = [];
    const notices: string[] = [];
    const confirm = async (_title: string, message: string) => {
      questions.push(message);
      return answer;
    };
    const agreement = await agreeToDriver(driverNamed(name), {
      ...{ home, permissions: { rules, mode: "ask" } },
      notice: (_level, { message }) => void notices.push(message),
      confirm: asks === undefined ? undefined : confirm,
      ...(asks === undefined ? {} : { asks }),
    });
    if (agreement.kind !== "agreed") return { questions, notices, error: agreement };
    const error = await agreement.beforeGiven(session).catch((thrown: unknown) => thrown);
    return { questions, notices, error };
  };
  return { start, session };
}

test("whether a conversation may be sent is asked once per session and agent", async () => {
  const { start } = place("now");
  expect(await start("codex", false)).toMatchObject({
    questions: [
      expect.stringMatching(/^This conversation \(1 prompt, 1 KB\) is sent to Codex and the provider it uses/),
    ],
    error: { message: "Not continued with Codex" },
  });
  // A no is not remembered, and a yes is.
  expect((await start("codex")).questions).toHaveLength(1);
  expect((await start("codex")).questions).toHaveLength(0);
  expect((await start("claude")).questions).toHaveLength(1);
});

test("a client that cannot answer yet is asked later, except about rules that would not hold", async () => {
  expect((await place("later").start("codex")).questions).toHaveLength(1);
  const rule = parseRule("read(.env)", { effect: "deny", source: { kind: "user" } });
  expect((await place("later", [rule]).start("pi")).error).toEqual({
    kind: "needs-agreement",
    message: "pi edits files and runs commands without asking, so these rules would not hold: read(.env)",
  });
  const now = await place("now", [rule]).start("pi", false);
  expect([now.error, now.questions]).toEqual([
    { kind: "refused" },
    [expect.stringContaining("These rules do not hold then:\n  deny read(.env)")],
  ]);
});

test("without a terminal, it is said once", async () => {
  const { start } = place();
  const isSaid = (notices: readonly string[]) => notices.some((one) => one.startsWith("This conversation"));
  expect(isSaid((await start("pi")).notices)).toBe(true);
  expect(isSaid((await start("pi")).notices)).toBe(false);
});

test("a key in the environment that pays is named, without its value", async () => {
  const { start } = place();
  for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "CODEX_API_KEY", "GEMINI_API_KEY"]) vi.stubEnv(name, "");
  const paid = async (name: string) => (await start(name)).notices.filter((one) => one.includes("bill"));
  expect(await paid("claude")).toEqual([]);
  vi.stubEnv("ANTHROPIC_API_KEY", "value-of-it");
  vi.stubEnv("CODEX_API_KEY", "value-of-it");
  vi.stubEnv("OPENAI_API_KEY", "value-of-it");
  expect(await paid("claude")).toEqual([
    "ANTHROPIC_API_KEY is set, so Claude Code may bill that key instead of your subscription",
  ]);
  expect(await paid("codex")).toEqual([
    "CODEX_API_KEY and OPENAI_API_KEY are set, so Codex may bill one of those keys instead of your subscription",
  ]);
  expect(await paid("gemini")).toEqual([]);
});

test("images on the way are counted, because no scan looks into them", async () => {
  const { start, session } = place("now");
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  session.appendMessage({ role: "user", content: [{ type: "text", text: "Look" }, image, image], timestamp: 1 });
  expect((await start("pi")).questions).toEqual([
    expect.stringMatching(/^This conversation \(2 prompts, 1 KB, 2 images that no scan looks into\) is sent to pi/),
  ]);
});

test("rules that would not hold are asked about once per project, agent and set of rules", async () => {
  const rule = (text: string) => parseRule(text, { effect: "deny", source: { kind: "user" } });
  const { start } = place("now", [rule("read(.env)")]);
  const asked = async (name: string, answer = true) =>
    (await start(name, answer)).questions.filter((one) => one.includes("do not hold"));
  expect(await asked("pi", false)).toHaveLength(1);
  expect(await asked("pi")).toHaveLength(1);
  expect(await asked("pi")).toHaveLength(0);
  expect((await start("pi")).notices).toContain(
    "pi edits files and runs commands without asking; these rules do not hold, as you agreed: read(.env)",
  );
  // Any other agent is asked about.
  expect(await asked("gemini")).toHaveLength(1);
});

test("an agent that can be made to ask is not asked about, unless a rule is about something else", async () => {
  const rule = (text: string) => parseRule(text, { effect: "deny", source: { kind: "user" } });
  const rules = ["read(.env)", "bash(rm:*)", "web_fetch(example.com)", "edit"].map(rule);
  for (const name of ["claude", "opencode"]) {
    const { questions, notices } = await place("now", rules).start(name);
    expect(questions.filter((one) => one.includes("do not hold"))).toEqual([]);
    expect(notices[0]).toMatch(
      /is made to ask before it reads, writes or runs anything, so that your deny rules hold$/,
    );
  }
  const { questions } = await place("now", [...rules, rule("mcp(docs/*)")]).start("claude");
  expect(questions[0]).toBe(
    "Claude Code reads files without asking. These rules do not hold then:\n  deny mcp(docs/*)",
  );
});

test("/agent asks about rules for the project of the session, wherever Bough was started", () => {
  const { context } = testContext();
  expect(agreeParts(context, () => {})).toMatchObject({ cwd: context.cwd, home: context.home });
});
