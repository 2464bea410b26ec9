// Draws docs/images/export-*.png: the demo session as an HTML export, in Chromium. Needs a build. `node
// scripts/page-pictures.mjs`; set BOUGH_CHROMIUM if the browser is not /usr/bin/chromium.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { makeDemo } from "../dist/cli/index.js";
import { SessionManager } from "../dist/session/index.js";
import { exportHtml } from "../dist/web/index.js";

const images = join(dirname(fileURLToPath(import.meta.url)), "../docs/images");
const end = new Date("2026-03-02T12:00:00Z");
/** Ages in the tree are relative to this time. */
const now = new Date(end.getTime() + 12 * 60_000);

const PICTURES = [
  { name: "export-wide-light", width: 1280, height: 800, colorScheme: "light", act: showFork },
  { name: "export-wide-dark", width: 1280, height: 800, colorScheme: "dark", act: openTools },
  { name: "export-tablet-light", width: 768, height: 1024, colorScheme: "light", act: search },
  { name: "export-phone-dark", width: 390, height: 844, colorScheme: "dark", act: openSheet },
];

const folder = mkdtempSync(join(tmpdir(), "bough-pictures-"));
const browser = await chromium.launch({
  executablePath: process.env.BOUGH_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const session = SessionManager.open(makeDemo({ dir: folder, cwd: "/home/reader/parser", end }));
  const { file } = await exportHtml({
    ...{ source: session.getSource(), header: session.getHeader(), now },
    file: join(folder, "demo.html"),
  });
  mkdirSync(images, { recursive: true });
  for (const { name, width, height, colorScheme, act } of PICTURES) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
    await page.clock.setFixedTime(now);
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("article");
    await act(page);
    await page.screenshot({ path: join(images, `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function showFork(page) {
  await page.locator(".fork").last().getByRole("button", { name: "Next version" }).click();
}

async function openTools(page) {
  await page.locator(".row", { hasText: "#4" }).locator(".fold").click();
  await page.locator("button.link", { hasText: "#4" }).click();
  await page.keyboard.press("t");
}

async function search(page) {
  await page.locator("#search").fill("lexer");
  await page.locator("#search").press("Enter");
}

async function openSheet(page) {
  await page.getByRole("button", { name: "Tree (5)" }).click();
}
