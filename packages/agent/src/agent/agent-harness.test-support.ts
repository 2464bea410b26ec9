/** An agent on a real session file, with a scripted model and small tools, for tests of runs. */
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import type { AgentMessage } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import type { ExtensionEventName, ExtensionEvents } from "../extension/index.js";
import type { ExtensionHooks } from "../extension/run.js";
import type { LanguageModel, ModelInfo, ModelRegistry } from "../model/index.js";
import type { Tool, ToolContext, ToolResult } from "../tool/index.js";
import type { AgentEvent } from "./agent-events.js";
import type { AgentSessionOptions } from "./agent-options.js";
import { AgentSession } from "./agent-session.js";
import type { Sleep } from "./turn/sleep.js";

export interface Harness {
  readonly agent: AgentSession;
  readonly session: SessionManager;
  readonly events: AgentEvent[];
  /** Waits that were asked for, in milliseconds. */
  readonly sleeps: number[];
  readonly options: AgentSessionOptions;
}

export type HarnessOptions = Partial<AgentSessionOptions> & { readonly model: LanguageModel };

/** Waits cost no time; they are only written down. */
export function harness(options: HarnessOptions): Harness {
  const events: AgentEvent[] = [];
  const sleeps: number[] = [];
  const folder = options.cwd ?? tempFolder();
  const sleep: Sleep = async (milliseconds) => {
    sleeps.push(milliseconds);
    // Whatever is ready comes first, as it would in a real wait.
    await nextRound();
  };
  const session = options.session ?? SessionManager.create(folder, join(folder, "sessions"));
  const filled: AgentSessionOptions = {
    tools: [],
    permit: async () => ({ allowed: true }),
    outputDir: folder,
    now: countingClock(),
    sleep,
    ...options,
    registry: options.registry ?? registryOf(options.model),
    session,
    cwd: folder,
  };
  const agent = new AgentSession(filled);
  agent.subscribe((event) => events.push(event));
  return { agent, session, events, sleeps, options: filled };
}

/** A second after another from the start of 2025. */
export function countingClock(): () => Date {
  let time = Date.UTC(2025, 0, 1);
  return () => {
    time += 1000;
    return new Date(time);
  };
}

/** Knows the given models, the first one preferred. */
export function registryOf(...models: readonly LanguageModel[]): ModelRegistry {
  const infos = models.map((model) => model.info);
  const find = (info: ModelInfo) => models.find((model) => model.info === info);
  return {
    all: () => infos,
    available: () => infos,
    resolve: (reference) => {
      const info = infos.find((candidate) => `${candidate.provider}/${candidate.id}` === reference);
      if (info === undefined) throw new Error(`No model is named ${reference}`);
      return info;
    },
    apiKey: () => undefined,
    open: (info) => {
      const model = find(info);
      if (model === undefined) throw new Error("not a model of this test");
      return model;
    },
    discover: async () => [],
    preferred: () => infos[0] as ModelInfo,
  };
}

export interface TestTool {
  readonly name: string;
  readonly execute?: (input: unknown, context: ToolContext) => Promise<ToolResult> | ToolResult;
  readonly check?: Tool["check"];
  readonly onSession?: Tool["onSession"];
}

/** A tool that says its name and input, unless told otherwise. */
export function tool({ name, execute, check, onSession }: TestTool): Tool {
  return {
    name,
    description: `The tool ${name}`,
    parameters: { type: "object", properties: {} },
    readOnly: true,
    check: check ?? ((value) => ({ ok: true, value })),
    execute: async (input, context) =>
      execute === undefined ? says(`${name} ${JSON.stringify(input)}`) : execute(input, context),
    onSession,
  };
}

export function says(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

/** A tool that continues until its signal fires; deaf ones do not even then. */
export function endless(
  name: string,
  kind: "listens" | "deaf" = "listens",
): Tool & { readonly started: Promise<void> } {
  const started = opened();
  const made = tool({
    name,
    execute: (_input, { signal }) => {
      started.open();
      return new Promise((resolve) => {
        if (kind === "listens") signal.addEventListener("abort", () => resolve(says("half of it")), { once: true });
      });
    },
  });
  return { ...made, started: started.promise };
}

/** A promise and the function that resolves it. */
export function opened(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

type Handlers = {
  readonly [Name in ExtensionEventName]?: (
    event: ExtensionEvents[Name]["event"],
  ) => ExtensionEvents[Name]["result"] | undefined | void | Promise<ExtensionEvents[Name]["result"] | undefined>;
};

/** Hooks of one extension named `test`. */
export function hooksOf(handlers: Handlers): ExtensionHooks {
  return {
    has: (name) => handlers[name] !== undefined,
    emit: async (event) => {
      const handler = handlers[event.type as ExtensionEventName] as ((event: unknown) => unknown) | undefined;
      const result = await handler?.(event);
      return result === undefined ? [] : [{ extension: "test", result: result as never }];
    },
  };
}

/** The messages of the path as short lines: `user: hi`, `assistant(stop): hello +read#c1`, `result#c1!: boom`. */
export function lines(session: SessionManager): string[] {
  const shown: string[] = [];
  for (const entry of session.getBranch()) {
    if (entry.type === "message") shown.push(line(entry.message));
    else if (entry.type === "custom_message") shown.push(`custom: ${String(entry.content)}`);
    else shown.push(entry.type);
  }
  return shown;
}

function line(message: AgentMessage): string {
  if (message.role === "toolResult") {
    return `result#${message.toolCallId}${message.isError ? "!" : ""}: ${message.content.map(textOf).join(" | ")}`;
  }
  if (message.role === "assistant") {
    return `assistant(${message.stopReason}): ${message.content.map(textOf).join(" ")}`.trimEnd();
  }
  return message.role === "user" && typeof message.content === "string" ? `user: ${message.content}` : message.role;
}

function textOf(block: { readonly type: string }): string {
  const { text, name, id } = block as { readonly text?: string; readonly name?: string; readonly id?: string };
  return block.type === "toolCall" ? `+${name}#${id}` : (text ?? block.type);
}
