/** A tool that draws its calls and results. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "weigh",
    label: "Weigh",
    description: "Weighs a thing",
    parameters: Type.Object({ thing: Type.String() }),
    async execute(_id, { thing }) {
      return { content: [{ type: "text", text: `${thing.length} kg` }], details: { kilos: thing.length } };
    },
    renderCall: (args, theme) => new Text(`${theme.fg("toolTitle", theme.bold("on the scales"))} ${args.thing}`, 0, 0),
    renderResult: (result, { expanded, isPartial }, theme) => {
      if (isPartial) return new Text(theme.fg("warning", "weighing"), 0, 0);
      const kilos = (result.details as { kilos: number }).kilos;
      return new Text(theme.fg("success", `it weighs ${"#".repeat(kilos)}${expanded ? " exactly" : ""}`), 0, 0);
    },
  });
}
