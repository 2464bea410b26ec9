/** The doors of this package that extensions share with us, opened when one is imported. */
import { isBuiltin } from "node:module";
import type { ImportOptions, SharedModules } from "../../extension/run.js";

const DOORS: Readonly<Record<string, () => Promise<object>>> = {
  "bough/entry": () => import("../../entry/index.js"),
  "bough/tree": () => import("../../tree/index.js"),
  "bough/context": () => import("../../context/index.js"),
  "bough/log": () => import("../../log/door.js"),
  "bough/session": () => import("../../session/index.js"),
  "bough/interop": () => import("../../interop/index.js"),
  "bough/extension": () => import("../../extension/index.js"),
  "bough/extension/run": () => import("../../extension/run.js"),
  "bough/extension/ui": () => import("../../extension/ui.js"),
  "bough/project": () => import("../../project/index.js"),
  "bough/store": () => import("../../store/index.js"),
  "bough/agent": () => import("../../agent/index.js"),
  "bough/agent/plan": () => import("../../agent/plan.js"),
  "bough/export": () => import("../../export/index.js"),
  "bough/view": () => import("../../view/index.js"),
  "bough/pi": () => import("../../pi/index.js"),
  "bough/rpc": () => import("../../rpc/index.js"),
};

/**
 * So that an extension shares our classes and catalogues instead of loading its own. Only the doors that it imports are
 * opened: whole doors are more than a start needs. If it imports packages, they may import any of them.
 */
async function ourDoors(imported: readonly string[] | "unknown"): Promise<SharedModules> {
  const names = imported === "unknown" || imported.some(isPackage) ? Object.keys(DOORS) : imported;
  const opened = names.map(async (name) => [name, await DOORS[name]?.()] as const);
  return Object.fromEntries((await Promise.all(opened)).filter(([, door]) => door !== undefined));
}

function isPackage(name: string): boolean {
  return !isBuiltin(name) && !Object.hasOwn(DOORS, name);
}

/** How extensions are loaded here: they share our doors, and those written for pi run too. */
export const LOADING: Pick<ImportOptions, "modules" | "adapter"> = {
  modules: ourDoors,
  adapter: async () => (await import("../../pi/index.js")).piAdapter(),
};
