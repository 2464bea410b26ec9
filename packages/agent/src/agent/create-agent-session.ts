/** Builds an agent from a program's options, with a default for everything. */

import { temporaryFolder } from "@bough/session/log/index.js";
import { boughHome, SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ExtensionFactory, NamedExtension } from "../extension/index.js";
import { createRunner, type ExtensionHooks, ExtensionRunner, silentUi } from "../extension/run.js";
import { configuredServers, type McpServerSettings, McpServers } from "../mcp/index.js";
import {
  type AiSdkModel,
  createModelRegistry,
  fromAiSdk,
  isAiSdkModel,
  type LanguageModel,
  type ModelInfo,
  type ModelRegistry,
  offlineModel,
} from "../model/index.js";
import {
  type AskPermission,
  createPermissions,
  createTools,
  type PermissionDecision,
  type PermissionMode,
  type PermissionRequest,
  type Permissions,
  parseRule,
  RULE_EFFECTS,
  type Rule,
} from "../tool/index.js";
import type { AgentSessionOptions, Permit } from "./agent-options.js";
import { AgentSession } from "./agent-session.js";
import { type AttachableHost, extensionHost } from "./extension/extension-host.js";

/** Rules as in the settings: `bash(npm test:*)`, `read(.env)`, `edit`. A denied request is never asked about. */
export interface PermissionRules {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** See `CreateAgentOptions.permissions`. */
export type PermissionsOption =
  | PermissionMode
  | (PermissionRules & { readonly mode?: PermissionMode })
  | ((request: PermissionRequest) => boolean | PermissionDecision | Promise<boolean | PermissionDecision>)
  | (Pick<Permissions, "mode" | "setMode"> & Partial<Pick<Permissions, "permit" | "allowTool">>);

/** Everything has a default: without arguments, an agent that reads the current folder and uses only the offline model. */
export interface CreateAgentOptions extends Partial<Omit<AgentSessionOptions, "model" | "permissions">> {
  /**
   * `provider/id`, one of a registry's, a model of the AI SDK, or an object with `info` and `stream`. Without one: that
   * of the session, of the settings, or of the registry; without those too, the offline model.
   */
  readonly model?: string | ModelInfo | LanguageModel | AiSdkModel;
  /**
   * What tools may do: a mode such as `"ask"` or `"read-only"`; rules such as
   * `{ allow: ["bash(npm test:*)"], deny: ["read(.env)"] }`, with a `mode` if you want another than `ask`; or a function
   * that decides about each request. `ask` answers the questions of modes and rules. Default: nothing is changed
   * without `ask`. Permissions made with `createPermissions` are taken as they are.
   */
  readonly permissions?: PermissionsOption;
  /** Asks the user before something is changed, in the modes and by the rules that ask. Without it the answer is no. */
  readonly ask?: AskPermission;
  /** Older than `permissions`, which takes a mode too. Not together with it. */
  readonly permission?: PermissionMode;
  /** Older than `permissions`, which takes rules too. Not together with it. */
  readonly rules?: PermissionRules;
  /** Older than `permissions`, which takes a function too. */
  readonly permit?: Permit;
  /**
   * Extensions as functions, or a runner that has loaded them: their tools and providers are added to the agent's.
   * Hooks of your own are only told events, as with `hooks`.
   */
  readonly extensions?: ExtensionHooks | readonly (ExtensionFactory | NamedExtension)[];
  /**
   * MCP servers by name: `{ files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] } }`.
   * Their tools are offered as `files__read_file`, and every call is asked about. They end with the agent.
   */
  readonly mcpServers?: Readonly<Record<string, McpServerSettings>>;
  /** Gets the agent before extensions are told about the session. Default with `extensions`: one that never asks. */
  readonly extensionHost?: AttachableHost;
}

/** Creates an agent and notifies tools and extensions that it has started. */
export async function createAgentSession(options: CreateAgentOptions = {}): Promise<AgentSession> {
  if (options.extensions !== undefined) return createExtended(options, options.extensions);
  const agent = new AgentSession(withDefaults(options));
  options.extensionHost?.attach(agent);
  await agent.start();
  return agent;
}

/** Loads extensions that are functions, and connects them to the agent. */
async function createExtended(
  { extensions: _, ...options }: CreateAgentOptions,
  extensions: NonNullable<CreateAgentOptions["extensions"]>,
): Promise<AgentSession> {
  const runner = "emit" in extensions ? extensions : await createRunner(extensions);
  if (!(runner instanceof ExtensionRunner)) return createAgentSession({ ...options, hooks: runner });
  const { providers, models, tools, servers } = runner.registrations;
  const all = [...(options.tools ?? createTools()), ...tools.map(({ value }) => value)];
  const registry = options.registry ?? createModelRegistry({ home: boughHome(), env: process.env });
  // Before the model is resolved, because it may come from an extension.
  for (const { name, value } of providers) registry.registerProvider?.(name, value);
  for (const { value } of models) registry.registerModel?.(value);
  await registry.refreshModels?.({ allowNetwork: false });
  const mcpServers = options.mcpServers ?? (servers.length === 0 ? undefined : {});
  const filled = withDefaults({ ...options, ...defined({ mcpServers }), registry, hooks: runner, tools: all });
  const agent = new AgentSession(filled);
  for (const { name, value: settings } of servers) {
    agent.servers?.add({ name, settings, source: { kind: "program" } });
  }
  const ui = silentUi((message, level) => console.error(`${level}: ${message}`));
  const host = options.extensionHost ?? extensionHost({ cwd: filled.cwd, ui, hasUi: false });
  host.attach(agent);
  if (runner.host === undefined) runner.bind(host);
  await agent.start();
  return agent;
}

function withDefaults(given: CreateAgentOptions): AgentSessionOptions {
  const {
    extensionHost: _host,
    extensions: _extensions,
    ask: _ask,
    permission: _mode,
    rules: _rules,
    permissions: _permissions,
    mcpServers,
    model,
    ...options
  } = given;
  const cwd = options.cwd ?? options.session?.getCwd() ?? process.cwd();
  const registry = options.registry ?? createModelRegistry({ home: boughHome(), env: process.env });
  const used = model === undefined ? defaultModel(options) : openable(model, registry);
  return {
    ...options,
    cwd,
    registry,
    session: options.session ?? SessionManager.create(cwd),
    tools: options.tools ?? createTools(),
    ...(mcpServers === undefined
      ? {}
      : { servers: openedServers(mcpServers, cwd, options.settings), ownsServers: true }),
    ...permissionsOf(given, cwd),
    outputDir: options.outputDir ?? sharedOutput(),
    model: used,
    modelChoice: model === undefined ? "default" : options.modelChoice,
  };
}

/** How long the first step waits for servers whose tools are unknown. */
const SERVERS_WAIT_MS = 10_000;

/** Throws for an invalid server description, which is a mistake of the program. */
function openedServers(
  given: Readonly<Record<string, McpServerSettings>>,
  cwd: string,
  settings: AgentSessionOptions["settings"],
): McpServers {
  const { servers, problems } = configuredServers([{ source: { kind: "program" }, servers: given }]);
  const [problem] = problems;
  if (problem !== undefined) throw new TypeError(`${problem.field}: ${problem.message}`);
  const made = new McpServers({
    servers,
    cwd,
    home: boughHome(),
    env: process.env,
    waitMs: SERVERS_WAIT_MS,
    toolSearch: settings?.toolSearch,
  });
  made.start();
  return made;
}

/** A caller that named no model must not be charged because a key is in the environment. */
function defaultModel({ registry, settings, session }: CreateAgentOptions): LanguageModel | undefined {
  const isChosen = registry !== undefined || settings?.model !== undefined || session?.getState().model != null;
  return isChosen ? undefined : offlineModel();
}

function openable(model: NonNullable<CreateAgentOptions["model"]>, registry: ModelRegistry): LanguageModel | ModelInfo {
  if (typeof model === "string") return registry.resolve(model);
  return isAiSdkModel(model) ? fromAiSdk(model) : model;
}

type PermissionParts = Pick<AgentSessionOptions, "permit" | "permissions" | "allowTool">;

/** A program that is asked about every call decides itself, unless it also names a mode or rules. */
function permissionsOf(given: CreateAgentOptions, cwd: string): PermissionParts {
  const { permissions } = given;
  if (permissions === undefined || isHolder(permissions)) return olderPermissions(given, permissions, cwd);
  if (given.permission !== undefined || given.rules !== undefined || given.permit !== undefined)
    throw new TypeError(
      "permissions cannot be combined with permission, rules or permit, which are older names for it",
    );
  if (typeof permissions === "function") {
    const permit: Permit = async (request) => {
      const answer = await permissions(request);
      if (typeof answer !== "boolean") return answer;
      return answer ? { allowed: true } : { allowed: false, reason: "The program refused this." };
    };
    return { permit, ...defined({ allowTool: given.allowTool }) };
  }
  const { mode, ...rules } = typeof permissions === "string" ? { mode: permissions } : permissions;
  return olderPermissions({ ...given, ...defined({ permission: mode }), rules }, undefined, cwd);
}

/** What holds a mode; not `{ mode, allow, … }`, which is to be made into one. */
function isHolder(given: PermissionsOption): given is Holder {
  return typeof given === "object" && "setMode" in given;
}

type Holder = Extract<PermissionsOption, { readonly setMode: unknown }>;

function olderPermissions(given: CreateAgentOptions, permissions: Holder | undefined, cwd: string): PermissionParts {
  const { permit = permissions?.permit, ask, permission } = given;
  const allowTool = given.permit === undefined ? (given.allowTool ?? permissions?.allowTool) : given.allowTool;
  const rules = rulesOf(given);
  if (permit !== undefined) {
    // Rules that are never checked would give false safety.
    if (permission !== undefined || rules.length > 0)
      throw new TypeError("permission and rules cannot be combined with permit");
    return { permit, ...defined({ permissions, allowTool }) };
  }
  if (allowTool !== undefined && ask === undefined && permission === undefined && rules.length === 0)
    return { permit: async () => ({ allowed: true }), allowTool };
  const canAllow = ask !== undefined || rules.some(({ effect }) => effect === "allow");
  const mode = permission ?? (canAllow ? "ask" : "read-only");
  const made = createPermissions({ mode, cwd, rules, ask });
  return { permit: made.permit, permissions: made, allowTool: bothAllow(allowTool, made.allowTool) };
}

function rulesOf({ rules = {} }: CreateAgentOptions): readonly Rule[] {
  return RULE_EFFECTS.flatMap((effect) =>
    (rules[effect] ?? []).map((text) => {
      const rule = parseRule(text, { effect, source: { kind: "program" } });
      if (rule.target.kind === "broken")
        throw new TypeError(`Cannot parse the rule ${rule.text}: ${rule.target.problem}`);
      return rule;
    }),
  );
}

type AllowTool = NonNullable<AgentSessionOptions["allowTool"]>;

/** The program is asked first; what it allows must still pass the rules. */
function bothAllow(program: AllowTool | undefined, byRules: AllowTool): AllowTool {
  if (program === undefined) return byRules;
  return async (use) => {
    const answer = await program(use);
    const isAllowed = answer === true || (typeof answer === "object" && answer?.allowed === true);
    return isAllowed ? byRules(use) : answer;
  };
}

let output: string | undefined;

/** Shared by all agents of this process; removed when the process exits. */
function sharedOutput(): string {
  output ??= temporaryFolder("output").path;
  return output;
}
