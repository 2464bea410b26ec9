/** What each agent's transcript has of a path that it made itself, and of one that others made. */
import { tmpdir } from "node:os";
import { type AssistantMessage, DRIVER_TYPE } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { type AgentName, WRITERS, writerFor } from "@bough/workbench/interop/index.js";
import { expect, test } from "vitest";
import { givenPath, hasOthersConversation } from "./given-path.js";

const SECRET = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;
const SIGNED = "c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg==";
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };

/** A provider whose thinking the agent itself would send again, and its signature. */
const PROVIDERS: Readonly<Record<string, readonly [provider: string, api: string, signature: string]>> = {
  "claude-code": ["anthropic", "anthropic-messages", SIGNED],
  codex: [
    "openai",
    "openai-responses",
    JSON.stringify({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: SIGNED }),
  ],
  opencode: ["anthropic", "anthropic-messages", SIGNED],
  gemini: ["google", "google-generative-ai", SIGNED],
  pi: ["anthropic", "anthropic-messages", SIGNED],
};

function pathMadeBy(driver: string, agent: AgentName) {
  const [provider, api, thinkingSignature] = PROVIDERS[agent] as readonly [string, string, string];
  const session = SessionManager.inMemory(tmpdir());
  const native = { native: "n1/x" };
  const made = { provider, api, model: "m", usage, timestamp: 1 };
  const content: AssistantMessage["content"] = [
    { type: "thinking", thinking: "Secretly pondered.", thinkingSignature },
    { type: "text", text: "I look.", textSignature: SIGNED },
    { type: "toolCall", id: "call_1", name: "read", arguments: { path: "keys.txt" }, thoughtSignature: SIGNED },
  ];
  session.appendCustomEntry(DRIVER_TYPE, { agent: driver, nativeId: "n1" });
  const add = (message: Readonly<Record<string, unknown>>) =>
    session.saveEntry({ type: "message", message, ...native });
  add({ role: "user", content: "What is in keys.txt?", timestamp: 1 });
  add({ role: "assistant", content, stopReason: "toolUse", ...made });
  const result = [{ type: "text", text: `token ${SECRET}` }];
  add({ role: "toolResult", toolCallId: "call_1", toolName: "read", content: result, isError: false, timestamp: 1 });
  add({ role: "assistant", content: [{ type: "text", text: "A token." }], stopReason: "stop", ...made });
  return session.getBranch();
}

async function written(agent: AgentName, by: string) {
  const path = pathMadeBy(by, agent);
  const to = { driver: "me", agent, title: `Bough: ${SECRET}`, signal: new AbortController().signal };
  const { entries, title, masked } = await givenPath(path, to);
  const plan = writerFor(agent).planWrite({
    ...{ entries, title, cwd: tmpdir(), places: { home: "/home/dev" } },
    now: () => new Date("2026-01-02T03:04:05.000Z"),
    newId: () => "00000000-0000-4000-8000-000000000001",
  });
  return { text: [...plan.lines].join("\n"), masked, isAsked: hasOthersConversation(path, to) };
}

const agents = WRITERS.map(({ agent }) => agent);

test.each(agents)("%s is given no secret, thinking or signature of another agent", async (agent) => {
  const { text, masked, isAsked } = await written(agent, "someone else");
  expect([masked, isAsked]).toEqual([1, true]);
  for (const kept of ["What is in keys.txt?", "I look.", "token ••••", "A token."]) expect(text).toContain(kept);
  for (const gone of [SECRET, "pondered", SIGNED]) expect(text).not.toContain(gone);
});

test.each(agents)("%s is given its own turns as they were, with its thinking and signature", async (agent) => {
  const { text, isAsked } = await written(agent, "me");
  expect(isAsked).toBe(false);
  expect(text).toContain(`token ${SECRET}`);
  expect(text).toContain(SIGNED);
});

test("an agent is given no refused call of its own turns, which its model never saw, and no result of one", async () => {
  const session = SessionManager.inMemory(tmpdir());
  const made = { provider: "me", api: "acp", model: "m", usage, timestamp: 1 };
  const call = { type: "toolCall", id: "call_1", name: "bash", arguments: { command: "make" } };
  const add = (message: Readonly<Record<string, unknown>>) =>
    session.saveEntry({ type: "message", message, protocolOnly: true });
  session.appendMessage({ role: "user", content: "Build it", timestamp: 1 });
  add({ role: "assistant", content: [call], stopReason: "toolUse", ...made });
  const content = [{ type: "text", text: "Not allowed" }];
  add({ role: "toolResult", toolCallId: "call_1", toolName: "bash", content, isError: true, timestamp: 1 });
  const rolesFor = async (driver: string) => {
    const to = { driver, agent: "pi", title: "t", signal: new AbortController().signal } as const;
    const { entries } = await givenPath(session.getBranch(), to);
    return entries.flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []));
  };
  expect(await rolesFor("me")).toEqual(["user"]);
  expect(await rolesFor("another")).toEqual(["user", "assistant", "toolResult"]);
});
