/** A tool that fails by throwing. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "fragile",
    label: "Fragile",
    description: "Breaks",
    parameters: Type.Object({}),
    async execute() {
      throw new Error("it broke in two");
    },
  });
}
