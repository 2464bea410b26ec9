/** The actions of `bough mcp`: a row for each, loaded when it runs. */
import type { SubcommandAction } from "../run-action.js";

/** `args` of the call are those after the action's name. */
export const MCP_ACTIONS: readonly SubcommandAction[] = [
  { name: "add", args: { least: 2, most: Number.POSITIVE_INFINITY }, load: () => import("./add-server.js") },
  { name: "list", args: { least: 0, most: 0 }, load: () => import("./list-servers.js") },
  { name: "remove", args: { least: 1, most: 1 }, load: () => import("./remove-server.js") },
  { name: "test", args: { least: 1, most: 1 }, load: () => import("./test-server.js") },
  { name: "login", args: { least: 1, most: 1 }, load: () => import("./login-server.js") },
  { name: "logout", args: { least: 1, most: 1 }, load: () => import("./logout-server.js") },
];

/** Runs if no action is given: serves the history of all sessions. */
export const DEFAULT_ACTION: SubcommandAction | undefined = {
  name: "serve",
  args: { least: 0, most: 0 },
  load: () => import("../../mcp/serve-history.js"),
};
