/** The directory another program is resumed in: checked before a transcript names it. */
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import type { AgentName } from "../contract.js";
import { InteropError } from "../interop-error.js";

/** `mustExist`: the program refuses a session whose directory is not there. */
export function checkResumeFolder(
  agent: AgentName,
  cwd: string,
  { mustExist }: { readonly mustExist: boolean } = { mustExist: false },
): void {
  const data = { cwd, agent };
  const hint = "Name the directory to continue in.";
  if (!isAbsolute(cwd)) {
    throw new InteropError("cannot-write", `The directory must be an absolute path: ${cwd}`, { data, hint });
  }
  if (mustExist && !isFolder(cwd)) {
    throw new InteropError("cannot-write", `${agent} can only resume in an existing directory: ${cwd}`, {
      data,
      hint,
    });
  }
}

function isFolder(path: string): boolean {
  // Not there, or not to be looked at: the program would not go there either.
  return attempt(() => statSync(path).isDirectory()) ?? false;
}
