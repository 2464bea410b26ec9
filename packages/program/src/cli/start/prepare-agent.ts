/** Prepares what an agent needs before its session is opened: settings, models, permissions, extensions. */

import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type AttachableHost, type ExtensionHostOptions, extensionHost } from "@bough/agent/agent/index.js";
import { EventHub } from "@bough/agent/agent/internal.js";
import type { ExtensionUi } from "@bough/agent/extension/index.js";
import { findExtensions } from "@bough/agent/extension/run.js";
import { type ConfiguredServer, McpServers, type McpServersOptions } from "@bough/agent/mcp/index.js";
import { createModelRegistry, keyVariables } from "@bough/agent/model/index.js";
import type { ProjectContext, Settings } from "@bough/agent/project/index.js";
import {
  DEFAULT_SANDBOX,
  packageThemes,
  readProjectContext,
  readResources,
  readSettings,
  TRUSTED_ONLY,
} from "@bough/agent/project/index.js";
import { projectAgentFiles } from "@bough/agent/project/internal.js";
import {
  type AskPermission,
  type BashOptions,
  commandEnvironment,
  createPermissions,
  createTools,
  createTrust,
  type EditorFiles,
  Jobs,
  type Permissions,
  type Trust,
} from "@bough/agent/tool/index.js";
import { isFolder, type PresentRecord } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import { attemptPlace } from "@bough/workbench/folder/internal.js";
import type { SessionSyncOptions } from "@bough/workbench/store/internal.js";
import { grantedNotice, jobBlockedNotice, jobEndedSentence, OWN_AGENT } from "../../command/door.js";
import { usageError } from "../cli-error.js";
import type { AgentRequest } from "../cli-options.js";
import { promptBeside } from "../extension-arguments.js";
import { withCopiedPaths } from "./attempt-rules.js";
import { changedRulesNotice } from "./changed-rules.js";
import { givenRules } from "./given-rules.js";
import { loadExtensions } from "./load-extensions.js";
import type { AskImport } from "./open-session.js";
import { promptText } from "./prompt-text.js";
import { ruleKeepers } from "./rule-keeper.js";
import { commandSandbox, sandboxedModes } from "./start-sandbox.js";
import type { AroundAgent, StartedAgent } from "./started-agent.js";
import { askExtensions, trustHandlers } from "./trust-handlers.js";

/** Whom to ask. */
export interface FrontEnd {
  readonly ui: (relay: EventHub) => ExtensionUi;
  readonly hasUi: boolean;
  /** The mode that extensions see. */
  readonly mode: NonNullable<ExtensionHostOptions["mode"]>;
  /** Omitted if it cannot ask; then the mode is `read-only` unless another one was chosen. */
  readonly ask?: AskPermission;
  /** What to do with a session that others have open. Default: both continue, and it is reported. */
  readonly choosePresence?: (others: readonly PresentRecord[]) => Promise<"branch" | "look" | "cancel">;
  /** Asked once for an undecided folder that has its own extensions or permissions. */
  readonly askTrust?: (question: TrustQuestion) => Promise<TrustAnswer>;
  /** Asks about another program's session, which must be imported first. Default: refuse. */
  readonly askImport?: AskImport;
  /**
   * What to do if no model is set up and none was chosen: use the rule-based model without a notice, because a user at
   * the keyboard sees it (default), use it with a notice, or start nothing.
   */
  readonly standIn?: "said" | "refused";
  /** Sync automatically if the settings say so. Default: only on request. */
  readonly syncs?: boolean;
  /** Fetch new models and prices in the background, if the settings allow it. Default: use what was fetched before. */
  readonly refreshesModels?: boolean;
  /** Receives sync events if notices are not shown to people. Then no one is asked about secrets. */
  readonly tellSync?: SessionSyncOptions["tell"] | undefined;
  /** File access through an editor. Default: the disk. */
  readonly editor?: EditorFiles | undefined;
  /** Runs commands elsewhere, such as in an editor's terminal. Default: child processes. */
  readonly runProcess?: BashOptions["runProcess"] | undefined;
  /** Additional MCP servers; one with the same name replaces a configured one. */
  readonly servers?: readonly ConfiguredServer[] | undefined;
  /** More folders of the workspace, which may be read without asking. The model is told about them. */
  readonly folders?: readonly string[] | undefined;
  readonly version: string;
}

