import { setImmediate } from "node:timers/promises";
import type { AgentEvent, AgentSession, PromptOptions, QueuedTexts, RunOutcome } from "@bough/agent/agent/index.js";
import type { EventHub } from "@bough/agent/agent/internal.js";
import type { ExtensionCommand, ExtensionShortcut } from "@bough/agent/extension/index.js";
import {
  type CommandOutcome,
  type ExtensionHost,
  type ExtensionRunner,
  type Registered,
  type RunCommandOptions,
  runCommand,
  runShortcut,
} from "@bough/agent/extension/run.js";
import type { McpServers } from "@bough/agent/mcp/index.js";
import type { UserModelRegistry } from "@bough/agent/model/index.js";
import type { Permissions, Sandbox, Tool } from "@bough/agent/tool/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { SessionSync } from "@bough/workbench/store/internal.js";
import { CliError } from "../cli-error.js";
import { allTools } from "./choose-tools.js";

/** What surrounds an agent, before and after it is created. */
export interface AroundAgent {
  readonly registry: UserModelRegistry;
  readonly permissions: Permissions;
  /** Undefined if none was requested. */
  readonly sandbox: Sandbox | undefined;
  readonly runner: ExtensionRunner;
  /** MCP servers; undefined if none is configured. */
  readonly servers: McpServers | undefined;
  readonly builtInTools: readonly Tool[];
  readonly relay: EventHub;
  readonly cwd: string;
  /** Whether the project's own extensions and permissions are used. */
  readonly trusted: boolean;
  /** The tools the user named; undefined for all. */
  readonly wanted: readonly string[] | undefined;
  /** The prompt without option values of extensions; undefined if no such option was given. */
  readonly prompt: string | undefined;
  /** Resolves with the exit code when an extension ends the program. */
  readonly ended: Promise<number>;
}

interface StartedParts extends AroundAgent {
  readonly agent: AgentSession;
  readonly host: ExtensionHost;
  /** The folder given with `--session-dir`. */
  readonly sessionDir: string | undefined;
  /** The name for the session. */
  readonly name: string | undefined;
  readonly version: string;
  readonly sync: SessionSync;
  /** Whether it syncs automatically. */
  readonly syncs: boolean;
  /** Whether it fetches new models and prices in the background. */
  readonly refreshesModels: boolean;
  /** Removes what was created for this run only. */
  readonly cleanUp: () => Promise<void>;
}

/** A slash command and its arguments. */
const COMMAND = /^\/(\S+)(?:\s+([\s\S]*))?$/;

/** An agent with everything around it, as a front end uses it. */
export class StartedAgent {
  readonly parts: StartedParts;
  #commands = new AbortController();

  constructor(parts: StartedParts) {
    this.parts = parts;
  }

  get agent(): AgentSession {
    return this.parts.agent;
  }

  /** All tools, whether or not the model may use them. */
  get tools(): readonly Tool[] {
    const { builtInTools, runner } = this.parts;
    return allTools(
      builtInTools,
      runner.registrations.tools.map(({ value }) => value),
    );
  }

  /** The first line of JSON and RPC mode. */
  get header() {
    const { agent, cwd, version } = this.parts;
    const { session, driver, thinkingLevel } = agent;
    // The models of another agent are its own.
    const model = driver === undefined ? agent.model : undefined;
    return {
      type: "session",
      version,
      sessionId: session.getSessionId(),
      sessionFile: session.getSessionFile() ?? null,
      cwd,
      model: model === undefined ? null : `${model.info.provider}/${model.info.id}`,
      ...(driver === undefined ? {} : { driver: driver.name }),
      thinkingLevel,
    } as const;
  }

