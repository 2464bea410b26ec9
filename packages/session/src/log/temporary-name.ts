/** The names of the files that `edit` and `write` create next to the file they are about to replace. */
import { basename } from "node:path";

export interface TemporaryOwner {
  /** The process that creates it. */
  readonly pid: number;
  /** The ID of the call. */
  readonly token: string;
}

/** Without the number of the attempt. A name can have 255 bytes, and a character up to four of them. */
function nameStart(path: string, { pid, token }: TemporaryOwner): string {
  return `.${basename(path).slice(0, 40)}.${pid}-${token.replace(/[^A-Za-z0-9_-]/g, "").slice(-40)}-`;
}

export function temporaryNameFor(path: string, owner: TemporaryOwner, attempt: number): string {
  return `${nameStart(path, owner)}${attempt}.tmp`;
}

/** Whether this owner gave a name to a temporary file for a path. */
export function isTemporaryNameFor(path: string, owner: TemporaryOwner, name: string): boolean {
  const start = nameStart(path, owner);
  return name.startsWith(start) && /^\d+\.tmp$/.test(name.slice(start.length));
}

/** Whether a name may be that of such a file, of any owner. */
export function isTemporaryName(name: string): boolean {
  return /^\..{1,40}\.\d+-[A-Za-z0-9_-]{0,40}-\d{1,2}\.tmp$/s.test(name);
}
