/** An editor with a mode in which letters are commands. */
import { CustomEditor, type ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { matchesKey, truncateToWidth } from "@earendil-works/pi-tui";

class ModalEditor extends CustomEditor {
  #mode: "write" | "command" = "write";
  override handleInput(data: string): void {
    if (matchesKey(data, "ctrl+k")) {
      this.#mode = this.#mode === "write" ? "command" : "write";
      return;
    }
    if (this.#mode === "command") {
      if (data === "d") this.setText("");
      else if (data === "h") super.insertTextAtCursor("hello from command mode");
      return;
    }
    super.handleInput(data);
  }
  override render(width: number): string[] {
    const lines = super.render(width);
    const last = lines.length - 1;
    lines[last] = truncateToWidth(`${this.#mode.toUpperCase()} ${lines[last]}`, width, "");
    return lines;
  }
}

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setEditorComponent((tui, theme, keybindings) => new ModalEditor(tui, theme, keybindings));
  });
  pi.registerCommand("plain", {
    handler: async (_args, ctx) => {
      ctx.ui.notify(`custom editor: ${ctx.ui.getEditorComponent() !== undefined}`, "info");
      ctx.ui.setEditorComponent(undefined);
    },
  });
}
