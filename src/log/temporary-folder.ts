/** A folder that only its owner may enter, for as long as something is being made or looked at in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

const FOLDERS = new Set<string>();

/** Goes away when it is removed, or when the process ends without that: a second Ctrl+C waits for nothing. */
export function temporaryFolder(name: string): TemporaryFolder {
  // `mkdtemp` makes folders private.
  const path = mkdtempSync(join(tmpdir(), `bough-${name}-`));
  if (FOLDERS.size === 0) process.on("exit", removeAll);
  FOLDERS.add(path);
  const remove = () => {
    rmSync(path, { recursive: true, force: true });
    FOLDERS.delete(path);
    if (FOLDERS.size === 0) process.off("exit", removeAll);
  };
  return { path, remove };
}

function removeAll(): void {
  for (const folder of FOLDERS) rmSync(folder, { recursive: true, force: true });
}
