/** `bough acp`: an agent for editors, until they close their end. */
import { THINKING_LEVELS } from "../../../model/index.js";
import { defined } from "../../../text/index.js";
import { PERMISSION_MODES } from "../../../tool/index.js";
import { runAcp } from "../../acp/run-acp.js";
import type { SubcommandCall } from "../subcommand.js";

export async function run({ flags, places, version, signal }: SubcommandCall): Promise<number> {
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
  return runAcp(wish, { version, signal });
}
