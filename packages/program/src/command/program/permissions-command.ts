/** /permissions: list and revoke what is allowed without asking. */
import type { Driver } from "@bough/agent/driver/index.js";
import { removeRule } from "@bough/agent/project/index.js";
import {
  PERMISSION_MODES,
  type PermissionMode,
  type Permissions,
  type Rule,
  type SandboxState,
} from "@bough/agent/tool/index.js";
import { defined, grouped, joinNotices, noticeText } from "@bough/session/text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { unchanged } from "../outcome.js";
import {
  holdsMode,
  noSuchModeSentence,
  PERMISSION_SENTENCES,
  permissionModeSentence,
  ruleLine,
  sandboxNotice,
} from "./permission-sentences.js";

export const PERMISSIONS_COMMAND: Command = {
  name: "permissions",
  group: "program",
  usage: "[plan|ask|edits|auto|read-only | revoke <number>|all | find <text> | remove <rule>]",
  summary: "Show or set the permission mode; list and revoke permissions",
  details:
    "plan only reads, and the model is told to plan; ask asks before changes and commands; edits changes files in the folder without asking; auto runs commands too. Without arguments, shows the permission mode, what you allowed for this session, and the first 100 rules with where each comes from; find lists others. The words every option mark rules for programs whose options are not known. Changes in .git, .bough and outside the folder always ask. Grants end with the session; rules stay until they are removed.",
  unavailable: (context) => (context.permissions === undefined ? PERMISSION_SENTENCES.none : undefined),
  complete({ permissions }, typed) {
    const grants = permissions?.grants ?? [];
    const numbers = grants.map(({ id, words }) => ({ value: `revoke ${id}`, description: words }));
    const all = grants.length > 1 ? [{ value: "revoke all", description: "everything below" }] : [];
    const rules = (permissions?.rules ?? [])
      .slice(0, MOST_LISTED)
      .flatMap((rule, at) =>
        isRemovable(rule) ? [{ value: `remove r${at + 1}`, description: `${rule.effect} ${rule.text}` }] : [],
      );
    const modes = /\s/.test(typed)
      ? []
      : PERMISSION_MODES.map((mode) => ({ value: mode, description: permissionModeSentence(mode) }));
    return matching([...modes, ...all, ...numbers, ...rules], typed);
  },
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    const permissions = permissionsOf(context);
    const [verb, which] = words;
    const { driver } = context.agent;
    if (verb === undefined) return listing(permissions, driver);
    const mode = PERMISSION_MODES.find((name) => name === verb);
    if (mode !== undefined && which === undefined) return switched(permissions, mode, driver);
    if (verb === "find" && which !== undefined) return foundRules(permissions, which);
    if (verb === "remove" && which !== undefined) return removed(permissions, which, context.cwd);
    if (verb !== "revoke" || which === undefined)
      throw wrongArguments("Expected a mode, revoke <number>, find <text> or remove <rule>");
    return which === "all" ? revokedAll(permissions) : revoked(permissions, which);
  },
};

function permissionsOf({ permissions }: CommandContext): Permissions {
  if (permissions === undefined) throw new Error("bug: /permissions ran where there are none");
  return permissions;
}

function switched(permissions: Permissions, mode: PermissionMode, driver: Driver | undefined): CommandOutcome {
  if (driver !== undefined && !holdsMode(mode, driver)) return unchanged(noSuchModeSentence(mode, driver));
  permissions.setMode(mode);
  const isBare = driver === undefined && mode === "auto" && permissions.commandSandbox === "off";
  const said = joinNotices(permissionModeSentence(mode, driver), isBare ? PERMISSION_SENTENCES.noSandbox : "");
  return { kind: "done", ...said, data: { mode } };
}

