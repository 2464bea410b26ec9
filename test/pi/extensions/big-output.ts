/** A tool whose long output is cut, with the whole of it in a file; two calls for one file wait for each other. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ExtensionAPI, formatSize, truncateHead, withFileMutationQueue } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "numbers",
    label: "Numbers",
    description: "Lists numbers",
    parameters: Type.Object({ count: Type.Number() }),
    async execute(_id, { count }, _signal, _onUpdate, ctx) {
      const whole = Array.from({ length: count }, (_, n) => `number ${n + 1}`).join("\n");
      const file = join(ctx.cwd, "numbers.txt");
      await withFileMutationQueue(file, async () => {
        const before = await readFile(file, "utf8").catch(() => "");
        await writeFile(file, `${before}${count};`);
      });
      const cut = truncateHead(whole, { maxLines: 3 });
      const note = cut.truncated
        ? `\n[${cut.outputLines} of ${cut.totalLines} lines, ${formatSize(cut.totalBytes)}]`
        : "";
      return { content: [{ type: "text", text: cut.content + note }], details: { truncation: cut } };
    },
  });
}
