/** `bough acp`: an agent for editors, until they close their end. */
import { THINKING_LEVELS } from "@bough/agent/model/index.js";
import { SANDBOX_CHOICES } from "@bough/agent/project/index.js";
import { PERMISSION_MODES } from "@bough/agent/tool/index.js";
import { OWN_AGENT } from "../../../command/door.js";
import { usageError } from "../../cli-error.js";
import { FLAGS, type Flag } from "../../flags.js";
import { FlagValues } from "../flag-values.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

/** The same flag as without a subcommand. */
function sameFlag(name: string): Flag {
  return FLAGS[name] as Flag;
}

export const row: SubcommandRow = {
  name: "acp",
  usage: "",
  summary: "Run as an agent for editors (Agent Client Protocol)",
  details:
    "Speaks the Agent Client Protocol on standard input and output, for Zed, JetBrains, Neovim, Emacs and other clients; they start it themselves. Each session of a client is a branch of a session file: listing shows branches, forking at a message makes one in the same file. Flags apply to every session. Logs go to standard error.",
  flags: {
    agent: sameFlag("agent"),
    model: sameFlag("model"),
    thinking: sameFlag("thinking"),
    permission: {
      value: "mode",
      choices: ["plan", "ask", "edits", "auto", "read-only"],
      help: "the mode sessions start in (default ask)",
    },
    sandbox: { ...sameFlag("sandbox"), choices: ["auto", "on", "off"] },
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
    ["acp --agent claude", "Claude Code in an editor, with branches and files that can be gone back to"],
    ["acp --permission edits", "edit files without asking, ask before commands"],
  ],
  json: "Has no effect: the protocol is already JSON.",
  args: { least: 0, most: 0 },
  completes: "none",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, places, version, signal } = call;
  const provider = flags.text("login");
  if (provider !== undefined) return login(provider, call);
  const driver = flags.text("agent");
  const isOther = driver !== undefined && driver !== OWN_AGENT;
  const thinking = flags.text("thinking");
  const thinkingLevel = isOther ? undefined : THINKING_LEVELS.find((level) => level === thinking);
  if (thinking !== undefined && !isOther && thinkingLevel === undefined) {
    throw usageError(`Invalid value for --thinking: ${thinking}`, `Choose one of ${THINKING_LEVELS.join(", ")}.`);
  }
  const permission = flags.text("permission");
  const sandbox = flags.text("sandbox");
  const request = {
    sessionDir: places.dir,
    model: flags.text("model"),
    driver,
    effort: isOther ? thinking : undefined,
    thinkingLevel,
    permissionMode: PERMISSION_MODES.find((mode) => mode === permission),
    sandbox: SANDBOX_CHOICES.find((choice) => choice === sandbox),
    allow: flags.all("allow"),
    deny: flags.all("deny"),
    extensions: flags.all("extension"),
    extensionPlaces: flags.isOn("no-extensions") ? "named" : "all",
    trust: flags.isOn("trust"),
  } as const;
  const { runAcp } = await import("../../acp/run-acp.js");
  return runAcp(request, { version, signal, output: await call.takeOutput() });
}

/** To log in, editors run the agent's own command in a terminal. */
async function login(provider: string, call: SubcommandCall): Promise<number> {
  const { run: logIn } = await import("../account/login.js");
  return logIn({ ...call, args: [provider], flags: new FlagValues(new Map()) });
}
