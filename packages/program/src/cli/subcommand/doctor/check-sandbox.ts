/** Runs a command in the sandbox to find out whether it works here. */
import { readSettings } from "@bough/agent/project/index.js";
import { openSandbox } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Check } from "./check-environment.js";

const area = "Sandbox";

export async function checkSandbox({ places: { cwd } }: Pick<SubcommandCall, "places">): Promise<readonly Check[]> {
  const home = boughHome();
  const isWanted = readSettings({ cwd, home, projectTrusted: false }).settings.sandbox === "on";
  const sandbox = openSandbox({ cwd, home, allowHost: async () => false });
  try {
    const state = await sandbox.ready();
    if (state.kind === "on") {
      const message = isWanted ? "Shell commands run in a sandbox" : "Shell commands can be sandboxed, but are not";
      return [
        { area, level: "ok", message, ...(isWanted ? {} : { hint: 'Set "sandbox": "on", or pass --sandbox on.' }) },
      ];
    }
    const message = `Shell commands cannot be sandboxed: ${state.reason}`;
    return [{ area, level: isWanted ? "warning" : "note", message, hint: state.fix }];
  } finally {
    await sandbox.close();
  }
}
