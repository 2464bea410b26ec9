/** Removes the folder of an attempt: the files first, the record last, so that a kill in between loses no track of it. */
import { chmodSync, existsSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { forgetRoot } from "../checkpoint/internal.js";
import { type AttemptFolder, folderPlace } from "./folder-record.js";

/** True if nothing is left. Never follows a link. */
export function removeFolder({ id, path }: Pick<AttemptFolder, "id" | "path">, home: string): boolean {
  forgetRoot(path, home);
  const place = folderPlace(id, home);
  for (const { name } of itemsIn(place)) if (name !== "record.json") removeTree(join(place, name));
  if (existsSync(path)) return false;
  return removeTree(place);
}

export function removeTree(path: string): boolean {
  const remove = () => attempt(() => rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }));
  remove();
  if (!isThere(path)) return true;
  // A folder that was made read-only holds on to what is in it.
  openFolders(path);
  remove();
  return !isThere(path);
}

function openFolders(path: string): void {
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const at = folder;
    if (attempt(() => lstatSync(at).isDirectory()) !== true) continue;
    attempt(() => chmodSync(at, 0o700));
    for (const item of itemsIn(at)) if (item.isDirectory()) waiting.push(join(at, item.name));
  }
}

function isThere(path: string): boolean {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}
