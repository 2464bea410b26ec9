/** Finds and loads extensions. What cannot be loaded is reported; what was named on the command line must be there. */
import { join, resolve } from "node:path";
import { commandNames } from "../../command/index.js";
import {
  type ExtensionHost,
  ExtensionRunner,
  type ExtensionSource,
  findExtensions,
  type SharedModules,
} from "../../extension/run.js";
import { usageError } from "../cli-error.js";
import type { AgentRequest } from "../cli-options.js";
import type { EventRelay } from "../event-relay.js";
import { FLAGS } from "../flags.js";

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
    if (flag === undefined) throw usageError(`Unknown option '--${name}'`);
    if (flag.value.type === "string" && value === true) throw usageError(`--${name} needs a value: --${name}=<value>`);
    if (flag.value.type === "boolean" && value !== true) throw usageError(`--${name} takes no value`);
  }
}

/**
 * So that an extension shares our classes and catalogues instead of loading its own. Whole doors are more than a start
 * needs, so they are opened when there is an extension.
 */
async function ourDoors(): Promise<SharedModules> {
  const [
    entry,
    tree,
    context,
    log,
    session,
    interop,
    extension,
    run,
    ui,
    project,
    agent,
    plan,
    exporting,
    view,
    pi,
    rpc,
  ] = await Promise.all([
    import("../../entry/index.js"),
    import("../../tree/index.js"),
    import("../../context/index.js"),
    import("../../log/door.js"),
    import("../../session/index.js"),
    import("../../interop/index.js"),
    import("../../extension/index.js"),
    import("../../extension/run.js"),
    import("../../extension/ui.js"),
    import("../../project/index.js"),
    import("../../agent/index.js"),
    import("../../agent/plan.js"),
    import("../../export/index.js"),
    import("../../view/index.js"),
    import("../../pi/index.js"),
    import("../door.js"),
  ]);
  const doors = {
    entry,
    tree,
    context,
    log,
    session,
    interop,
    extension,
    "extension/run": run,
    "extension/ui": ui,
    project,
    agent,
    "agent/plan": plan,
    export: exporting,
    view,
    pi,
    rpc,
  };
  return Object.fromEntries(Object.entries(doors).map(([name, door]) => [`bough/${name}`, door]));
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
