/** What a screen is given, and what it is: a function that opens its panels and returns when they are closed. */
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
  /** Whether the project's own rights and code count. */
  readonly projectTrusted: boolean;
  /** The session was opened to look at only: nothing is sent, and the leaf stays. */
  readonly readOnly: boolean;
  /** Scrolls the conversation to an entry; false if it is not on the path. */
  showEntry(id: EntryId): boolean;
  /** Shows a text in the conversation that is not in the file: a command's answer of more than one line. */
  note(text: string, level?: StatusLevel): void;
  open(request: ScreenRequest): Promise<void>;
  /** Why a key of the conversation, or one that works everywhere, does nothing now. */
  disabledReason?(actionId: string): string | undefined;
  /** News of the agent while a panel is open. Returns what ends it. */
  onEvent(listener: (event: AgentEvent) => void): () => void;
  /** News of other processes. Returns what ends it. */
  onFollow(listener: (event: FollowEvent) => void): () => void;
}

export type Screen<Name extends ScreenRequest["screen"]> = (
  app: ScreenApp,
  request: Extract<ScreenRequest, { readonly screen: Name }>,
) => Promise<void>;
