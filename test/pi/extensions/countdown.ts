/** A tool that tells how far it is, and stops when it is told to. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "countdown",
    label: "Countdown",
    description: "Counts down",
    parameters: Type.Object({ from: Type.Number() }),
    async execute(_id, { from }, signal, onUpdate) {
      for (let n = from; n > 0; n--) {
        if (signal?.aborted) throw new Error("stopped");
        onUpdate?.({ content: [{ type: "text", text: `at ${n}` }], details: { n } });
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { content: [{ type: "text", text: "lift-off" }], details: { n: 0 } };
    },
  });
}
