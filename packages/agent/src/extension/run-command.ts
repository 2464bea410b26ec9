import type { CommandContext } from "./api/extension-context.js";
import { contextForCommand } from "./context-view.js";
import type { ExtensionCommand, ExtensionShortcut } from "./extension-api.js";
import type { ExtensionHost } from "./extension-host.js";
import type { OnProblem, Registered } from "./registrations.js";
import { asExtension } from "./running-extension.js";
import { waitFor } from "./wait-for.js";

export interface RunCommandOptions {
  readonly host: ExtensionHost;
  readonly onProblem: OnProblem;
  /** Everything after the command's name. */
  readonly args?: string;
  readonly signal?: AbortSignal;
}

export type CommandOutcome =
  /** The front end must send `prompt`, if there is one. */
  | { readonly kind: "done"; readonly prompt: string | undefined }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "aborted" };

/**
 * Runs a command of an extension. There is no time limit, because the user started it and can stop it with the signal.
 * Never rejects: a failure is reported and returned as the outcome.
 */
export function runCommand(
  { extension, name, value }: Registered<ExtensionCommand>,
  { args = "", ...options }: RunCommandOptions,
): Promise<CommandOutcome> {
  const work = async (context: CommandContext) => {
    try {
      return await value.handler(args, context);
    } catch (error) {
      throw value.handler.length === 1 && error instanceof TypeError ? new TypeError(explainParameters(error)) : error;
    }
  };
  return run({ extension, event: `command ${name}`, args, work }, options);
}

/** Explains the usual mistake, `handler(ctx)`, for which JavaScript's own message does not help. */
function explainParameters({ message }: TypeError): string {
  return `${message}. The first parameter is the text after the command's name: handlers are called as handler(args, ctx)`;
}

/** Runs a shortcut of an extension, like a command. */
export function runShortcut(
  { extension, name, value }: Registered<ExtensionShortcut>,
  options: Omit<RunCommandOptions, "args">,
): Promise<CommandOutcome> {
  return run({ extension, event: `shortcut ${name}`, args: "", work: (context) => value.handler(context) }, options);
}

interface StartedByUser {
  readonly extension: string;
  readonly event: string;
  readonly args: string;
  readonly work: (context: CommandContext) => string | void | Promise<string | void>;
}

async function run(
  { extension, event, args, work }: StartedByUser,
  { host, onProblem, signal }: Omit<RunCommandOptions, "args">,
): Promise<CommandOutcome> {
  const context = () => contextForCommand(host.commandContext(), { extension, args });
  const waited = await waitFor(() => asExtension(extension, () => work(context())), { signal });
  if (waited.kind === "threw") {
    onProblem({ extension, event, message: waited.message });
    return { kind: "failed", message: waited.message };
  }
  if (waited.kind !== "done") return { kind: "aborted" };
  const returned = waited.value;
  return { kind: "done", prompt: typeof returned === "string" && returned.trim() !== "" ? returned : undefined };
}
