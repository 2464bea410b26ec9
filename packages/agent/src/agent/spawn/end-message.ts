import type { EntryId } from "@bough/session/entry/index.js";
import { SUBAGENT_END_TYPE } from "@bough/session/entry/internal.js";
import type { CustomMessageInput } from "../../extension/index.js";

/** Tells the agent that a sub-agent in the background has ended. */
export function endMessage({
  id,
  description,
  text,
}: {
  readonly id: EntryId;
  readonly description: string;
  readonly text: string;
}): CustomMessageInput {
  return {
    customType: SUBAGENT_END_TYPE,
    content: `The sub-agent in the background has ended: ${description}\n\n${text}`,
    display: true,
    details: { subagent: id },
  };
}
