/** Whose extensions a subcommand manages: the user's, or those of a trusted project. */
import { type ExtensionScope, projectScope, userScope } from "@bough/agent/extension/internal.js";
import { createTrust } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

export function chosenScope({ flags, places: { cwd } }: Pick<SubcommandCall, "flags" | "places">): ExtensionScope {
  if (!flags.isOn("project")) return userScope(boughHome());
  if (!isTrusted(cwd)) {
    throw usageError(
      `This project is not trusted: ${cwd}`,
      "Review its .bough folder, then run bough there once and trust it.",
    );
  }
  return projectScope(cwd);
}

export function isTrusted(cwd: string): boolean {
  return createTrust(boughHome()).isTrusted(cwd);
}
