/**
 * Loads extensions and runs their handlers: in load order, one after the other, each with a time limit. Nothing an
 * extension does can break the session: a failure is reported by name and treated as having said nothing.
 */
import type { EntryId } from "../entry/index.js";
import type { CustomMessageInput, ExtensionApi, ExtensionContext } from "./extension-api.js";
import type { ExtensionEventName, ExtensionEvents } from "./extension-events.js";
import type { ExtensionHooks, HookAnswer } from "./extension-hooks.js";
import type { ExtensionSource } from "./find-extensions.js";
import { type ImportOptions, importExtension } from "./import-extension.js";
import { recordEvent } from "./recorded-event.js";
import { type OnProblem, type RegisteredHandler, Registrations } from "./registrations.js";
import { toolFromDefinition } from "./tool-from-definition.js";

/** What the runner needs of the agent. It is asked when an extension acts, never while it loads. */
export interface ExtensionHost {
  sendMessage(message: CustomMessageInput, triggerTurn?: boolean): void;
  appendEntry(customType: string, data?: unknown): EntryId;
  context(): ExtensionContext;
}

export interface RunnerOptions extends ImportOptions {
  readonly host: ExtensionHost;
  readonly onProblem: OnProblem;
  /** How long one handler may take. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;

export class ExtensionRunner implements ExtensionHooks {
  readonly #options: RunnerOptions;
  #registrations: Registrations;
  #sources: readonly ExtensionSource[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#registrations = new Registrations(options.onProblem);
  }

  /** Commands, tools, renderers and shortcuts that extensions registered. */
  get registrations(): Registrations {
    return this.#registrations;
  }

  get sources(): readonly ExtensionSource[] {
    return this.#sources;
  }

  /** Loads these extensions in place of those loaded before. One that fails is reported and left out. */
  async load(sources: readonly ExtensionSource[]): Promise<void> {
    this.#registrations = new Registrations(this.#options.onProblem);
    this.#sources = sources;
    for (const source of sources) await this.#loadOne(source);
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
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly HookAnswer<Name>[]> {
    const answers: HookAnswer<Name>[] = [];
    for (const registered of this.#registrations.handlers(event.type)) {
      if (options.signal?.aborted) break;
      const result = await this.#run(registered, event);
      if (result !== undefined && result !== null) {
        answers.push({ extension: registered.extension, result: result as ExtensionEvents[Name]["result"] });
      }
    }
    return answers;
  }

  async #loadOne(source: ExtensionSource): Promise<void> {
    const imported = await importExtension(source.file, this.#options);
    if (imported.kind === "failed") {
      this.#report(source.name, "load", imported.message);
      return;
    }
    await this.#limited(source.name, "load", async () => imported.factory(this.#apiFor(source.name)));
  }

  async #run(registered: RegisteredHandler, event: { readonly type: ExtensionEventName }): Promise<unknown> {
    const recorded = recordEvent(event);
    const handler = registered.handler as (event: unknown, context: ExtensionContext) => unknown;
    const outcome = await this.#limited(registered.extension, event.type, async () =>
      handler(recorded.event, this.#options.host.context()),
    );
    if (outcome.kind === "done") recorded.commit();
    else recorded.discard();
    return outcome.kind === "done" ? outcome.value : undefined;
  }

  /** Runs a piece of an extension; a failure or too long a wait is reported. */
  async #limited(
    extension: string,
    event: string,
    work: () => Promise<unknown>,
  ): Promise<{ readonly kind: "done"; readonly value: unknown } | { readonly kind: "failed" }> {
    const limit = this.#options.timeoutMs ?? TIMEOUT_MS;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), limit);
    });
    const done = Promise.resolve()
      .then(work)
      .then((value) => ({ kind: "done" as const, value }));
    try {
      const first = await Promise.race([done, late]);
      if (first !== "late") return first;
      // It may still fail later, when nobody waits for it any more.
      done.catch(() => {});
      this.#report(extension, event, `took longer than ${limit} ms and was left behind`);
    } catch (error) {
      this.#report(extension, event, error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
    }
    return { kind: "failed" };
  }

  #apiFor(extension: string): ExtensionApi {
    const registrations = this.#registrations;
    const { host } = this.#options;
    const addRenderer: ExtensionApi["registerMessageRenderer"] = (type, renderer) =>
      registrations.addRenderer(extension, type, renderer);
    return {
      on: (name, handler) =>
        registrations.addHandler(name, { extension, handler: handler as unknown as RegisteredHandler["handler"] }),
      sendMessage: (message, triggerTurn) => host.sendMessage(message, triggerTurn),
      appendEntry: (customType, data) => host.appendEntry(customType, data),
      registerCommand: (name, command) => registrations.addCommand(extension, name.replace(/^\//, ""), command),
      registerShortcut: (key, command) => registrations.addShortcut(extension, key, command),
      registerTool: (tool) => registrations.addTool(extension, toolFromDefinition(tool)),
      registerMessageRenderer: addRenderer,
      registerCustomMessageRenderer: addRenderer,
    };
  }

  #report(extension: string, event: string, message: string): void {
    this.#options.onProblem({ extension, event, message });
  }
}
