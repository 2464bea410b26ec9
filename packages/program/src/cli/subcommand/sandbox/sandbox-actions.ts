/** The actions of `bough sandbox`. */
import type { SubcommandAction } from "../run-action.js";

export const SANDBOX_ACTIONS: readonly SubcommandAction[] = [
  { name: "status", args: { least: 0, most: 0 }, load: () => import("./show-status.js") },
  { name: "install", args: { least: 0, most: 0 }, load: () => import("./install-sandbox.js") },
  { name: "run", args: { least: 1, most: Number.POSITIVE_INFINITY }, load: () => import("./run-inside.js") },
];
