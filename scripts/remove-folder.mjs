// Removes a folder with everything in it, also where a folder inside may not be entered or changed. Only root is let into those
// as they are.
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** @param {string} folder that is ours; one that is missing is fine */
export function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Which error it is depends on the version of Node and on what was removed before.
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
