import { join } from "node:path";
import type { AgentMessage } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually, sidewaysScrolling, useBrowser } from "./chromium.js";
import { exported, useFolder } from "./exported.js";

const open = useBrowser();
const folder = useFolder();

const CALL = "window.ran = true; alert(1)";
/** Each of these has run somewhere. */
const ATTACKS = [
  `<script>${CALL}</script>`,
  `</script><script>${CALL}</script>`,
  `<!--<script>${CALL}//`,
  `--><img src=x onerror="${CALL}">`,
  `<svg/onload="${CALL}">`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`,
  `<details open ontoggle="${CALL}">`,
  `<style>@import "https://evil.example/x.css";*{display:none}</style>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example">`,
  `<base href="https://evil.example/">`,
  `<form action="https://evil.example"><button id=search>send</button></form>`,
  `<link rel=stylesheet href=https://evil.example/x.css>`,
  `</noscript><img src=x onerror="${CALL}">`,
  `</title></textarea></style></template><img src=x onerror="${CALL}">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${CALL}&gt;">`,
  `[click](javascript:${encodeURIComponent(CALL)})`,
  `[click](  java\nscript:${encodeURIComponent(CALL)})`,
  `![x](https://evil.example/pixel.png)`,
  `![x](data:image/svg+xml,<svg onload='${CALL}'>)`,
  `<a href="data:text/html,<script>${CALL}</script>">x</a>`,
  "```html\n</code></pre><img src=x onerror=alert(1)>\n```",
  "<div id=bough></div><div id=bough-facts>null</div><img name=getElementById>",
  "\u202egnp.exe\u202c \u2066hidden\u2069 \u200b\u200bzero\u200bwidth\ufeff",
  "\x1b[31mred\x1b]0;title\x07\x00\x08",
  `Z${"\u0301\u0302\u0303".repeat(400)}algo`,
  "\u{1F468}\u200d\u{1F469}\u200d\u{1F467} \ud800 lone",
  "W".repeat(20_000),
  "| a ".repeat(300),
  "> ".repeat(3000),
  "__proto__ constructor toString hasOwnProperty",
  "{{constructor.constructor('alert(1)')()}} $ {alert(1)}",
];

function hostileSession(): SessionManager {
  const session = SessionManager.inMemory("/tmp/</script>", { newId: idsOf() });
  const everything = ATTACKS.join("\n\n");
  session.appendSessionInfo(ATTACKS[1] as string);
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const from = { api: everything, provider: everything, model: everything, usage, timestamp: 1 } as const;
  for (const attack of ATTACKS) {
    const prompt = session.appendMessage({ role: "user", content: attack, timestamp: 1 });
    session.appendLabelChange(prompt, attack.slice(0, 200));
    session.appendMessage({
      ...{ role: "assistant", stopReason: "toolUse", errorMessage: attack, ...from },
      content: [
        { type: "thinking", thinking: attack },
        { type: "text", text: attack },
        {
          type: "toolCall",
          id: attack,
          name: attack.slice(0, 100),
          arguments: { [attack]: attack, __proto__: attack, path: attack },
        },
        {
          type: "toolCall",
          id: `${attack}2`,
          name: "edit",
          arguments: JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
        },
      ],
    });
    for (const id of [attack, `${attack}2`]) {
      session.appendMessage({
        ...{ role: "toolResult", toolCallId: id, toolName: attack, isError: true, timestamp: 1 },
        content: [
          { type: "text", text: attack },
          { type: "image", data: `x" onerror="${CALL}`, mimeType: `image/png" onerror="${CALL}` },
          { type: "image", data: "PHN2Zz4=", mimeType: "image/svg+xml" },
        ],
        details: { diff: `+${attack}\n-${attack}\n@@ ${attack}`, path: attack },
      } as AgentMessage);
    }
    session.appendMessage({
      role: "bashExecution",
      command: attack,
      output: attack,
      exitCode: 1,
      cancelled: false,
      truncated: true,
      timestamp: 1,
    });
    session.appendCustomMessageEntry(attack, attack, true, { [attack]: attack });
    session.appendModelChange(attack, attack);
  }
  const fork = session.getLeafId() as string;
  session.appendCompaction(everything, fork, 10, { readFiles: ATTACKS });
  for (const attack of ATTACKS.slice(0, 4)) {
    session.branchWithSummary(fork, attack);
    session.appendMessage({ role: "user", content: attack, timestamp: 1 });
  }
  session.appendMessage({ role: "user", content: `start ${"five megabytes ".repeat(350_000)} end`, timestamp: 1 });
  session.appendMessage({
    ...{ role: "assistant", stopReason: "stop", ...from },
    content: [{ type: "text", text: `# Long\n\n${"word ".repeat(1_000_000)}` }],
  });
  session.appendMessage({ role: "user", content: "the last prompt", timestamp: 1 });
  return session;
}

/** IDs are opaque, so they may contain anything as well. */
function idsOf(): () => string {
  let made = 0;
  return () => `${["</script>", "__proto__", '"onclick=', "\u202e", "a b"][made % 5]}${made++}`;
}

let file: string;
let session: SessionManager;
beforeAll(async () => {
  session = hostileSession();
  file = await exported(session, join(folder, "hostile.html"));
});

