/** Finds and loads extensions. What cannot be loaded is reported; what was named on the command line must be there. */
import { join, resolve } from "node:path";
import { commandNames } from "../../command/index.js";
import { type ExtensionHost, ExtensionRunner, type ExtensionSource, findExtensions } from "../../extension/run.js";
import { usageError } from "../cli-error.js";
import type { AgentRequest } from "../cli-options.js";
import type { EventRelay } from "../event-relay.js";
import { FLAGS } from "../flags.js";
import { unknownOption } from "../unknown-option.js";
import { ourDoors } from "./our-doors.js";

interface ExtensionRequest {
  readonly home: string;
  readonly cwd: string;
  readonly trusted: boolean;
  /** From the command line, as typed. */
  readonly named: readonly string[];
  readonly fromSettings: readonly string[];
  readonly places: "all" | "named";
  /** Names of our own tools. */
  readonly builtInTools: readonly string[];
  /** Compiled code is kept there; undefined keeps none. */
  readonly cacheDir: string | undefined;
  /** Options of the command line that are not ours. */
  readonly flags: NonNullable<AgentRequest["extensionFlags"]>;
}

interface ExtensionParts {
  readonly host: ExtensionHost;
  readonly relay: EventRelay;
}

export async function loadExtensions(
  wish: ExtensionRequest,
  { host, relay }: ExtensionParts,
): Promise<ExtensionRunner> {
  const runner = new ExtensionRunner({
    host,
    onProblem: (problem) => relay.emit({ type: "extension_problem", ...problem }),
    builtIn: { commands: commandNames(), tools: wish.builtInTools, flags: Object.keys(FLAGS) },
    flags: wish.flags,
    modules: ourDoors,
    adapter: async () => (await import("../../pi/index.js")).piAdapter(),
    ...(wish.cacheDir === undefined ? {} : { cacheDir: wish.cacheDir }),
  });
  await runner.load(sourcesFor(wish, relay));
  checkFlags(wish.flags, runner);
  return runner;
}

/** An option that neither we nor an extension knows is a mistake, and so is a wrong kind of value. */
function checkFlags(given: NonNullable<AgentRequest["extensionFlags"]>, { registrations }: ExtensionRunner): void {
  for (const [name, value] of Object.entries(given)) {
    const flag = registrations.flag(name);
    if (flag === undefined)
      throw unknownOption(
        name,
        registrations.flags.map((known) => known.name),
      );
    if (flag.value.type === "string" && value === true) throw usageError(`--${name} needs a value: --${name}=<value>`);
    if (flag.value.type === "boolean" && value !== true) throw usageError(`--${name} takes no value`);
  }
}

function sourcesFor(wish: ExtensionRequest, relay: EventRelay): readonly ExtensionSource[] {
  const { home, cwd, trusted, fromSettings, places } = wish;
  const onCommandLine = wish.named.map((path) => resolve(path));
  const named = places === "all" ? [...fromSettings, ...onCommandLine] : onCommandLine;
  const found = findExtensions({ home, cwd, trusted, named });
  for (const { path, message } of found.problems) {
    // Going on without would be dangerous: it may be the one that says no.
    if (onCommandLine.includes(path)) throw usageError(message);
    const hint = `It is listed in ${join(home, "settings.json")} or in the project's settings.`;
    relay.notice("error", message, ...(fromSettings.includes(path) ? [hint] : []));
  }
  if (places === "named") return found.sources.filter(({ origin }) => origin === "named");
  if (found.untrusted.length > 0) {
    relay.notice(
      "warning",
      `Project extensions not loaded, because the project is not trusted: ${found.untrusted.join(", ")}`,
      "Review them, then pass --trust.",
    );
  }
  return found.sources;
}
