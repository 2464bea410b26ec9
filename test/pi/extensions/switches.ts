/** A list of settings, themes, and whether tool output is unfolded. */
import { type ExtensionAPI, getSettingsListTheme } from "@earendil-works/pi-coding-agent";
import { Container, type SettingItem, SettingsList } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("switches", {
    handler: async (_args, ctx) => {
      const items: SettingItem[] = [
        { id: "water", label: "Water", currentValue: "off", values: ["on", "off"] },
        { id: "light", label: "Light", currentValue: "on", values: ["on", "off"] },
      ];
      const changed: string[] = [];
      await ctx.ui.custom((_tui, _theme, _keys, done) => {
        const container = new Container();
        const list = new SettingsList(
          items,
          5,
          getSettingsListTheme(),
          (id, value) => changed.push(`${id}=${value}`),
          () => done(undefined),
        );
        container.addChild(list);
        return {
          render: (width: number) => container.render(width),
          invalidate: () => container.invalidate(),
          handleInput: (data: string) => list.handleInput?.(data),
        };
      });
      ctx.ui.notify(`changed ${changed.join(",")}`, "info");
    },
  });
  pi.registerCommand("themes", {
    handler: async (_args, ctx) => {
      const names = ctx.ui.getAllThemes().map(({ name }) => name);
      const dark = ctx.ui.setTheme("dark");
      const none = ctx.ui.setTheme("no such theme");
      ctx.ui.setToolsExpanded(!ctx.ui.getToolsExpanded());
      ctx.ui.notify(
        `${names.includes("dark")}, ${dark.success}, ${none.success}, ${ctx.ui.getTheme("light") !== undefined}, ${ctx.ui.getToolsExpanded()}`,
        "info",
      );
    },
  });
}
