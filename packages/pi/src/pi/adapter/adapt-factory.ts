/** Implements pi's extension API on top of ours. */

import type { ExtensionFactory, McpServerSettings } from "@bough/agent/extension/index.js";
import type { LanguageModel } from "@bough/agent/model/index.js";
import type { AgentMessage } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { reportBusFailuresBy } from "../coding-agent/event-bus.js";
import type { PiTool, PiToolUpdate } from "../tools/pi-tool.js";
import { type ContextParts, type NativeContext, type PromptEvent, piContext } from "./pi-context.js";
import { ownMessages, piEvent } from "./pi-events.js";
import { nativeModel, nativeProvider } from "./pi-provider.js";
import { nativeServer, piServers, rememberServer } from "./pi-servers.js";
import { applySections, withSections } from "./prompt-sections.js";
import { type PiVirtualModel, type RoutingContext, virtualModel } from "./virtual-model.js";

type Method = (...values: readonly unknown[]) => unknown;
type Handler = (event: never, context: object) => unknown;
type NativeHandler = (event: Readonly<Record<string, unknown>>, context: NativeContext) => unknown;

/** The part of our API that is used here. Names and argument order match pi's, so most of it is passed through. */
interface NativeApi extends Readonly<Record<string, unknown>> {
  on(event: string, handler: NativeHandler): (() => void) | undefined;
  registerTool(tool: object): void;
  registerCommand(name: string, command: object): void;
  registerShortcut(key: string, shortcut: object): void;
  sendMessage(message: unknown, options?: object): void;
  appendEntry(customType: string, data?: unknown): unknown;
  registerProvider(name: string, config: object): void;
  unregisterProvider(name: string): void;
  setModel(model: unknown): Promise<boolean>;
  setThinkingLevel(level: string): void;
  registerModel(model: LanguageModel): void;
  unregisterModel(provider: string, id: string): void;
  registerMcpServer(name: string, settings: McpServerSettings): void;
  getMcpServers(): Parameters<typeof piServers>[0];
  getSettings(): Readonly<Record<string, unknown>>;
  readonly events: { emit(channel: string, data: unknown): void; on(channel: string, listener: Method): () => void };
}

const PROMPTS = "bough.ui_prompt";
const FAILURES = "bough.failure";

export function adaptFactory(factory: (api: never) => unknown): ExtensionFactory {
  return async (api) => {
    const native = api as unknown as NativeApi;
    reportBusFailuresBy((message) => fail(native, message));
    await factory(piApi(native) as never);
  };
}

/** Reports a failure to the user under the extension's name, like an error thrown by a listener. */
function fail({ events }: NativeApi, message: string): void {
  const end = events.on(FAILURES, () => {
    throw new Error(message);
  });
  events.emit(FAILURES, undefined);
  end();
}

function piApi(native: NativeApi): object {
  const registering = {
    registerProvider: (...values: readonly unknown[]) => {
      const { name, config } = nativeProvider(values);
      native.registerProvider(name, config);
    },
    unregisterProvider: (name: string) => native.unregisterProvider(name),
  };
  let last: NativeContext | undefined;
  let isHeard = false;
  const routing = (): RoutingContext => {
    if (last === undefined) throw new Error("There is no session yet");
    const { modelRegistry, sessionManager } = last;
    const path = (sessionManager as { getBranch(): readonly object[] }).getBranch();
    return { registry: modelRegistry as RoutingContext["registry"], path, context: context(last) };
  };
  const parts: ContextParts = { api: registering, onPrompt: (event) => native.events.emit(PROMPTS, event) };
  const remember = (given: NativeContext): void => {
    last = given;
  };
  const context = (given: NativeContext): object => {
    remember(given);
    return piContext(given, parts);
  };
  return {
    ...native,
    ...registering,
    on: (name: string, handler: Handler) => subscribe({ native, name, handler, context, last: () => last }),
    registerTool: (tool: PiTool) => native.registerTool(nativeTool(tool, context)),
    registerCommand: (name: string, command: { readonly handler: Method }) =>
      native.registerCommand(name, {
        ...command,
        // What a command returns is sent as a prompt in Bough, but ignored in pi.
        handler: async (args: string, given: NativeContext) => void (await command.handler(args, context(given))),
      }),
    registerShortcut: (key: string, shortcut: { readonly handler: Method }) =>
      native.registerShortcut(key, {
        ...shortcut,
        handler: async (given: NativeContext) => void (await shortcut.handler(context(given))),
      }),
    registerVirtualModel: (model: PiVirtualModel) => {
      // A request may come before any handler of this extension was called.
      if (!isHeard)
        for (const event of ["session_start", "turn_start"]) native.on(event, (_, given) => remember(given));
      isHeard = true;
      native.registerModel(virtualModel(model, { current: routing, appendEntry: native.appendEntry }));
    },
    unregisterVirtualModel: (provider: string, id: string) => native.unregisterModel(provider, id),
    registerMcpServer: (name: string, config: object) => {
      native.registerMcpServer(name, nativeServer(config));
      rememberServer(name, config);
    },
    getMcpServers: () => piServers(native.getMcpServers()),
    getSettings: () => piSettings(native.getSettings()),
    // The terminal draws Markdown as it is, so there is nothing to transform.
    registerMarkdownTransformer: () => {},
    setModel: async (model: unknown) => native.setModel(nativeModel(model)),
    setThinkingLevel: (level: string) => native.setThinkingLevel(level === "xhigh" || level === "max" ? "high" : level),
  };
}

