import type { AgentMessage } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { toolCall, toolResult, user } from "./messages.js";
import { readableIds, seconds } from "./tree-notation.js";

/** Options that make the session of `fillMixed` the same bytes every time. */
export const MIXED_OPTIONS = () => ({ now: seconds(), newId: readableIds("e").next, newSessionId: () => "session-1" });

/**
 * Appends `count` entries of every kind, with text in several scripts, several branches, moves and a position at the
 * end, so that a cut or a flip meets everything a file can hold.
 */
export function fillMixed(session: SessionManager, count: number): void {
  const ids: string[] = [];
  const steps: readonly ((i: number) => string | undefined)[] = [
    (i) => session.appendMessage(user(`Frage ${i}: äöü`)),
    (i) => session.appendMessage(briefAnswer(`答え ${i}`, `c${i}`)),
    (i) => session.appendMessage(toolResult(`c${i - 1}`)),
    () => session.appendModelChange("acme", "m-2"),
    () => session.appendThinkingLevelChange("high"),
    (i) => session.appendLabelChange(ids[Math.floor(i / 2)] ?? "", `étiquette ${i}`),
    (i) => session.appendCustomMessageEntry("note", `🌱 ${i}`, true),
    (i) => session.appendCustomEntry("state", { i }),
    (i) => session.appendCompaction(`Σ ${i}`, ids.at(-3) ?? "", i),
    (i) => session.appendContextEdit(ids.at(-4) ?? "", i % 2 === 0 ? null : "kürzer"),
    (i) => session.appendSessionInfo(`имя ${i}`),
    (i) => session.branchWithSummary(ids[Math.floor(i / 3)] ?? null, `zurück ${i}`),
    () => session.appendModeChange("plan"),
    () => {
      session.branch(ids[Math.floor(ids.length / 2)] ?? "");
      return session.recordPosition();
    },
  ];
  for (let i = 0; ids.length < count; i++) {
    const id = steps[i % steps.length]?.(i);
    if (id !== undefined) ids.push(id);
  }
}

/** Without the fields that only make the line longer: the tests that use this session open it once per byte. */
function briefAnswer(text: string, callId: string): AgentMessage {
  const content = [{ type: "text", text }, toolCall(callId)];
  return { role: "assistant", content, stopReason: "toolUse", timestamp: 2 } as unknown as AgentMessage;
}
