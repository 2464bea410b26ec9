/**
 * The ID of an entry that was written without one: 4 hex digits from the session's ID, 8 from the entry's ordinal.
 *
 * The same file always gets the same IDs, so a label or a link made while an old file was open read-only is still valid
 * after the file is upgraded on disk. The session's digits keep the entries of two old files distinct.
 */
export function linearId(sessionId: string, ordinal: number): string {
  return hex(hash16(sessionId), 4) + hex(ordinal, 8);
}

/** FNV-1a over code units, both halves folded into one. */
function hash16(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return ((hash >>> 16) ^ hash) & 0xffff;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
