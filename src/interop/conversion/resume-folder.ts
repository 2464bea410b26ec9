/** The directory another program is resumed in: checked before a transcript names it. */
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { AgentName } from "../contract.js";
import { InteropError } from "../interop-error.js";

/** `mustExist`: the program refuses a session whose directory is not there. */
export function checkResumeFolder(
  agent: AgentName,
  cwd: string,
  { mustExist }: { readonly mustExist: boolean } = { mustExist: false },
): void {
  const data = { cwd, agent };
  const hint = "Name the directory to go on in.";
  if (!isAbsolute(cwd)) {
    throw new InteropError("cannot-write", `The directory has to be a whole path, and is: ${cwd}`, { data, hint });
  }
  if (mustExist && !isFolder(cwd)) {
    throw new InteropError("cannot-write", `${agent} goes on only in a directory that is there: ${cwd}`, {
      data,
      hint,
    });
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Not there, or not to be looked at: the program would not go there either.
    return false;
  }
}