/** From the first screen to the last; returns every text that was seen. */
async function readAll(page: Page): Promise<string> {
  return page.locator(".scroller").evaluate(async (scroller) => {
    const texts = new Map<string, string>();
    scroller.scrollTo(0, 0);
    for (let isEnd = false; !isEnd; ) {
      await new Promise(requestAnimationFrame);
      for (const article of scroller.querySelectorAll<HTMLElement>("article")) {
        const { key = "" } = article.dataset;
        if (!texts.has(key)) texts.set(key, article.textContent?.slice(0, 3000) ?? "");
      }
      isEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
      // Less than a screen, so that nothing is skipped.
      scroller.scrollTop += scroller.clientHeight * 0.8;
    }
    return [...texts.values()].join("\n");
  });
}

describe("a session full of attacks", () => {
  test.each([1280, 390])("runs nothing, requests nothing and keeps its layout at %i pixels", async (width) => {
    const { page, trouble } = await open(file, { viewport: { width, height: 800 } });
    await page.locator("body").press("t");
    const text = await readAll(page);
    // They were all there, as text.
    for (const attack of ATTACKS.slice(0, 15)) expect(text).toContain(attack);
    const found = await page.evaluate(() => ({
      ran: "ran" in window,
      polluted: "polluted" in {},
      tags: document.querySelectorAll("#bough :is(script, style, iframe, svg:not(.bar), form, base, meta, link, math)")
        .length,
      attributes: [...document.querySelectorAll("#bough *")]
        .flatMap((element) =>
          [...element.attributes]
            .filter(({ name }) => name.startsWith("on") || name === "style")
            .map(({ name }) => name),
        )
        .filter((name) => name !== "style").length,
      addresses: [...document.querySelectorAll("#bough [href], #bough [src]")]
        .map((element) => element.getAttribute("href") ?? element.getAttribute("src") ?? "")
        .filter((address) => !/^(?:https:\/\/|#e=|data:image\/png)/.test(address)),
    }));
    expect(found).toEqual({ ran: false, polluted: false, tags: 0, attributes: 0, addresses: [] });
    expect(await sidewaysScrolling(page)).toBeLessThanOrEqual(0);
    expect(trouble).toEqual([]);
  });

  test("every filter, the search and the model's view do no harm either", async () => {
    const { page, trouble } = await open(file);
    for (const name of ["Users", "Labels", "All", "No tools", "Default"]) {
      await page.getByRole("radio", { name }).check({ force: true });
      expect(await sidewaysScrolling(page)).toBeLessThanOrEqual(0);
    }
    for (const words of ["</script>", "__proto__", "alert(1)", "\\u003c", ".*"]) {
      await page.locator("#search").fill(words);
      await page.locator("#search").press("Enter");
      await page.waitForFunction(() => !document.querySelector(".count")?.textContent?.includes("still searching"));
    }
    await page.locator("#search").fill("");
    await page.getByRole("button", { name: "What the model saw" }).first().click();
    await page.waitForFunction(() => document.querySelector("article")?.dataset.key?.startsWith("context-"));
    await page.locator("details.menu summary").click();
    await page.getByRole("button", { name: "Tokens and cost" }).click();
    await page.keyboard.press("Escape");
    await page.emulateMedia({ media: "print" });
    await page.waitForSelector(".printed article");
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    expect(trouble).toEqual([]);
  });

  test("a message of five megabytes is shown in part, and more of it when asked", async () => {
    const { page, trouble } = await open(file);
    const article = page.locator("article", { hasText: "start five megabytes" });
    await page.locator("body").press("k");
    await page.locator("body").press("k");
    await eventually(() => article.count()).toBe(1);
    const length = () => article.evaluate((element) => element.textContent?.length ?? 0);
    expect(await length()).toBeLessThan(50_000);
    await article.getByRole("button", { name: /^Show more/ }).click();
    await eventually(length).toBeGreaterThan(200_000);
    expect(trouble).toEqual([]);
  });

  test("tricks with directions and widths are taken out of rows and texts", async () => {
    const { page } = await open(file);
    const text = await page.evaluate(() => document.getElementById("bough")?.textContent ?? "");
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x1b\x07]/);
  });

  test("without script there is nothing but text", async () => {
    const { page, trouble } = await open(file, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    expect(await page.locator("main :is(script, style, iframe, svg, form, base, meta, link, img)").count()).toBe(0);
    expect(await page.locator("main").innerText()).toContain("the last prompt");
    const hrefs = await page
      .locator("main [href]")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(hrefs.filter((href) => !/^(?:https:\/\/|#e=)/.test(href))).toEqual([]);
    expect(trouble).toEqual([]);
  });

  test("the policy lets only the page's own script and style in", async () => {
    const { page } = await open(file);
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
    const refused = await page.evaluate(async () => {
      const violations = new Set<string>();
      const refusedTwice = new Promise<void>((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => {
          violations.add(event.effectiveDirective);
          if (violations.size === 2) resolve();
        });
      });
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      await fetch("https://evil.example/").catch(() => undefined);
      await refusedTwice;
      return { violations: [...violations].sort(), ran: "ran" in window };
    });
    expect(refused).toEqual({ violations: ["connect-src", "script-src-elem"], ran: false });
  });
});
