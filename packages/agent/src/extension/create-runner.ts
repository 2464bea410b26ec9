import { defined } from "@bough/session/text/index.js";
import type { ExtensionFactory, NamedExtension } from "./extension-api.js";
import { ExtensionRunner, type RunnerOptions } from "./extension-runner.js";

/**
 * Loads extensions given as functions. Pass the runner to `createAgentSession({ extensions: runner })`. Problems are
 * written to standard error unless `onProblem` is set.
 */
export async function createRunner(
  extensions: readonly (ExtensionFactory | NamedExtension)[],
  options: Partial<RunnerOptions> = {},
): Promise<ExtensionRunner> {
  const runner = new ExtensionRunner({
    onProblem: ({ extension, event, message }) => console.error(`Extension ${extension} (${event}): ${message}`),
    ...defined(options),
  });
  await runner.load(extensions.map(named));
  return runner;
}

function named(extension: ExtensionFactory | NamedExtension, index: number): NamedExtension {
  if (typeof extension !== "function") return extension;
  return { name: extension.name || `extension ${index + 1}`, factory: extension };
}
