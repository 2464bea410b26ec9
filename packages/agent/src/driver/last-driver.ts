/** Which agent did the last turn on a path. */
import { DRIVER_TYPE } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { isRecord } from "@bough/session/text/index.js";

const CONVERSATION: ReadonlySet<string> = new Set(["user", "assistant", "toolResult"]);

/** The name of its driver. Undefined if Bough's own agent did it, or none was done. */
export function lastDriver(session: SessionManager): string | undefined {
  let nativeId: string | undefined;
  for (const entry of upwards(session, session.getLeafId())) {
    if (nativeId === undefined) {
      if (entry.type !== "message" || !CONVERSATION.has(entry.message.role)) continue;
      const { native } = entry as { readonly native?: unknown };
      if (typeof native !== "string") return undefined;
      nativeId = native.slice(0, native.lastIndexOf("/"));
    }
    if (entry.type !== "custom" || entry.customType !== DRIVER_TYPE || !isRecord(entry.data)) continue;
    const { agent } = entry.data;
    if (entry.data.nativeId === nativeId && typeof agent === "string") return agent;
  }
  return undefined;
}
