/** The actions of `bough mcp`: a row for each, loaded when it runs. */
import type { SubcommandCall } from "../subcommand.js";

interface McpAction {
  readonly name: string;
  /** How many arguments follow its name. */
  readonly args: { readonly least: number; readonly most: number };
  readonly load: () => Promise<{ readonly run: (call: SubcommandCall) => Promise<number> }>;
}

/** `args` of the call are those after the action's name. */
export const MCP_ACTIONS: readonly McpAction[] = [
  { name: "add", args: { least: 2, most: Number.POSITIVE_INFINITY }, load: () => import("./add-server.js") },
  { name: "list", args: { least: 0, most: 0 }, load: () => import("./list-servers.js") },
  { name: "remove", args: { least: 1, most: 1 }, load: () => import("./remove-server.js") },
  { name: "test", args: { least: 1, most: 1 }, load: () => import("./test-server.js") },
  { name: "login", args: { least: 1, most: 1 }, load: () => import("./login-server.js") },
  { name: "logout", args: { least: 1, most: 1 }, load: () => import("./logout-server.js") },
];

/** Runs if no action is given: serves the history of all sessions. */
export const DEFAULT_ACTION: McpAction | undefined = {
  name: "serve",
  args: { least: 0, most: 0 },
  load: () => import("../../mcp/serve-history.js"),
};
