import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { exportSession } from "@bough/workbench/export/index.js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually, sidewaysScrolling, useBrowser } from "./chromium.js";
import { DEMO_END, exported, openDemo, useFolder } from "./exported.js";

const open = useBrowser();
const folder = useFolder();
let file: string;

beforeAll(async () => {
  file = await exported(openDemo(folder), join(folder, "demo.html"));
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** The worst contrast of any visible text, by the rules of WCAG 2. */
const worstContrast = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const channels = (colour: string): number[] => {
      if (canvas === null) return [0, 0, 0, 0];
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([red = 0, green = 0, blue = 0]: number[]) => {
      const linear = (value: number) =>
        value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    };
    const behind = (element: Element | null): number[] => {
      for (let at = element; at !== null; at = at.parentElement) {
        const colour = channels(getComputedStyle(at).backgroundColor);
        if ((colour[3] ?? 0) > 250) return colour;
      }
      return [255, 255, 255, 255];
    };
    let worst = { ratio: 99, text: "" };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.nodeValue?.trim() ?? "";
      if (
        parent === null ||
        text === "" ||
        parent.closest("script, style, noscript") !== null ||
        !parent.checkVisibility()
      )
        continue;
      const [a, b] = [light(channels(getComputedStyle(parent).color)), light(behind(parent))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < worst.ratio) worst = { ratio, text: `${text.slice(0, 40)} in ${parent.className}` };
    }
    return worst;
  });

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test("every text has a contrast of 4.5:1 or more, tools and dialogs too", async () => {
    const { page } = await open(file, { colorScheme });
    await page.locator("body").press("t");
    for (const part of ["end", "start"]) {
      await page.locator(".scroller").evaluate((box, to) => box.scrollTo(0, to === "end" ? box.scrollHeight : 0), part);
      await page.waitForFunction(() => document.querySelectorAll("article details[open]").length > 0);
      const worst = await worstContrast(page);
      expect(worst.ratio, worst.text).toBeGreaterThanOrEqual(4.5);
    }
    await page.locator("body").press("?");
    const worst = await worstContrast(page);
    expect(worst.ratio, worst.text).toBeGreaterThanOrEqual(4.5);
  });

  test("the page has the system's color scheme until the reader chooses another", async () => {
    const { page } = await open(file, { colorScheme });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [white, black] = ["rgb(255, 255, 255)", "rgb(20, 23, 26)"];
    expect(await paper()).toBe(colorScheme === "light" ? white : black);
    await page.locator("details.menu summary").click();
    await page.getByRole("button", { name: "Theme: system" }).click();
    await eventually(paper).toBe(white);
    await page.getByRole("button", { name: "Theme: light" }).click();
    await eventually(paper).toBe(black);
    await page.reload();
    await page.waitForSelector("article");
    expect(await paper()).toBe(black);
  });
});

describe("on a phone", () => {
  test("the tree is a sheet behind a button that says how many branches there are, with rows for fingers", async () => {
    const { page, trouble } = await open(file, PHONE);
    const sheet = page.locator(".sidebar");
    expect(await sheet.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Tree (5)" }).click();
    await eventually(() => sheet.isVisible()).toBe(true);
    const heights = await page.locator(".row:not(.probe)").evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await page.locator(".row", { hasText: "#5" }).click();
    await eventually(() => sheet.isVisible()).toBe(false);
    expect(await page.locator(".path-name").innerText()).toMatch(/^#5/);
    await page.getByRole("button", { name: "Tree (5)" }).click();
    await page.keyboard.press("Escape");
    await eventually(() => sheet.isVisible()).toBe(false);
    expect(await sidewaysScrolling(page)).toBeLessThanOrEqual(0);
    expect(trouble).toEqual([]);
  });

  test("buttons that are touched are large enough", async () => {
    const { page } = await open(file, PHONE);
    const sizes = await page
      .locator(".toolbar button, .menu > summary, .fork .switch button")
      .evaluateAll((buttons) =>
        buttons.filter((button) => button.checkVisibility()).map((button) => (button as HTMLElement).offsetHeight),
      );
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  });

  test.each([1280, 1024, 768, 761, 760, 390, 320])(
    "nothing reaches beyond %i pixels, also with all tools open",
    async (width) => {
      const { page } = await open(file, { viewport: { width, height: 800 } });
      await page.locator("body").press("t");
      await page.waitForFunction(() => document.querySelectorAll("article details[open]").length > 0);
      expect(await sidewaysScrolling(page)).toBeLessThanOrEqual(0);
    },
  );

  test("magnified four times everything is still reached, without scrolling sideways", async () => {
    const { page } = await open(file, { viewport: { width: 320, height: 200 } });
    expect(await sidewaysScrolling(page)).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "Tree (5)" }).click();
    await eventually(() => page.locator(".row:not(.probe)").first().isVisible()).toBe(true);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.locator("details.menu summary").click();
    await page.getByRole("button", { name: "Keys" }).click();
    await eventually(() => page.getByRole("dialog").isVisible()).toBe(true);
    expect(await sidewaysScrolling(page)).toBeLessThanOrEqual(0);
  });
});

describe("on paper", () => {
  test("the whole path is printed, tools as one line, links as notes, and nothing else", async () => {
    const { page, trouble } = await open(file);
    await page.emulateMedia({ media: "print" });
    await page.waitForSelector(".printed article");
    const text = await page.locator(".printed").innerText();
    expect(text).toMatch(/^parser session/);
    expect(text).toMatch(/Prompt 1\s/);
    expect(text).toContain("Write that down in the README");
    expect(await page.locator(".page").isVisible()).toBe(false);
    expect(await page.locator(".printed details[open]").count()).toBe(0);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
    await page.emulateMedia({ media: "screen" });
    await eventually(() => page.locator(".printed article").count()).toBe(0);
    expect(trouble).toEqual([]);
  });
});

