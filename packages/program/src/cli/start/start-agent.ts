/** Creates an agent from its prepared parts and a session. */

import { join, resolve } from "node:path";
import { AgentError, AgentSession } from "@bough/agent/agent/index.js";
import { temporaryFolder } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { type Notice, visibleText } from "@bough/session/text/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import { SessionSync } from "@bough/workbench/store/internal.js";
import { grantsEndedSentence } from "../../command/door.js";
import { CliError } from "../cli-error.js";
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
async function openedFor({ request, front, cwd, relay }: PreparedAgent): Promise<SessionManager> {
  const dir = request.sessionDir && resolve(request.sessionDir);
  // In print mode, notices about others go to standard error if they are news.
  const level = front.hasUi ? "info" : "warning";
  const onContinued = (said: Notice) => relay.notice(level, said);
  const { askImport, syncs } = front;
  const session = await openSession(request.session, { cwd, dir, askImport, syncs, onContinued });
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

/** The other agent that was asked for. Its modules are loaded only then. */
async function chosenDriver(prepared: PreparedAgent) {
  const { request, front } = prepared;
  if (request.driver === undefined) return {};
  const [{ driverNamed }, { agreeToDriver }] = await Promise.all([
    import("@bough/agent/driver/index.js"),
    import("./agree-to-driver.js"),
  ]);
  const driver = driverNamed(request.driver, { version: front.version });
  return { driver, beforeGiven: await agreeToDriver(driver, prepared) };
}

async function assemble(prepared: PreparedAgent, session: SessionManager): Promise<StartedAgent> {
  const { request, front, cwd, home, relay, trusted, settings, registry, project } = prepared;
  const { permissions, sandbox, jobs, builtInTools, wanted, host, runner, servers, ended, prompt } = prepared;
  for (const { name, value } of runner.registrations.providers) registry.registerProvider?.(name, value);
  for (const { value } of runner.registrations.models) registry.registerModel?.(value);
  await registry.refreshModels?.({ allowNetwork: false });
  const { driver, beforeGiven } = await chosenDriver(prepared);
  await beforeGiven?.(session);
  const model = await chooseModel({ registry, session, settings, reference: request.model });
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
    // Without a session, nothing is written, including file contents.
    files:
      settings.files === "off" || !session.isPersisted()
        ? undefined
        : { home, ...settings.files, onRunning: asksAtStart(front) ? onRunning : undefined },
    driver,
    // Sessions and branches that are opened later are asked about then.
    beforeGiven,
    model,
    modelChoice: request.model === undefined ? "default" : "explicit",
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

/**
 * A script without a key must not mistake the answer of the rule-based model for that of a real one. Throws `no-model`.
 */
function checkStandIn({ model }: AgentSession, { front, request, registry, settings, relay }: PreparedAgent): void {
  if (request.driver !== undefined || front.standIn === undefined || model?.info.api !== "offline") return;
  if (isOfflineChosen({ registry, settings, reference: request.model })) return;
  const next = "Set a key, such as ANTHROPIC_API_KEY, or run `bough login`, or name a model with --model";
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
