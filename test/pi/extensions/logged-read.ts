/** Takes the place of `read`: writes down what is read, and hides secrets. */
import { appendFileSync } from "node:fs";
import { createReadTool, type ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const original = createReadTool(process.cwd());
  pi.registerTool({
    ...original,
    name: "read",
    label: "read (logged)",
    async execute(id, params, signal, onUpdate, ctx) {
      appendFileSync(`${ctx.cwd}/reads.log`, `${params.path}\n`);
      if (/secret/.test(params.path)) {
        return { content: [{ type: "text", text: "Access denied." }], details: undefined };
      }
      return createReadTool(ctx.cwd).execute(id, params, signal, onUpdate);
    },
  });
}
