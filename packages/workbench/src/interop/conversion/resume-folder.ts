/** Checks the directory in which another program is resumed, before a transcript names it. */
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import type { AgentName } from "../contract.js";
import { InteropError } from "../interop-error.js";

/** `mustExist`: the program refuses sessions whose directory does not exist. */
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
  // Missing or not accessible: the program could not use it either.
  return attempt(() => statSync(path).isDirectory()) ?? false;
}
