/** Finds and loads extensions. Failures are reported; extensions named on the command line must load. */
import { join, resolve } from "node:path";
import type { EventHub } from "@bough/agent/agent/internal.js";
import {
  type ExtensionHost,
  ExtensionRunner,
  type FoundExtensions,
  findExtensions,
} from "@bough/agent/extension/run.js";
import { usageError } from "../cli-error.js";
import { type ExtensionArguments, flagValue } from "../extension-arguments.js";
import { FLAGS } from "../flags.js";
import { type Unasked, unknownOption } from "../unknown-option.js";
import { LOADING } from "./our-doors.js";

interface ExtensionRequest {
  readonly home: string;
  readonly cwd: string;
  readonly trusted: boolean;
  /** As typed on the command line. */
  readonly named: readonly string[];
  readonly fromSettings: readonly string[];
  readonly places: "all" | "named";
  /** Names of built-in tools. */
  readonly builtInTools: readonly string[];
  /** Where compiled code is cached; undefined disables the cache. */
  readonly cacheDir: string | undefined;
  /** Options we do not know. */
  readonly given: ExtensionArguments | undefined;
}

interface ExtensionParts {
  readonly host: ExtensionHost;
  readonly relay: EventHub;
}

/** Throws for an option that neither Bough nor an extension knows, and for a value of the wrong type. */
export async function loadExtensions(
  request: ExtensionRequest,
  { host, relay }: ExtensionParts,
): Promise<ExtensionRunner> {
  const { given, cacheDir } = request;
  const unasked: Unasked[] = [];
  const { sources, untrusted } = sourcesFor(request, relay);
  const runner = new ExtensionRunner({
    host,
    onProblem: (problem) => {
      if (problem.event === "load") unasked.push({ name: problem.extension, reason: problem.message });
      relay.emit({ type: "extension_problem", ...problem });
    },
    builtIn: { commands: await takenNames(sources), tools: request.builtInTools, flags: Object.keys(FLAGS) },
    ...LOADING,
    flags: given && ((name, type) => flagValue(given, { name, type })),
    cacheDir,
  });
  for (const file of untrusted) unasked.push({ name: file, reason: "the project is not trusted" });
  await runner.load(sources);
  if (given !== undefined) checkFlags(given, runner, unasked);
  return runner;
}

/** Without extensions, no name can clash, and the commands need not be loaded. */
async function takenNames(sources: readonly unknown[]): Promise<readonly string[]> {
  return sources.length === 0 ? [] : (await import("../../command/index.js")).commandNames();
}

function checkFlags(given: ExtensionArguments, { registrations }: ExtensionRunner, unasked: readonly Unasked[]): void {
  for (const { name } of given.flags) {
    const type = registrations.flag(name)?.value.type;
    if (type === undefined) {
      const known = registrations.flags.map((flag) => flag.name);
      throw unknownOption(name, known, unasked);
    }
    if (flagValue(given, { name, type }) !== undefined) continue;
    throw usageError(type === "string" ? `--${name} needs a value: --${name} <value>` : `--${name} takes no value`);
  }
}

function sourcesFor(request: ExtensionRequest, relay: EventHub): Pick<FoundExtensions, "sources" | "untrusted"> {
  const { home, cwd, trusted, fromSettings, places } = request;
  const onCommandLine = request.named.map((path) => resolve(path));
  const named = places === "all" ? [...fromSettings, ...onCommandLine] : onCommandLine;
  const found = findExtensions({ home, cwd, trusted, named });
  for (const { path, message } of found.problems) {
    // Starting without it would be dangerous, because it may be a guard.
    if (onCommandLine.includes(path)) throw usageError(message);
    const hint = `It is listed in ${join(home, "settings.json")} or in the project's settings.`;
    relay.notice("error", fromSettings.includes(path) ? { message, hint } : message);
  }
  if (places === "named") {
    return { sources: found.sources.filter(({ origin }) => origin === "named"), untrusted: [] };
  }
  if (found.untrusted.length > 0) {
    relay.notice("warning", {
      message: `Project extensions not loaded, because the project is not trusted: ${found.untrusted.join(", ")}`,
      hint: "Review them, then pass --trust.",
    });
  }
  return found;
}
