/** A real browser for tests: finds it, starts it once per test file, and watches every page for errors. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { afterTest } from "../support/after-test.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
];

const MISSING = "There is no Chromium: apt-get install chromium, or name one in BOUGH_CHROMIUM";

/** The path of the browser, if there is one. */
export function chromiumPath(): string | undefined {
  const named = process.env.BOUGH_CHROMIUM;
  if (named !== undefined && named !== "") return named;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors, dialogs, requests and violations of the content policy, in order. */
  readonly trouble: string[];
}

export interface OpenOptions
  extends Pick<BrowserContextOptions, "viewport" | "colorScheme" | "reducedMotion" | (typeof FIXED)[number]> {
  readonly hash?: string;
  /** Present once the page is drawn. */
  readonly drawn?: string;
}

/** What a page cannot be told later. Everything else is set on the page that is there. */
const FIXED = ["javaScriptEnabled", "hasTouch"] as const;

/**
 * Call it once per test file. Without a browser, the tests are skipped and say what to install. Later tests reuse a
 * page, which takes a third of the time of a new one: in between it was navigated elsewhere, and its storage was
 * cleared. A test that opens several gets several.
 */
export function useBrowser(): (file: string, options?: OpenOptions) => Promise<OpenedPage> {
  let browser: Browser | undefined;
  /** Unused pages, by their fixed options. */
  const free = new Map<string, Page[]>();
  const executablePath = chromiumPath();
  beforeAll(async () => {
    if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  beforeEach(({ skip }) => {
    if (executablePath === undefined) skip(MISSING);
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (file, { hash = "", drawn = ".path-heading", ...options } = {}) => {
    if (browser === undefined) throw new Error("bug: a page was opened before the browser was started");
    const { viewport = { width: 1280, height: 800 }, colorScheme = null, reducedMotion = null, ...fixed } = options;
    const kind = JSON.stringify(FIXED.map((name) => fixed[name]));
    const page = free.get(kind)?.pop() ?? (await (await browser.newContext(fixed)).newPage());
    if (viewport !== null) await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme, reducedMotion });
    const trouble: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") trouble.push(message.text());
    });
    page.on("pageerror", (error) => trouble.push(String(error)));
    page.on("dialog", (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!/^(?:file|data|blob):/.test(request.url())) trouble.push(`request: ${request.url()}`);
    });
    afterTest(async () => {
      page.removeAllListeners();
      if (options.javaScriptEnabled !== false) await page.evaluate(() => localStorage.clear());
      await page.goto("about:blank");
      free.set(kind, [...(free.get(kind) ?? []), page]);
    });
    await page.goto(`${pathToFileURL(file).href}${hash}`);
    if (options.javaScriptEnabled !== false) await page.waitForSelector(drawn);
    return { page, trouble };
  };
}

/** Repeats until the answer is as expected, because drawing takes time on a busy machine. */
export function eventually<Value>(ask: () => Value | Promise<Value>) {
  return expect.poll(ask, { timeout: 60_000 });
}

/** How far the page, or anything inside that should not, extends beyond its right edge. */
export async function sidewaysScrolling(page: Page): Promise<number> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll(".scroller, .rows, .sidebar")];
    return Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
  });
}
