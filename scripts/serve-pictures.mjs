// Draws docs/images/serve-*.png: the page of `bough serve` with the demo session, in Chromium. Needs a build. `node
// scripts/serve-pictures.mjs`; set BOUGH_CHROMIUM if the browser is not /usr/bin/chromium.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { makeDemo } from "../dist/cli/index.js";
import { startServer } from "../dist/serve/index.js";

const images = join(dirname(fileURLToPath(import.meta.url)), "../docs/images");
const end = new Date("2026-03-02T12:00:00Z");
/** Ages in the tree are relative to this time. */
const now = new Date(end.getTime() + 12 * 60_000);

const SIZES = [
  { width: 1400, height: 900 },
  { width: 900, height: 800 },
  { width: 390, height: 844 },
];
const PLACES = [
  { name: "session", address: (key) => `/?s=${key}`, drawn: "article" },
  { name: "home", address: () => "/", drawn: ".project" },
  { name: "usage", address: () => "/?usage", drawn: "table" },
];

/** The ones in the docs; with `--all`, every place is drawn in every size and both themes, to be looked at. */
const SHOWN = ["session-1400-light", "session-390-dark", "usage-900-dark", "home-1400-light"];
const all = process.argv.includes("--all");

const home = mkdtempSync(join(tmpdir(), "bough-pictures-"));
const folder = join(home, ".bough", "sessions", "--home-reader-parser--");
mkdirSync(folder, { recursive: true });
const file = makeDemo({ dir: folder, cwd: "/home/reader/parser", end });
const server = await startServer({
  home: join(home, ".bough"),
  agents: { home, environment: {} },
  now: () => now,
  priceOf: () => undefined,
  services: { compare: () => ({}), diff: async () => ({}) },
});
const browser = await chromium.launch({
  executablePath: process.env.BOUGH_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const key = await server.keyOf(file);
  const secret = new URL(server.link()).hash;
  mkdirSync(images, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    for (const { width, height } of SIZES) {
      for (const { name, address, drawn } of PLACES) {
        const picture = `${name}-${width}-${colorScheme}`;
        if (!all && !SHOWN.includes(picture)) continue;
        const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
        await page.clock.setFixedTime(now);
        await page.goto(`${server.origin}${address(key)}${secret}`);
        await page.waitForSelector(drawn);
        await page.waitForFunction(() => !document.body.innerText.includes("being fetched"));
        await page.screenshot({ path: join(images, `serve-${picture}.png`) });
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
}
