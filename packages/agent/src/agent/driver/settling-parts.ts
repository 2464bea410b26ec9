import type { SettleParts } from "../../driver/internal.js";
import type { RunParts } from "../run-parts.js";

/** Adds entries below the leaf, and tells front ends. */
export function settlingParts(
  { session, files, emit, meter, hooks }: Pick<RunParts, "session" | "files" | "emit" | "meter" | "hooks">,
  onSpent: () => void = () => {},
): SettleParts {
  return {
    session,
    recordScans: async (scans, options) => files?.recordScans(scans, options),
    storedText: async (hash) => files?.storedText(hash),
    onEntry: (id) => {
      const entry = session.getEntry(id);
      if (entry?.type !== "message") return emit({ type: "entries", ids: [id] });
      const { message } = entry;
      if (message.role === "assistant") {
        meter?.step();
        meter?.spend(message.usage);
      } else emit({ type: "message_start", role: message.role });
      emit({ type: "message_end", entryId: id, message });
      // Only told: it is in the agent's own session already.
      if (hooks.has("message_end")) void hooks.emit<"message_end">({ type: "message_end", message });
      onSpent();
    },
  };
}
