/** The names of journals of turns: `<session>.jsonl.<owner>.<random>.turn`. */
import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import { isLeftBehind, namesIn, OWNER_MARK, ownerMark } from "@bough/session/log/index.js";

const JOURNAL = new RegExp(`\\.(${OWNER_MARK})\\.[0-9a-f]+\\.turn$`);

export function journalName(sessionFile: string): string {
  return `${sessionFile}.${ownerMark()}.${randomBytes(6).toString("hex")}.turn`;
}

/** The names of journals next to a session whose processes are dead. */
export function leftJournals(sessionFile: string): string[] {
  const start = `${basename(sessionFile)}.`;
  return namesIn(dirname(sessionFile)).filter((name) => {
    const mark = name.startsWith(start) ? JOURNAL.exec(name)?.[1] : undefined;
    return mark !== undefined && isLeftBehind(mark);
  });
}

export function hasLeftTurns(sessionFile: string): boolean {
  return leftJournals(sessionFile).length > 0;
}
