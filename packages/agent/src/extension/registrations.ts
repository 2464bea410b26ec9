/**
 * Everything that extensions registered, in load order. Clashes are reported: between two extensions the first one
 * keeps the name; built-in commands stay, and built-in tools are replaced.
 */
import { errorText } from "@bough/session/text/index.js";
import { type McpServerSettings, serverNameProblem, serverProblem } from "../mcp/index.js";
import type { LanguageModel, ProviderConfig } from "../model/index.js";
import type { Tool } from "../tool/index.js";
import type { ExtensionEventName } from "./event/extension-events.js";
import type { ExtensionCommand, ExtensionFlag, ExtensionHandler, ExtensionShortcut } from "./extension-api.js";
import type { EntryRenderer, MessageRenderer, ToolRendererResolver, ToolRenderers } from "./ui-renderers.js";

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
  /** The event, `load` or `register`. */
  readonly event: string;
  readonly message: string;
}

/** Names used by Bough itself. */
export interface BuiltInNames {
  /** Without the slash. */
  readonly commands?: readonly string[];
  readonly tools?: readonly string[];
  /** Options of the command line, without dashes. */
  readonly flags?: readonly string[];
}

/** Handlers, tools, commands, shortcuts, flags, providers and renderers of all extensions. */
export class Registrations {
  readonly #handlers = new Map<ExtensionEventName, RegisteredHandler[]>();
  readonly #commands = new Map<string, Registered<ExtensionCommand>>();
  readonly #shortcuts = new Map<string, Registered<ExtensionShortcut>>();
  readonly #tools = new Map<string, Registered<Tool>>();
  readonly #toolRenderers = new Map<string, Registered<ToolRenderers>>();
  /** In load order. */
  #toolResolvers: Registered<ToolRendererResolver>[] = [];
  readonly #flags = new Map<string, Registered<ExtensionFlag>>();
  readonly #providers = new Map<string, Registered<ProviderConfig>>();
  readonly #models = new Map<string, Registered<LanguageModel>>();
  readonly #servers = new Map<string, Registered<McpServerSettings>>();
  readonly #entryRenderers = new Map<string, Registered<EntryRenderer>>();
  readonly #renderers = new Map<string, Registered<MessageRenderer>>();
  #generation = 0;
  readonly #onProblem: OnProblem;
  readonly #builtIn: Readonly<Record<keyof BuiltInNames, ReadonlySet<string>>>;

  constructor(onProblem: OnProblem, { commands = [], tools = [], flags = [] }: BuiltInNames = {}) {
    this.#onProblem = onProblem;
    this.#builtIn = { commands: new Set(commands), tools: new Set(tools), flags: new Set(flags) };
  }

