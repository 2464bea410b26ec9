/** `bough mcp`: finds the action and runs it. */
import { closestNames } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";
import { DEFAULT_ACTION, MCP_ACTIONS } from "./mcp-actions.js";

export async function run(call: SubcommandCall): Promise<number> {
  const [name, ...args] = call.args;
  const action = name === undefined ? DEFAULT_ACTION : MCP_ACTIONS.find((one) => one.name === name);
  if (action === undefined) {
    const names = MCP_ACTIONS.map((one) => one.name);
    if (name === undefined) throw usageError("Missing argument", `Use one of ${names.join(", ")}.`);
    const [near] = closestNames(name, names);
    const meant = near === undefined ? "" : ` Did you mean ${near}?`;
    throw usageError(`Unknown action ${name}`, `Use one of ${names.join(", ")}.${meant}`);
  }
  const { least, most } = action.args;
  if (args.length < least) {
    throw usageError(`Missing argument after bough mcp ${action.name}`, "For usage, run: bough mcp --help");
  }
  if (args.length > most) throw usageError(`Unexpected argument ${args[most]}`, "For usage, run: bough mcp --help");
  const { run: runAction } = await action.load();
  return runAction({ ...call, args });
}
