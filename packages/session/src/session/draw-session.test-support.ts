/** Sessions drawn as trees, for tests of any later room. */
import type { AgentMessage, AssistantMessage, EntryId, ToolResultMessage, Usage } from "../entry/index.js";
import { SessionManager } from "./session-manager.js";
import type { SessionOptions } from "./session-options.js";

/** Appends one entry to a session. */
export type Grow = (session: SessionManager) => void;

export interface Drawn {
  readonly session: SessionManager;
}

/**
 * A session from a drawing: `a-b-c; b-d*` is a chain, a second branch at `b`, and the leaf. IDs are the drawn names;
 * entries added later get `n1`, `n2`, and so on. A name without content is a user message if its letter is upper case,
 * otherwise an answer; the text of each is its name.
 */
export function drawSession(
  drawing: string,
  contents: Readonly<Record<string, Grow>> = {},
  place?: { readonly folder: string },
): SessionManager {
  const ids: string[] = [];
  let made = 0;
  const options: SessionOptions = {
    now: tick(),
    newSessionId: () => `session-${++made}-of-${drawing.length}`,
    newId: (isTaken) => {
      const drawn = ids.shift();
      if (drawn !== undefined) return drawn;
      for (let n = 1; ; n++) if (!isTaken(`n${n}`)) return `n${n}`;
    },
  };
  const session =
    place === undefined
      ? SessionManager.inMemory("/home/dev/project", options)
      : SessionManager.create(place.folder, place.folder, options);
  const known = new Set<EntryId>();
  let leaf: string | undefined;
  for (const chain of drawing.split(";")) {
    session.resetLeaf();
    for (const name of chain.trim().split("-")) {
      const id = name.replace("*", "");
      if (name.endsWith("*")) leaf = id;
      if (known.has(id)) {
        session.branch(id);
        continue;
      }
      known.add(id);
      ids.push(id);
      const grow = contents[id] ?? (/^[A-Z]/.test(id) ? says(user(id)) : says(answer(id)));
      grow(session);
    }
  }
  if (leaf !== undefined) session.branch(leaf);
  ids.push("position");
  session.recordPosition();
  ids.length = 0;
  return session;
}

export function says(message: AgentMessage): Grow {
  return (session) => {
    session.appendMessage(message);
  };
}

export function user(content: string): AgentMessage {
  return { role: "user", content, timestamp: 1 };
}

export interface AnswerParts {
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly path?: string }[];
  readonly usage?: Usage;
  readonly stopReason?: AssistantMessage["stopReason"];
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function answer(text: string, parts: AnswerParts = {}): AssistantMessage {
  const calls = (parts.calls ?? []).map(({ id, name, path }) => {
    return { type: "toolCall", id, name, arguments: path === undefined ? {} : { path } } as const;
  });
  return {
    role: "assistant",
    content: [...(text === "" ? [] : [{ type: "text", text } as const]), ...calls],
    api: "test",
    provider: "acme",
    model: "m-1",
    usage: parts.usage ?? NO_USAGE,
    stopReason: parts.stopReason ?? (calls.length > 0 ? "toolUse" : "stop"),
    timestamp: 2,
  };
}

export function result(toolCallId: string, text = `result of ${toolCallId}`, isError = false): ToolResultMessage {
  return { role: "toolResult", toolCallId, toolName: "read", content: [{ type: "text", text }], isError, timestamp: 3 };
}

/** A clock that advances one second on every read. */
export function tick(): () => Date {
  let time = Date.UTC(2025, 0, 1);
  return () => {
    time += 1000;
    return new Date(time);
  };
}

/** The entries of the path as `id:type`. */
export function pathOf(session: SessionManager): string[] {
  return session.getBranch().map((entry) => `${entry.id}:${entry.type}`);
}
