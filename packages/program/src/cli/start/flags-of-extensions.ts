/** The flags that extensions in a folder add, for `--help`. Loads their code, but no session and no agent. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ExtensionProblem, ExtensionRunner, findExtensions } from "@bough/agent/extension/run.js";
import { readSettings } from "@bough/agent/project/index.js";
import { createTrust } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import type { HelpPlaces } from "../cli-options.js";
import { type ExtensionFlagHelp, FLAGS } from "../flags.js";
import { LOADING } from "./our-doors.js";

/** Help should not take long. */
const PATIENCE_MS = 5000;

export interface FlagsOfExtensions {
  readonly flags: readonly ExtensionFlagHelp[];
  /** Extensions that could not be loaded, and conflicting flags. */
  readonly problems: readonly ExtensionProblem[];
}

/** A project's extensions are loaded only if it is trusted. Never fails because of an extension. */
export async function flagsOfExtensions(places: HelpPlaces): Promise<FlagsOfExtensions> {
  const home = boughHome();
  const cwd = resolve(places.cwd ?? ".");
  const trusted = places.trust || createTrust(home).decisionFor(cwd) === "yes";
  const { settings } = readSettings({ cwd, home, projectTrusted: trusted });
  const onlyNamed = places.extensionPlaces === "named";
  const named = [...(onlyNamed ? [] : (settings.extensions ?? [])), ...places.extensions.map((path) => resolve(path))];
  const found = findExtensions({ home, cwd, trusted, named });
  const sources = found.sources.filter(({ origin }) => !onlyNamed || origin === "named");
  const problems: ExtensionProblem[] = found.problems.map(({ path, message }) => ({
    ...{ extension: path, event: "load", message },
  }));
  const runner = new ExtensionRunner({
    onProblem: (problem) => problems.push(problem),
    builtIn: { flags: Object.keys(FLAGS) },
    timeoutMs: PATIENCE_MS,
    ...LOADING,
    cacheDir: existsSync(home) ? join(home, "cache", "extensions") : undefined,
  });
  await runner.load(sources);
  const flags = runner.registrations.flags.map(({ name, extension, value }) => ({ name, extension, ...value }));
  return { flags, problems };
}
