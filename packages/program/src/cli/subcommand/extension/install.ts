/** `bough install`: extensions from npm, from git, or from a path. */
import { homedir } from "node:os";
import { type InstallOutcome, installExtension, installMissing } from "@bough/agent/extension/internal.js";
import { shownPath } from "@bough/session/text/index.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall } from "../subcommand.js";
import { chosenScope } from "./extension-scope.js";

export async function run(call: SubcommandCall): Promise<number> {
  const { args, out, places, signal } = call;
  const [source] = args;
  const scope = chosenScope(call);
  const status = new StatusLine();
  const options = { scope, cwd: places.cwd, signal, onStep: (step: string) => status.say(`${step} …`) };
  let outcomes: readonly InstallOutcome[];
  try {
    outcomes = source === undefined ? await installMissing(options) : [await installExtension(source, options)];
  } finally {
    status.clear();
  }
  if (out.json) {
    out.value({ installed: outcomes.map(({ kind, extension, files }) => ({ kind, ...extension, files })) });
    return 0;
  }
  if (outcomes.length === 0) out.line("Nothing to install: every listed extension is here.");
  for (const { kind, extension, files } of outcomes) {
    const version = extension.version === undefined ? "" : ` ${extension.version.slice(0, 12)}`;
    out.line(`${kind === "installed" ? "Installed" : "Updated"} ${extension.name}${version}`);
    for (const file of files) out.line(`  ${shownPath(file, homedir())}`);
  }
  if (outcomes.length > 0) {
    out.notice("Extensions run with your full permissions. Bough loads them when it starts.");
  }
  return 0;
}
