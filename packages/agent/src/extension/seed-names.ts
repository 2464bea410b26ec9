/** Alternative type names, as in the documentation of related agents, for extensions written after it. */
import type { CustomMessage } from "@bough/session/entry/index.js";
import type { BeforeTreeEvent, BeforeTreeResult, TreeEvent } from "./event/extension-events.js";
import type { ExtensionCommand } from "./extension-api.js";
import type { ExtensionUi } from "./extension-ui.js";

/** An extension's message in the context. */
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