export interface TrustQuestion {
  readonly folder: string;
  /** What trust would enable: extension files, and settings that only count in a trusted project. */
  readonly extensions: readonly string[];
  readonly settings: readonly { readonly file: string; readonly field: string }[];
  /** Files that describe agents. */
  readonly agents?: readonly string[];
}

/** `yes` and `no` are remembered. */
export type TrustAnswer = "yes" | "once" | "no" | "not-now";

export interface PreparedAgent extends AroundAgent {
  readonly request: AgentRequest;
  readonly front: FrontEnd;
  readonly home: string;
  readonly settings: Settings;
  readonly project: ProjectContext;
  /** The working directory that the system prompt names, if it is another one: attempts share their prompt. */
  readonly promptCwd: string | undefined;
  readonly jobs: Jobs;
  readonly host: AttachableHost;
  /** Called once the agent exists. */
  readonly onStarted: (started: StartedAgent) => void;
}

/** Neither opens nor writes a session. Throws for an option that neither Bough nor an extension knows. */
export async function prepareAgent(request: AgentRequest, front: FrontEnd): Promise<PreparedAgent> {
  const cwd = folderOf(request.cwd);
  const home = boughHome();
  const relay = new EventHub({ keeps: "everything" });
  const trust = createTrust(home);
  // The folder of an attempt is a copy: what decides what runs comes from the project, where no attempt can change it.
  const copy = attemptPlace(cwd, home);
  const project = copy?.cwd ?? cwd;
  const trusted = request.trust || (await isTrusted(trust, front, { cwd: project, home, request, relay }));
  const read = readSettings({ cwd: project, home, projectTrusted: trusted });
  const { settings, problems, rules: kept, servers: configured } = read;
  const rules = withCopiedPaths([...kept, ...givenRules(request, process.env)], copy);
  for (const { level, file, field, message } of problems) {
    relay.notice(level, `${file}${field === undefined ? "" : ` (${field})`}: ${message}`);
  }
  const registry = createModelRegistry({ home, env: process.env, overrides: settings.models });
  for (const sentence of [...registry.problems(), ...registry.warnings(), trust.problem()]) {
    if (sentence !== undefined) relay.notice("warning", sentence);
  }
  const context = projectContext(request, { cwd: project, home, trusted, folders: front.folders ?? [] });
  for (const { file, message } of context.problems) relay.notice("warning", `${file}: ${message}`);

  const changed = request.session.kind === "memory" ? undefined : changedRulesNotice(kept, home);
  if (changed !== undefined) relay.notice("info", changed);

  // If it cannot ask, only rules can allow something.
  const quiet = rules.some(({ effect }) => effect === "allow") ? "ask" : "read-only";
  const mode = request.permissionMode ?? settings.permissionMode ?? (front.ask === undefined ? quiet : "ask");
  const sandboxed = sandboxedModes({ flag: request.sandbox, setting: settings.sandbox, standard: DEFAULT_SANDBOX });
  const sockets = settings.sandboxSockets;
  // Commands of another agent run outside of it.
  const isOther = request.driver !== undefined && request.driver !== OWN_AGENT;
  const sandbox =
    sandboxed === "never" || isOther
      ? undefined
      : commandSandbox({ cwd, home, relay, sockets, permissions: () => permissions });
  const keep = ruleKeepers(project, relay);
  const permissions: Permissions = createPermissions({
    mode,
    sandbox,
    sandboxed: sandboxed === "auto" ? "auto" : "always",
    cwd,
    ask: front.ask,
    onGrant: ({ words }) => relay.notice("info", grantedNotice(words)),
    rules,
    // An untrusted project's settings do not count.
    keepRules: trust.decisionFor(project) === "no" ? undefined : keep.project,
    keepEverywhere: keep.everywhere,
  });
  if (sandboxed === "always" || mode === "auto") void sandbox?.ready();
  const jobs = new Jobs({
    onEnd: (job) => {
      // The command that stops a job reports it itself.
      if (job.state !== "stopped") relay.notice("info", jobEndedSentence(job));
    },
  });
  const builtInTools = createTools({
    readableFolders: [...context.skills.map(({ path }) => dirname(path)), ...(front.folders ?? [])],
    bash: {
      env: commandEnvironment(process.env, keyVariables(settings.models)),
      jobs,
      sandbox,
      onBlocked: (command, blocked) => relay.notice("warning", jobBlockedNotice(command, blocked)),
      runProcess: front.runProcess,
    },
    editor: front.editor,
    webSearch: settings.webSearch !== "off",
    ...(settings.spawn === "off" ? {} : { spawn: { agents: context.agents ?? [] } }),
  });

  const wanted = request.tools ?? settings.tools;
  let end = () => {};
  const ended = new Promise<number>((resolve) => {
    end = () => resolve(0);
  });
  let made: StartedAgent | undefined;
  const started = () => {
    if (made === undefined) throw new Error("There is no session while extensions are loading");
    return made;
  };
  const ui = front.ui(relay);
  const place = { cwd, home, env: process.env, version: front.version };
  const host = extensionHost({
    cwd,
    ui,
    hasUi: front.hasUi,
    mode: front.mode,
    trusted,
    shutdown: () => end(),
    reload: () => started().reload(),
    runCommand: (text) => made?.runQueuedCommand(text) === true,
    takesTool: (name) => wanted?.includes(name) ?? true,
  });
  const runner = await loadExtensions(
    {
      home,
      cwd: project,
      trusted,
      named: request.extensions,
      fromSettings: settings.extensions ?? [],
      places: request.extensionPlaces,
      builtInTools: builtInTools.map(({ name }) => name),
      cacheDir: request.session.kind === "memory" ? undefined : join(home, "cache", "extensions"),
      given: request.extensionArguments,
    },
    { host, relay },
  );
  const registered = runner.registrations.servers.map(
    ({ name, value: settings }): ConfiguredServer => ({ name, settings, source: { kind: "program" } }),
  );
  const servers = serversFor(together(configured, front.servers), {
    ...place,
    questions: front.hasUi ? ui : undefined,
    toolSearch: settings.toolSearch,
    ...serverOptions(request, wanted, front),
    // Extensions may register servers later.
    isOpen: runner.sources.length > 0,
  });
  for (const server of registered) servers?.add(server);
  const packaged = readResources({
    ...{ cwd: project, skillPaths: [], promptPaths: [] },
    themePaths: [...new Set(runner.sources.flatMap(({ file }) => packageThemes(file)))],
  });
  for (const { file, message } of packaged.problems) relay.notice("warning", `${file}: ${message}`);
  const themes = [...(context.themes ?? []), ...(packaged.themes ?? [])];
  const given = request.extensionArguments;
  const prompt = given && promptBeside(given, (name) => runner.registrations.flag(name)?.value.type);
  return {
    ...{ request, front, cwd, home, relay, trusted, settings, registry, permissions, builtInTools },
    project: { ...context, themes },
    promptCwd: copy?.cwd,
    ...{ sandbox, jobs, wanted, host, runner, servers, ended, prompt },
    onStarted: (started) => {
      made = started;
    },
  };
}

