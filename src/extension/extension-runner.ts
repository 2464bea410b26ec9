/**
 * Loads extensions and runs their handlers: in load order, one after the other, each with a time limit. Nothing an
 * extension does can break the session: a failure is reported by name. A guard that fails says no; any other handler has
 * said nothing.
 */
import type { EntryId } from "../entry/index.js";
import { defineJsonTool, type Tool } from "../tool/index.js";
import { carryForward, settles } from "./carry-forward.js";
import { contextForHandler } from "./context-view.js";
import type { CustomMessageInput } from "./custom-message.js";
import type { ExtensionApi, ExtensionContext, ToolDefinition } from "./extension-api.js";
import { isExtensionEvent } from "./extension-event-names.js";
import type { ExtensionEventName, ExtensionEvents } from "./extension-events.js";
import type { ExtensionHooks, HookAnswer, HookOptions } from "./extension-hooks.js";
import { failedGuard } from "./failed-guard.js";
import type { ExtensionSource } from "./find-extensions.js";
import { type ImportOptions, importExtension } from "./import-extension.js";
import { recordEvent } from "./recorded-event.js";
import { type BuiltInNames, type OnProblem, type RegisteredHandler, Registrations } from "./registrations.js";
import { type HoldClock, type Waited, waitFor } from "./wait-for.js";

/** What the runner needs of the agent. It is asked when an extension acts, never while it loads. */
export interface ExtensionHost {
  sendMessage(message: CustomMessageInput, triggerTurn?: boolean): void;
  appendEntry(customType: string, data?: unknown): EntryId;
  context(): ExtensionContext;
  /** Called for each tool that an extension registers after it was loaded. */
  toolRegistered?(tool: Tool): void;
}

export interface RunnerOptions extends ImportOptions {
  readonly host: ExtensionHost;
  readonly onProblem: OnProblem;
  /** Names that extensions should not take without a word about it. */
  readonly builtIn?: BuiltInNames;
  /** How long one handler may take. The clock is still while a user is asked something. */
  readonly timeoutMs?: number;
  /** How long it may take once the work it belongs to was told to end. */
  readonly hurryMs?: number;
}

const TIMEOUT_MS = 60_000;
const HURRY_MS = 2_000;

