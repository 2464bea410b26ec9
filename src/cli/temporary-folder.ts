/** A folder that only its owner may enter, for as long as something is being made in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** Goes away when it is removed, or when the process ends without that: a second Ctrl+C waits for nothing. */
export function temporaryFolder(name: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `bough-${name}-`));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  process.once("exit", removeNow);
  const remove = () => {
    process.off("exit", removeNow);
    removeNow();
  };
  return { path, remove };
}
