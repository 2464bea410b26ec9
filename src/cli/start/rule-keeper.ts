/** The answer "always in this project": rules are kept in the settings of this checkout, and that is announced. */
import { ruleKeptSentence } from "../../command/index.js";
import { addLocalRules } from "../../project/index.js";
import { boughHome } from "../../session/index.js";
import { errorText } from "../../text/index.js";
import type { CreatePermissionsOptions } from "../../tool/index.js";
import type { EventRelay } from "../event-relay.js";
import { markRulesListed } from "./changed-rules.js";

export function ruleKeeper(cwd: string, relay: EventRelay): NonNullable<CreatePermissionsOptions["keepRules"]> {
  return (texts, words) => {
    try {
      const source = addLocalRules(cwd, texts);
      markRulesListed(boughHome());
      relay.notice("info", ruleKeptSentence(words, source.file ?? cwd));
      return source;
    } catch (error) {
      relay.notice("error", `Allowed once; the rule was not saved: ${errorText(error)}`);
      return undefined;
    }
  };
}
