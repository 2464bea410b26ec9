/** Reads, adds and removes permission rules in settings files. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { parseRule, RULE_EFFECTS, type Rule, type RuleSource } from "../tool/index.js";
import { changeSettingsFile, LOCAL_SETTINGS } from "./change-settings-file.js";
import { recordOwnChange } from "./own-local-settings.js";
import { SettingsError } from "./settings-error.js";

/** The rules of one parsed file. Includes invalid ones, so that they can fail closed. */
export function rulesIn(value: unknown, source: RuleSource): readonly Rule[] {
  const permissions = isRecord(value) ? value.permissions : undefined;
  if (permissions === undefined) return [];
  if (!isRecord(permissions)) return [unreadableRules(source, "permissions is not an object")];
  return RULE_EFFECTS.flatMap((effect) => {
    const listed = permissions[effect];
    if (listed === undefined) return [];
    return (Array.isArray(listed) ? listed : [{ [effect]: listed }]).map((text: unknown) =>
      parseRule(text, { effect, source }),
    );
  });
}

/** A rule that makes everything ask, for an unreadable file that may contain rules. */
export function unreadableRules(source: RuleSource, problem: string): Rule {
  return { effect: "ask", text: "(not readable)", source, target: { kind: "broken", problem } };
}

interface RuleProblem {
  readonly file: string;
  readonly field: string;
  readonly message: string;
  readonly level: "error";
}

/** A sentence for each invalid rule. */
export function ruleProblems(rules: readonly Rule[], file: string): readonly RuleProblem[] {
  const counted = { allow: 0, ask: 0, deny: 0 };
  const problems: RuleProblem[] = [];
  for (const { effect, text, target } of rules) {
    const field = `permissions.${effect}.${counted[effect]++}`;
    if (target.kind !== "broken" || text === "(not readable)") continue;
    const until = target.tool === undefined ? "every tool" : target.tool;
    const result = {
      allow: "It allows nothing.",
      ask: `Until it is fixed, ${until} asks every time.`,
      deny: `Until it is fixed, ${until} is denied.`,
    }[effect];
    problems.push({
      file,
      field,
      message: `Cannot parse the rule ${text}: ${target.problem}. ${result}`,
      level: "error",
    });
  }
  return problems;
}

/** The settings of this checkout, which belong to the user, not the project. */
export function localSettingsFile(cwd: string): string {
  return join(cwd, ".bough", LOCAL_SETTINGS);
}

/** Adds allow rules to the settings of this checkout. Throws `bad-settings` without having changed anything. */
export function addLocalRules(cwd: string, texts: readonly string[], home = boughHome()): RuleSource {
  const file = localSettingsFile(cwd);
  const before = textOf(file);
  changeRules(file, cwd, (permissions) => withAllowed(permissions, texts, file));
  recordOwnChange({ cwd, home }, { before, after: textOf(file) ?? "" });
  return { kind: "local", file };
}

/** Adds allow rules to the user's own settings. Throws `bad-settings` without having changed anything. */
export function addUserRules(texts: readonly string[], home = boughHome()): RuleSource {
  const file = join(home, "settings.json");
  makeFolder(home);
  changeRules(file, home, (permissions) => withAllowed(permissions, texts, file));
  return { kind: "user", file };
}

function withAllowed(permissions: Permissions, texts: readonly string[], file: string): Permissions {
  const allow = listIn(permissions, "allow", file);
  return { ...permissions, allow: [...allow, ...texts.filter((text) => !allow.includes(text))] };
}

/** Removes a rule from its file. Throws `bad-settings` if that is not possible. */
export function removeRule({ effect, text, source }: Rule, cwd: string, home = boughHome()): void {
  const { file, kind } = source;
  if (file === undefined) throw new SettingsError("bad-settings", "This rule is not in a settings file");
  const before = textOf(file);
  changeRules(file, kind === "user" ? dirname(file) : cwd, (permissions) => {
    const left = listIn(permissions, effect, file).filter((one) => one !== text);
    const { [effect]: _, ...others } = permissions;
    return left.length === 0 ? others : { ...permissions, [effect]: left };
  });
  if (kind === "local") recordOwnChange({ cwd, home }, { before, after: textOf(file) ?? "" });
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Missing or unreadable: changing it will report why.
    return undefined;
  }
}

type Permissions = Readonly<Record<string, unknown>>;

function changeRules(file: string, within: string, change: (permissions: Permissions) => Permissions): void {
  changeSettingsFile({
    file,
    within,
    what: "The rule",
    change: ({ permissions: current = {}, ...others }, refused) => {
      if (!isRecord(current)) throw refused("`permissions` must be an object");
      const permissions = change(current);
      return Object.keys(permissions).length === 0 ? others : { ...others, permissions };
    },
  });
}

function listIn(permissions: Permissions, effect: Rule["effect"], file: string): readonly unknown[] {
  const list = permissions[effect] ?? [];
  if (Array.isArray(list)) return list;
  throw new SettingsError("bad-settings", `${file} was not changed, because permissions.${effect} is not a list`);
}
