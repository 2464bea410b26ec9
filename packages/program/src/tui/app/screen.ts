/**
 * The context a screen gets, and the type of a screen: a function that opens its panels and returns once they close.
 */
import type { AgentEvent } from "@bough/agent/agent/index.js";
import type { UserModelRegistry } from "@bough/agent/model/index.js";
import type { Permissions } from "@bough/agent/tool/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import type { FollowEvent } from "@bough/session/session/index.js";
import type { CommandContext, ScreenRequest } from "../../command/index.js";
import type { PanelHost, StatusLevel } from "../host/panel-host.js";

export interface ScreenApp {
  readonly host: PanelHost;
  readonly context: CommandContext;
  readonly registry: UserModelRegistry;
  readonly permissions: Permissions;
  /** Whether the project is trusted to use its own permissions and extensions. */
  readonly projectTrusted: boolean;
  /** The session is read-only: nothing is sent, and the leaf stays. */
  readonly readOnly: boolean;
  /** Scrolls the conversation to an entry; false if it is not on the path. */
  showEntry(id: EntryId): boolean;
  /** Shows text in the conversation that is not saved in the file, such as a command's multi-line answer. */
  note(text: string, level?: StatusLevel): void;
  open(request: ScreenRequest): Promise<void>;
  /** Why a key of the conversation, or a global one, is disabled. */
  disabledReason?(actionId: string): string | undefined;
  /** Calls back on agent events while a panel is open. Returns the unsubscribe function. */
  onEvent(listener: (event: AgentEvent) => void): () => void;
  /** Calls back when other processes add entries. Returns the unsubscribe function. */
  onFollow(listener: (event: FollowEvent) => void): () => void;
}

export type Screen<Name extends ScreenRequest["screen"]> = (
  app: ScreenApp,
  request: Extract<ScreenRequest, { readonly screen: Name }>,
) => Promise<void>;
