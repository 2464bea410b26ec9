/** Exports for Bough's other rooms only. */

export { SharedBus } from "./api/extension-bus.js";
export type { MoveFilesOptions } from "./api/navigation.js";
export { type GuardFailure, withheldResult } from "./event/failed-guard.js";
export { customForms, dialogLimit } from "./extension-ui.js";
export { extensionsOf, projectScope, userScope } from "./find-extensions.js";
export { INSTALL_ERROR_CODES } from "./install/install-error.js";
export {
  type InstallOutcome,
  installExtension,
  installMissing,
  removeExtension,
  switchExtension,
} from "./install/install-extension.js";
export { type ExtensionScope, readInstalled } from "./install/installed-list.js";
export { runningExtension } from "./running-extension.js";
export { PLAIN_THEME } from "./silent-ui.js";
export { createClock, type HoldClock, type Waited, type WaitOptions, waitFor } from "./wait-for.js";
