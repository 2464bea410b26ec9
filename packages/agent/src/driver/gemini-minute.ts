/**
 * Gemini CLI names the file of a session by its ID and the minute. Loading a session in the minute in which it began
 * opens that file as a new one, and what was said in it is gone.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";

export function isSafeToLoad(id: string, env: NodeJS.ProcessEnv, now: Date): boolean {
  const home = env.GEMINI_CLI_HOME || env.HOME;
  if (home === undefined) return true;
  const folder = join(home, ".gemini", "tmp");
  const minute = now.toISOString().slice(0, 16).replace(":", "-");
  const name = `session-${minute}-${id.slice(0, 8)}.jsonl`;
  const projects = itemsIn(folder);
  return !projects.some((project) => existsSync(join(folder, project.name, "chats", name)));
}
