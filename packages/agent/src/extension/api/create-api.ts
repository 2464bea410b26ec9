/** Creates the API object for one extension. */
import { defined, errorText } from "@bough/session/text/index.js";
import type { Tool } from "../../tool/index.js";
import { isExtensionEvent, unknownEvent } from "../event/extension-event-names.js";
import type { ExtensionEvents } from "../event/extension-events.js";
import type { RegisteredMcpServer } from "../event/run-events.js";
import { exec } from "../exec.js";
import type { CommandInfo, ExtensionApi, ExtensionFlag, FlagLookup, ToolInfo } from "../extension-api.js";
import type { ExtensionHost } from "../extension-host.js";
import type { ExtensionSource } from "../find-extensions.js";
import { type RegisteredHandler, type Registrations, typedFlag } from "../registrations.js";
import type { ToolRenderers } from "../ui-renderers.js";
import type { ExtensionBus, SharedBus } from "./extension-bus.js";
import { type ToolDefinition, toolFromDefinition } from "./tool-definition.js";

export interface ApiParts {
  /** Name of the extension, for messages. */
  readonly extension: string;
  readonly registrations: Registrations;
  readonly bus: SharedBus;
  /** The command-line value of a flag of this type. */
  readonly flag: FlagLookup;
  readonly sources: () => readonly Pick<ExtensionSource, "name" | "file" | "origin">[];
  readonly host: () => ExtensionHost;
  /** The host, if there is one already. */
  readonly hostIfBound: () => ExtensionHost | undefined;
  /** Whether all extensions are loaded, so that the host must be told about later registrations. */
  readonly isReady: () => boolean;
  /** Registers at once, or after the extension has loaded. */
  readonly add: (register: () => void) => void;
  readonly wrapTool: (tool: Tool) => Tool;
  readonly report: (event: string, message: string) => void;
  /** Sends an event to all extensions, without waiting. */
  readonly tell: (event: ExtensionEvents["mcp_servers_change"]["event"]) => void;
}

