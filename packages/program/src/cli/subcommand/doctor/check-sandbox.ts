/** Whether shell commands can be sandboxed here: runs a command inside to find out. */
import { DEFAULT_SANDBOX, readSettings, type SandboxChoice } from "@bough/agent/project/index.js";
import { openSandbox } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { sandboxHint } from "../../../command/index.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Check } from "./check-environment.js";

const area = "Sandbox";

const WORKS: Readonly<Record<SandboxChoice, Pick<Check, "message" | "hint">>> = {
  on: { message: "Shell commands run in a sandbox" },
  auto: { message: "Shell commands run in a sandbox in permission mode auto" },
  off: {
    message: "Shell commands can be sandboxed, but are not",
    hint: 'Set "sandbox": "auto" for permission mode auto, or "on" for all modes.',
  },
};

export async function checkSandbox({ places: { cwd } }: Pick<SubcommandCall, "places">): Promise<readonly Check[]> {
  const home = boughHome();
  const { settings } = readSettings({ cwd, home, projectTrusted: false });
  const choice = settings.sandbox ?? DEFAULT_SANDBOX;
  const sandbox = openSandbox({ cwd, home, allowHost: async () => false });
  try {
    const state = await sandbox.ready();
    if (state.kind === "on") return [{ area, level: "ok", ...WORKS[choice] }];
    const message = `Shell commands cannot be sandboxed: ${state.reason}`;
    return [{ area, level: choice === "off" ? "note" : "warning", message, hint: sandboxHint(state) }];
  } finally {
    await sandbox.close();
  }
}
