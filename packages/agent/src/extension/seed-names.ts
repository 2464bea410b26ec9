/** The names that documents of this family use, for extensions that were written after them. */
import type { CustomMessage } from "@bough/session/entry/index.js";
import type { BeforeTreeEvent, BeforeTreeResult, TreeEvent } from "./event/extension-events.js";
import type { ExtensionCommand } from "./extension-api.js";
import type { ExtensionUi } from "./extension-ui.js";

/** A message of an extension, as it is in the context. */
export type HookMessage<Details = unknown> = CustomMessage<Details>;
/** The same as `ExtensionUi`. */
export type HookUIContext = ExtensionUi;
/** A command with the name it was registered under. */
export type RegisteredCommand = ExtensionCommand & { readonly name: string };
/** The same as `BeforeTreeEvent`. */
export type SessionBeforeTreeEvent = BeforeTreeEvent;
/** The same as `BeforeTreeResult`. */
export type SessionBeforeTreeResult = BeforeTreeResult;
/** The same as `TreeEvent`. */
export type SessionTreeEvent = TreeEvent;
