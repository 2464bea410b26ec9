/** Reading the small text files of a project. What cannot be read is a problem to report, never a failure. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Something in a project or in the home folder that was not used, or only in part. */
export interface ProjectProblem {
  readonly file: string;
  /** A sentence. */
  readonly message: string;
}

export type TextFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly reason: string };

export function readTextFile(file: string): TextFile {
  try {
    return { kind: "text", text: readFileSync(file, "utf8").replace(/^\uFEFF/, "") };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    return { kind: "unreadable", reason: code === "EISDIR" ? "it is a folder" : (error as Error).message };
  }
}

/** Names in a folder, sorted by their bytes so that the order is the same on every machine; none if it is not there. */
export function sortedNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // No folder, or one we may not look into: both mean there is nothing for us.
    return [];
  }
}

/** The two places of a kind of file, the more special one last. */
export function homeAndProject(place: { readonly home: string; readonly cwd: string }, name: string): string[] {
  return [join(place.home, name), join(place.cwd, ".bough", name)];
}
