/** Sessions drawn as trees, and parts for operations on them. */
import type { AgentMessage, AssistantMessage, EntryId, ToolResultMessage, Usage } from "../entry/index.js";
import type { ExtensionEventName, ExtensionEvents, ExtensionHooks } from "../extension/index.js";
import type { LanguageModel } from "../model/index.js";
import { SessionManager, type SessionOptions } from "../session/index.js";
import type { AgentEvent } from "./agent-events.js";
import type { AgentParts } from "./agent-parts.js";
import { MoveHistory } from "./move-history.js";

/** Appends one entry to a session. */
export type Grow = (session: SessionManager) => void;

export interface Drawn {
  readonly session: SessionManager;
}

/**
 * A session from a drawing: `a-b-c; b-d*` is a chain, a second branch at `b`, and the leaf. Ids are the drawn names; what
 * is added later gets `n1`, `n2`, and so on. A name without content is a user message where its letter is upper case, and
 * an answer otherwise; each says its name.
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

export interface TestParts extends AgentParts {
  readonly events: readonly AgentEvent[];
  /** Fires with `abort()`. */
  readonly controller: AbortController;
  readonly signal: AbortSignal;
}

export interface PartsOptions {
  readonly session: SessionManager;
  readonly model?: LanguageModel;
  readonly hooks?: ExtensionHooks;
  readonly keepRecentTokens?: number;
  readonly onEvent?: (event: AgentEvent, controller: AbortController) => void;
}

export function operationParts(options: PartsOptions): TestParts {
  const events: AgentEvent[] = [];
  const controller = new AbortController();
  return {
    session: options.session,
    model: options.model,
    thinkingLevel: "off",
    hooks: options.hooks ?? fakeHooks([]).hooks,
    compaction: { enabled: true, reserveTokens: 1_000, keepRecentTokens: options.keepRecentTokens ?? 100 },
    moves: new MoveHistory(),
    now: tick(),
    emit: (event) => {
      events.push(event);
      options.onEvent?.(event, controller);
    },
    events,
    controller,
    signal: controller.signal,
  };
}

type Handlers = {
  readonly [Name in ExtensionEventName]?: (
    event: ExtensionEvents[Name]["event"],
  ) => ExtensionEvents[Name]["result"] | undefined | void | Promise<ExtensionEvents[Name]["result"] | undefined | void>;
};

export interface FakeHooks {
  readonly hooks: ExtensionHooks;
  /** Every event that was sent, in order. */
  readonly heard: { readonly type: ExtensionEventName }[];
  /** Names of extensions whose handler threw. */
  readonly problems: string[];
}

/** Extensions in load order, as the runner runs them: one that throws is noted, and cancels where it was asked first. */
export function fakeHooks(extensions: readonly { readonly name: string; readonly on: Handlers }[]): FakeHooks {
  const heard: { readonly type: ExtensionEventName }[] = [];
  const problems: string[] = [];
  const hooks: ExtensionHooks = {
    has: () => true,
    emit: async (event) => {
      heard.push(event);
      const answers: { readonly extension: string; readonly result: never }[] = [];
      for (const { name, on } of extensions) {
        const handler = on[event.type as ExtensionEventName] as ((event: unknown) => unknown) | undefined;
        try {
          const said = await handler?.(event);
          if (said !== undefined) answers.push({ extension: name, result: said as never });
        } catch {
          problems.push(name);
          if (!event.type.startsWith("session_before_")) continue;
          answers.push({ extension: name, result: { cancel: true } as never });
          break;
        }
      }
      return answers;
    },
  };
  return { hooks, heard, problems };
}

/** A clock that goes one second further with every look. */
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
