/** What a sandbox blocked, in plain words. */
import { visibleText } from "../../text/index.js";

/** See `Blocked` in the tool room. */
export interface BlockedFacts {
  readonly kind: "write" | "read" | "network" | "socket" | "moved";
  readonly what: string;
  readonly certain: boolean;
  readonly movedTo?: string | undefined;
}

const VERBS = { write: "writing", read: "reading", network: "connecting to", socket: "using the socket" } as const;

/** "writing /etc/hosts", "connecting to example.com:443 (as printed by the command)". Shows hidden characters. */
export function blockedWords({ kind, what, certain, movedTo = "" }: BlockedFacts): string {
  const shown = (text: string) => visibleText(text, { newlines: "escape" }).text;
  if (kind === "moved") return `creating ${shown(what)}, which was moved to ${shown(movedTo)}`;
  return `${VERBS[kind]} ${shown(what)}${certain ? "" : " (as printed by the command)"}`;
}
