/** `bough serve` in a real browser: it follows what a process writes, survives a restart, and gives other pages nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunningServer, startServer } from "@bough/workbench/serve/index.js";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../scripts/remove-folder.mjs";
import { afterTest } from "../support/after-test.js";
import { chromiumPath, eventually } from "./chromium.js";

const ENGINE = fileURLToPath(new URL("../../dist/session/index.js", import.meta.url));
const executablePath = chromiumPath();
let browser: Browser | undefined;
let home: string;
let server: RunningServer;
let port: number;
const secret = "test-secret-that-is-long-enough-for-a-link";

const options = () => ({
  home: join(home, ".bough"),
  agents: { home, environment: {} },
  now: () => new Date(),
  priceOf: () => undefined,
  services: { compare: () => ({}), diff: async () => ({}) },
  secret,
});

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "bough-test-"));
  mkdirSync(join(home, ".bough", "sessions", "--work--"), { recursive: true });
  server = await startServer(options());
  port = Number(new URL(server.origin).port);
  if (executablePath !== undefined) {
    const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
    // A name that someone else owns, and made to lead here.
    args.push("--host-resolver-rules=MAP evil.example 127.0.0.1");
    browser = await chromium.launch({ executablePath, args });
  }
});
beforeEach(({ skip }) => {
  if (executablePath === undefined)
    skip("There is no Chromium: apt-get install chromium, or name one in BOUGH_CHROMIUM");
});
afterAll(async () => {
  await browser?.close();
  await server.close();
  removeFolder(home);
});

interface Opened {
  readonly page: Page;
  /** Errors, dialogs, and violations of the content policy. */
  readonly trouble: string[];
}

async function openPage(address: string, viewport = { width: 1280, height: 800 }): Promise<Opened> {
  const context = await (browser as Browser).newContext({ viewport });
  afterTest(() => context.close());
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("dialog", (dialog) => {
    trouble.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    // The server that is stopped in one test.
    if (message.type() === "error" && !/net::ERR/.test(message.text())) trouble.push(message.text());
  });
  await page.goto(address);
  return { page, trouble };
}

let sessions = 0;

