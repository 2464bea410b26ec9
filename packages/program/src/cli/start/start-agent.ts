/** Creates an agent from its prepared parts and a session. */

import { join, resolve } from "node:path";
import { AgentError, AgentSession, type BeforeGiven, type SpawnOptions } from "@bough/agent/agent/index.js";
import { lastDriver } from "@bough/agent/driver/door.js";
import type { Settings } from "@bough/agent/project/index.js";
import { temporaryFolder } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { defined, type Notice, visibleText } from "@bough/session/text/index.js";
import { attemptPlace } from "@bough/workbench/folder/internal.js";
import { storedContents } from "@bough/workbench/store/door.js";
import { SessionSync } from "@bough/workbench/store/internal.js";
import { agreeToDriver, grantsEndedSentence, OWN_AGENT } from "../../command/door.js";
import { CliError, usageError } from "../cli-error.js";
import type { AgentRequest } from "../cli-options.js";
import { announceSession } from "./announce-session.js";
import { chooseModel, isOfflineChosen } from "./choose-model.js";
import { allTools, chooseTools } from "./choose-tools.js";
import { openSession } from "./open-session.js";
import { type FrontEnd, type PreparedAgent, prepareAgent } from "./prepare-agent.js";
import { promptText } from "./prompt-text.js";
import { StartedAgent } from "./started-agent.js";

/**
 * Fully set up, but nothing announced yet: a front end subscribes first and then calls `begin`. Throws if the request
 * cannot be met; then nothing is left open.
 */
export async function startAgent(request: AgentRequest, front: FrontEnd): Promise<StartedAgent> {
  return openAgent(await prepareAgent(request, front));
}

