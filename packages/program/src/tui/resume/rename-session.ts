/** Renames a session from the list: the open one, or one in a file. */

import { CodedError } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { firstWords } from "@bough/session/text/index.js";
import type { CommandContext } from "../../command/index.js";

type RenameOutcome =
  | { readonly kind: "renamed"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** One entry is appended; other processes that have the session open keep their position (keeps I4). */
export function renameSession(
  { agent }: CommandContext,
  { path, name }: { readonly path: string; readonly name: string },
): RenameOutcome {
  if (name === "") return { kind: "failed", message: "The name cannot be empty. Nothing changed." };
  try {
    if (agent.session.getSessionFile() === path) agent.rename(name);
    else renameFile(path, name);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const hint = error.hint === undefined ? "" : ` ${error.hint}`;
    return { kind: "failed", message: firstWords(`Not renamed: ${error.message}.${hint}`) };
  }
  return { kind: "renamed", message: `Named "${firstWords(name, 60)}".` };
}

function renameFile(path: string, name: string): void {
  const session = SessionManager.open(path);
  try {
    session.appendSessionInfo(name);
  } finally {
    session.close();
  }
}