/** A session file with these lines. */
function sessionFile(entries: readonly object[], header: object = {}): string {
  sessions += 1;
  const id = `00000000-0000-4000-8000-${String(sessions).padStart(12, "0")}`;
  const file = join(home, ".bough", "sessions", "--work--", `2026-01-01T00-00-00-000Z_${id}.jsonl`);
  const head = { type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd: "/work", ...header };
  writeFileSync(file, [head, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

const message = (n: number, text: unknown, role = "user") => ({
  type: "message",
  id: `e${n}`,
  parentId: n === 0 ? null : `e${n - 1}`,
  timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  message: {
    role,
    content: text,
    timestamp: 1,
    ...(role === "assistant" ? { provider: "p", model: "m", usage: {}, stopReason: "stop" } : {}),
  },
});

async function linkTo(file: string): Promise<string> {
  const key = await server.keyOf(file);
  if (key === undefined) throw new Error(`not served: ${file}`);
  return server.link(key);
}

/** What the conversation shows last. */
const lastWords = (page: Page) => page.locator('[role="feed"] article').last().innerText();

/** Another process that writes to the session: a prompt, and then one per line of its input. */
function writer(file: string): { write(text: string): void } {
  const code = `import { SessionManager } from ${JSON.stringify(ENGINE)};
    const session = SessionManager.open(${JSON.stringify(file)});
    process.stdin.setEncoding("utf8").on("data", (data) => {
      for (const content of data.trim().split("\\n")) session.appendMessage({ role: "user", content, timestamp: 1 });
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["pipe", "ignore", "inherit"] });
  afterTest(() => child.kill());
  return { write: (text) => child.stdin.write(`${text}\n`) };
}

test("a page follows what another process writes, also after the server was restarted", async () => {
  const file = sessionFile([
    message(0, "first prompt"),
    message(1, [{ type: "text", text: "an answer" }], "assistant"),
  ]);
  const { page, trouble } = await openPage(await linkTo(file));
  await eventually(() => lastWords(page)).toContain("an answer");
  // The secret is not in the address any more.
  expect(page.url()).not.toContain(secret);
  const process = writer(file);
  process.write("written by a process");
  await eventually(() => lastWords(page)).toContain("written by a process");
  await eventually(() => page.locator(".stream").innerText()).toContain("live");
  await server.close();
  await eventually(() => page.locator(".stream").innerText()).toContain("reconnecting");
  process.write("written meanwhile");
  server = await startServer({ ...options(), port });
  await eventually(() => lastWords(page)).toContain("written meanwhile");
  process.write("and after");
  await eventually(() => lastWords(page)).toContain("and after");
  expect(await page.locator('[role="feed"] article').allInnerTexts()).toHaveLength(5);
  expect(trouble).toEqual([]);
});

test("home groups sessions by project, finds words in all of them, and leads to the entry", async () => {
  const file = sessionFile([message(0, "look for the narwhal"), message(1, "and then stop")], {
    cwd: "/home/me/project",
  });
  await linkTo(file);
  const { page, trouble } = await openPage(server.link(), { width: 390, height: 844 });
  await page.getByRole("heading", { name: "/home/me/project" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.getByRole("searchbox").fill("narwhal");
  await page.keyboard.press("Enter");
  await page.locator(".hits a").first().click();
  await page.waitForSelector(".path-heading");
  await eventually(() => page.url()).toMatch(/#e=e0$/);
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("heading", { name: "Tokens and cost" }).waitFor();
  await page.getByRole("table").waitFor();
  expect(trouble).toEqual([]);
});

test("pages of other origins, ports and names get nothing, whatever they try", async () => {
  const file = sessionFile([message(0, "TOP-SECRET-PROMPT")]);
  const key = await server.keyOf(file);
  const target = server.origin;
  const tries = `<!doctype html><title>hostile</title><body><script>
    const target = ${JSON.stringify(target)}, key = ${JSON.stringify(key)};
    const got = [];
    const note = (what) => (value) => got.push(what + ": " + String(value).slice(0, 200));
    const paths = ["/", "/api/sessions", "/api/tree?s=" + key, "/api/events?s=" + key];
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    (async () => {
      for (const path of paths) {
        for (const mode of ["cors", "no-cors"]) {
          await fetch(target + path, { mode, credentials: "include" }).then((r) => r.text()).then(note(mode + path), () => {});
          await fetch(target + path, { mode, method: "POST", body: "x" }).then((r) => r.text()).then(note("post" + path), () => {});
        }
        for (const tag of ["img", "script", "iframe", "object", "embed", "link", "video"]) {
          const element = document.createElement(tag);
          element[tag === "link" ? "href" : tag === "object" ? "data" : "src"] = target + path;
          if (tag === "link") element.rel = "stylesheet";
          if (["img", "script", "link", "video"].includes(tag)) element.onload = () => note(tag + path)("loaded");
          document.body.append(element);
        }
        const form = document.createElement("form");
        form.action = target + path; form.method = "post"; form.target = "frame"; form.enctype = "text/plain";
        document.body.append(form); form.submit();
      }
      const socket = new WebSocket(target.replace("http", "ws") + "/api/events");
      socket.onopen = () => note("socket")("open");
      const stream = new EventSource(target + "/api/events?s=" + key);
      stream.onopen = () => note("stream")("open");
      await wait(1500);
      for (let at = 0; at < frames.length; at++) {
        try { note("frame")(frames[at].document.body.innerHTML); } catch {}
      }
      document.title = "done";
      window.got = got;
    })();
  </script><iframe name="frame"></iframe>`;
  const hostile = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end(tries);
  }).listen(0, "127.0.0.1");
  afterTest(() => {
    hostile.closeAllConnections();
    hostile.close();
  });
  await once(hostile, "listening");
  const other = (hostile.address() as AddressInfo).port;
  // A browser that has the page open, and then visits the others.
  const { page } = await openPage(await linkTo(file));
  await eventually(() => lastWords(page)).toContain("TOP-SECRET-PROMPT");
  for (const origin of [`http://127.0.0.1:${other}`, `http://localhost:${other}`, `http://evil.example:${other}`]) {
    const visitor = await page.context().newPage();
    const answers: string[] = [];
    let asked = 0;
    visitor.on("request", (request) => {
      if (request.url().startsWith(target)) asked += 1;
    });
    visitor.on("response", (response) => {
      if (response.url().startsWith(target)) answers.push(`${response.status()}`);
    });
    await visitor.goto(origin);
    await visitor.waitForFunction(() => document.title === "done", undefined, { timeout: 60_000 });
    const got = await visitor.evaluate(() => (window as unknown as { got: string[] }).got);
    // An opaque answer of no-cors has no content.
    expect(got.filter((what) => !/^no-cors\/[^:]*: $/.test(what) && !/: $/.test(what))).toEqual([]);
    expect(JSON.stringify(got)).not.toContain("TOP-SECRET");
    expect(answers.filter((status) => status === "200")).toEqual([]);
    // It did try.
    expect(asked).toBeGreaterThan(20);
    await visitor.close();
  }
  // The name leads here, and asks as if it were the page itself.
  const rebound = await page.context().newPage();
  const answer = await rebound.goto(`http://evil.example:${port}/`);
  expect(answer?.status()).toBe(421);
});

test("a hostile transcript runs nothing, in whatever field it is", async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>[x](javascript:alert(4))</title></script>\u202e`;
  const entries = [
    message(0, evil),
    message(
      1,
      [
        { type: "text", text: evil },
        { type: "thinking", thinking: evil },
        { type: "toolCall", id: evil, name: evil, arguments: { [evil]: evil } },
      ],
      "assistant",
    ),
    {
      ...message(2, [{ type: "text", text: evil }], "toolResult"),
      message: {
        role: "toolResult",
        toolCallId: evil,
        toolName: evil,
        content: [{ type: "text", text: evil }],
        isError: true,
        timestamp: 1,
      },
    },
    { type: "label", id: "l1", parentId: "e2", timestamp: "2026-01-01T00:01:00.000Z", targetId: "e0", label: evil },
    { type: "session_info", id: "n1", parentId: "e2", timestamp: "2026-01-01T00:01:01.000Z", name: evil },
    {
      type: "custom_message",
      id: "c1",
      parentId: "e2",
      timestamp: "2026-01-01T00:01:02.000Z",
      customType: evil,
      content: evil,
      display: true,
    },
    { type: evil, id: evil, parentId: "c1", timestamp: evil },
  ];
  const file = sessionFile(entries, { cwd: evil });
  const { page, trouble } = await openPage(await linkTo(file));
  await page.waitForSelector(".path-heading");
  await page.keyboard.press("t");
  await eventually(() => page.title()).toContain("<script>");
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.locator(".project").first().waitFor();
  await page.getByRole("searchbox").fill("script");
  await page.keyboard.press("Enter");
  await page.locator(".hits a").first().waitFor();
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("heading", { name: "Tokens and cost" }).waitFor();
  expect(trouble).toEqual([]);
  expect(await page.locator("script, img, iframe").count()).toBe(1);
});

test("of a hundred thousand entries, the end is shown with few rows alive", async () => {
  const file = sessionFile(Array.from({ length: 100_000 }, (_, n) => message(n, `prompt ${n}`)));
  const { page, trouble } = await openPage(await linkTo(file));
  await eventually(() => lastWords(page)).toContain("prompt 99999");
  expect(await page.locator('[role="treeitem"]').count()).toBeLessThan(70);
  expect(await page.locator('[role="feed"] article').count()).toBeLessThan(70);
  // Entries that the page has never had are found, too.
  await page.locator("#search").fill("prompt 77777");
  await eventually(() => page.locator(".sidebar .count").innerText()).toContain("1 match");
  await page.keyboard.press("Enter");
  await eventually(() => page.locator('[role="feed"]').innerText()).toContain("prompt 77777");
  await page.keyboard.press("Escape");
  await page.locator("#tree").press("Home");
  await eventually(() => page.locator('[role="treeitem"]').first().innerText()).toMatch(/prompt 0|earlier/);
  expect(trouble).toEqual([]);
});

test("a session that is gone says so", async () => {
  const { page } = await openPage(`${server.origin}/?s=${"0".repeat(32)}#${secret}`);
  await eventually(() => page.getByRole("alert").innerText()).toContain("no such session");
  const { page: locked } = await openPage(`${server.origin}/`);
  await locked.getByRole("heading", { name: "Open the link" }).waitFor();
});
