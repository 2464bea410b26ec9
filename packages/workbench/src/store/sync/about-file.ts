/** What a store's list shows of a session file: title, folder, project. */
import { existsSync, statSync } from "node:fs";
import type { SessionInfo } from "@bough/session/session/index.js";
import { sessionInfo } from "@bough/session/session/internal.js";
import { firstWords } from "@bough/session/text/index.js";
import type { SessionAbout } from "../store.js";

type ProjectAt = (folder: string) => Promise<string | undefined>;

/** Empty if the file is missing or not a session. */
export async function aboutFile(file: string, projectAt: ProjectAt): Promise<SessionAbout> {
  const stats = statSync(file, { throwIfNoEntry: false });
  const info = stats && sessionInfo({ path: file, size: stats.size, modifiedMs: stats.mtimeMs });
  return info === undefined ? {} : aboutInfo(info, projectAt);
}

export async function aboutInfo(info: SessionInfo, projectAt: ProjectAt): Promise<SessionAbout> {
  const project = existsSync(info.cwd) ? await projectAt(info.cwd) : undefined;
  return { ...(project === undefined ? {} : { project }), title: titleOfInfo(info), cwd: info.cwd };
}

export function titleOfInfo(info: SessionInfo): string {
  return firstWords(info.name ?? info.firstMessage, 80);
}