  /** Removes everything. References to this object stay valid. */
  clear(): void {
    this.#generation += 1;
    for (const map of [this.#handlers, this.#commands, this.#shortcuts, this.#tools, this.#flags]) map.clear();
    for (const map of [this.#providers, this.#renderers, this.#entryRenderers, this.#toolRenderers]) map.clear();
    for (const map of [this.#models, this.#servers]) map.clear();
    this.#toolResolvers = [];
  }

  /** Number of calls to `clear`: anything derived from an earlier generation is out of date. */
  get generation(): number {
    return this.#generation;
  }

  get commands(): readonly Registered<ExtensionCommand>[] {
    return [...this.#commands.values()];
  }

  get shortcuts(): readonly Registered<ExtensionShortcut>[] {
    return [...this.#shortcuts.values()];
  }

  get tools(): readonly Registered<Tool>[] {
    return [...this.#tools.values()];
  }

  get flags(): readonly Registered<ExtensionFlag>[] {
    return [...this.#flags.values()];
  }

  get providers(): readonly Registered<ProviderConfig>[] {
    return [...this.#providers.values()];
  }

  /** Models that extensions bring, each with its own stream. */
  get models(): readonly Registered<LanguageModel>[] {
    return [...this.#models.values()];
  }

  get servers(): readonly Registered<McpServerSettings>[] {
    return [...this.#servers.values()];
  }

  flag(name: string): Registered<ExtensionFlag> | undefined {
    return this.#flags.get(name);
  }

  entryRenderer(customType: string): Registered<EntryRenderer> | undefined {
    return this.#entryRenderers.get(customType);
  }

  /** The renderers for the calls of a tool. */
  toolRenderers(tool: string): Registered<ToolRenderers> | undefined {
    if (this.#toolResolvers.length === 0) return this.#toolRenderers.get(tool);
    // Who draws is who returned the renderers, which may be what `next` returned.
    const owners = new Map<ToolRenderers, string>();
    const from = (at: number): ToolRenderers | undefined => {
      const resolver = this.#toolResolvers[at];
      if (resolver === undefined) {
        const own = this.#toolRenderers.get(tool);
        if (own !== undefined) owners.set(own.value, own.extension);
        return own?.value;
      }
      try {
        const chosen = resolver.value(tool, () => from(at + 1));
        if (chosen !== undefined && !owners.has(chosen)) owners.set(chosen, resolver.extension);
        return chosen;
      } catch (error) {
        this.#reportOnce(resolver.extension, `the renderer of ${tool} could not be chosen: ${errorText(error)}`);
        return from(at + 1);
      }
    };
    const value = from(0);
    return value === undefined ? undefined : { extension: owners.get(value) ?? "", name: tool, value };
  }

  addToolResolver(extension: string, value: ToolRendererResolver): void {
    this.#toolResolvers.push({ extension, name: "", value });
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

  removeHandler(name: ExtensionEventName, handler: RegisteredHandler): void {
    const list = this.#handlers.get(name);
    const at = list?.indexOf(handler) ?? -1;
    if (at !== -1) list?.splice(at, 1);
  }

  /** A built-in command keeps its meaning, because users type it every day; the extension's gets a longer name. */
  addCommand(extension: string, given: string, command: ExtensionCommand): void {
    const isTaken = this.#builtIn.commands.has(given);
    const name = isTaken ? `${given}:${extension}` : given;
    if (isTaken) this.#report(extension, `/${given} is a built-in command; this extension's is /${name}`);
    this.#add(this.#commands, { extension, name, value: command }, "command");
  }

  addShortcut(extension: string, name: string, shortcut: ExtensionShortcut): void {
    this.#add(this.#shortcuts, { extension, name, value: shortcut }, "shortcut");
  }

  addFlag(extension: string, name: string, given: ExtensionFlag): void {
    const flag = typedFlag(given);
    if (!/^[a-z][a-z0-9._-]*$/i.test(name)) {
      this.#report(extension, `"${name}" cannot be a flag; use letters, digits and dashes, starting with a letter`);
      return;
    }
    if (flag.type !== "boolean" && flag.type !== "string") {
      this.#report(extension, `the flag ${name} needs a type, "boolean" or "string"`);
      return;
    }
    if (this.#builtIn.flags.has(name)) {
      this.#report(extension, `--${name} is a built-in option, which takes precedence; rename the flag`);
      return;
    }
    this.#add(this.#flags, { extension, name, value: flag }, "flag");
  }

  /** An extension may register its own provider again with other models. False if another extension has the name. */
  addProvider(extension: string, name: string, config: ProviderConfig): boolean {
    if (this.#providers.get(name)?.extension === extension) this.#providers.delete(name);
    return this.#add(this.#providers, { extension, name, value: config }, "provider");
  }

  removeProvider(extension: string, name: string): boolean {
    return this.#providers.get(name)?.extension === extension && this.#providers.delete(name);
  }

  /** A later registration of the same model replaces it. */
  addModel(extension: string, model: LanguageModel): void {
    const name = `${model.info.provider}/${model.info.id}`;
    this.#models.set(name, { extension, name, value: model });
  }

  removeModel(name: string): boolean {
    return this.#models.delete(name);
  }

  /** Throws if the name is invalid or belongs to another extension, and for settings that are not valid. */
  checkServer(extension: string, name: string, settings: McpServerSettings): void {
    const problem = serverNameProblem(name) ?? serverProblem(settings);
    if (problem !== undefined) throw new Error(`MCP server ${name} is not valid: ${problem}`);
    const owner = this.#servers.get(name)?.extension;
    if (owner !== undefined && owner !== extension)
      throw new Error(`The MCP server ${name} is already registered by ${owner}`);
  }

  addServer(extension: string, name: string, settings: McpServerSettings): void {
    this.checkServer(extension, name, settings);
    this.#servers.set(name, { extension, name, value: settings });
  }

  removeServer(extension: string, name: string): boolean {
    return this.#servers.get(name)?.extension === extension && this.#servers.delete(name);
  }

  /** Replaces a built-in tool of the same name, for example to restrict it. False if another extension has the name. */
  addTool(extension: string, tool: Tool, renderers: ToolRenderers = {}): boolean {
    const { name } = tool;
    // An extension may replace its own tool.
    if (this.#tools.get(name)?.extension === extension) this.#tools.delete(name);
    const isAdded = this.#add(this.#tools, { extension, name, value: tool }, "tool");
    if (isAdded && this.#builtIn.tools.has(name)) this.#report(extension, `the tool ${name} replaces the built-in one`);
    if (isAdded) this.#toolRenderers.set(name, { extension, name, value: renderers });
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

  readonly #reported = new Set<string>();

  #reportOnce(extension: string, message: string): void {
    const about = `${extension} ${message}`;
    if (this.#reported.has(about)) return;
    this.#reported.add(about);
    this.#report(extension, message);
  }

  #report(extension: string, message: string): void {
    this.#onProblem({ extension, event: "register", message });
  }
}

/** Extensions for pi often omit the type: derive it from the default; without one, the flag is boolean. */
export function typedFlag(given: Partial<ExtensionFlag> | undefined): ExtensionFlag {
  const type = given?.type ?? (typeof given?.default === "string" ? "string" : "boolean");
  return { ...given, type } as ExtensionFlag;
}