export function createApi(parts: ApiParts): ExtensionApi {
  const { extension, registrations, host, add, report } = parts;
  const addRenderer: ExtensionApi["registerMessageRenderer"] = (type, renderer) =>
    add(() => registrations.addRenderer(extension, type, renderer));
  const reported = new Set<string>();
  // Allows an extension to read its own flags while it still loads.
  const ownFlags = new Map<string, ExtensionFlag>();
  return {
    on: (name: string, handler: unknown) => {
      if (!isExtensionEvent(name)) {
        if (!reported.has(name)) report("register", unknownEvent(String(name)));
        reported.add(name);
        return () => {};
      }
      const registered: RegisteredHandler = { extension, handler: handler as RegisteredHandler["handler"] };
      let ended = false;
      add(() => {
        if (!ended) registrations.addHandler(name, registered);
      });
      return () => {
        ended = true;
        registrations.removeHandler(name, registered);
      };
    },
    registerTool: (given: Tool | ToolDefinition<never>) => {
      const definition = given as Tool | ToolDefinition;
      const tool = parts.wrapTool(toolFromDefinition(definition, { extension, context: () => host().context() }));
      add(() => {
        const isAdded = registrations.addTool(extension, tool, definition as ToolRenderers);
        if (isAdded && parts.isReady()) parts.hostIfBound()?.toolRegistered?.(tool);
      });
    },
    registerCommand: (name, command) =>
      add(() => registrations.addCommand(extension, name.replace(/^\//, ""), command)),
    registerShortcut: (key, shortcut) => add(() => registrations.addShortcut(extension, key, shortcut)),
    registerFlag: (given, flag) => {
      const name = given.replace(/^--/, "");
      ownFlags.set(name, typedFlag(flag));
      add(() => registrations.addFlag(extension, name, flag));
    },
    getFlag: (given) => {
      const name = given.replace(/^--/, "");
      const flag = ownFlags.get(name);
      return flag === undefined ? undefined : (parts.flag(name, flag.type) ?? flag.default);
    },
    registerMessageRenderer: addRenderer,
    registerCustomMessageRenderer: addRenderer,
    registerEntryRenderer: (type, renderer) => add(() => registrations.addEntryRenderer(extension, type, renderer)),
    registerProvider: (name, config) =>
      add(() => {
        if (!registrations.addProvider(extension, name, config) || !parts.isReady()) return;
        parts.hostIfBound()?.registerProvider?.(name, config);
      }),
    unregisterProvider: (name) =>
      add(() => {
        if (registrations.removeProvider(extension, name)) parts.hostIfBound()?.unregisterProvider?.(name);
      }),
    registerModel: (model) =>
      add(() => {
        registrations.addModel(extension, model);
        if (parts.isReady()) parts.hostIfBound()?.registerModel?.(model);
      }),
    unregisterModel: (provider, id) =>
      add(() => {
        if (registrations.removeModel(`${provider}/${id}`)) parts.hostIfBound()?.unregisterModel?.(provider, id);
      }),
    registerMcpServer: (name, settings) => {
      registrations.checkServer(extension, name, settings);
      add(() => {
        registrations.addServer(extension, name, settings);
        if (!parts.isReady()) return;
        parts.hostIfBound()?.registerMcpServer?.(name, settings);
        parts.tell({ type: "mcp_servers_change", servers: serversOf(parts) });
      });
    },
    unregisterMcpServer: (name) =>
      add(() => {
        if (!registrations.removeServer(extension, name) || !parts.isReady()) return;
        parts.hostIfBound()?.unregisterMcpServer?.(name);
        parts.tell({ type: "mcp_servers_change", servers: serversOf(parts) });
      }),
    getMcpServers: () => serversOf(parts),
    registerToolRenderer: (resolver) => add(() => registrations.addToolResolver(extension, resolver)),
    getSettings: () => host().getSettings(),
    sendMessage: (message, options) => host().sendMessage(message, options),
    sendUserMessage: (content, options) => host().sendUserMessage(content, options),
    appendEntry: (customType, data) => host().appendEntry(customType, data),
    setSessionName: (name) => host().setSessionName(name),
    getSessionName: () => host().getSessionName(),
    setLabel: (entryId, label) => host().setLabel(entryId, label),
    exec: (command, args, options) => exec(command, args, { ...cwdOf(parts.hostIfBound()), ...defined(options) }),
    getActiveTools: () => host().getActiveTools(),
    getAllTools: () =>
      host()
        .getAllTools()
        .map((tool) => toolInfo(tool, parts)),
    setActiveTools: (names) => host().setActiveTools(names),
    getCommands: () => [...commandsOf(parts), ...host().getTextCommands()],
    setModel: (model) => host().setModel(model),
    getThinkingLevel: () => host().getThinkingLevel(),
    setThinkingLevel: (level) => host().setThinkingLevel(level),
    events: busFor(parts),
  };
}

/** Subscriptions of an extension take effect once it has loaded, like everything else it registers. */
function busFor({ bus, add, report }: ApiParts): ExtensionBus {
  const own = bus.for((channel, error) => report(`listener of ${channel}`, errorText(error)));
  return {
    emit: own.emit,
    on: (channel, listener) => {
      let end: (() => void) | undefined;
      let ended = false;
      add(() => {
        if (!ended) end = own.on(channel, listener);
      });
      return () => {
        ended = true;
        end?.();
      };
    },
  };
}

function cwdOf(host: ExtensionHost | undefined): { readonly cwd?: string } {
  return host === undefined ? {} : { cwd: host.cwd };
}

function toolInfo(tool: Tool, parts: ApiParts): ToolInfo {
  const { name, label, description, parameters, promptGuidelines } = tool;
  const owner = parts.registrations.tools.find((registered) => registered.value === tool)?.extension;
  return { name, label, description, parameters, promptGuidelines, sourceInfo: sourceInfo(parts, owner) };
}

function serversOf(parts: ApiParts): RegisteredMcpServer[] {
  return parts.registrations.servers.map(({ name, extension, value }) => ({
    name,
    config: structuredClone(value),
    extensionPath: sourceInfo(parts, extension).path,
  }));
}

function commandsOf(parts: ApiParts): CommandInfo[] {
  return parts.registrations.commands.map(({ name, extension, value: { description } }) => ({
    name,
    description,
    source: "extension",
    path: sourceInfo(parts, extension).path,
    sourceInfo: sourceInfo(parts, extension),
  }));
}

function sourceInfo({ sources }: ApiParts, extension: string | undefined): CommandInfo["sourceInfo"] {
  const found = sources().find(({ name }) => name === extension);
  const scope = found === undefined || found.origin === "named" ? "temporary" : found.origin;
  return {
    path: found?.file ?? `<${extension ?? "builtin"}>`,
    source: extension ?? "builtin",
    scope,
    origin: "top-level",
  };
}
