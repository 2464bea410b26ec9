/** What the terminal needs to run. */

import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import type { ExtensionShortcut, ExtensionUi } from "@bough/agent/extension/index.js";
import type { Registered, Registrations } from "@bough/agent/extension/run.js";
import type { UserModelRegistry } from "@bough/agent/model/index.js";
import type { Permissions } from "@bough/agent/tool/index.js";
import type { AgentPlaces } from "@bough/workbench/interop/index.js";
import type { SessionSync } from "@bough/workbench/store/internal.js";
import type { RunExtensionCommand } from "../../command/index.js";
import type { Hints } from "./start/hints.js";

export interface AppParts {
  readonly agent: AgentSession;
  readonly registry: UserModelRegistry;
  readonly permissions: Permissions;
  /** What extensions registered. */
  readonly registrations: Registrations;
  /** Runs a command of an extension and sends what it returns. */
  readonly runExtensionCommand: RunExtensionCommand;
  /** Runs an extension's shortcut. Reports its failures itself. */
  readonly runShortcut: (shortcut: Registered<ExtensionShortcut>) => Promise<void>;
  /** Replays the events so far, then passes on each new one. */
  readonly listen: (listener: (event: AgentEvent) => void) => void;
  /** Tells tools and extensions that the session has started. Called once the screen is up. */
  readonly begin: () => Promise<void>;
  /** The session and its store; absent if the program does not sync. */
  readonly sync?: SessionSync;
  readonly cwd: string;
  readonly home: string;
  /** Of the program. */
  readonly version?: string | undefined;
  /** Where new session files go and sessions are listed. */
  readonly sessionDir: string;
  readonly projectTrusted: boolean;
  /** Where other agents keep their sessions. If omitted, they are not searched at startup. */
  readonly agentPlaces?: AgentPlaces;
  /** Sent as the first prompt. */
  readonly prompt?: string;
  /** Shown above the conversation, as for the bundled session. */
  readonly notice?: string;
}

/** Parts the running terminal gets in addition to those of its agent. */
export interface RunningOptions {
  readonly hints: Hints;
  /** Dialogs that commands open. */
  readonly ui: ExtensionUi;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The clock of running work. */
  readonly workNow: () => number;
}
