/** Other paths of the same file: a folder can be mounted in several places, and a sandbox hides paths. */
import { readFileSync } from "node:fs";
import { isInside } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";

export interface Mount {
  readonly device: string;
  /** The folder of the device that is mounted. */
  readonly root: string;
  readonly at: string;
}

/** The mounts of this machine, as this process sees them. */
export function mountsHere(): readonly Mount[] {
  return parseMounts(attempt(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "");
}

/** Reads `/proc/self/mountinfo`, in which spaces and backslashes are octal. */
export function parseMounts(text: string): readonly Mount[] {
  const plain = (word: string) =>
    word.replace(/\\(\d{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
  const mounts: Mount[] = [];
  for (const line of text.split("\n")) {
    const [, , device, root, at] = line.split(" ");
    if (device !== undefined && root !== undefined && at !== undefined)
      mounts.push({ device, root: plain(root), at: plain(at) });
  }
  return mounts;
}

/** Every path of what is at this one, this one first. */
export function aliasesOf(path: string, mounts: readonly Mount[]): readonly string[] {
  const own = mounts.filter(({ at }) => isInside(at, path)).sort((a, b) => b.at.length - a.at.length)[0];
  if (own === undefined) return [path];
  const onDevice = joined(own.root, rest(own.at, path));
  const found = new Set([path]);
  for (const { device, root, at } of mounts) {
    if (device === own.device && isInside(root, onDevice)) found.add(joined(at, rest(root, onDevice)));
  }
  return [...found];
}

function rest(folder: string, path: string): string {
  return folder === "/" ? path : path.slice(folder.length);
}

function joined(folder: string, path: string): string {
  const all = `${folder === "/" ? "" : folder}${path}`;
  return all === "" ? "/" : all;
}