function listing(permissions: Permissions, driver: Driver | undefined): CommandOutcome {
  const { mode, grants, rules, sandbox: asked, commandSandbox } = permissions;
  const sandbox = driver !== undefined || commandSandbox === "off" ? undefined : asked?.state;
  const data = { mode, grants, ...defined({ rules: rules.length === 0 ? undefined : rules, sandbox }) };
  const { notSandboxed, sandboxMissing } = PERMISSION_SENTENCES;
  const asksAnyway = { unavailable: notSandboxed, missing: sandboxMissing, on: undefined, off: undefined };
  const asks =
    driver === undefined && mode === "auto" && commandSandbox !== undefined ? asksAnyway[commandSandbox] : undefined;
  const head = [
    permissionModeSentence(mode, driver),
    ...(sandbox === undefined ? [] : [noticeText(sandboxNotice(sandbox))]),
    ...(asks === undefined ? [] : [asks]),
  ].join("\n");
  if (grants.length === 0 && rules.length === 0) {
    return { kind: "done", message: `${head}\n${PERMISSION_SENTENCES.noGrants}`, data };
  }
  const granted = grants.map(({ id, words }) => `  ${id}  ${words}`);
  const ruled = ruleLines(
    rules.slice(0, MOST_LISTED).map((rule, at) => [rule, at] as const),
    { all: rules.length, sandbox },
  );
  const message = [
    head,
    ...(granted.length === 0 ? [] : [PERMISSION_SENTENCES.grants, ...granted]),
    ...(ruled.length === 0 ? [] : [PERMISSION_SENTENCES.rules, ...ruled]),
  ].join("\n");
  const hint = [
    ...(granted.length === 0 ? [] : [PERMISSION_SENTENCES.howToRevoke]),
    ...(rules.some(isRemovable) ? [PERMISSION_SENTENCES.howToRemove] : []),
  ].join("\n");
  return { kind: "done", message, ...(hint === "" ? {} : { hint }), data };
}

/** At most this many rules are shown. */
const MOST_LISTED = 100;

type NumberedRule = readonly [rule: Rule, at: number];

function ruleLines(
  shown: readonly NumberedRule[],
  { all, sandbox }: { readonly all: number; readonly sandbox: SandboxState | undefined },
): readonly string[] {
  const lines = shown.map(([rule, at]) => ruleLine(rule, `r${at + 1}`, sandbox));
  const left = all - shown.length;
  return left > 0 ? [...lines, `  and ${grouped(left)} more. ${PERMISSION_SENTENCES.howToFind}`] : lines;
}

function foundRules({ rules, sandbox }: Permissions, text: string): CommandOutcome {
  const found = rules.flatMap((rule, at): NumberedRule[] =>
    `${rule.effect} ${rule.text}`.toLowerCase().includes(text.toLowerCase()) ? [[rule, at]] : [],
  );
  if (found.length === 0) return unchanged(`No rule contains ${text}`);
  const lines = ruleLines(found.slice(0, MOST_LISTED), { all: found.length, sandbox: sandbox?.state });
  return {
    kind: "done",
    message: [PERMISSION_SENTENCES.rules, ...lines].join("\n"),
    data: { rules: found.slice(0, MOST_LISTED).map(([rule]) => rule) },
  };
}

/** Only from the user's own files; a project's rules are shared. */
function isRemovable({ source, text, target }: Rule): boolean {
  const isText = target.kind !== "broken" || target.tool !== undefined;
  return (source.kind === "user" || source.kind === "local") && isText && text !== "";
}

function removed(permissions: Permissions, which: string, cwd: string): CommandOutcome {
  const rule = permissions.rules.find((_, at) => `r${at + 1}` === which);
  if (rule === undefined) throw wrongArguments(`No rule has the name ${which}`);
  if (!isRemovable(rule)) {
    const { kind, file } = rule.source;
    const where = file ?? (kind === "flag" ? "the command line" : "BOUGH_PERMISSION_RULES");
    return unchanged(`${rule.effect} ${rule.text} cannot be removed here: it comes from ${where}`);
  }
  removeRule(rule, cwd);
  permissions.dropRule(rule);
  return { kind: "done", message: `Removed: ${rule.effect} ${rule.text}`, data: { removed: rule.text } };
}

function revoked(permissions: Permissions, which: string): CommandOutcome {
  const grant = permissions.grants.find(({ id }) => String(id) === which);
  if (grant === undefined) throw wrongArguments(`No grant has the number ${which}`);
  permissions.revoke(grant.id);
  return { kind: "done", message: `Revoked: ${grant.words}. You will be asked again.`, data: { revoked: [grant.id] } };
}

function revokedAll(permissions: Permissions): CommandOutcome {
  const ended = permissions.forget();
  if (ended.length === 0) return unchanged(PERMISSION_SENTENCES.noGrants);
  const words = ended.map((grant) => grant.words).join("; ");
  return {
    kind: "done",
    message: `Revoked: ${words}. You will be asked again.`,
    data: { revoked: ended.map(({ id }) => id) },
  };
}
