/** Parts for operations on drawn sessions. */

import { tick } from "@bough/session/session/draw-session.test-support.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { ExtensionEventName, ExtensionEvents } from "../extension/index.js";
import type { ExtensionHooks } from "../extension/run.js";
import type { LanguageModel } from "../model/index.js";
import type { AgentEvent } from "./agent-events.js";
import type { AgentParts } from "./agent-parts.js";
import { MoveHistory } from "./move/move-history.js";

export * from "@bough/session/session/draw-session.test-support.js";

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
    files: undefined,
    cwd: options.session.getCwd(),
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
      const answers: { readonly extension: string; readonly result: never; readonly calledCancel?: true }[] = [];
      for (const { name, on } of extensions) {
        const handler = on[event.type as ExtensionEventName] as ((event: unknown) => unknown) | undefined;
        try {
          let calledCancel = {};
          const cancel = () => {
            calledCancel = { calledCancel: true };
            (event as { cancel?: () => void }).cancel?.();
          };
          const said = await handler?.("cancel" in event ? { ...event, cancel } : event);
          const isSilent = said === undefined && !("calledCancel" in calledCancel);
          if (!isSilent) answers.push({ extension: name, result: (said ?? {}) as never, ...calledCancel });
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
