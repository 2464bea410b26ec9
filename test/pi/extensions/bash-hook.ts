/** `bash` with a variable of its own in the environment. */
import { createBashTool, type ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const bash = createBashTool(process.cwd(), {
    spawnHook: ({ command, cwd, env }) => ({
      command: `echo hooked; ${command}`,
      cwd,
      env: { ...env, COLOUR: "teal" },
    }),
  });
  pi.registerTool({
    ...bash,
    execute: async (id, params, signal, onUpdate) => bash.execute(id, params, signal, onUpdate),
  });
}
