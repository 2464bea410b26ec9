import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { exportSession } from "@bough/workbench/export/index.js";
import { beforeAll, expect, test } from "vitest";
import { useBrowser } from "./chromium.js";
import { DEMO_END, openDemo, useFolder } from "./exported.js";

const open = useBrowser();
const folder = useFolder();
const now = () => DEMO_END;
let demo: SessionManager;

beforeAll(() => {
  demo = openDemo(folder);
});

test("a page has the full tree by default, and --scope path narrows it", async () => {
  const whole = join(folder, "whole.html");
  const narrow = join(folder, "narrow.html");
  await exportSession(demo, { format: "html", file: whole, now });
  await exportSession(demo, { format: "html", scope: "path", file: narrow, now });
  const branches = async (file: string) => (await open(file)).page.locator(".row.side").allInnerTexts();
  expect((await branches(whole)).join()).toMatch(/#4[\s\S]*#5/);
  expect(await branches(narrow)).toEqual([]);
});

test("labels and extension messages have their looks in the page", async () => {
  const session = SessionManager.create(folder, join(folder, "sessions"));
  const prompt = session.appendMessage({ role: "user", content: "Look at the parser", timestamp: DEMO_END.getTime() });
  session.appendLabelChange(prompt, "good <start>");
  session.appendCustomMessageEntry("review", "Two files need a second look.", true);
  session.appendCustomEntry("review.state", { open: 2 });
  session.appendMessage({ role: "user", content: "Go on", timestamp: DEMO_END.getTime() });
  const file = join(folder, "looks.html");
  await exportSession(session, { format: "html", file, now });
  const { page, trouble } = await open(file);
  expect(await page.locator("article .block.label").innerText()).toMatch(/⚑\s+label\s+good <start>/);
  const custom = page.locator("article .block.custom");
  expect(await custom.innerText()).toMatch(/◈ review\s+Two files need a second look\./);
  const look = await custom.evaluate((block) => {
    const { backgroundColor, color } = getComputedStyle(block);
    return { backgroundColor, color };
  });
  expect(look).toEqual({ backgroundColor: "rgb(243, 233, 251)", color: "rgb(79, 29, 120)" });
  await page.locator(".filters label", { hasText: /^All$/ }).click();
  const signs = await page.locator(".row .sign").allInnerTexts();
  expect(signs).toEqual(expect.arrayContaining(["●", "⚑", "◈", "▫"]));
  if (process.env.BOUGH_SCREENSHOTS !== undefined) {
    await page.screenshot({ path: join(process.env.BOUGH_SCREENSHOTS, "b8-page.png") });
  }
  expect(trouble).toEqual([]);
});
