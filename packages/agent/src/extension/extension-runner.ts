/**
 * Loads extensions and runs their handlers in load order, one after another, each with a time limit. An extension
 * cannot break the session: failures are reported with its name. If a guard handler fails, the answer is no; a failure
 * of any other handler counts as no answer.
 */
import type { Tool } from "../tool/index.js";
import { createApi } from "./api/create-api.js";
import { SharedBus } from "./api/extension-bus.js";
import type { ExtensionContext } from "./api/extension-context.js";
import { contextForHandler } from "./context-view.js";
import { carryForward, isFinal } from "./event/carry-forward.js";
import type { ExtensionEventName, ExtensionEvents } from "./event/extension-events.js";
import { consequenceOf, failedGuard } from "./event/failed-guard.js";
import { recordEvent } from "./event/recorded-event.js";
import type { ExtensionFactory, ExtensionFlag, FlagLookup, NamedExtension } from "./extension-api.js";
import type { ExtensionHooks, HookAnswer, HookOptions } from "./extension-hooks.js";
import type { ExtensionHost } from "./extension-host.js";
import type { ExtensionSource } from "./find-extensions.js";
import { type ImportOptions, importExtension } from "./import-extension.js";
import { type BuiltInNames, type OnProblem, type RegisteredHandler, Registrations } from "./registrations.js";
import { asExtension } from "./running-extension.js";
import { type HoldClock, type Waited, waitFor } from "./wait-for.js";

export interface RunnerOptions extends ImportOptions {
  /** Can be set later with `bind`. */
  readonly host?: ExtensionHost;
  readonly onProblem: OnProblem;
  /** Command-line values for flags of extensions, or a function that returns them. */
  readonly flags?: Readonly<Record<string, string | boolean>> | FlagLookup;
  /** Built-in names; a clash with one of them is reported. */
  readonly builtIn?: BuiltInNames;
  /** Time limit for a handler; paused while the user is asked. */
  readonly timeoutMs?: number;
  /** Time limit for a handler once the operation it belongs to is ending. */
  readonly hurryMs?: number;
}

const TIMEOUT_MS = 60_000;
const HURRY_MS = 2_000;

/** A file, or a function with its name. */
export type LoadableExtension = ExtensionSource | NamedExtension;

