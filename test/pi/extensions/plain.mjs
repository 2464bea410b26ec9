/** No import at all: the name of the parameter says what it was written for. */
export default function (pi) {
  pi.registerCommand("plain", {
    handler: async (args, ctx) => ctx.ui.notify(`plain ${args} ${ctx.model.maxTokens > 0}`, "info"),
  });
}