  /** Tells tools and extensions that the session has started. Call once, after subscribing. */
  async begin(): Promise<void> {
    await this.agent.start();
    this.parts.servers?.start();
    if (this.parts.name !== undefined) this.agent.rename(this.parts.name);
    if (this.parts.refreshesModels) void this.parts.registry.refreshLists({ signal: this.#commands.signal });
    if (this.parts.syncs) await this.parts.sync.start();
  }

  listen(listener: (event: AgentEvent) => void): void {
    this.parts.relay.subscribe(listener);
  }

  /** Handles what a user typed: a command of an extension, or a prompt. */
  async submit(text: string, options: PromptOptions = {}): Promise<RunOutcome> {
    const match = COMMAND.exec(text.trim());
    const known = match?.[1] === undefined ? undefined : this.parts.runner.registrations.command(match[1]);
    if (known === undefined) return this.agent.prompt(text, options);
    return this.runCommand(known.name, match?.[2] ?? "", options);
  }

  /** Runs a command of an extension and sends what it returns, with the options of a prompt. Throws `unknown-command` and `command-failed`. */
  async runCommand(name: string, args: string, prompting: PromptOptions = {}): Promise<RunOutcome> {
    return (
      (await this.runExtensionCommand(name, args, prompting)) ?? { kind: "cancelled", by: this.#extensionOf(name) }
    );
  }

  #extensionOf(command: string): string {
    return this.parts.runner.registrations.command(command)?.extension ?? "";
  }

  /** The same; undefined if the command returned nothing to send and is done. */
  async runExtensionCommand(
    name: string,
    args: string,
    prompting: PromptOptions = {},
  ): Promise<RunOutcome | undefined> {
    const { runner } = this.parts;
    const command = runner.registrations.command(name);
    if (command === undefined) {
      const known = runner.registrations.commands.map((registered) => registered.name);
      const hint = known.length === 0 ? "No extension defines commands." : `Available: ${known.join(", ")}.`;
      throw new CliError("unknown-command", `Unknown command ${name}`, { data: { name, known }, hint });
    }
    return this.#finish(command, (options) => runCommand(command, { ...options, args }), prompting);
  }

  /**
   * Runs a command that an extension sent as the user, once nothing else runs; false if the text is none. The handler
   * that sent it ends first, because the command may reload its extension.
   */
  runQueuedCommand(text: string): boolean {
    const [, name, args = ""] = COMMAND.exec(text.trim()) ?? [];
    const { runner, relay } = this.parts;
    const command = name === undefined ? undefined : runner.registrations.command(name);
    if (command === undefined) return false;
    const run = async () => {
      await setImmediate();
      await this.agent.whenIdle();
      await this.runExtensionCommand(command.name, args);
    };
    run().catch((error: unknown) => relay.notice("error", errorText(error)));
    return true;
  }

  async #finish(
    command: Registered<ExtensionCommand | ExtensionShortcut>,
    start: (options: RunCommandOptions) => Promise<CommandOutcome>,
    prompting: PromptOptions = {},
  ): Promise<RunOutcome | undefined> {
    const { host } = this.parts;
    const { name } = command;
    const { signal } = this.#commands;
    // Errors are thrown below and reported by the caller, so do not report them twice.
    const outcome = await start({ host, onProblem: () => undefined, signal });
    if (outcome.kind === "aborted") return { kind: "aborted" };
    if (outcome.kind === "failed") {
      throw new CliError("command-failed", `The command ${name} failed: ${outcome.message}`, {
        data: { name, extension: command.extension },
      });
    }
    return outcome.prompt === undefined ? undefined : this.agent.prompt(outcome.prompt, prompting);
  }

  /** Runs an extension's shortcut and sends what it returns. */
  async runShortcut(shortcut: Registered<ExtensionShortcut>): Promise<void> {
    await this.#finish(shortcut, (options) => runShortcut(shortcut, options));
  }

  /** Reloads the code of extensions. Their tools and providers are replaced; the session stays open. */
  async reload(): Promise<void> {
    const { runner, registry, wanted } = this.parts;
    await runner.emit<"session_shutdown">({ type: "session_shutdown", reason: "reload" });
    const { servers } = this.parts;
    for (const { name } of runner.registrations.providers) registry.unregisterProvider?.(name);
    for (const { value } of runner.registrations.models) registry.unregisterModel?.(value.info.provider, value.info.id);
    for (const { name } of runner.registrations.servers) servers?.remove(name);
    await runner.reload();
    for (const { name, value } of runner.registrations.providers) registry.registerProvider?.(name, value);
    for (const { value } of runner.registrations.models) registry.registerModel?.(value);
    for (const { name, value: settings } of runner.registrations.servers) {
      servers?.add({ name, settings, source: { kind: "program" } });
    }
    await registry.refreshModels?.({ allowNetwork: false });
    this.agent.setTools(wanted === undefined ? this.tools : this.tools.filter(({ name }) => wanted.includes(name)));
    await this.agent.start("reload");
  }

  /** Stops what is running, including commands of extensions. Returns texts that were not delivered. */
  abort(): QueuedTexts {
    this.#commands.abort();
    this.#commands = new AbortController();
    return this.agent.abort();
  }

  /** Stops what is running and closes the session. Safe to call twice. */
  async close(): Promise<void> {
    this.#commands.abort();
    try {
      await this.agent.dispose();
    } finally {
      await this.parts.cleanUp();
      await this.parts.sync.close();
    }
  }
}
