/**
 * Adds the rules of your team (TEAM.md of the project) to the system prompt of every run, and reads them again each time.
 * Uses `before_agent_start`, which may return the system prompt of the run.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExtensionApi } from "bough/extension";

export default function (bough: ExtensionApi) {
  bough.on("before_agent_start", async (event, ctx) => {
    const rules = await readFile(join(ctx.cwd, "TEAM.md"), "utf8").catch(() => "");
    if (rules.trim() === "") return;
    return { systemPrompt: `${event.systemPrompt}\n\n# Rules of the team\n\n${rules.trim()}` };
  });
}
