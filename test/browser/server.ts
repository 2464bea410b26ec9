/** One real browser for all files of tests that need it: to start one takes longer than most of them. */
import { accessSync, constants } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the browser is reached, or why there is none. */
    chromium: { readonly endpoint: string } | { readonly problem: string };
  }
}

const here = fileURLToPath(new URL(".", import.meta.url));
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
];

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.vitest.state.getPaths().some((path) => path.startsWith(join(here, sep)))) return undefined;
  try {
    const server = await chromium.launchServer({ executablePath: chromiumPath(), args: FLAGS, host: "127.0.0.1" });
    project.provide("chromium", { endpoint: server.wsEndpoint() });
    return () => server.close();
  } catch (error) {
    // The tests that need it say so; all others can run.
    project.provide("chromium", { problem: String(error) });
    return undefined;
  }
}

/** The path of the browser. Tests fail without one, and say what to do: a skipped test looks like a passed one. */
function chromiumPath(): string {
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
  throw new Error("There is no Chromium, and these tests need one. Install it, or name it in BOUGH_CHROMIUM.");
}
