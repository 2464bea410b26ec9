/** Finds and loads extensions. What cannot be loaded is told; what was named on the command line must be there. */
import { join, resolve } from "node:path";
import * as agentDoor from "../agent/index.js";
import * as extensionDoor from "../extension/index.js";
import * as sessionDoor from "../session/index.js";
import { usageError } from "./cli-error.js";
import type { EventRelay } from "./event-relay.js";

export interface ExtensionWish {
  readonly home: string;
  readonly cwd: string;
  readonly trusted: boolean;
  /** From the command line, as typed. */
  readonly named: readonly string[];
  readonly fromSettings: readonly string[];
  readonly places: "all" | "named";
  /** Compiled code is kept there; undefined keeps none. */
  readonly cacheDir: string | undefined;
}

export interface ExtensionParts {
  readonly host: extensionDoor.ExtensionHost;
  readonly relay: EventRelay;
}

export async function loadExtensions(
  wish: ExtensionWish,
  { host, relay }: ExtensionParts,
): Promise<extensionDoor.ExtensionRunner> {
  const runner = new extensionDoor.ExtensionRunner({
    host,
    onProblem: (problem) => relay.emit({ type: "extension_problem", ...problem }),
    // So that an extension shares our classes and catalogues instead of loading its own.
    modules: { "bough/agent": agentDoor, "bough/extension": extensionDoor, "bough/session": sessionDoor },
    ...(wish.cacheDir === undefined ? {} : { cacheDir: wish.cacheDir }),
  });
  await runner.load(sourcesFor(wish, relay));
  return runner;
}

function sourcesFor(wish: ExtensionWish, relay: EventRelay): readonly extensionDoor.ExtensionSource[] {
  const { home, cwd, trusted, fromSettings, places } = wish;
  const onCommandLine = wish.named.map((path) => resolve(path));
  const named = places === "all" ? [...fromSettings, ...onCommandLine] : onCommandLine;
  const found = extensionDoor.findExtensions({ home, cwd, trusted, named });
  for (const { path, message } of found.problems) {
    // Going on without would be dangerous: it may be the one that says no.
    if (onCommandLine.includes(path)) throw usageError(message);
    relay.notice("error", message, `It is named in ${join(home, "settings.json")} or in the project's settings.`);
  }
  if (places === "named") return found.sources.filter(({ origin }) => origin === "named");
  if (found.untrusted.length > 0) {
    relay.notice(
      "warning",
      `This project's own extensions were not loaded, because it is not trusted: ${found.untrusted.join(", ")}`,
      "Look at them, then use --trust.",
    );
  }
  return found.sources;
}
