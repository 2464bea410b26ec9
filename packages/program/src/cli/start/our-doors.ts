/** The entry points of this package that extensions share with us, loaded when one is imported. */
import { isBuiltin } from "node:module";
import type { ImportOptions, SharedModules } from "@bough/agent/extension/run.js";

const DOORS: Readonly<Record<string, () => Promise<object>>> = {
  "bough/entry": () => import("@bough/session/entry/index.js"),
  "bough/tree": () => import("@bough/session/tree/index.js"),
  "bough/context": () => import("@bough/session/context/index.js"),
  "bough/log": () => import("@bough/session/log/door.js"),
  "bough/session": () => import("@bough/session/session/index.js"),
  "bough/interop": () => import("@bough/workbench/interop/index.js"),
  "bough/extension": () => import("@bough/agent/extension/index.js"),
  "bough/extension/run": () => import("@bough/agent/extension/run.js"),
  "bough/extension/ui": () => import("@bough/agent/extension/ui.js"),
  "bough/project": () => import("@bough/agent/project/index.js"),
  "bough/store": () => import("@bough/workbench/store/index.js"),
  "bough/agent": () => import("@bough/agent/agent/index.js"),
  "bough/agent/plan": () => import("@bough/agent/agent/plan.js"),
  "bough/testing": () => import("@bough/agent/agent/testing.js"),
  "bough/export": () => import("@bough/workbench/export/index.js"),
  "bough/view": () => import("@bough/session/view/index.js"),
  "bough/pi": () => import("@bough/pi/pi/index.js"),
  "bough/rpc": () => import("@bough/rpc/rpc/index.js"),
};

/**
 * Extensions share our classes and catalogues instead of loading their own. Only the entry points they import are
 * loaded, because all of them would slow down the start. If an extension imports packages, those may import any of
 * them.
 */
async function ourDoors(imported: readonly string[] | "unknown"): Promise<SharedModules> {
  const names = imported === "unknown" || imported.some(isPackage) ? Object.keys(DOORS) : imported;
  const opened = names.map(async (name) => [name, await DOORS[name]?.()] as const);
  return Object.fromEntries((await Promise.all(opened)).filter(([, door]) => door !== undefined));
}

function isPackage(name: string): boolean {
  return !isBuiltin(name) && !Object.hasOwn(DOORS, name);
}

/** How extensions are loaded: they share our entry points, and those written for pi work too. */
export const LOADING: Pick<ImportOptions, "modules" | "adapter"> = {
  modules: ourDoors,
  adapter: async () => (await import("@bough/pi/pi/index.js")).piAdapter(),
};