/** Settings under Bough's names, with the few that pi calls differently. */
function piSettings(settings: Readonly<Record<string, unknown>>): object {
  const [, defaultProvider, defaultModel] = /^([^/]+)\/(.+)$/.exec(String(settings.model ?? "")) ?? [];
  return { ...settings, ...defined({ defaultProvider, defaultModel, defaultThinkingLevel: settings.thinkingLevel }) };
}

interface Subscription {
  readonly native: NativeApi;
  readonly name: string;
  readonly handler: Handler;
  readonly context: (given: NativeContext) => object;
  readonly last: () => NativeContext | undefined;
}

function subscribe({ native, name, handler, context, last }: Subscription): () => void {
  const listen = (event: string, react: NativeHandler) => native.on(event, react) ?? (() => {});
  const call = (event: object, given: NativeContext) => handler(event as never, context(given));
  switch (name) {
    case "ui_prompt_start":
    case "ui_prompt_end":
      return native.events.on(PROMPTS, (event) => {
        const given = last();
        if ((event as PromptEvent).type === name && given !== undefined) return call(event as PromptEvent, given);
        return undefined;
      });
    case "turn_end":
      return listen(name, async (event, given) => applyBoundary(native, await call(piEvent(event), given), "steer"));
    case "agent_before_settle":
      // The last moment to continue a run: the end of a turn in which no tool was called.
      return listen("turn_end", async (event, given) => {
        if ((event.toolResults as readonly unknown[] | undefined)?.length !== 0) return;
        applyBoundary(native, await call({ ...piEvent(event), type: name }, given), "followUp");
      });
    case "context_with_system":
      return listen("context", async (event, given) => {
        const system = { role: "system", content: (given as { getSystemPrompt?(): string }).getSystemPrompt?.() ?? "" };
        const messages = [system, ...ownMessages(event.messages as readonly AgentMessage[])];
        const answer = await call({ type: name, messages }, given);
        const changed = (answer as { readonly messages?: readonly AgentMessage[] } | undefined)?.messages;
        return changed === undefined ? undefined : { messages: changed.filter(({ role }) => role !== "system") };
      });
    case "mcp_servers_change":
      return listen(name, (event, given) =>
        call({ ...event, servers: piServers(event.servers as Parameters<typeof piServers>[0]) }, given),
      );
    case "before_agent_start":
      return listen(name, async (event, given) => {
        const added = withSections(event);
        return applySections(added, await call(added, given));
      });
    default:
      return listen(name, (event, given) => call(piEvent(event), given));
  }
}

/** A tool in our form. `terminate` in its result ends the run. */
function nativeTool(tool: PiTool, context: (given: NativeContext) => object): object {
  return {
    ...tool,
    execute: async (id: string, params: never, signal: AbortSignal, onUpdate: PiToolUpdate, given: NativeContext) => {
      const result = await tool.execute(id, params, signal, onUpdate, withoutTools(context(given)) as never);
      const { content, details, terminate } = result;
      return { content, details, stop: terminate === true };
    },
  };
}

/** No tool can be called from another one, which pi reports in a result. */
function withoutTools(context: object): object {
  const text =
    "executeTool of pi is not available in Bough. Do the work in this tool, or let the model call the other one.";
  const executeTool = async () => ({ content: [{ type: "text", text }], details: undefined, isError: true });
  return Object.defineProperties(context, { tools: { value: [] }, executeTool: { value: executeTool } });
}

/**
 * Applies what a handler of `turn_end` or `agent_before_settle` returns: adds entries to the session and may request
 * another step. If `continue` comes without a message, sends a hidden one, because a request needs one.
 */
function applyBoundary(api: NativeApi, answer: unknown, deliverAs: "steer" | "followUp"): void {
  if (!isRecord(answer)) return;
  const drafts = Array.isArray(answer.entries) ? (answer.entries as readonly unknown[]).filter(isRecord) : [];
  let isSent = false;
  for (const draft of drafts) {
    if (draft.type === "custom") api.appendEntry(String(draft.customType), draft.data);
    else if (draft.type === "custom_message") {
      const { type: _, ...message } = draft;
      api.sendMessage(message, answer.continue === true ? { triggerTurn: true, deliverAs } : {});
      isSent = true;
    } else throw new Error(`Cannot add an entry of type ${String(draft.type)} here; use custom or custom_message`);
  }
  if (answer.continue === true && !isSent) {
    const message = { customType: "pi.continue", content: "Continue.", display: false };
    api.sendMessage(message, { triggerTurn: true, deliverAs });
  }
}
