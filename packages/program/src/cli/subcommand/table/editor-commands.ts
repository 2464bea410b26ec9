/** Subcommands that other programs start. */
import { FLAGS, type Flag } from "../../flags.js";
import type { Subcommand } from "../subcommand.js";

/** The same flag as without a command. */
function sameFlag(name: string): Flag {
  return FLAGS[name] as Flag;
}

export const EDITOR_COMMANDS: readonly Subcommand[] = [
  {
    name: "acp",
    usage: "",
    summary: "Run as an agent for editors (Agent Client Protocol)",
    details:
      "Speaks the Agent Client Protocol on standard input and output, for Zed, JetBrains, Neovim, Emacs and other clients; they start it themselves. Each session of a client is a branch of a session file: listing shows branches, forking at a message makes one in the same file. Flags apply to every session. Logs go to standard error.",
    flags: {
      model: sameFlag("model"),
      thinking: { ...sameFlag("thinking"), choices: ["off", "minimal", "low", "medium", "high"] },
      permission: {
        value: "mode",
        choices: ["plan", "ask", "edits", "auto", "read-only"],
        help: "the mode sessions start in (default ask)",
      },
      allow: sameFlag("allow"),
      deny: sameFlag("deny"),
      extension: sameFlag("extension"),
      "no-extensions": sameFlag("no-extensions"),
      trust: sameFlag("trust"),
      login: {
        value: "provider",
        help: "save an API key instead, as bough login does; for editors that offer to log in",
      },
    },
    examples: [
      ["acp", "what to configure as the agent's command in an editor"],
      ["acp --permission edits", "edit files without asking, ask before commands"],
    ],
    json: "Has no effect: the protocol is already JSON.",
    args: { least: 0, most: 0 },
    completes: "none",
    load: () => import("../editor/acp.js"),
  },
];
