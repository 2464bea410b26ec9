/** Handles the answer "always in this project": saves the rule in the settings of this checkout and says so. */

import type { EventHub } from "@bough/agent/agent/internal.js";
import { addLocalRules } from "@bough/agent/project/index.js";
import type { CreatePermissionsOptions } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { errorText } from "@bough/session/text/index.js";
import { ruleKeptNotice } from "../../command/index.js";
import { markRulesListed } from "./changed-rules.js";

export function ruleKeeper(cwd: string, relay: EventHub): NonNullable<CreatePermissionsOptions["keepRules"]> {
  return (texts, words) => {
    try {
      const source = addLocalRules(cwd, texts);
      markRulesListed(boughHome());
      relay.notice("info", ruleKeptNotice(words, source.file ?? cwd));
      return source;
    } catch (error) {
      relay.notice("error", `Allowed once; the rule was not saved: ${errorText(error)}`);
      return undefined;
    }
  };
}
