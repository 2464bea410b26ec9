/** A custom page that draws a session's tree with bough/tree and bough/view: the sample of docs/sdk.md, bundled. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild-wasm";
import { beforeAll, expect, test } from "vitest";
import { sdkPrograms } from "../support/sdk-programs.js";
import { eventually, useBrowser } from "./chromium.js";
import { openDemo, useFolder } from "./exported.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const open = useBrowser();
const folder = useFolder();
const file = join(folder, "tree.html");

beforeAll(async () => {
  const [sample = ""] = sdkPrograms("In a browser");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "bough"));
  writeFileSync(join(folder, "page.ts"), sample);
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["page.ts"],
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    format: "esm",
  });
  const session = openDemo(folder);
  const lines = session.toLines().join("\n").replaceAll("</", "<\\/");
  session.close();
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><title>A tree</title>
<style>body { font: 16px sans-serif } li { list-style: none; cursor: pointer } .here { font-weight: bold }</style>
<ul id="tree"></ul>
<script type="text/plain" id="session">${lines}</script>
<script type="module">${outputFiles[0]?.text.replaceAll("</script", "<\\/script")}</script>`,
  );
});

test("bough/tree and bough/view draw the tree of a session's lines in a page", async () => {
  const { page, trouble } = await open(file, { drawn: "li.here" });
  const rows = () => page.locator("li").allInnerTexts();
  expect(await rows()).toMatchInlineSnapshot(`
    [
      "● What is in this folder?",
      "● Read the README and tell me what the tool promises",
      "● How are lines split at the moment?",
      "● Write a test that shows the problem",
      "● What would a proper tokenizer need to handle?",
      "● Generate a tokenizer from a grammar and wire it into the command line [tokenizer]",
      "▸ #2 Try a hand-written lexer instead",
      "● Keep the generated one, and add tests for the six cases",
      "● Fix the failing edge cases: empty input, a lone quote, CRLF inside strings [good]",
      "▸ #3 Rewrite the error type so that it names line and column",
      "● Now sum by month",
      "● Dates come as 2026-03-01 and as 1.3.2026",
      "● And amounts with a comma, 12,50?",
      "● Agreed. Detect the dialect from the first line",
      "● Print the sums as a table",
      "● Try it with a file of 2 GB [too big]",
      "▸ #4 Read the file in pieces, with the hand-written lexer [pieces]",
      "▸ #5 Would loading it into SQLite be simpler?",
      "● For now, refuse files over 500 MB with a clear message",
      "● Write that down in the README",
      "● you are here · reply finished",
    ]
  `);
  const before = (await rows()).length;
  // A branch unfolds at its fork point, indented.
  await page.getByText("Try a hand-written lexer instead").first().click();
  await eventually(async () => (await rows()).length).toBeGreaterThan(before);
  const indents = await page
    .locator("li")
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).style.marginLeft));
  expect(new Set(indents)).toEqual(new Set(["0em", "2em"]));
  expect(await page.locator("li.here").count()).toBe(1);
  if (process.env.BOUGH_PICTURES !== undefined)
    await page.screenshot({ path: join(process.env.BOUGH_PICTURES, "tree-door.png") });
  expect(trouble).toEqual([]);
});
