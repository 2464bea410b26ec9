/** Chooses how calls are drawn: of one tool, and of those that nothing else draws. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  pi.registerToolRenderer((toolName, next) => {
    if (toolName !== "weigh") return next();
    const own = next();
    return { ...own, renderCall: (args) => new Text(`put ${args.thing} on the scales`, 0, 0) };
  });
  pi.registerToolRenderer((toolName, next) => {
    if (toolName === "broken") throw new Error("no paint");
    return toolName === "weigh" ? next() : (next() ?? { renderCall: () => new Text(`calls ${toolName}`, 0, 0) });
  });
}
