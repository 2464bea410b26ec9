import type { ExtensionAdapter } from "@bough/agent/extension/run.js";

const PACKAGE = /["'](?:@earendil-works|@mariozechner)\/pi-(?:coding-agent|ai|tui|agent-core)(?:\/[^"']*)?["']/;
const SCHEMA = /["'](?:typebox|@sinclair\/typebox)(?:\/[^"']*)?["']/;
/** A factory whose parameter has the name it has in all of pi's documentation. */
const NAMED_PI =
  /export\s+default\s+(?:async\s+)?(?:(?:function\b[^(]*)?\(\s*pi\s*[:,)]|pi\s*=>)|module\.exports\s*=\s*(?:async\s+)?(?:(?:function\b[^(]*)?\(\s*pi\s*[,)]|pi\s*=>)/;

/**
 * For extensions written for pi: what they import resolves to modules of ours, and they are given pi's API. An extension
 * is taken for one if it imports a package of pi, if only for types, or calls the parameter of its factory `pi`. One
 * that imports the schema library alone gets the library.
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
