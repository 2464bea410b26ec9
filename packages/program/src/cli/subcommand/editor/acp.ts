/** `bough acp`: an agent for editors, until they close their end. */
import { THINKING_LEVELS } from "@bough/agent/model/index.js";
import { PERMISSION_MODES } from "@bough/agent/tool/index.js";
import { defined } from "@bough/session/text/index.js";
import { FlagValues } from "../flag-values.js";
import type { SubcommandCall } from "../subcommand.js";

export async function run(call: SubcommandCall): Promise<number> {
  const { flags, places, version, signal } = call;
  const provider = flags.text("login");
  if (provider !== undefined) return login(provider, call);
  const thinking = flags.text("thinking");
  const permission = flags.text("permission");
  const wish = {
    ...defined({
      sessionDir: places.dir,
      model: flags.text("model"),
      thinkingLevel: THINKING_LEVELS.find((level) => level === thinking),
      permissionMode: PERMISSION_MODES.find((mode) => mode === permission),
    }),
    allow: flags.all("allow"),
    deny: flags.all("deny"),
    extensions: flags.all("extension"),
    extensionPlaces: flags.isOn("no-extensions") ? "named" : "all",
    trust: flags.isOn("trust"),
  } as const;
  const { runAcp } = await import("../../acp/run-acp.js");
  return runAcp(wish, { version, signal, output: await call.takeOutput() });
}

/** Editors start the agent's own command for a login, in a terminal. */
async function login(provider: string, call: SubcommandCall): Promise<number> {
  const { run: logIn } = await import("../account/login.js");
  return logIn({ ...call, args: [provider], flags: new FlagValues(new Map()) });
}
