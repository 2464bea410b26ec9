import { EventHub } from "@bough/agent/agent/internal.js";
import { driverNamed } from "@bough/agent/driver/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type Around, agreeToDriver } from "./agree-to-driver.js";

function place(mode: "tui" | "print") {
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
    const relay = new EventHub({ keeps: "everything" });
    relay.subscribe((event) => {
      if (event.type === "notice") notices.push(event.message);
    });
    const confirm = async (_title: string, message: string) => {
      questions.push(message);
      return answer;
    };
    const host = { context: () => ({ ui: { confirm } }) };
    const around: Around = { home, relay, host, front: { mode }, permissions: { rules: [], mode: "ask" } };
    const error = await agreeToDriver(driverNamed(name), around)
      .then((beforeGiven) => beforeGiven(session))
      .catch((thrown: unknown) => thrown);
    return { questions, notices, error };
  };
  return { start };
}

test("whether a conversation may be sent is asked once per session and agent", async () => {
  const { start } = place("tui");
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

test("without a terminal, it is said once", async () => {
  const { start } = place("print");
  const isSaid = (notices: readonly string[]) => notices.some((one) => one.startsWith("This conversation"));
  expect(isSaid((await start("pi")).notices)).toBe(true);
  expect(isSaid((await start("pi")).notices)).toBe(false);
});

test("a key in the environment that pays is named, without its value", async () => {
  const { start } = place("print");
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