describe("without script", () => {
  test("it reads from the first prompt to the last answer, tools unfold, and other branches are named", async () => {
    const { page } = await open(file, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const text = await page.locator("main").innerText();
    expect(text).toMatch(/Prompt 1\s/);
    expect(text).toMatch(/Write that down in the README/);
    expect(text).toMatch(/Other branches[\s\S]*#5 Would loading it into SQLite be simpler\?/);
    const tool = page.locator("details.tool").first();
    expect(await tool.locator(".inside").isVisible()).toBe(false);
    await tool.locator("summary").click();
    expect(await tool.locator(".inside").isVisible()).toBe(true);
    expect(await page.locator("h2.turn").count()).toBe(16);
  });
});

test("next to the conversation, the tree can be hidden, and the search key shows it again", async () => {
  const { page } = await open(file);
  const button = page.getByRole("button", { name: "Tree (5)" });
  expect(await button.getAttribute("aria-expanded")).toBe("true");
  await button.click();
  await eventually(() => page.locator(".sidebar").isVisible()).toBe(false);
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("/");
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe("search");
  expect(await page.locator(".sidebar").isVisible()).toBe(true);
});

describe("what a message may hold", () => {
  const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  function rich(): SessionManager {
    const session = SessionManager.inMemory();
    const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
    session.appendMessage({ role: "user", content: [{ type: "text", text: "look" }, image], timestamp: 1 });
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    const text = "See [the page](https://example.org/page).\n\n```ts\nconst a: number = 1;\n```\n\n|a|b|\n|-|-|\n|1|2|";
    session.appendMessage({
      ...{ role: "assistant", api: "a", provider: "p", model: "m", usage, stopReason: "stop", timestamp: 1 },
      content: [{ type: "text", text }],
    });
    return session;
  }

  test("images, colored code and tables are shown, and links become notes in print", async () => {
    const { page, trouble } = await open(await exported(rich(), join(folder, "rich.html")));
    await eventually(() =>
      page.locator("article img").evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBe(1);
    expect(await page.locator("article .hljs-keyword").innerText()).toBe("const");
    expect(await page.locator("article td").allInnerTexts()).toEqual(["1", "2"]);
    await page.emulateMedia({ media: "print" });
    await page.waitForSelector(".printed sup");
    const printed = await page.locator(".printed").innerText();
    expect(printed).toMatch(/See the page\[1\]/);
    expect(printed).toMatch(/Links\s+(?:1\.\s+)?https:\/\/example\.org\/page/);
    expect(trouble).toEqual([]);
  });
});

test("a leaf before the first entry has a tree and no path, and everything can be read from there", async () => {
  const session = SessionManager.inMemory();
  session.appendMessage({ role: "user", content: "the only prompt", timestamp: 1 });
  session.resetLeaf();
  const { page, trouble } = await open(await exported(session, join(folder, "start.html")));
  expect(await page.locator("article").count()).toBe(0);
  expect(await page.locator(".path-heading").innerText()).toMatch(/you are here, before the first entry/);
  await page.locator(".row.side").click();
  await eventually(() => page.locator("article").innerText()).toMatch(/the only prompt/);
  await page.getByRole("button", { name: "Back to the leaf" }).click();
  await eventually(() => page.locator("article").count()).toBe(0);
  expect(trouble).toEqual([]);
});

test("pieces whose parent is missing are shown, and said to be", async () => {
  const path = join(folder, "damaged.jsonl");
  const line = (id: string, parentId: string | null, content: string) =>
    JSON.stringify({
      type: "message",
      id,
      parentId,
      timestamp: "2026-03-02T12:00:00Z",
      message: { role: "user", content, timestamp: 1 },
    });
  const header = JSON.stringify({
    type: "session",
    version: 3,
    id: "damaged",
    timestamp: "2026-03-02T12:00:00Z",
    cwd: "/",
  });
  writeFileSync(
    path,
    [header, line("a", null, "first"), line("c", "gone", "orphan"), line("b", "a", "second"), ""].join("\n"),
  );
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const { page, trouble } = await open(await exported(session, join(folder, "damaged.html")));
  expect(await page.locator(".row", { hasText: "orphan" }).innerText()).toMatch(/parent gone is missing/);
  await page.locator(".row", { hasText: "orphan" }).click();
  await eventually(() => page.locator("article .prompt").allInnerTexts()).toEqual(["orphan"]);
  expect(trouble).toEqual([]);
});

test("motion is off if the system asks for that, and a single path can be exported", async () => {
  const alone = join(folder, "alone.jsonl");
  const demo = openDemo(join(folder, "again"));
  await exportSession(demo, { format: "jsonl", scope: "path", file: alone, now: () => DEMO_END });
  const path = await exported(SessionManager.open(alone), join(folder, "path.html"));
  const { page, trouble } = await open(path, { reducedMotion: "reduce", ...PHONE });
  expect(await page.locator(".sidebar").evaluate((sheet) => getComputedStyle(sheet).transitionDuration)).toBe("0s");
  expect(await page.locator(".fork").count()).toBe(0);
  expect(await page.locator(".path-heading").innerText()).toMatch(/1 branch in this file/);
  expect(trouble).toEqual([]);
});
