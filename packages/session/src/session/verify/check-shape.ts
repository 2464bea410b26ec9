/**
 * Checks that the fields of known entries have the types that the format specifies. Checks what readers rely on,
 * nothing deeper.
 */
import { Kind, Role, type SessionEntry, type SessionHeader } from "../../entry/index.js";
import { kindOfType, replacementOf, roleOfName } from "../../entry/internal.js";
import { isRecord } from "../../text/index.js";

type Fields = Readonly<Record<string, unknown>>;

interface Rule {
  readonly field: string;
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

/** What is wrong with an entry, as a sentence; `undefined` if nothing is wrong or the type is unknown. */
export function shapeProblem(entry: SessionEntry): string | undefined {
  const fields = entry as unknown as Fields;
  const wrong = violations(fields, ENTRY_RULES);
  if (entry.type === "message") wrong.push(...messageProblems(fields.message));
  else if (entry.type === "model_change")
    wrong.push(...(isText(fields.model) ? [] : violations(fields, [text("provider"), text("modelId")])));
  else wrong.push(...violations(fields, RULES_BY_TYPE[entry.type] ?? []));
  return sentence(wrong);
}

export function headerShapeProblem(header: SessionHeader): string | undefined {
  return sentence(violations(header as unknown as Fields, HEADER_RULES));
}

/** A type or role that this version does not know, in words. */
export function unknownKind(entry: SessionEntry): string | undefined {
  if (kindOfType(entry.type) === Kind.other) return `the type ${entry.type}`;
  const role: unknown = entry.type === "message" ? (entry.message as { role?: unknown } | null)?.role : undefined;
  return typeof role === "string" && roleOfName(role) === Role.other ? `the message role ${role}` : undefined;
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isFlag = (value: unknown) => typeof value === "boolean";
const isList = (value: unknown) => Array.isArray(value);
const isAbsent = (value: unknown) => value === undefined;
const isTime = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const either = (a: Rule["fits"], b: Rule["fits"]) => (value: unknown) => a(value) || b(value);

function rule(field: string, expected: string, fits: Rule["fits"]): Rule {
  return { field, expected, fits };
}

const text = (field: string) => rule(field, "text", isText);
const object = (field: string) => rule(field, "an object", isRecord);
const content = rule("content", "text or a list", either(isText, isList));

const ENTRY_RULES: readonly Rule[] = [rule("timestamp", "a time", isTime)];
const HEADER_RULES: readonly Rule[] = [rule("timestamp", "a time", isTime), text("cwd")];

// A bare object has no `constructor` or `__proto__`, which a type of that name would find.
const RULES_BY_TYPE: Readonly<Record<string, readonly Rule[]>> = Object.assign(Object.create(null), {
  thinking_level_change: [
    rule(
      "thinkingLevel",
      "text or null",
      either(isText, (value) => value === null),
    ),
  ],
  mode_change: [text("mode")],
  ttsr_injection: [rule("injectedRules", "a list", isList)],
  compaction: [text("summary"), rule("tokensBefore", "a number", isNumber)],
  branch_summary: [text("fromId"), text("summary")],
  custom: [text("customType")],
  custom_message: [text("customType"), content, rule("display", "true or false", isFlag)],
  label: [text("targetId"), rule("label", "text or absent", either(isText, isAbsent))],
  session_info: [rule("name", "text or absent", either(isText, isAbsent))],
  title_change: [text("title")],
  context_edit: [
    text("targetId"),
    rule("replacement", "null, text or a list", (value) => replacementOf({ replacement: value }) !== undefined),
  ],
  usage: [text("kind"), text("provider"), text("model"), object("usage")],
});

const RULES_BY_ROLE: ReadonlyMap<Role, readonly Rule[]> = new Map([
  [Role.user, [content]],
  [Role.assistant, [rule("content", "a list", isList)]],
  [Role.toolResult, [text("toolCallId"), rule("content", "a list", isList)]],
  [Role.bashExecution, [text("command"), text("output")]],
  [Role.custom, [content]],
  [Role.branchSummary, [text("summary")]],
  [Role.compactionSummary, [text("summary")]],
  [Role.system, [content]],
]);

function messageProblems(message: unknown): string[] {
  if (!isRecord(message)) return violations({ message }, [object("message")]);
  const fields = message as Fields;
  if (typeof fields.role !== "string") return violations(fields, [text("role")], "message.");
  return violations(fields, RULES_BY_ROLE.get(roleOfName(fields.role)) ?? [], "message.");
}

function violations(fields: Fields, rules: readonly Rule[], prefix = ""): string[] {
  const wrong: string[] = [];
  for (const { field, expected, fits } of rules) {
    const value = fields[field];
    if (fits(value)) continue;
    wrong.push(value === undefined ? `${prefix}${field} is missing` : `${prefix}${field} is not ${expected}`);
  }
  return wrong;
}

function sentence(wrong: readonly string[]): string | undefined {
  return wrong.length === 0 ? undefined : wrong.join("; ");
}
