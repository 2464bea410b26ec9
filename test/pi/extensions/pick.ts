/** A list to choose from, with a border and a hint, that gives a result. */
import { DynamicBorder, type ExtensionAPI, getSelectListTheme, rawKeyHint } from "@earendil-works/pi-coding-agent";
import { Container, type SelectItem, SelectList, Text } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("pick", {
    handler: async (_args, ctx) => {
      const items: SelectItem[] = ["apple", "pear", "plum"].map((value) => ({
        value,
        label: value,
        description: "a fruit",
      }));
      const picked = await ctx.ui.custom<string | null>((tui, theme, _keys, done) => {
        const container = new Container();
        container.addChild(new DynamicBorder((text) => theme.fg("accent", text)));
        container.addChild(new Text(theme.fg("accent", theme.bold("Pick a fruit")), 1, 0));
        const list = new SelectList(items, 5, getSelectListTheme());
        list.onSelect = (item) => done(item.value);
        list.onCancel = () => done(null);
        container.addChild(list);
        container.addChild(new Text(rawKeyHint("enter", "picks"), 1, 0));
        return {
          render: (width) => container.render(width),
          invalidate: () => container.invalidate(),
          handleInput: (data) => {
            list.handleInput(data);
            tui.requestRender();
          },
        };
      });
      ctx.ui.notify(`picked ${picked}`, "info");
    },
  });
}
