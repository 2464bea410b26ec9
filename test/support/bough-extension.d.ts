/**
 * The published name as the source has it today: the examples import types from `bough/extension`, and they are checked
 * before there is a build, and never against an old one.
 */
declare module "bough/extension" {
  export type ExtensionApi = import("@bough/agent/extension/index.js").ExtensionApi;
  export type ExtensionContext = import("@bough/agent/extension/index.js").ExtensionContext;
}
