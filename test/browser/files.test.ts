/** What a command did to files, on the page: shown, folded, masked, and readable without script. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { filesPlace } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { filesRoot, stepDiffs } from "@bough/workbench/checkpoint/index.js";
import { exportSession } from "@bough/workbench/export/index.js";
import { beforeAll, expect, test } from "vitest";
import { eventually, sidewaysScrolling, useBrowser } from "./chromium.js";
import { useFolder } from "./exported.js";

const open = useBrowser();
const folder = useFolder();
const file = join(folder, "files.html");
const SECRET = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;

beforeAll(async () => {
  const home = join(folder, "home");
  const root = join(folder, "project");
  mkdirSync(root);
  const found = await filesRoot(root, home);
  if ("off" in found) throw new Error(`bug: files are off: ${found.off}`);
  const { session, say, step, write } = await filesPlace({ root, store: found.store });
  write({ "lexer.ts": "one\n-- two\nthree\n" });
  say("Look at it");
  await step("Run the codemod", {
    "lexer.ts": `one\n2 <img src=x onerror=alert(1)>\nthree\n${SECRET}\n`,
    "wide.txt": `${"wide ".repeat(80)}\n`,
    binary: Buffer.from([0]),
  });
  session.appendMessage({ role: "user", content: "Thanks", timestamp: 0 });
  const fileDiffs = stepDiffs({ sessionCwd: root, cwd: root, home });
  await exportSession(session, { format: "html", file, fileDiffs });
});

test("a step has a row that unfolds into the diff of each file, and nothing in it runs", async () => {
  const { page, trouble } = await open(file);
  const summary = page.locator("details.files > summary");
  await eventually(() => summary.allInnerTexts()).toEqual(["± 3 files changed by bash"]);
  await summary.click();
  const inside = page.locator("details.files .inside");
  await eventually(() => inside.locator(".file").allInnerTexts()).toEqual([
    "A binary binary, 1 B",
    "M lexer.ts +2 -1",
    "A wide.txt +1",
  ]);
  const lines = await inside.locator("pre.diff").first().locator("span").allTextContents();
  expect(lines.map((line) => line.trimEnd()).map((line) => line.replace(/•.*/, "•"))).toEqual([
    "@@ -1,3 +1,4 @@",
    " one",
    "--- two",
    "+2 <img src=x onerror=alert(1)>",
    " three",
    "+•",
  ]);
  // A removed line that looks like a heading is a removed line.
  await eventually(() => inside.locator("pre.diff .remove").allTextContents()).toEqual(["--- two\n"]);
  expect([await sidewaysScrolling(page), trouble]).toEqual([0, []]);
});

test("works without scripts too, and the secret is nowhere", async () => {
  const { page } = await open(file, { javaScriptEnabled: false });
  const text = await page.content();
  expect([text.includes("+2 &lt;img src=x onerror=alert(1)&gt;"), text.includes(SECRET)]).toEqual([true, false]);
});