/** Loads extensions, keeps their registrations, and runs their handlers. One that fails does not affect the others. */
export class ExtensionRunner implements ExtensionHooks {
  readonly #options: RunnerOptions;
  readonly #registrations: Registrations;
  #sources: readonly LoadableExtension[] = [];
  #host: ExtensionHost | undefined;
  #bus = new SharedBus();
  /** Whether all extensions are loaded, so that the host must be told about later registrations. */
  #isReady = false;
  /** Number of times that extensions were loaded. */
  #generation = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#registrations = new Registrations(options.onProblem, options.builtIn);
  }

  /** Everything that the extensions registered. */
  get registrations(): Registrations {
    return this.#registrations;
  }

  get sources(): readonly ExtensionSource[] {
    return this.#sources.filter((source) => "file" in source);
  }

  /** The connected agent; undefined before `bind`. */
  get host(): ExtensionHost | undefined {
    return this.#host;
  }

  /** Connects the runner to an agent, on which its extensions act from now on. */
  bind(host: ExtensionHost): void {
    this.#host = host;
  }

  /** Loads these extensions and drops those loaded before. One that fails is reported and skipped. */
  async load(sources: readonly LoadableExtension[]): Promise<void> {
    if (this.#generation > 0) this.#host?.beforeReload?.(this.#registrations.tools.map(({ value }) => value));
    this.#registrations.clear();
    this.#generation += 1;
    this.#sources = sources;
    this.#bus = new SharedBus();
    this.#isReady = false;
    for (const source of sources) await this.#loadOne(source);
    this.#isReady = true;
  }

  /** Reloads the code of the same extensions. */
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
    for (const registered of [...this.#registrations.handlers(event.type)]) {
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
      if (isFinal(current, result)) break;
      current = carryForward(current, result);
    }
    return answers;
  }

  async #loadOne(source: LoadableExtension): Promise<void> {
    const factory = await this.#factoryOf(source);
    if (factory === undefined) return;
    // Registrations take effect only if loading succeeds: half an extension is worse than none.
    const waiting: (() => void)[] = [];
    let state: "loading" | "loaded" | "failed" = "loading";
    const generation = this.#generation;
    const add = (register: () => void) => {
      // Ignore old code of an extension that was reloaded.
      if (generation !== this.#generation) return;
      if (state === "loaded") register();
      else if (state === "loading") waiting.push(register);
    };
    const { name: extension } = source;
    const report = (event: string, message: string) => this.#report(extension, event, message);
    const api = createApi({
      extension,
      registrations: this.#registrations,
      bus: this.#bus,
      flag: (name, type) => this.#flag(name, type),
      sources: () => this.sources,
      host: () => this.#requireHost(),
      hostIfBound: () => this.#host,
      isReady: () => this.#isReady,
      add,
      wrapTool: (tool) => attributedTo(extension, this.#withTimeLimit(extension, tool)),
      report,
      // Failures of handlers are reported as usual.
      tell: (event) => void this.emit<"mcp_servers_change">(event),
    });
    const waited = await this.#limited({ extension, event: "load" }, () => factory(api));
    state = waited.kind === "done" ? "loaded" : "failed";
    if (state === "loaded") for (const register of waiting) register();
  }

  /** Ignores a value of the wrong type, which belongs to another extension's flag with the same name. */
  #flag(name: string, type: ExtensionFlag["type"]): string | boolean | undefined {
    const { flags = {} } = this.#options;
    const value =
      typeof flags === "function" ? flags(name, type) : Object.hasOwn(flags, name) ? flags[name] : undefined;
    return typeof value === type ? value : undefined;
  }

  async #factoryOf(source: LoadableExtension): Promise<ExtensionFactory | undefined> {
    if ("factory" in source) return source.factory;
    const imported = await asExtension(source.name, () => importExtension(source.file, this.#options));
    if (imported.kind === "loaded") return imported.factory;
    this.#report(source.name, "load", imported.message);
    return undefined;
  }

  #requireHost(): ExtensionHost {
    if (this.#host === undefined) throw new Error("There is no session while extensions are loading");
    return this.#host;
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
        contextForHandler(this.#requireHost().context(), { extension: registered.extension, hold }),
      ),
    );
    if (waited.kind === "done") {
      recorded.commit();
      return { kind: "said", result: waited.value, calledCancel: recorded.called.has("cancel") };
    }
    recorded.discard();
    // Aborted from outside: the operation ends anyway.
    return waited.kind === "aborted"
      ? { kind: "said", result: undefined, calledCancel: false }
      : { kind: "failed", message: this.#failure(waited) };
  }

  /** Runs code of an extension with a time limit, and reports a failure or timeout. */
  async #limited(
    { extension, event, signal, hurry }: LimitedWork,
    work: (hold: HoldClock) => unknown,
  ): Promise<Waited<unknown>> {
    const waited = await waitFor((hold: HoldClock) => asExtension(extension, () => work(hold)), {
      limitMs: this.#limitMs,
      signal,
      hurry: hurry === undefined ? undefined : { signal: hurry, limitMs: this.#hurryMs },
    });
    if (waited.kind === "done" || waited.kind === "aborted") return waited;
    const consequence = consequenceOf(event);
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
    if (waited.kind === "late") return `took longer than ${duration(this.#limitMs)} and was abandoned`;
    return `did not stop within ${duration(this.#hurryMs)} and was abandoned`;
  }

  /** Adds a time limit to a tool's `onSession`, which could otherwise delay every move. */
  #withTimeLimit(extension: string, tool: Tool): Tool {
    const { onSession } = tool;
    if (onSession === undefined) return tool;
    const event = `onSession of ${tool.name}`;
    return {
      ...tool,
      onSession: async (sessionEvent) => {
        const hurry = sessionEvent.reason === "shutdown" ? AbortSignal.abort() : undefined;
        await this.#limited({ extension, event, hurry }, () => onSession(sessionEvent));
      },
    };
  }

  #report(extension: string, event: string, message: string): void {
    this.#options.onProblem({ extension, event, message });
  }
}

/** Attributes the output of a running tool to its extension. */
function attributedTo(extension: string, tool: Tool): Tool {
  return { ...tool, execute: (input, context) => asExtension(extension, () => tool.execute(input, context)) };
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

function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} seconds`;
}
