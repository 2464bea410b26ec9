/** Subcommands that install extensions, switch them off and remove them. */
import type { Subcommand } from "../subcommand.js";
import type { SubcommandFlag } from "../subcommand-flag.js";

const PROJECT: SubcommandFlag = { help: "for this project only, in .bough; the project must be trusted" };

export const EXTENSION_COMMANDS: readonly Subcommand[] = [
  {
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
    load: () => import("../extension/install.js"),
  },
  {
    name: "extensions",
    usage: "[list | enable | disable | remove] [name...]",
    summary: "List, enable, disable or remove extensions",
    details:
      "Lists your extensions and those of this project, with where they come from. A disabled extension stays installed and is not loaded. Removing deletes what was installed; a script in an extensions folder or at a path of yours is never deleted.",
    flags: { project: PROJECT },
    examples: [
      ["extensions", "list them"],
      ["extensions disable notes", "stop loading one"],
      ["extensions enable notes", "load it again"],
      ["extensions remove notes", "uninstall it"],
    ],
    json: '{ "extensions": [{ name, scope: "user" | "project", state: "enabled" | "disabled" | "not-trusted" | "missing", source, version?, files }], "problems": [{ path, message }] }; for enable, disable and remove: { "changed": [name] }',
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: ["list", "enable", "disable", "remove"],
    load: () => import("../extension/extensions.js"),
  },
];
