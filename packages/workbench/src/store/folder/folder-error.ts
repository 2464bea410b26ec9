/** Turns file system failures into store errors. */
import { errorText } from "@bough/session/text/index.js";
import { StoreError } from "../store-error.js";

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const REFUSED: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

export function folderError(error: unknown, folder: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  const options = { cause: error, data: { folder } };
  if (FULL.has(code)) return new StoreError("store-full", `No space left in ${folder}`, options);
  if (REFUSED.has(code)) {
    const hint = "Check who may write there.";
    return new StoreError("store-read-only", `Permission denied: ${folder}`, { ...options, hint });
  }
  return new StoreError("store-unreachable", `Cannot use ${folder}: ${errorText(error)}`, options);
}
