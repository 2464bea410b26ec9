/** Commands of extensions, as a second table next to the built-in one. */
import type { RunOutcome } from "@bough/agent/agent/index.js";
import type { ExtensionCommand } from "@bough/agent/extension/index.js";
import type { Registered } from "@bough/agent/extension/run.js";
import { titleOf } from "@bough/session/text/index.js";
import type { Command, CommandOutcome } from "./command.js";
import { unchanged } from "./outcome.js";
import { SENTENCES } from "./sentences.js";

/** Runs one and returns its outcome, if known. Throws failures with codes. */
export type RunExtensionCommand = (name: string, args: string) => Promise<RunOutcome | undefined>;

export function commandsOfExtensions(
  registered: readonly Registered<ExtensionCommand>[],
  run: RunExtensionCommand,
): readonly Command[] {
  return registered.map(({ extension, name, value }) => ({
    name,
    group: "program",
    usage: "[words]",
    summary: titleOf(value.description ?? `Command from ${extension}`, 100),
    details: `From the extension ${titleOf(extension)}.`,
    run: async (_context, args) => outcomeOf(await run(name, args)),
  }));
}

function outcomeOf(outcome: RunOutcome | undefined): CommandOutcome {
  switch (outcome?.kind) {
    case "aborted":
      return unchanged(SENTENCES.stopped);
    case "failed":
      return unchanged(outcome.failure, "command-failed");
    default:
      // A command that returns nothing succeeded.
      return { kind: "done", data: { outcome: outcome?.kind ?? "done" } };
  }
}
