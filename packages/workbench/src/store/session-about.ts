/** What files of a store say about a session, and the names they have there. Both come from other machines. */
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

/** An ID comes from a file of anyone and becomes a file's name: it must not lead anywhere else. */
export function nameOfSession(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

export function sessionOfName(name: string): string {
  return attempt(() => decodeURIComponent(name)) ?? name;
}
