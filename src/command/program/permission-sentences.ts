/** What is said about permissions: the mode, and what was allowed for the session. */
import type { PermissionMode } from "../../tool/index.js";

export const PERMISSION_SENTENCES = {
  none: "This program manages permissions itself.",
  noGrants: "Nothing is allowed without asking in this session.",
  grants: "Allowed for this session:",
  howToRevoke: "/permissions revoke <number> revokes one; /permissions revoke all revokes all.",
} as const;

const MODES: Readonly<Record<PermissionMode, string>> = {
  ask: "Mode ask: asks before commands, changes, and reading outside the working directory.",
  auto: "Mode auto: commands and changes in the working directory run without asking.",
  "read-only": "Mode read-only: nothing is changed or run.",
};

export function permissionModeSentence(mode: PermissionMode): string {
  return MODES[mode];
}

/** When something was allowed for the session: what, and how to take it back. */
export function grantedSentence(words: string): string {
  return `Allowed for this session: ${words}. /permissions revokes it.`;
}

/** When another session was opened. */
export function grantsEndedSentence(words: readonly string[]): string {
  return `No longer allowed without asking: ${words.join("; ")}`;
}
