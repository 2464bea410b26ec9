/**
 * Opens an exported page from disk in a real browser. Measured is the time from the beginning of the navigation until
 * rows and conversation are painted, while most of the file is still being read; then how the page scrolls.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"];

/** @param {{ file: string, frames: number }} input */
export async function run({ file, frames }) {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(watchFirstScreen);
    await page.goto(pathToFileURL(file).href, { waitUntil: "commit" });
    // Pass functions rather than strings, because the page's policy forbids evaluating strings.
    await page.waitForFunction(() => Reflect.has(globalThis, "firstScreen"), undefined, { timeout: 120_000 });
    await page.waitForFunction(() => globalThis.document.readyState === "complete", undefined, { timeout: 120_000 });
    const ms = /** @type {number} */ (await page.evaluate(() => Reflect.get(globalThis, "firstScreen")));
    const whole = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd);
    const scrolling = await page.evaluate(scroll, frames);
    return { ms, check: "drawn", extra: { whole, ...scrolling } };
  } finally {
    await browser.close();
  }
}

/** Runs in the page: two frames after rows and conversation exist, they have been painted. */
function watchFirstScreen() {
  const { document, MutationObserver, requestAnimationFrame } = globalThis;
  const observer = new MutationObserver(() => {
    if (document.querySelector("article") === null || document.querySelector("[role=treeitem]") === null) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => Reflect.set(globalThis, "firstScreen", performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Runs in the page: scrolls half a screen per frame, from the end upwards. @param {number} frames */
async function scroll(frames) {
  const { document, requestAnimationFrame } = globalThis;
  const scroller = document.querySelector(".scroller");
  const times = [];
  let rows = 0;
  let last = performance.now();
  for (let i = 0; i < frames; i++) {
    scroller.scrollTop -= 400;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
    rows = Math.max(rows, document.querySelectorAll("article, [role=treeitem]").length);
  }
  times.sort((a, b) => a - b);
  return { frame: times[Math.floor(frames / 2)], frame95: times[Math.floor(frames * 0.95)], rows };
}

function chromiumPath() {
  const named = process.env.BOUGH_CHROMIUM;
  if (named) return named;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  throw new Error("Error: there is no Chromium; install it, or name it in BOUGH_CHROMIUM");
}
