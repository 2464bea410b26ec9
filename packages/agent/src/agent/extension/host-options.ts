import type { ExtensionUi } from "../../extension/index.js";
import type { AgentSession } from "../agent-session.js";

/** What a front end provides to extensions. */
export interface ExtensionHostOptions {
  /** Default: the agent that was created with this host as its `extensionHost`. */
  readonly agent?: () => AgentSession;
  readonly cwd: string;
  readonly ui: ExtensionUi;
  /** Whether a user can answer `ui`. */
  readonly hasUi: boolean;
  /** What runs the agent; `library` by default. */
  readonly mode?: "tui" | "plain" | "rpc" | "json" | "print" | "library";
  /** Whether the project may load its own extensions and permissions; false by default. */
  readonly trusted?: boolean;
  /** Whether the agent gets a tool that an extension registers later. Default: every tool. */
  readonly takesTool?: (name: string) => boolean;
  /** Ends the program. Default: disposes of the agent. */
  readonly shutdown?: () => void;
  /**
   * Runs a text that is a command of an extension once nothing else runs; false if it is none. For `sendUserMessage`
   * with `expandPromptTemplates`. Default: such a text is a prompt.
   */
  readonly runCommand?: (text: string) => boolean;
  /** Reloads the extensions. If omitted, `ctx.reload()` fails with an explanation. */
  readonly reload?: () => Promise<void>;
}
