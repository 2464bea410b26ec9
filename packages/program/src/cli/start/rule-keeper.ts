/** Handles the answers "always": saves the rule in the settings of this checkout or in the user's own, and says so. */

import type { EventHub } from "@bough/agent/agent/internal.js";
import { addLocalRules, addUserRules } from "@bough/agent/project/index.js";
import type { RuleSource } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { errorText } from "@bough/session/text/index.js";
import { ruleKeptNotice } from "../../command/door.js";
import { markRulesListed } from "./changed-rules.js";

type KeepRules = (texts: readonly string[], words: string) => RuleSource | undefined;

/** For `keepRules` and `keepEverywhere` of permissions. */
export function ruleKeepers(cwd: string, relay: EventHub): Readonly<Record<"project" | "everywhere", KeepRules>> {
  return {
    project: keeper((texts) => addLocalRules(cwd, texts), { where: "in this project", relay }),
    everywhere: keeper((texts) => addUserRules(texts), { where: "in every project", relay }),
  };
}

interface KeeperOptions {
  readonly where: "in this project" | "in every project";
  readonly relay: EventHub;
}

function keeper(add: (texts: readonly string[]) => RuleSource, { where, relay }: KeeperOptions): KeepRules {
  return (texts, words) => {
    try {
      const source = add(texts);
      markRulesListed(boughHome());
      relay.notice("info", ruleKeptNotice({ words, where, file: source.file ?? "" }));
      return source;
    } catch (error) {
      relay.notice("error", `Allowed once; the rule was not saved: ${errorText(error)}`);
      return undefined;
    }
  };
}
