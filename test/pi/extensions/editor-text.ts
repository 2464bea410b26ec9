/** Reads and writes the text of the editor. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerShortcut("ctrl+alt+u", {
    description: "Capitals",
    handler: async (ctx) => ctx.ui.setEditorText(ctx.ui.getEditorText().toUpperCase()),
  });
  pi.registerCommand("draft", {
    handler: async (args, ctx) => {
      ctx.ui.setEditorText("Dear ");
      ctx.ui.pasteToEditor(args);
    },
  });
}
