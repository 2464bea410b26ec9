/** Permission rules from the command line and from BOUGH_PERMISSION_RULES. An invalid one prevents the start. */

import { parseRule, RULE_EFFECTS, type Rule } from "@bough/agent/tool/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { usageError } from "../cli-error.js";
import type { AgentRequest } from "../cli-options.js";

const VARIABLE = "BOUGH_PERMISSION_RULES";

/** Throws a usage error for a rule that cannot be parsed: a script must not run with fewer rules than it gave. */
export function givenRules({ allow = [], deny = [] }: AgentRequest, env: NodeJS.ProcessEnv): readonly Rule[] {
  const flags = { allow, deny };
  return [
    ...rulesFromEnvironment(env[VARIABLE]),
    ...(["allow", "deny"] as const).flatMap((effect) =>
      flags[effect].map((text) =>
        sound(parseRule(text, { effect, source: { kind: "flag" } }), `Invalid rule for --${effect}: ${text}`),
      ),
    ),
  ];
}

function rulesFromEnvironment(text: string | undefined): readonly Rule[] {
  if (text === undefined || text.trim() === "") return [];
  const value: unknown = parsedJson(text);
  const hint = `Expected JSON, such as {"allow":["bash(npm test:*)"],"deny":["bash(git push:*)"]}.`;
  if (!isRecord(value)) throw usageError(`${VARIABLE} is not a JSON object`, hint);
  const unknown = Object.keys(value).find((key) => !RULE_EFFECTS.some((effect) => effect === key));
  if (unknown !== undefined) throw usageError(`${VARIABLE} has an unknown field: ${unknown}`, hint);
  return RULE_EFFECTS.flatMap((effect) => {
    const list = value[effect] ?? [];
    if (!Array.isArray(list)) throw usageError(`${effect} in ${VARIABLE} is not a list`, hint);
    return list.map((one: unknown) => {
      const rule = parseRule(one, { effect, source: { kind: "environment" } });
      return sound(rule, `Invalid rule for ${effect} in ${VARIABLE}: ${rule.text}`);
    });
  });
}

function sound(rule: Rule, message: string): Rule {
  if (rule.target.kind === "broken") throw usageError(message, `${rule.target.problem}.`);
  return rule;
}
