/** A component over the conversation that counts keys. */
import type { ExtensionAPI, Theme } from "@earendil-works/pi-coding-agent";
import { matchesKey, type TUI, visibleWidth } from "@earendil-works/pi-tui";

class Counter {
  #keys = 0;
  constructor(
    private tui: TUI,
    private theme: Theme,
    private done: (keys: number) => void,
  ) {}
  handleInput(data: string): void {
    if (matchesKey(data, "escape")) this.done(this.#keys);
    else this.#keys++;
    this.tui.requestRender();
  }
  render(width: number): string[] {
    const line = (text: string) => `│${text}${" ".repeat(Math.max(0, width - 2 - visibleWidth(text)))}│`;
    return [
      `╭${"─".repeat(width - 2)}╮`,
      line(this.theme.fg("success", ` ${this.#keys} keys`)),
      `╰${"─".repeat(width - 2)}╯`,
    ];
  }
  invalidate(): void {}
}

export default function (pi: ExtensionAPI) {
  pi.registerCommand("over", {
    handler: async (_args, ctx) => {
      if (ctx.mode !== "tui") return ctx.ui.notify("needs a terminal", "error");
      let handle: { isHidden(): boolean } | undefined;
      const keys = await ctx.ui.custom<number>((tui, theme, _keys, done) => new Counter(tui, theme, done), {
        overlay: true,
        overlayOptions: { width: 24, anchor: "top-right", margin: 1 },
        onHandle: (given) => {
          handle = given;
        },
      });
      ctx.ui.notify(
        `${keys} keys over it, ${handle?.isHidden() === undefined ? "no handle" : "with a handle"}`,
        "info",
      );
    },
  });
}
