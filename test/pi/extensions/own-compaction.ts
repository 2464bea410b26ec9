/** Writes the summary of a compaction itself, from the messages that go. */
import { convertToLlm, type ExtensionAPI, serializeConversation } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_before_compact", (event) => {
    const { messagesToSummarize, firstKeptEntryId, tokensBefore } = event.preparation;
    const text = serializeConversation(convertToLlm(messagesToSummarize));
    return {
      compaction: {
        summary: `Of ${messagesToSummarize.length} messages (${event.reason}): ${text.split("\n")[0]}`,
        firstKeptEntryId,
        tokensBefore,
        details: { by: "own-compaction" },
      },
    };
  });
  pi.on("session_compact", (event, ctx) => {
    ctx.ui.notify(`compacted by ${event.fromExtension ? "an extension" : "the model"}`, "info");
  });
  pi.registerCommand("shrink", {
    handler: async (args, ctx) => {
      ctx.compact({
        customInstructions: args,
        onComplete: (result) => ctx.ui.notify(`done: ${result.summary.slice(0, 20)}`, "info"),
        onError: (error) => ctx.ui.notify(`failed: ${error.message}`, "error"),
      });
    },
  });
}
