/** `bough extensions`: lists installed extensions, and disables, enables or removes them. */
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type ExtensionScope,
  extensionsOf,
  projectScope,
  readInstalled,
  removeExtension,
  switchExtension,
  userScope,
} from "@bough/agent/extension/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import { attempt, closestNames, defined, shownPath, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { chosenScope, isTrusted } from "./extension-scope.js";
import { PROJECT } from "./project-flag.js";

const ACTIONS = ["list", "enable", "disable", "remove"] as const;
type Action = (typeof ACTIONS)[number];

export const row: SubcommandRow = {
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
  completes: ACTIONS,
};

export async function run(call: SubcommandCall): Promise<number> {
  const { action, names } = wordsOf(call.args);
  return action === "list" ? list(call) : change(action, names, call);
}

function wordsOf([first = "list", ...names]: readonly string[]): {
  readonly action: Action;
  readonly names: readonly string[];
} {
  const action = ACTIONS.find((name) => name === first);
  if (action === undefined) {
    const [meant] = closestNames(first, ACTIONS);
    throw usageError(
      `Unknown action ${first}`,
      `Use ${ACTIONS.join(", ")}${meant === undefined ? "" : `. Did you mean ${meant}?`}`,
    );
  }
  if (action === "list" && names.length > 0) throw usageError(`Unexpected argument ${names[0]}`);
  if (action !== "list" && names.length === 0) {
    throw usageError(
      `Which extension? For example: bough extensions ${action} notes`,
      "To list them: bough extensions",
    );
  }
  return { action, names };
}

interface ListedExtension {
  readonly name: string;
  readonly scope: ExtensionScope["origin"];
  readonly state: "enabled" | "disabled" | "not-trusted" | "missing";
  readonly source: string;
  readonly version?: string;
  readonly files: readonly string[];
}

/** Exit code 1 if something that should load cannot. */
function list({ out, flags, places: { cwd } }: SubcommandCall): number {
  const problems: { path: string; message: string }[] = [];
  const scopes = flags.isOn("project") ? [projectScope(cwd)] : [userScope(boughHome()), projectScope(cwd)];
  const extensions = scopes.flatMap((scope) => listed(scope, { problems, trusted: isTrusted(cwd) }));
  if (out.json) {
    out.value({ extensions, problems });
    return problems.length === 0 ? 0 : 1;
  }
  if (extensions.length === 0 && problems.length === 0) {
    out.line("No extensions. To install one: bough install <package | git repository | path>");
  }
  const shown = extensions.map((extension) => ({ ...extension, name: withoutControls(extension.name) }));
  const width = Math.max(0, ...shown.map(({ name }) => displayWidth(name)));
  for (const { name, scope, state, source, version } of shown) {
    const words = [state.replace("-", " "), scope, ...(version === undefined ? [] : [version.slice(0, 12)])].join(", ");
    const padded = name + " ".repeat(width - displayWidth(name));
    out.line([
      span(padded, state === "enabled" ? "accent" : "muted"),
      span(`  ${words}  `, "muted"),
      span(shownPath(source, homedir())),
    ]);
  }
  for (const { message } of problems) out.notice(`bough: ${message}`);
  return problems.length === 0 ? 0 : 1;
}

interface Looking {
  readonly problems: { path: string; message: string }[];
  readonly trusted: boolean;
}

/** A package with several scripts is one extension, enabled or disabled as a whole. */
function listed(scope: ExtensionScope, { problems, trusted }: Looking): readonly ListedExtension[] {
  const { origin } = scope;
  const on = origin === "project" && !trusted ? "not-trusted" : "enabled";
  const byName = new Map<string, ListedExtension>();
  for (const { source, enabled, installed } of extensionsOf(scope, problems)) {
    const name = installed?.name ?? source.name;
    const version = installed?.version === undefined ? {} : { version: installed.version };
    const state = enabled ? on : "disabled";
    const files = [...(byName.get(name)?.files ?? []), source.file];
    byName.set(name, { name, scope: origin, state, source: installed?.source ?? source.file, ...version, files });
  }
  // If the list cannot be read, `problems` says why.
  const installed = attempt(() => readInstalled(scope).installed) ?? [];
  for (const { name, source, version } of installed) {
    if (byName.has(name)) continue;
    byName.set(name, { name, scope: origin, state: "missing", source, ...defined({ version }), files: [] });
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function change(action: Exclude<Action, "list">, names: readonly string[], call: SubcommandCall): number {
  const { out } = call;
  const scope = chosenScope(call);
  const all = listed(scope, { problems: [], trusted: true });
  const known = all.map(({ name }) => name);
  const missing = names.filter((name) => !known.includes(name));
  // A typo in the last name changes nothing.
  if (missing.length > 0) throw unknown(missing, { known, scope });
  const changed: string[] = [];
  for (const name of new Set(names)) {
    if (action === "remove") {
      if (!readInstalled(scope).installed.some((one) => one.name === name)) throw notInstalled(name, scope);
      removeExtension(name, scope);
      changed.push(name);
      if (!out.json) out.line(`Removed ${name}`);
      continue;
    }
    const outcome = switchExtension(name, { scope, enabled: action === "enable", known });
    if (outcome === "done") changed.push(name);
    if (out.json) continue;
    if (outcome === "unchanged") out.line(`${name} is already ${action}d`);
    else
      out.line(action === "enable" ? `Enabled ${name}` : `Disabled ${name}. To undo: bough extensions enable ${name}`);
  }
  if (out.json) out.value({ changed });
  return 0;
}

function unknown(
  names: readonly string[],
  { known, scope }: { readonly known: readonly string[]; readonly scope: ExtensionScope },
): Error {
  const [meant] = closestNames(names[0] ?? "", known);
  const where = scope.origin === "user" ? "Add --project for an extension of this project." : "";
  const hint = meant === undefined ? `To list them: bough extensions. ${where}`.trim() : `Did you mean ${meant}?`;
  return usageError(`Unknown extension: ${names.join(", ")}`, hint);
}

function notInstalled(name: string, scope: ExtensionScope): Error {
  return usageError(
    `${name} was not installed, so it is not removed`,
    `Delete it from ${join(scope.folder, "extensions")} yourself, or run: bough extensions disable ${name}`,
  );
}
