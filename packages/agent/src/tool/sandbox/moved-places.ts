/** Puts away what a command left at places that decide what runs, and puts it back. */
import {
  cpSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import { systemCode, ToolFailure } from "../tool-failure.js";
import type { Appeared } from "./protected-places.js";

/** Below Bough's own folder. */
const STORE = ["sandbox", "moved"];

/** Returns where it is now. If Bough's folder cannot be written, it gets a name next to it that decides nothing. */
export function putAway(
  { path, before }: Appeared,
  { home, name }: { readonly home: string; readonly name: string },
): string {
  // Another command may have put a link in the place of a folder above.
  if (realpathSync(dirname(path)) !== dirname(path)) throw new ToolFailure(`${path} is somewhere else by now`);
  const target = moveTo(path, home, name);
  if (before?.kind === "link") attempt(() => symlinkSync(before.value, path));
  if (before?.kind === "text") attempt(() => writeFileSync(path, before.value, { flag: "wx" }));
  return target;
}

function moveTo(path: string, home: string, name: string): string {
  const folder = join(home, ...STORE, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return moved(path, join(folder, basename(path)));
  } catch {
    const beside = join(dirname(path), `moved-by-bough-${name}-${basename(path).replace(/^\.+/, "")}`);
    renameSync(path, beside);
    return beside;
  }
}

/** Throws if there is something at `path` by now. */
export function putBackPlace({ path, movedTo }: { readonly path: string; readonly movedTo: string }): void {
  if (attempt(() => lstatSync(path)) !== undefined) throw new ToolFailure(`File already exists: ${path}`);
  if (attempt(() => lstatSync(movedTo)) === undefined) throw new ToolFailure(`File not found: ${movedTo}`);
  mkdirSync(dirname(path), { recursive: true });
  moved(movedTo, path);
  const folder = dirname(movedTo);
  attempt(() => rmdirSync(folder));
}

function moved(from: string, to: string): string {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
    // Another disk. Links stay links, so nothing outside is copied.
    cpSync(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
      preserveTimestamps: true,
    });
    rmSync(from, { recursive: true, force: true });
  }
  return to;
}
