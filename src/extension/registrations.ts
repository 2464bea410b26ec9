/**
 * What extensions registered, in load order. Clashes are reported: of two extensions the first keeps the name, a built-in
 * command stays, and a built-in tool is replaced.
 */
import type { Tool } from "../tool/index.js";
import type { ExtensionCommand, ExtensionHandler } from "./extension-api.js";
import type { ExtensionEventName } from "./extension-events.js";
import type { EntryRenderer, MessageRenderer, ToolRenderers } from "./ui-renderers.js";

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

/** Names that are there without extensions. */
export interface BuiltInNames {
  /** Without the slash. */
  readonly commands?: readonly string[];
  readonly tools?: readonly string[];
}

/** What extensions registered: handlers, tools, commands, flags and shortcuts. */
export class Registrations {
  readonly #handlers = new Map<ExtensionEventName, RegisteredHandler[]>();
  readonly #commands = new Map<string, Registered<ExtensionCommand>>();
  readonly #shortcuts = new Map<string, Registered<ExtensionCommand>>();
  readonly #tools = new Map<string, Registered<Tool>>();
  readonly #renderers = new Map<string, Registered<MessageRenderer>>();
  readonly #entryRenderers = new Map<string, Registered<EntryRenderer>>();
  readonly #toolRenderers = new Map<string, Registered<ToolRenderers>>();
  readonly #onProblem: OnProblem;
  readonly #builtIn: { readonly commands: ReadonlySet<string>; readonly tools: ReadonlySet<string> };

  constructor(onProblem: OnProblem, { commands = [], tools = [] }: BuiltInNames = {}) {
    this.#onProblem = onProblem;
    this.#builtIn = { commands: new Set(commands), tools: new Set(tools) };
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

  entryRenderer(customType: string): Registered<EntryRenderer> | undefined {
    return this.#entryRenderers.get(customType);
  }

  /** How an extension draws the calls of its tool. */
  toolRenderers(tool: string): Registered<ToolRenderers> | undefined {
    return this.#toolRenderers.get(tool);
  }

  handlers(name: ExtensionEventName): readonly RegisteredHandler[] {
    return this.#handlers.get(name) ?? [];
  }

  addHandler(name: ExtensionEventName, handler: RegisteredHandler): void {
    const list = this.#handlers.get(name);
    if (list === undefined) this.#handlers.set(name, [handler]);
    else list.push(handler);
  }

  /** What a user types every day does not change its meaning: a built-in command stays. */
  addCommand(extension: string, name: string, command: ExtensionCommand): void {
    if (this.#builtIn.commands.has(name)) {
      this.#report(
        extension,
        `/${name} is a built-in command, which takes precedence; rename the one in this extension`,
      );
      return;
    }
    this.#add(this.#commands, { extension, name, value: command }, "command");
  }

  addShortcut(extension: string, name: string, command: ExtensionCommand): void {
    this.#add(this.#shortcuts, { extension, name, value: command }, "shortcut");
  }

  /** Takes the place of a built-in tool of the same name, so that one can be confined. False if another extension has the name. */
  addTool(extension: string, tool: Tool, renderers: ToolRenderers = {}): boolean {
    const { name } = tool;
    const isAdded = this.#add(this.#tools, { extension, name, value: tool }, "tool");
    if (isAdded) this.#toolRenderers.set(name, { extension, name, value: renderers });
    if (isAdded && this.#builtIn.tools.has(name)) this.#report(extension, `the tool ${name} replaces the built-in one`);
    return isAdded;
  }

  addRenderer(extension: string, name: string, renderer: MessageRenderer): void {
    this.#add(this.#renderers, { extension, name, value: renderer }, "renderer for");
  }

  addEntryRenderer(extension: string, name: string, renderer: EntryRenderer): void {
    this.#add(this.#entryRenderers, { extension, name, value: renderer }, "entry renderer for");
  }

  #add<Value>(map: Map<string, Registered<Value>>, entry: Registered<Value>, what: string): boolean {
    const earlier = map.get(entry.name);
    if (earlier === undefined) {
      map.set(entry.name, entry);
      return true;
    }
    const { extension, name } = entry;
    this.#report(extension, `the ${what} ${name} is already registered by ${earlier.extension}; the first one is used`);
    return false;
  }

  #report(extension: string, message: string): void {
    this.#onProblem({ extension, event: "register", message });
  }
}