/** How long a one-shot run waits for servers whose tools are not known yet. */
const SERVERS_WAIT_MS = 10_000;

function serverOptions(
  request: AgentRequest,
  wanted: readonly string[] | undefined,
  { mode }: FrontEnd,
): Pick<McpServersOptions, "takes" | "remember" | "waitMs"> {
  return {
    takes: (name) =>
      wanted?.some((one) => one === name || (one.endsWith("__*") && name.startsWith(one.slice(0, -1)))) ?? true,
    // Without a session, nothing is written.
    remember: request.session.kind !== "memory",
    // If a user is present, a hanging server does no harm.
    waitMs: mode === "print" || mode === "json" ? SERVERS_WAIT_MS : 0,
  };
}

function together(
  configured: readonly ConfiguredServer[],
  given: readonly ConfiguredServer[] = [],
): readonly ConfiguredServer[] {
  const names = new Set(given.map(({ name }) => name));
  const all = [...configured.filter(({ name }) => !names.has(name)), ...given];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function serversFor(
  configured: McpServersOptions["servers"],
  { isOpen, ...options }: Omit<McpServersOptions, "servers"> & { readonly isOpen: boolean },
): McpServers | undefined {
  return configured.length === 0 && !isOpen ? undefined : new McpServers({ ...options, servers: configured });
}

interface TrustPlace {
  readonly cwd: string;
  readonly home: string;
  readonly request: AgentRequest;
  readonly relay: EventHub;
}

/**
 * The answer of an extension of the user, the saved decision, or the user's answer now. A folder with nothing to trust
 * is not asked about.
 */
async function isTrusted(trust: Trust, front: FrontEnd, { cwd, home, request, relay }: TrustPlace): Promise<boolean> {
  const decision = trust.decisionFor(cwd);
  const handlers = trustHandlers({ cwd, home, request });
  if (handlers.length === 0 && (decision !== "undecided" || front.askTrust === undefined)) return decision === "yes";
  const settings = readSettings({ cwd, home, projectTrusted: false }).problems.flatMap(({ file, field }) =>
    field !== undefined && TRUSTED_ONLY.some((name) => name === field) ? [{ file, field }] : [],
  );
  const extensions = findExtensions({ home, cwd, trusted: false }).untrusted;
  const agents = projectAgentFiles(cwd);
  if (extensions.length + settings.length + agents.length === 0) return decision === "yes";
  if (handlers.length > 0) {
    const said = await askExtensions(handlers, { cwd, front, relay });
    if (said !== undefined) {
      if (said.remember === true) trust.setTrust(cwd, said.trusted);
      return said.trusted === "yes";
    }
    if (decision !== "undecided" || front.askTrust === undefined) return decision === "yes";
  }
  const answer = await front.askTrust?.({ folder: cwd, extensions, settings, agents });
  if (answer === "yes" || answer === "no") trust.setTrust(cwd, answer);
  return answer === "yes" || answer === "once";
}

function folderOf(path: string | undefined): string {
  const folder = resolve(path ?? ".");
  if (!isFolder(folder)) throw usageError(`Folder not found: ${folder}`);
  return folder;
}

function foldersText(folders: readonly string[]): string {
  const list = folders.map((folder) => `- ${withoutControls(folder).replaceAll("\n", " ")}`);
  return ["The workspace also has these folders. Files in them may be read without asking:", ...list].join("\n");
}

/** Text from the command line comes after the files, because later instructions win. */
function projectContext(
  request: AgentRequest,
  {
    folders,
    ...place
  }: {
    readonly cwd: string;
    readonly home: string;
    readonly trusted: boolean;
    readonly folders: readonly string[];
  },
): ProjectContext {
  const project = readProjectContext({ ...place, userHome: homedir() });
  const name = "append-system-prompt";
  const given = (request.appendSystemPrompt ?? []).map((one) => ({ path: `--${name}`, text: promptText(name, one) }));
  const more = folders.length === 0 ? [] : [{ path: "workspace folders", text: foldersText(folders) }];
  return { ...project, contextFiles: [...project.contextFiles, ...more, ...given] };
}
