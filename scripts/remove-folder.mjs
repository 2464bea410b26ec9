// Removes a folder and its contents, even if a folder in it is not accessible or writable, which only root can ignore.
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** @param {string} folder that is ours; one that is missing is fine */
export function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The error differs between versions of Node and depends on what was already removed.
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} root */
function openFolders(root) {
  const folders = existsSync(root) ? [root] : [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    chmodSync(folder, 0o700);
    for (const item of readdirSync(folder, { withFileTypes: true }))
      if (item.isDirectory()) folders.push(join(folder, item.name));
  }
}
