import type { ExtensionAdapter } from "@bough/agent/extension/run.js";

const PACKAGE = /["'](?:@earendil-works|@mariozechner)\/pi-(?:coding-agent|ai|tui|agent-core)(?:\/[^"']*)?["']/;
const SCHEMA = /["'](?:typebox|@sinclair\/typebox)(?:\/[^"']*)?["']/;
/** Matches a factory whose parameter has the name used throughout pi's documentation. */
const NAMED_PI =
  /export\s+default\s+(?:async\s+)?(?:(?:function\b[^(]*)?\(\s*pi\s*[:,)]|pi\s*=>)|module\.exports\s*=\s*(?:async\s+)?(?:(?:function\b[^(]*)?\(\s*pi\s*[,)]|pi\s*=>)/;

/**
 * Runs extensions written for pi: their imports resolve to our modules, and they receive pi's API. An extension counts
 * as one if it imports a package of pi, even only types, or calls the parameter of its factory `pi`. An extension that
 * only imports the schema library gets just that library.
 */
export function piAdapter(): ExtensionAdapter {
  return {
    needs: (scripts) => {
      if (scripts.some((text) => PACKAGE.test(text)) || NAMED_PI.test(scripts[0] ?? "")) return "everything";
      return scripts.some((text) => SCHEMA.test(text)) ? "modules" : "nothing";
    },
    modules: async () => (await import("./modules.js")).PI_MODULES,
    adapt: async (factory) => (await import("./adapter/adapt-factory.js")).adaptFactory(factory),
  };
}
