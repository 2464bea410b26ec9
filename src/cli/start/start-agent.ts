/** Puts an agent together: settings, models, session, tools, permissions, extensions. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AgentSession, type ExtensionHostOptions, extensionHost } from "../../agent/index.js";
import { grantedSentence, grantsEndedSentence } from "../../command/index.js";
import type { ExtensionUi } from "../../extension/index.js";
import { findExtensions } from "../../extension/run.js";
import type { PresentRecord } from "../../log/index.js";
import { temporaryFolder } from "../../log/index.js";
import { createModelRegistry, keyVariables } from "../../model/index.js";
import type { ProjectContext } from "../../project/index.js";
import { readProjectContext, readSettings, TRUSTED_ONLY } from "../../project/index.js";
import { boughHome, SessionManager } from "../../session/index.js";
import { defined } from "../../text/index.js";
import {
  type CreatePermissionsOptions,
  commandEnvironment,
  createPermissions,
  createTools,
  createTrust,
  type Trust,
} from "../../tool/index.js";
import { CliError, usageError } from "../cli-error.js";
import type { AgentRequest } from "../cli-options.js";
import { EventRelay } from "../event-relay.js";
import { announceSession } from "./announce-session.js";
import { chooseModel } from "./choose-model.js";
import { allTools, chooseTools } from "./choose-tools.js";
import { loadExtensions } from "./load-extensions.js";
import { type AskImport, openSession } from "./open-session.js";
import { StartedAgent } from "./started-agent.js";

/** Who is there to be asked. */
interface FrontEnd {
  readonly ui: (relay: EventRelay) => ExtensionUi;
  readonly hasUi: boolean;
  /** What extensions are told it is. */
  readonly mode: NonNullable<ExtensionHostOptions["mode"]>;
  /** Omitted if it cannot ask; then the mode is `read-only` unless something else was chosen. */
  readonly ask?: NonNullable<CreatePermissionsOptions["ask"]>;
  /** What to do with a session that others have open. Default: both continue, and it is reported. */
  readonly choosePresence?: (others: readonly PresentRecord[]) => Promise<"branch" | "look" | "cancel">;
  /** Asked once for a folder that has its own code or permissions and about which no one has decided. */
  readonly askTrust?: (question: TrustQuestion) => Promise<TrustAnswer>;
  /** Asked about another program's session, which can only be worked with once it is imported. Default: refused. */
  readonly askImport?: AskImport;
  readonly version: string;
}

export interface TrustQuestion {
  readonly folder: string;
  /** What would be used: files of extensions, and names of settings. */
  readonly brings: readonly string[];
}

/** `yes` and `no` are remembered. */
export type TrustAnswer = "yes" | "once" | "no" | "not-now";

/**
 * Everything in place, and no one told yet: a front end listens first and then calls `begin`. Throws if what was asked
 * for cannot be had; then nothing is left open.
 */
export async function startAgent(wish: AgentRequest, front: FrontEnd): Promise<StartedAgent> {
  const cwd = folderOf(wish.cwd);
  const session = await openedFor(wish, front, cwd);
  try {
    return await assemble(wish, front, { cwd, session });
  } catch (error) {
    session.close();
    throw error;
  }
}

/** The session that is wanted, opened as the user wants it where others have it open too. */
async function openedFor(wish: AgentRequest, front: FrontEnd, cwd: string): Promise<SessionManager> {
  const dir = wish.sessionDir && resolve(wish.sessionDir);
  const session = await openSession(wish.session, { cwd, dir, askImport: front.askImport });
  const file = session.getSessionFile();
  const others = session.getOthers();
  if (others.length === 0 || front.choosePresence === undefined || file === undefined) return session;
  const answer = await front.choosePresence(others);
  if (answer === "branch") return session;
  const leaf = session.getLeafId();
  session.close();
  if (answer === "cancel") throw new CliError("not-opened", "Session not opened");
  const looking = SessionManager.open(file, dir, { readOnly: true });
  if (leaf !== null && looking.getLeafId() !== leaf) looking.branch(leaf);
  return looking;
}

