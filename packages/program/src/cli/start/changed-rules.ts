/** Lists, once, the rules that cover less than they did in 0.1.0. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Rule, ruleCoverage } from "@bough/agent/tool/index.js";
import { type Notice, visibleText } from "@bough/session/text/index.js";

const MOST_NAMED = 10;

/** The notice; undefined if there are none, or if it was already shown. */
export function changedRulesNotice(rules: readonly Rule[], home: string): Notice | undefined {
  const changed = rules.filter((rule) => ["reading", "running"].includes(ruleCoverage(rule) ?? ""));
  if (changed.length === 0 || existsSync(markIn(home))) return undefined;
  markRulesListed(home);
  const named = changed.slice(0, MOST_NAMED).map(({ text }) => visibleText(text, { newlines: "escape" }).text);
  const more = changed.length > MOST_NAMED ? ` and ${changed.length - MOST_NAMED} more` : "";
  return {
    message:
      `These rules cover less than in 0.1.0: ${named.join(", ")}${more}. Options that write files or choose another program, ` +
      "folder or configuration ask, and so do lines with loops, variables and substitutions.",
    hint: "Write :** instead of :* to cover every option. See docs/permissions.md.",
  };
}

/** Rules saved from now on have the current meaning. */
export function markRulesListed(home: string): void {
  try {
    mkdirSync(join(home, "cache"), { recursive: true, mode: 0o700 });
    writeFileSync(markIn(home), "", { mode: 0o600 });
  } catch {
    // It is said again at the next start.
  }
}

function markIn(home: string): string {
  return join(home, "cache", "rules-listed");
}
