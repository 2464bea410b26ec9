/** Subcommands with actions, such as `bough mcp add`: finds the action and runs it. */
import { closestNames } from "@bough/session/text/index.js";
import { usageError } from "../cli-error.js";
import type { SubcommandCall } from "./subcommand.js";

export interface SubcommandAction {
  readonly name: string;
  /** How many arguments come after its name. */
  readonly args: { readonly least: number; readonly most: number };
  readonly load: () => Promise<{ readonly run: (call: SubcommandCall) => Promise<number> }>;
}

interface Actions {
  /** The subcommand. */
  readonly of: string;
  readonly actions: readonly SubcommandAction[];
  /** Runs if no action is given. */
  readonly standard?: SubcommandAction | undefined;
}

/** `args` of the call that the action gets are those after its name. Throws a usage error. */
export async function runAction(call: SubcommandCall, { of, actions, standard }: Actions): Promise<number> {
  const [name, ...args] = call.args;
  const action = name === undefined ? standard : actions.find((one) => one.name === name);
  if (action === undefined) {
    const names = actions.map((one) => one.name);
    if (name === undefined) throw usageError("Missing argument", `Use one of ${names.join(", ")}.`);
    const [near] = closestNames(name, names);
    const meant = near === undefined ? "" : ` Did you mean ${near}?`;
    throw usageError(`Unknown action ${name}`, `Use one of ${names.join(", ")}.${meant}`);
  }
  const { least, most } = action.args;
  const usage = `For usage, run: bough ${of} --help`;
  if (args.length < least) throw usageError(`Missing argument after bough ${of} ${action.name}`, usage);
  if (args.length > most) throw usageError(`Unexpected argument ${args[most]}`, usage);
  const { run } = await action.load();
  return run({ ...call, args });
}