async function assemble(
  wish: AgentRequest,
  front: FrontEnd,
  { cwd, session }: { readonly cwd: string; readonly session: SessionManager },
): Promise<StartedAgent> {
  const home = boughHome();
  const relay = new EventRelay();
  const trust = createTrust(home);
  const trusted = wish.trust || (await isTrusted(trust, front, { cwd, home }));
  const { settings, problems } = readSettings({ cwd, home, projectTrusted: trusted });
  for (const { level, file, field, message } of problems) {
    relay.notice(level, `${file}${field === undefined ? "" : ` (${field})`}: ${message}`);
  }
  const registry = createModelRegistry({
    home,
    env: process.env,
    ...(settings.models === undefined ? {} : { overrides: settings.models }),
  });
  for (const sentence of [...registry.problems(), trust.problem()]) {
    if (sentence !== undefined) relay.notice("warning", sentence);
  }
  const project = projectContext(wish, { cwd, home, trusted });
  for (const { file, message } of project.problems) relay.notice("warning", `${file}: ${message}`);

  const mode = wish.permissionMode ?? settings.permissionMode ?? (front.ask === undefined ? "read-only" : "ask");
  const permissions = createPermissions({
    mode,
    cwd,
    ...(front.ask === undefined ? {} : { ask: front.ask }),
    onGrant: ({ words }) => relay.notice("info", grantedSentence(words)),
  });
  const builtInTools = createTools({
    readableFolders: project.skills.map(({ path }) => dirname(path)),
    bash: { env: commandEnvironment(process.env, keyVariables(settings.models)) },
  });

  const wanted = wish.tools ?? settings.tools;
  let end = () => {};
  const ended = new Promise<number>((resolve) => {
    end = () => resolve(0);
  });
  let made: StartedAgent | undefined;
  const started = () => {
    if (made === undefined) throw new Error("There is no session yet while extensions are loaded");
    return made;
  };
  const host = extensionHost({
    cwd,
    ui: front.ui(relay),
    hasUi: front.hasUi,
    mode: front.mode,
    trusted,
    shutdown: () => end(),
    reload: () => started().reload(),
    takesTool: (name) => wanted?.includes(name) ?? true,
  });
  const runner = await loadExtensions(
    {
      home,
      cwd,
      trusted,
      named: wish.extensions,
      fromSettings: settings.extensions ?? [],
      places: wish.extensionPlaces,
      builtInTools: builtInTools.map(({ name }) => name),
      cacheDir: session.isPersisted() ? join(home, "cache", "extensions") : undefined,
      flags: wish.extensionFlags ?? {},
    },
    { host, relay },
  );
  for (const { name, value } of runner.registrations.providers) registry.registerProvider?.(name, value);
  const model = await chooseModel({ registry, session, settings, reference: wish.model });
  const available = allTools(
    builtInTools,
    runner.registrations.tools.map(({ value }) => value),
  );
  const tools = wanted === undefined ? available : chooseTools(available, wanted);
  const output = outputFolder(session, home);
  const agent = new AgentSession({
    session,
    registry,
    settings,
    project,
    cwd,
    hooks: runner,
    permit: permissions.permit,
    tools,
    outputDir: output.folder,
    ...(settings.files === "off" ? {} : { files: { home, ...defined(settings.files ?? {}) } }),
    ...(model === undefined ? {} : { model }),
    modelChoice: wish.model === undefined ? "default" : "explicit",
    ...(wish.thinkingLevel === undefined ? {} : { thinkingLevel: wish.thinkingLevel }),
    ...(wish.systemPrompt === undefined ? {} : { systemPrompt: wish.systemPrompt }),
  });
  host.attach(agent);
  agent.subscribe(relay.emit);
  announceSession(agent, {
    relay,
    onOther: () => {
      const ended = permissions.forget();
      if (ended.length > 0) relay.notice("info", grantsEndedSentence(ended.map(({ words }) => words)));
    },
  });
  const { cleanUp } = output;
  const sessionDir = wish.sessionDir && resolve(wish.sessionDir);
  const { version } = front;
  const { name } = wish;
  made = new StartedAgent({
    ...{ agent, registry, permissions, runner, host, builtInTools, relay, cwd, sessionDir, name, version, cleanUp },
    ...{ trusted, wanted, ended },
  });
  return made;
}

/** What was decided, or what the user says now. A folder that brings nothing is not asked about. */
async function isTrusted(
  trust: Trust,
  front: FrontEnd,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Promise<boolean> {
  const decision = trust.decisionFor(cwd);
  if (decision !== "undecided" || front.askTrust === undefined) return decision === "yes";
  const refused = readSettings({ cwd, home, projectTrusted: false }).problems.filter(
    ({ field }) => field !== undefined && TRUSTED_ONLY.some((name) => name === field),
  );
  const extensions = findExtensions({ home, cwd, trusted: false }).untrusted;
  const brings = [...extensions, ...refused.map(({ file, field }) => `${file} (${field})`)];
  if (brings.length === 0) return false;
  const answer = await front.askTrust({ folder: cwd, brings });
  if (answer === "yes" || answer === "no") trust.setTrust(cwd, answer);
  return answer === "yes" || answer === "once";
}

function folderOf(path: string | undefined): string {
  const folder = resolve(path ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError(`Folder not found: ${folder}`);
  return folder;
}

/** What was given on the command line comes after the files: the later instruction counts. */
function projectContext(
  wish: AgentRequest,
  place: { readonly cwd: string; readonly home: string; readonly trusted: boolean },
): ProjectContext {
  const project = readProjectContext({ ...place, userHome: homedir() });
  if (wish.appendSystemPrompt === undefined) return project;
  const given = { path: "--append-system-prompt", text: wish.appendSystemPrompt };
  return { ...project, contextFiles: [...project.contextFiles, given] };
}

/** Where output that is too long is kept: next to the sessions, or for this run alone if nothing is to be kept. */
function outputFolder(session: SessionManager, home: string): { folder: string; cleanUp: () => void } {
  if (session.isPersisted()) return { folder: join(home, "output", session.getSessionId()), cleanUp: () => {} };
  const { path, remove } = temporaryFolder("output");
  return { folder: path, cleanUp: remove };
}
