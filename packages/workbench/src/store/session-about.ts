/** What a store's files say about a session, and their names. Both come from other machines. */
import { attempt } from "@bough/session/text/index.js";
import type { SessionAbout } from "./store.js";

interface Fields {
  readonly project?: unknown;
  readonly title?: unknown;
  readonly cwd?: unknown;
}

export function aboutIn({ project, title, cwd }: Fields): SessionAbout {
  return {
    ...(typeof project === "string" ? { project } : {}),
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
  };
}

/** An ID may come from anyone's file and becomes a file name, so it is escaped against path traversal. */
export function nameOfSession(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

export function sessionOfName(name: string): string {
  return attempt(() => decodeURIComponent(name)) ?? name;
}
