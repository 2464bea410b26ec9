import { join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { eventually, useBrowser } from "./chromium.js";
import { exported, useFolder } from "./exported.js";

const open = useBrowser();
const folder = useFolder();
const TURNS = 6000;

let session: SessionManager;
let file: string;
beforeAll(async () => {
  session = longSession();
  file = await exported(session, join(folder, "large.html"));
});

/** A long trunk, and a branch at every hundredth turn. */
function longSession(): SessionManager {
  const made = SessionManager.inMemory();
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const from = { api: "a", provider: "p", model: "m", usage, stopReason: "stop", timestamp: 1 } as const;
  for (let turn = 1; turn <= TURNS; turn++) {
    made.appendMessage({ role: "user", content: `question ${turn}`, timestamp: turn });
    made.appendMessage({
      role: "assistant",
      content: [{ type: "text", text: `answer ${turn} ${"and so on ".repeat(turn % 90)}` }],
      ...from,
    });
    if (turn % 100 !== 0) continue;
    const here = made.getLeafId() as EntryId;
    made.appendMessage({ role: "user", content: `another way at ${turn}`, timestamp: turn });
    made.branch(here);
  }
  return made;
}

const counts = (page: Page) =>
  page.evaluate(() => ({
    articles: document.querySelectorAll("article").length,
    rows: document.querySelectorAll("[role=treeitem]").length,
    elements: document.querySelectorAll("#bough *").length,
  }));

test("a long session has few elements in the page, wherever it is read, and says how long it is", async () => {
  const { page, trouble } = await open(file);
  const box = page.locator(".scroller");
  for (const part of [1, 0.5, 0.1, 0, 0.9]) {
    await box.evaluate((scroller, at) => scroller.scrollTo(0, at * scroller.scrollHeight), part);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const { articles, rows, elements } = await counts(page);
    expect(articles).toBeGreaterThan(3);
    expect(articles).toBeLessThanOrEqual(150);
    expect(rows).toBeLessThanOrEqual(80);
    expect(elements).toBeLessThan(2500);
  }
  expect(await page.locator("article").first().getAttribute("aria-setsize")).toBe(String(2 * TURNS));
  expect(trouble).toEqual([]);
});

test("the place that is read stays while everything above it is measured", async () => {
  const middle = session
    .getEntries()
    .find(
      (entry) => entry.type === "message" && entry.message.role === "user" && entry.message.content === "question 3000",
    );
  const { page } = await open(file, { hash: `#e=${encodeURIComponent(middle?.id ?? "")}` });
  const chosen = page.locator("article.chosen");
  await eventually(() => chosen.innerText()).toContain("question 3000");
  const top = () => chosen.evaluate((article) => Math.round(article.getBoundingClientRect().top));
  const first = await top();
  // Up a little and down again: everything in between has its real height now.
  await page.locator(".scroller").evaluate(async (scroller) => {
    for (const step of [-300, -300, -300, 300, 300, 300]) {
      scroller.scrollTop += step;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
  });
  expect(Math.abs((await top()) - first)).toBeLessThanOrEqual(3);
});

test("earlier turns are one row that opens, and the search finds one prompt of six thousand, on a branch", async () => {
  const { page, trouble } = await open(file);
  expect(await page.locator(".count").innerText()).toMatch(/6,060 turns · 60 branches/);
  await page.locator("#search").fill("another way at 1200");
  await eventually(() => page.locator(".count").innerText()).toBe("1 match");
  await page.locator("#search").press("Enter");
  await eventually(() => page.locator("article.chosen").innerText()).toContain("another way at 1200");
  await page.locator("#search").fill("");
  await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 0));
  const earlier = page.locator(".row.earlier");
  expect(await earlier.innerText()).toMatch(/earlier turns/);
  const before = await page.locator("[role=treeitem]").first().getAttribute("aria-setsize");
  await earlier.click();
  await eventually(() => page.locator("[role=treeitem]").first().getAttribute("aria-setsize")).not.toBe(before);
  expect(trouble).toEqual([]);
});
