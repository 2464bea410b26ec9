import type { ExtensionFactory } from "../../extension/index.js";
export function adaptFactory(factory: (api: never) => unknown): ExtensionFactory {
  return async (api) => {
    await factory(api as never);
  };
}
