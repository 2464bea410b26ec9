import { contextForCommand } from "./context-view.js";
import type { ExtensionCommand } from "./extension-api.js";
import type { ExtensionHost } from "./extension-runner.js";
import type { OnProblem, Registered } from "./registrations.js";
import { waitFor } from "./wait-for.js";

export interface RunCommandOptions {
  readonly host: ExtensionHost;
  readonly onProblem: OnProblem;
  /** Everything after the command's name. */
  readonly args?: string;
  readonly signal?: AbortSignal;
}

export type CommandOutcome =
  /** The front end sends `prompt`, where there is one. */
  | { readonly kind: "done"; readonly prompt: string | undefined }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "aborted" };

/**
 * Runs a command or a shortcut of an extension. It has no time limit, because a user started it and can stop it by
 * the signal. Never rejects: a failure is reported by name and is the outcome.
 */
export async function runCommand(
  command: Registered<ExtensionCommand>,
  { host, onProblem, args = "", signal }: RunCommandOptions,
): Promise<CommandOutcome> {
  const { extension, name, value } = command;
  const waited = await waitFor(() => value.handler(contextForCommand(host.context(), { extension, args })), { signal });
  if (waited.kind === "threw") {
    onProblem({ extension, event: `command ${name}`, message: waited.message });
    return { kind: "failed", message: waited.message };
  }
  if (waited.kind !== "done") return { kind: "aborted" };
  const said = waited.value;
  return { kind: "done", prompt: typeof said === "string" && said.trim() !== "" ? said : undefined };
}
