/** `bough install`: extensions from npm, from git, or from a path. */
import { homedir } from "node:os";
import { type InstallOutcome, installExtension, installMissing } from "@bough/agent/extension/internal.js";
import { shownPath } from "@bough/session/text/index.js";
import { StatusLine } from "../status-line.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { chosenScope } from "./extension-scope.js";
import { PROJECT } from "./project-flag.js";

export const row: SubcommandRow = {
  name: "install",
  usage: "[package | git repository | path]",
  summary: "Install an extension",
  details:
    "Takes an npm package, a git repository, or a script or folder, which stays where it is. Install scripts of packages are not run. Installing again updates. Without an argument, installs what is listed and missing. Extensions run with your full permissions: install only what you trust.",
  flags: { project: PROJECT },
  examples: [
    ["install bough-notes", "a package from npm"],
    ["install npm:@example/notes@1.2.0", "one version of it"],
    ["install git:github.com/example/notes@v1", "a tag, branch or commit of a repository"],
    ["install ./notes.ts", "a script on this machine"],
    ["install --project", "what this project lists and is missing"],
  ],
  json: '{ "installed": [{ "kind": "installed" | "updated", name, source, path, version?, files }] }',
  args: { least: 0, most: 1 },
  completes: "none",
};

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
