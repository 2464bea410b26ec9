/** Lines of a session file as text, for files that no session manager would write. */
const TIME = "2026-01-15T12:00:00.000Z";

export const HEADER = { type: "session", version: 3, id: "session-1", timestamp: TIME, cwd: "/w" } as const;
export const HEADER_LINE = `${JSON.stringify(HEADER)}\n`;

export function header(fields: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ ...HEADER, ...fields })}\n`;
}

/** A user message that says its id, as a line. `fields` are added or take the place of the usual ones. */
export function line(id: string, parentId: string | null, fields: Readonly<Record<string, unknown>> = {}): string {
  const message = { role: "user", content: id, timestamp: 1 };
  return `${JSON.stringify({ type: "message", id, parentId, timestamp: TIME, message, ...fields })}\n`;
}

/** The record of a position: its parent is where the leaf is. */
export function positionLine(id: string, parentId: string | null): string {
  return `${JSON.stringify({ type: "custom", id, parentId, timestamp: TIME, customType: "bough.position" })}\n`;
}

/** The line of a user message with a quote missing: its place can be read, its content cannot. */
export function brokenLine(id: string, parentId: string | null): string {
  return line(id, parentId).replace(`"content":"${id}"`, `"content":"${id}`);
}
