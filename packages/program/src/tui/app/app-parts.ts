/** What the terminal is given to run with. */

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
  /** Runs what an extension bound to a key. It reports its own failures. */
  readonly runShortcut: (shortcut: Registered<ExtensionShortcut>) => Promise<void>;
  /** Tells what happened so far, then everything as it happens. */
  readonly listen: (listener: (event: AgentEvent) => void) => void;
  /** Tells tools and extensions that the session has begun; called once the screen is there. */
  readonly begin: () => Promise<void>;
  /** The session and its store; absent if the program does not sync. */
  readonly sync?: SessionSync;
  readonly cwd: string;
  readonly home: string;
  /** Where new session files go and sessions are listed. */
  readonly sessionDir: string;
  readonly projectTrusted: boolean;
  /** Where other agents keep their sessions. If omitted, they are not searched at startup. */
  readonly agentPlaces?: AgentPlaces;
  /** Sent at once. */
  readonly prompt?: string;
  /** Shown above the conversation, as for the bundled session. */
  readonly notice?: string;
}

/** What the running terminal is given next to the parts of its agent. */
export interface RunningOptions {
  readonly hints: Hints;
  /** Dialogs of commands. */
  readonly ui: ExtensionUi;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The clock of running work. */
  readonly workNow: () => number;
}