/** The second half of `startAgent`: opens the session unless one is passed in, and closes it on failure. */
export async function openAgent(prepared: PreparedAgent, given?: SessionManager): Promise<StartedAgent> {
  const session = given ?? (await openedFor(prepared));
  try {
    return await assemble(prepared, session);
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Opens the requested session, and asks how to open it if others have it open too. */
async function openedFor({ request, front, cwd, home, relay }: PreparedAgent): Promise<SessionManager> {
  const dir = request.sessionDir && resolve(request.sessionDir);
  // In print mode, notices about others go to standard error if they are news.
  const level = front.hasUi ? "info" : "warning";
  const onContinued = (said: Notice) => relay.notice(level, said);
  const { askImport, syncs } = front;
  const found = await openSession(request.session, { cwd, dir, askImport, syncs, onContinued });
  const session = attemptPlace(cwd, home) === undefined ? found : openedAside(found);
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

/** For an attempt: what it writes is not the position of whoever opens the session next. */
function openedAside(found: SessionManager): SessionManager {
  const aside = found.openAgain({ position: "ignored" });
  aside.branch(found.getLeafId());
  // Closed where it was opened.
  found.branch(found.getFileLeafId());
  found.close();
  return aside;
}

/** The other agent that does the turns, if any. Its modules are loaded only then. */
async function chosenDriver(prepared: PreparedAgent, session: SessionManager) {
  const { request, front } = prepared;
  const name = request.driver ?? (await driverOfPath(prepared, session));
  if (name === undefined || name === OWN_AGENT) return {};
  const { driverNamed } = await import("@bough/agent/driver/index.js");
  const driver = driverNamed(name, { version: front.version });
  const { home, cwd, permissions, relay, host } = prepared;
  const confirm = (title: string, message: string) => host.context().ui.confirm(title, message, { enter: "no" });
  const agreement = await agreeToDriver(driver, {
    ...{ home, cwd, permissions, notice: relay.notice.bind(relay) },
    confirm: front.hasUi ? confirm : undefined,
    asks: asksAtStart(front) ? "now" : "later",
  });
  if (agreement.kind === "refused") throw new CliError("not-opened", `Not continued with ${driver.title}`);
  if (agreement.kind === "needs-agreement") {
    const hint = "Pass --permission auto to run it anyway, or start it in the terminal.";
    throw usageError(agreement.message, request.driver === undefined ? `${hint} Or pass --agent ${OWN_AGENT}.` : hint);
  }
  return { driver, beforeGiven: agreement.beforeGiven };
}

/**
 * The agent that did the last turn, as a session continues with the model it had. A session from elsewhere starts no
 * program here unless the user asks for it.
 */
async function driverOfPath({ request, relay, home }: PreparedAgent, session: SessionManager) {
  const last = request.model === undefined ? lastDriver(session) : undefined;
  if (last === undefined) return undefined;
  const { isInstalled, KNOWN_AGENTS, NativeSessions } = await import("@bough/agent/driver/internal.js");
  const known = KNOWN_AGENTS.find(({ name }) => name === last);
  if (known === undefined) return undefined;
  const { name, title, install } = known;
  const did = `${title} did the last turn of this session`;
  if (!isInstalled(known, process.env)) {
    relay.notice("info", { message: `${did}, and is not installed here`, ...defined({ hint: install }) });
    return undefined;
  }
  const table = new NativeSessions(home, { id: session.getSessionId(), isPersisted: session.isPersisted() });
  if (table.hasDriven(name)) return name;
  relay.notice("info", { message: `${did}, on another machine`, hint: `To continue with it: /agent ${name}` });
  return undefined;
}

/** Throws `not-opened` after a no: then the terminal just ends. */
async function askBeforeGiven(session: SessionManager, beforeGiven: BeforeGiven | undefined): Promise<void> {
  try {
    await beforeGiven?.(session);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "not-agreed") throw error;
    throw new CliError("not-opened", (error as Error).message);
  }
}

async function assemble(prepared: PreparedAgent, session: SessionManager): Promise<StartedAgent> {
  const { request, front, cwd, home, relay, trusted, settings, registry, project } = prepared;
  const { permissions, sandbox, jobs, builtInTools, wanted, host, runner, servers, ended, prompt } = prepared;
  for (const { name, value } of runner.registrations.providers) registry.registerProvider?.(name, value);
  for (const { value } of runner.registrations.models) registry.registerModel?.(value);
  await registry.refreshModels?.({ allowNetwork: false });
  const { driver, beforeGiven } = await chosenDriver(prepared, session);
  // Clients of a protocol are asked with the first prompt.
  if (front.mode !== "rpc") await askBeforeGiven(session, beforeGiven);
  const reference = driver === undefined ? request.model : undefined;
  const model = await chooseModel({ registry, session, settings, reference });
  const available = allTools(
    builtInTools,
    runner.registrations.tools.map(({ value }) => value),
  );
  const tools =
    wanted === undefined
      ? available
      : chooseTools(
          available,
          wanted.filter((name) => !isServerTool(name, servers)),
        );
  const output = outputFolder(session, home);
  const onRunning = async (commands: readonly { readonly command?: string; readonly tool: string }[]) => {
    const lines = commands.map(({ command, tool }) => visibleText(command ?? tool, { newlines: "escape" }).text);
    const title = "A command that was started before is still running";
    const message = `${lines.join("\n")}\nStop it? Otherwise it keeps running as a job (/jobs) until you quit.`;
    const isToStop = await host.context().ui.confirm(title, message, { enter: "no" });
    return isToStop ? "stop" : "leave";
  };
  const contents = storedContents(home);
  const agent = new AgentSession({
    session,
    registry,
    settings,
    project,
    cwd,
    hooks: runner,
    permit: permissions.permit,
    permissions,
    jobs,
    allowTool: permissions.allowTool,
    tools,
    servers,
    ownsServers: servers !== undefined,
    outputDir: output.folder,
    contents,
    promptCwd: prepared.promptCwd,
    // Without a session, nothing is written, including file contents.
    files:
      settings.files === "off" || !session.isPersisted()
        ? undefined
        : { home, ...settings.files, onRunning: asksAtStart(front) ? onRunning : undefined },
    spawn: spawnLimits(settings.spawn, front.mode),
    driver,
    // Sessions and branches that are opened later are asked about then.
    beforeGiven,
    driverChoices: driver && { model: request.model, effort: request.effort },
    model,
    modelChoice: reference === undefined ? "default" : "explicit",
    thinkingLevel: request.thinkingLevel,
    systemPrompt: request.systemPrompt === undefined ? undefined : promptText("system-prompt", request.systemPrompt),
  });
  checkStandIn(agent, prepared);
  host.attach(agent);
  agent.subscribe(relay.emit);
  announceSession(agent, {
    relay,
    onOther: () => {
      const ended = permissions.forget();
      if (ended.length > 0) relay.notice("info", grantsEndedSentence(ended.map(({ words }) => words)));
    },
  });
  const cleanUp = async () => {
    await jobs.stopAll();
    output.cleanUp();
    await sandbox?.close();
  };
  const sync = new SessionSync({
    ...{ session, home, contents, mode: settings.sync, store: settings.store },
    confirm:
      front.hasUi && front.tellSync === undefined
        ? (title, message) => host.context().ui.confirm(title, message, { enter: "no" })
        : undefined,
    tell: front.tellSync ?? ((level, notice) => relay.notice(level, notice)),
    tellsLast: front.tellSync !== undefined,
    // The terminal follows the file on its own.
    refresh: front.mode !== "tui",
  });
  const sessionDir = request.sessionDir && resolve(request.sessionDir);
  const { version } = front;
  const { name } = request;
  const made = new StartedAgent({
    ...{
      agent,
      registry,
      permissions,
      sandbox,
      runner,
      host,
      builtInTools,
      relay,
      cwd,
      sessionDir,
      name,
      version,
      cleanUp,
    },
    ...{ trusted, wanted, servers, ended, prompt, sync, syncs: front.syncs === true },
    refreshesModels: front.refreshesModels === true,
  });
  prepared.onStarted(made);
  return made;
}

/** A run that ends with its prompt waits for sub-agents, so none works in the background. */
function spawnLimits(spawn: Settings["spawn"], mode: FrontEnd["mode"]): SpawnOptions {
  const { maxRunning, maxPerPrompt, maxSteps, maxMinutes, maxDollars } = typeof spawn === "object" ? spawn : {};
  const milliseconds = maxMinutes === undefined ? undefined : maxMinutes * 60_000;
  return {
    ...defined({ maxRunning, maxPerPrompt }),
    limits: defined({ steps: maxSteps, milliseconds, dollars: maxDollars }),
    background: mode !== "print" && mode !== "json",
  };
}

/**
 * A script without a key must not mistake the answer of the rule-based model for that of a real one. Throws `no-model`.
 */
function checkStandIn({ model, driver }: AgentSession, prepared: PreparedAgent): void {
  const { front, request, registry, settings, relay } = prepared;
  if (driver !== undefined || front.standIn === undefined || model?.info.api !== "offline") return;
  if (isOfflineChosen({ registry, settings, reference: request.model })) return;
  const keyed = registry.providers().filter((provider) => registry.keySource(provider) !== undefined);
  const next =
    keyed.length === 0
      ? "Set a key, such as ANTHROPIC_API_KEY, or run `bough login`, or name a model with --model"
      : `There is a key for ${keyed.join(", ")}: name a model with --model. \`bough models ${keyed[0]}\` lists them`;
  if (front.standIn === "refused") {
    const hint = `${next}. To use the built-in rules without a key: --model offline/rules`;
    throw new AgentError("no-model", "No model is set up", { hint });
  }
  relay.notice("warning", {
    message: "No model is set up; built-in rules answer, not a language model",
    hint: `${next}.`,
  });
}

/** Clients of a protocol may not be ready to answer yet, so they are only told. */
function asksAtStart({ hasUi, mode }: PreparedAgent["front"]): boolean {
  return hasUi && mode !== "rpc";
}

/** Tools of servers are not known yet, but a tool of a server that is not configured is an error. */
function isServerTool(name: string, servers: PreparedAgent["servers"]): boolean {
  return servers?.list().some((server) => name.startsWith(`${server.name}__`)) === true;
}

/** Where truncated output is saved: next to the sessions, or for this run only if nothing is to be saved. */
function outputFolder(session: SessionManager, home: string): { folder: string; cleanUp: () => void } {
  if (session.isPersisted()) return { folder: join(home, "output", session.getSessionId()), cleanUp: () => {} };
  const { path, remove } = temporaryFolder("output");
  return { folder: path, cleanUp: remove };
}
