import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createReadTool } from "./create-tools.js";
import { piDetails } from "./pi-details.js";

/** What an extension receives as `details.truncation`. */
async function truncationOf(tool: ReturnType<typeof createReadTool>, input: Record<string, unknown>): Promise<unknown> {
  const { details } = await tool.execute("c1", input as never);
  const truncation = (details as { readonly truncation?: Readonly<Record<string, unknown>> } | undefined)?.truncation;
  if (truncation === undefined) return undefined;
  const { content: _, ...facts } = truncation;
  return facts;
}

const text = (content: string) => [{ type: "text", text: content }];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => `${n + 1}`);

describe("details of a result that was cut", () => {
  test("say what was cut off a file, and by which limit", async () => {
    const folder = tempFolder();
    const file = join(folder, "long.txt");
    writeFileSync(file, `${numbers(5000).join("\n")}\n`);
    const found = await truncationOf(createReadTool(folder), { path: "long.txt" });
    expect(found).toMatchObject({ truncated: true, truncatedBy: "lines", totalLines: 5000, outputLines: 2000 });
    writeFileSync(join(folder, "wide.txt"), `${"x".repeat(900)}\n`.repeat(300));
    expect(await truncationOf(createReadTool(folder), { path: "wide.txt" })).toMatchObject({
      truncatedBy: "bytes",
      totalLines: 300,
      totalBytes: 270_300,
    });
    expect(await truncationOf(createReadTool(folder), { path: "long.txt", limit: 10 })).toBeUndefined();
  });

  test("say how much a command printed, in lines and bytes, and whether one line alone was too long", () => {
    const folder = tempFolder();
    const fullOutputPath = join(folder, "all.txt");
    const all = `${numbers(20_000).join("\n")}\n`;
    writeFileSync(fullOutputPath, all);
    const shown = numbers(20_000).slice(-5000).join("\n");
    const note = "[Only the end of 108894 bytes of output is shown. The full output is in all.txt]\n[Exit code 1]";
    const details = { truncated: true, totalBytes: all.length, fullOutputPath };
    expect(piDetails("bash", details, text(`${shown}\n${note}`))).toEqual({
      ...details,
      truncation: {
        content: shown,
        truncated: true,
        truncatedBy: "bytes",
        totalLines: 20_000,
        totalBytes: all.length,
        outputLines: 5000,
        outputBytes: shown.length,
        lastLinePartial: false,
        firstLineExceedsLimit: false,
        maxLines: Number.MAX_SAFE_INTEGER,
        maxBytes: 30_000,
      },
    });
    const oneLine = { truncated: true, totalBytes: 90_000 };
    expect(piDetails("bash", oneLine, text("x".repeat(30_000)))).toMatchObject({
      truncation: { lastLinePartial: true, outputLines: 1, totalLines: 1 },
    });
  });

  test("say how many files there are if not all are listed", () => {
    const details = { found: 30, truncated: true };
    const content = text("a\nb\n[Showing the first 2 of 30. Narrow the pattern or the path]");
    expect(piDetails("find", details, content)).toMatchObject({
      truncation: { content: "a\nb", truncatedBy: "lines", totalLines: 30, outputLines: 2, maxLines: 2 },
    });
  });

  test("are unchanged if nothing was cut", () => {
    expect(piDetails("bash", { truncated: false, totalBytes: 3 }, text("abc"))).toEqual({
      truncated: false,
      totalBytes: 3,
    });
  });
});
