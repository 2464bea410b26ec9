/** What extensions registered, in load order; clashes are reported, and the first keeps the name. */
import type { Tool } from "../tool/index.js";
import type { ExtensionCommand, ExtensionHandler, MessageRenderer } from "./extension-api.js";
import type { ExtensionEventName } from "./extension-events.js";

export interface RegisteredHandler {
  readonly extension: string;
  readonly handler: ExtensionHandler<ExtensionEventName>;
}

export interface Registered<Value> {
  readonly extension: string;
  readonly name: string;
  readonly value: Value;
}

export type OnProblem = (problem: ExtensionProblem) => void;

export interface ExtensionProblem {
  readonly extension: string;
  /** The event, or `load` and `register`. */
  readonly event: string;
  readonly message: string;
}

export class Registrations {
  readonly #handlers = new Map<ExtensionEventName, RegisteredHandler[]>();
  readonly #commands = new Map<string, Registered<ExtensionCommand>>();
  readonly #shortcuts = new Map<string, Registered<ExtensionCommand>>();
  readonly #tools = new Map<string, Registered<Tool>>();
  readonly #renderers = new Map<string, Registered<MessageRenderer>>();
  readonly #onProblem: OnProblem;

  constructor(onProblem: OnProblem) {
    this.#onProblem = onProblem;
  }

  get commands(): readonly Registered<ExtensionCommand>[] {
    return [...this.#commands.values()];
  }

  get shortcuts(): readonly Registered<ExtensionCommand>[] {
    return [...this.#shortcuts.values()];
  }

  get tools(): readonly Registered<Tool>[] {
    return [...this.#tools.values()];
  }

  command(name: string): Registered<ExtensionCommand> | undefined {
    return this.#commands.get(name);
  }

  renderer(customType: string): MessageRenderer | undefined {
    return this.#renderers.get(customType)?.value;
  }

  handlers(name: ExtensionEventName): readonly RegisteredHandler[] {
    return this.#handlers.get(name) ?? [];
  }

  addHandler(name: ExtensionEventName, handler: RegisteredHandler): void {
    const list = this.#handlers.get(name);
    if (list === undefined) this.#handlers.set(name, [handler]);
    else list.push(handler);
  }

  addCommand(extension: string, name: string, command: ExtensionCommand): void {
    this.#add(this.#commands, { extension, name, value: command }, "command");
  }

  addShortcut(extension: string, name: string, command: ExtensionCommand): void {
    this.#add(this.#shortcuts, { extension, name, value: command }, "shortcut");
  }

  /** False if the name was taken. */
  addTool(extension: string, tool: Tool): boolean {
    return this.#add(this.#tools, { extension, name: tool.name, value: tool }, "tool");
  }

  addRenderer(extension: string, name: string, renderer: MessageRenderer): void {
    this.#add(this.#renderers, { extension, name, value: renderer }, "renderer for");
  }

  #add<Value>(map: Map<string, Registered<Value>>, entry: Registered<Value>, what: string): boolean {
    const earlier = map.get(entry.name);
    if (earlier === undefined) {
      map.set(entry.name, entry);
      return true;
    }
    const message = `the ${what} ${entry.name} is already registered by ${earlier.extension}; the first one stays`;
    this.#onProblem({ extension: entry.extension, event: "register", message });
    return false;
  }
}