/** Loads extensions, keeps what they registered, and runs their handlers. One that fails does not stop the others. */
export class ExtensionRunner implements ExtensionHooks {
  readonly #options: RunnerOptions;
  #registrations: Registrations;
  #sources: readonly ExtensionSource[] = [];
  /** Everything is loaded: what is registered from now on is told to the host. */
  #isReady = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#registrations = new Registrations(options.onProblem, options.builtIn);
  }

  /** Commands, tools, renderers and shortcuts that extensions registered. */
  get registrations(): Registrations {
    return this.#registrations;
  }

  get sources(): readonly ExtensionSource[] {
    return this.#sources;
  }

  /** Loads these extensions in place of those loaded before. One that fails is reported and omitted. */
  async load(sources: readonly ExtensionSource[]): Promise<void> {
    this.#registrations = new Registrations(this.#options.onProblem, this.#options.builtIn);
    this.#sources = sources;
    this.#isReady = false;
    for (const source of sources) await this.#loadOne(source);
    this.#isReady = true;
  }

  /** Reads the code of the same extensions again. */
  reload(): Promise<void> {
    return this.load(this.#sources);
  }

  has(name: ExtensionEventName): boolean {
    return this.#registrations.handlers(name).length > 0;
  }

  async emit<Name extends ExtensionEventName>(
    event: ExtensionEvents[Name]["event"] & { readonly type: Name },
    options: HookOptions = {},
  ): Promise<readonly HookAnswer<Name>[]> {
    const answers: HookAnswer<Name>[] = [];
    let current: { readonly type: ExtensionEventName } = event;
    for (const registered of this.#registrations.handlers(event.type)) {
      if (options.signal?.aborted) break;
      const { extension } = registered;
      const waited = await this.#run(registered, current, options);
      if (waited.kind === "failed") {
        const guard = failedGuard(event.type);
        if (guard === undefined) continue;
        const result = guard.answer({ extension, message: waited.message }) as ExtensionEvents[Name]["result"];
        answers.push({ extension, result, failed: true });
        break;
      }
      const calledCancel = waited.calledCancel ? { calledCancel: true as const } : {};
      const result = waited.result ?? (waited.calledCancel ? {} : undefined);
      if (result === undefined) continue;
      answers.push({ extension, result: result as ExtensionEvents[Name]["result"], ...calledCancel });
      if (settles(current, result)) break;
      current = carryForward(current, result);
    }
    return answers;
  }

  async #loadOne(source: ExtensionSource): Promise<void> {
    const imported = await importExtension(source.file, this.#options);
    if (imported.kind === "failed") {
      this.#report(source.name, "load", imported.message);
      return;
    }
    // What it registers counts once it has loaded: half an extension is worse than none.
    const waiting: (() => void)[] = [];
    let state: "loading" | "loaded" | "failed" = "loading";
    const add = (register: () => void) => {
      if (state === "loaded") register();
      else if (state === "loading") waiting.push(register);
    };
    const api = this.#apiFor(source.name, add);
    const waited = await this.#limited({ extension: source.name, event: "load" }, () => imported.factory(api));
    state = waited.kind === "done" ? "loaded" : "failed";
    if (state === "loaded") for (const register of waiting) register();
  }

  async #run(
    registered: RegisteredHandler,
    event: { readonly type: ExtensionEventName },
    { signal, hurry }: HookOptions,
  ): Promise<HandlerOutcome> {
    const recorded = recordEvent(event);
    const handler = registered.handler as (event: unknown, context: ExtensionContext) => unknown;
    const work = { extension: registered.extension, event: event.type, signal, hurry };
    const waited = await this.#limited(work, (hold) =>
      handler(
        recorded.event,
        contextForHandler(this.#options.host.context(), { extension: registered.extension, hold }),
      ),
    );
    if (waited.kind === "done") {
      recorded.commit();
      return { kind: "said", result: waited.value, calledCancel: recorded.called.has("cancel") };
    }
    recorded.discard();
    // Stopped from outside: the operation that asked ends anyway.
    return waited.kind === "aborted"
      ? { kind: "said", result: undefined, calledCancel: false }
      : { kind: "failed", message: this.#failure(waited) };
  }

  /** Runs a piece of an extension; a failure or too long a wait is reported. */
  async #limited(
    { extension, event, signal, hurry }: LimitedWork,
    work: (hold: HoldClock) => unknown,
  ): Promise<Waited<unknown>> {
    const waited = await waitFor(work, {
      limitMs: this.#limitMs,
      signal,
      hurry: hurry === undefined ? undefined : { signal: hurry, limitMs: this.#hurryMs },
    });
    if (waited.kind === "done" || waited.kind === "aborted") return waited;
    const consequence = failedGuard(event)?.consequence;
    const message = this.#failure(waited);
    this.#report(extension, event, consequence === undefined ? message : `${message}; ${consequence}`);
    return waited;
  }

  get #limitMs(): number {
    return this.#options.timeoutMs ?? TIMEOUT_MS;
  }

  get #hurryMs(): number {
    return this.#options.hurryMs ?? HURRY_MS;
  }

  #failure(waited: Exclude<Waited<unknown>, { kind: "done" | "aborted" }>): string {
    if (waited.kind === "threw") return waited.message;
    if (waited.kind === "late") return `took longer than ${this.#limitMs} ms and was abandoned`;
    return `did not end within ${this.#hurryMs} ms of being told to and was abandoned`;
  }

  #apiFor(extension: string, add: (register: () => void) => void): ExtensionApi {
    const registrations = this.#registrations;
    const { host } = this.#options;
    const addRenderer: ExtensionApi["registerMessageRenderer"] = (type, renderer) =>
      add(() => registrations.addRenderer(extension, type, renderer));
    return {
      on: (name, handler) => {
        if (!isExtensionEvent(name)) throw new Error(`unknown event: ${String(name)}`);
        const registered = { extension, handler: handler as unknown as RegisteredHandler["handler"] };
        add(() => registrations.addHandler(name, registered));
      },
      sendMessage: (message, triggerTurn) => host.sendMessage(message, triggerTurn),
      appendEntry: (customType, data) => host.appendEntry(customType, data),
      registerCommand: (name, command) =>
        add(() => registrations.addCommand(extension, name.replace(/^\//, ""), command)),
      registerShortcut: (key, command) => add(() => registrations.addShortcut(extension, key, command)),
      registerTool: (definition) => {
        const tool = this.#followsInTime(extension, toolFromDefinition(definition));
        add(() => {
          if (registrations.addTool(extension, tool, definition) && this.#isReady) host.toolRegistered?.(tool);
        });
      },
      registerMessageRenderer: addRenderer,
      registerCustomMessageRenderer: addRenderer,
      registerEntryRenderer: (type, renderer) => add(() => registrations.addEntryRenderer(extension, type, renderer)),
    };
  }

  /** A tool that does not come to an end with following the session would hold up every move. */
  #followsInTime(extension: string, tool: Tool): Tool {
    const { onSession } = tool;
    if (onSession === undefined) return tool;
    const event = `onSession of ${tool.name}`;
    return {
      ...tool,
      onSession: async (told) => {
        const hurry = told.reason === "shutdown" ? AbortSignal.abort() : undefined;
        await this.#limited({ extension, event, hurry }, () => onSession(told));
      },
    };
  }

  #report(extension: string, event: string, message: string): void {
    this.#options.onProblem({ extension, event, message });
  }
}

type HandlerOutcome =
  | { readonly kind: "said"; readonly result: unknown; readonly calledCancel: boolean }
  | { readonly kind: "failed"; readonly message: string };

interface LimitedWork {
  readonly extension: string;
  readonly event: string;
  readonly signal?: AbortSignal | undefined;
  readonly hurry?: AbortSignal | undefined;
}

/** A whole tool as it is, or one made from a JSON Schema and a function. Throws a sentence where the schema is not one. */
function toolFromDefinition(tool: Tool | ToolDefinition): Tool {
  return "check" in tool ? tool : defineJsonTool(tool);
}
