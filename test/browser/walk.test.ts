import { join } from "node:path";
import type { SessionManager } from "@bough/session/session/index.js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually, sidewaysScrolling, useBrowser } from "./chromium.js";
import { exported, openDemo, useFolder } from "./exported.js";

const open = useBrowser();
const folder = useFolder();
let session: SessionManager;
let file: string;

beforeAll(async () => {
  session = openDemo(folder);
  file = await exported(session, join(folder, "demo.html"));
});

const words = (page: Page, selector: string) => page.locator(selector).first().innerText();
const focused = (page: Page) => page.evaluate(() => (document.activeElement?.textContent ?? "").slice(0, 200));
const prompts = (page: Page) => page.locator("article .prompt").allInnerTexts();
const hashOf = (page: Page) => page.evaluate(() => location.hash);
const branchShown = (page: Page) => words(page, ".path-name");

/** The target entry, if it is visible. */
const chosenEntry = (page: Page) =>
  page.evaluate(() => {
    const scroller = document.querySelector(".scroller")?.getBoundingClientRect();
    const chosen = document.querySelector<HTMLElement>("article.chosen");
    if (scroller === undefined || chosen === null) return undefined;
    const { top } = chosen.getBoundingClientRect();
    return top >= scroller.top - 2 && top < scroller.bottom
      ? chosen.dataset.key
      : `out of sight: ${chosen.dataset.key}`;
  });

/** The number of the prompt with this text. */
function promptId(said: string): string {
  const found = session
    .getEntries()
    .find((entry) => entry.type === "message" && entry.message.role === "user" && entry.message.content === said);
  if (found === undefined) throw new Error(`bug: the demo has no prompt "${said}"`);
  return found.id;
}

describe("an export opened from disk", () => {
  test("shows the end of the leaf's path and the tree, and makes no trouble", async () => {
    const { page, trouble } = await open(file);
    expect(await page.title()).toBe("parser session");
    expect((await prompts(page)).at(-1)).toBe("Write that down in the README");
    expect(await page.locator(".row.sign-here").innerText()).toMatch(/← active/);
    expect(await branchShown(page)).toMatch(/^#1 /);
    expect(await sidewaysScrolling(page)).toBeLessThanOrEqual(0);
    expect(trouble).toEqual([]);
  });

  test("the tree is walked by keyboard: one tab stop, arrows, opening and stepping in, Enter goes there", async () => {
    const { page, trouble } = await open(file);
    const tree = page.getByRole("tree");
    expect(await tree.locator('[tabindex="0"]').count()).toBe(1);
    await tree.locator('[tabindex="0"]').focus();
    // Up to the nearest folded branch.
    for (let i = 0; i < 30 && !/#5/.test(await focused(page)); i++) await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toMatch(/#5 .*SQLite/);
    expect(await page.locator('[role="treeitem"][tabindex="0"]').getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowRight");
    expect(await page.locator('[role="treeitem"][tabindex="0"]').getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowRight");
    expect(await page.locator('[role="treeitem"][tabindex="0"]').getAttribute("aria-level")).toBe("2");
    await page.keyboard.press("ArrowLeft");
    expect(await focused(page)).toMatch(/#5 .*SQLite/);
    await page.keyboard.press("Enter");
    expect(await branchShown(page)).toMatch(/^#5/);
    expect(await page.getByRole("status").innerText()).toMatch(/Branch 5/);
    await page.keyboard.press("Home");
    expect(await focused(page)).not.toMatch(/SQLite/);
    await page.keyboard.press("End");
    expect(await focused(page)).toMatch(/README/);
    expect(trouble).toEqual([]);
  });

  test("rows say their level, their position and how many they are", async () => {
    const { page } = await open(file);
    const rows = await page.locator('[role="treeitem"]').evaluateAll((elements) =>
      elements.map((element) => ({
        position: Number(element.getAttribute("aria-posinset")),
        size: Number(element.getAttribute("aria-setsize")),
        level: Number(element.getAttribute("aria-level")),
      })),
    );
    expect(rows.length).toBeGreaterThan(10);
    const size = rows[0]?.size ?? 0;
    expect(size).toBeGreaterThan(rows.length);
    expect(
      rows.every((row, at) => row.level === 1 && row.size === size && row.position === (rows[0]?.position ?? 0) + at),
    ).toBe(true);
  });

  test("in the tree letters lead to the next row that begins with them", async () => {
    const { page } = await open(file);
    await page.locator('[role="treeitem"][tabindex="0"]').focus();
    await page.keyboard.type("print");
    await eventually(() => focused(page)).toMatch(/Print the sums as a table/);
  });

  test("in the tree j and k are rows", async () => {
    const { page } = await open(file);
    await page.locator('[role="treeitem"][tabindex="0"]').focus();
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await eventually(() => focused(page)).toMatch(/Write that down/);
    await page.keyboard.press("j");
    await eventually(() => focused(page)).toMatch(/edit README/);
  });

  test("the first tab stops skip to the conversation and to the tree", async () => {
    const { page } = await open(file);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("To the conversation");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("transcript");
    await page.reload();
    await page.waitForSelector("article");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("treeitem");
  });

  test("at a fork the versions can be switched, and a button goes back to the leaf", async () => {
    const { page, trouble } = await open(file);
    const fork = page.locator(".fork").last();
    expect(await fork.getAttribute("aria-label")).toBe("Version 1 of 3");
    expect(await fork.locator(".link").allInnerTexts()).toEqual([
      expect.stringMatching(/^#4 Read the file in pieces/),
      expect.stringMatching(/^#5 Would loading it into SQLite/),
    ]);
    expect(await page.getByRole("button", { name: "Back to the leaf" }).count()).toBe(0);
    await fork.getByRole("button", { name: "Next version" }).click();
    expect(await branchShown(page)).toMatch(/^#4/);
    expect(await page.locator(".fork").last().getAttribute("aria-label")).toBe("Version 2 of 3");
    await page.getByRole("button", { name: /^#5/ }).click();
    expect(await branchShown(page)).toMatch(/^#5/);
    await page.getByRole("button", { name: "Back to the leaf" }).click();
    expect(await branchShown(page)).toMatch(/^#1/);
    expect((await prompts(page)).at(-1)).toBe("Write that down in the README");
    expect(trouble).toEqual([]);
  });

  test("an address opens an entry and its branch; Back and Forward go through what was read", async () => {
    const sqlite = promptId("Would loading it into SQLite be simpler?");
    const { page, trouble } = await open(file, { hash: `#e=${sqlite}` });
    expect(await branchShown(page)).toMatch(/^#5/);
    await eventually(() => chosenEntry(page)).toBe(sqlite);
    await page.locator(".row", { hasText: "Print the sums as a table" }).first().click();
    const printed = promptId("Print the sums as a table");
    expect(await hashOf(page)).toBe(`#e=${printed}`);
    await eventually(() => chosenEntry(page)).toBe(printed);
    // It is on the displayed path, which therefore stays.
    expect(await branchShown(page)).toMatch(/^#5/);
    await page.goBack();
    await eventually(() => chosenEntry(page)).toBe(sqlite);
    await page.goForward();
    await eventually(() => chosenEntry(page)).toBe(printed);
    expect(trouble).toEqual([]);
  });

  test("Back and Forward leave the focus where the reader was: on the entry, on the row, in a field", async () => {
    const { page, trouble } = await open(file);
    const focus = () =>
      page.evaluate(() => {
        const { dataset, id, role } = document.activeElement as HTMLElement;
        return dataset.key ?? (role === "treeitem" ? "row" : id);
      });
    for (let i = 0; i < 3; i++) await page.locator("body").press("k");
    const [third, here] = [await focus(), await hashOf(page)];
    expect(`#e=${third}`).toBe(here);
    await page.locator("body").press("]");
    await eventually(() => hashOf(page)).not.toBe(here);
    // The previous version is removed from the page, together with the focused entry.
    await page.goBack();
    await eventually(focus).toBe(third);
    await page.goBack();
    await eventually(async () => `#e=${await focus()}`).toBe(await hashOf(page));
    expect(await focus()).not.toBe(third);
    await page.goForward();
    await eventually(focus).toBe(third);

    await page.locator('[role="treeitem"][tabindex="0"]').focus();
    await page.keyboard.press("Home");
    const start = await focused(page);
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await eventually(() => focused(page)).toMatch(/README/);
    await page.goBack();
    await eventually(() => focused(page)).toBe(start);
    expect(await focus()).toBe("row");
    expect(await page.locator('[role="treeitem"][tabindex="0"]').getAttribute("aria-current")).toBe("true");

    await page.locator("#search").focus();
    await page.goForward();
    await eventually(() => words(page, ".row.chosen")).toMatch(/README/);
    expect(await focus()).toBe("search");
    expect(trouble).toEqual([]);
  });

  test("on a phone, where a step closes the tree, Back moves the focus to the entry", async () => {
    const { page } = await open(file, { viewport: { width: 390, height: 844 } });
    await page.locator("body").press("k");
    const before = await hashOf(page);
    await page.getByRole("button", { name: "Tree (5)" }).click();
    await page.locator(".row", { hasText: "#5" }).click();
    await eventually(() => hashOf(page)).not.toBe(before);
    await page.goBack();
    await eventually(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.key)).toBe(
      before.slice("#e=".length),
    );
  });

  test("an address that names nothing is reported, and nothing else happens", async () => {
    const { page, trouble } = await open(file, { hash: "#e=nothing%20here" });
    expect(await page.getByRole("status").innerText()).toMatch(/no entry with the id/);
    expect(await branchShown(page)).toMatch(/^#1/);
    expect(trouble).toEqual([]);
  });

  test("filters change the rows", async () => {
    const { page } = await open(file);
    const signs = () => page.locator(".row:not(.probe)").evaluateAll((rows) => rows.map((row) => row.className));
    expect((await signs()).some((row) => row.includes("sign-tool"))).toBe(true);
    await page.getByRole("radio", { name: "Users" }).check({ force: true });
    await eventually(async () => (await signs()).some((row) => /sign-(?:tool|answer)/.test(row))).toBe(false);
    await page.getByRole("radio", { name: "Labels" }).check({ force: true });
    await eventually(() => page.locator(".row .label").first().innerText()).toMatch(/^\[.*\]$/);
    await page.getByRole("radio", { name: "All" }).check({ force: true });
    await eventually(async () => (await signs()).length).toBeGreaterThan(5);
  });

  test("the search covers the whole conversation, steps from match to match, and Esc clears it", async () => {
    const { page, trouble } = await open(file);
    await page.locator("body").press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("search");
    await page.keyboard.type("sqlite");
    await eventually(() => words(page, ".count")).toMatch(/^\d+ match(?:es)?$/);
    await page.keyboard.press("Enter");
    await eventually(() => branchShown(page)).toMatch(/^#5/);
    expect(await words(page, ".count")).toMatch(/^match 1 of \d+$/);
    expect(await page.evaluate(() => CSS.highlights.get("search")?.size ?? 0)).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    expect(await words(page, ".count")).toMatch(/rows/);
    await page.locator("#search").fill("no such words anywhere");
    await eventually(() => words(page, ".count")).toMatch(/Nothing matches/);
    expect(trouble).toEqual([]);
  });

  test("keys go from prompt to prompt and from version to version, and do nothing in a field", async () => {
    const { page } = await open(file);
    await page.locator("body").press("k");
    const first = await hashOf(page);
    await page.locator("body").press("k");
    expect(await hashOf(page)).not.toBe(first);
    await page.locator("body").press("j");
    expect(await hashOf(page)).toBe(first);
    await page.goto(
      `${page.url().split("#")[0]}#e=${promptId("For now, refuse files over 500 MB with a clear message")}`,
    );
    await page.locator("body").press("]");
    await eventually(() => branchShown(page)).toMatch(/^#4/);
    await page.locator("body").press("[");
    await eventually(() => branchShown(page)).toMatch(/^#1/);
    await page.locator("#search").fill("");
    const before = await hashOf(page);
    await page.locator("#search").press("j");
    expect(await hashOf(page)).toBe(before);
    expect(await page.locator("#search").inputValue()).toBe("j");
  });

  test("tools are folded, open one by one, and all together; what was opened stays open", async () => {
    const { page } = await open(file);
    const openCount = () => page.locator("article details.tool[open]").count();
    expect(await openCount()).toBe(0);
    const tool = page.locator("article details.tool").last();
    await tool.locator("summary").click();
    await eventually(() => tool.locator(".diff .add").count()).toBeGreaterThan(0);
    await page.locator(".scroller").evaluate((scroller) => scroller.scrollTo(0, 0));
    await eventually(() => openCount()).toBe(0);
    await page.locator(".scroller").evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    await eventually(() => openCount()).toBe(1);
    await page.locator("body").press("t");
    await eventually(() => openCount()).toBeGreaterThan(1);
    await page.locator("body").press("t");
    await eventually(() => openCount()).toBe(0);
  });

  test("what the model saw begins with the summary of the compaction", async () => {
    const { page } = await open(file);
    await page.locator(".toolbar").getByRole("button", { name: "What the model saw" }).first().click();
    await page.locator(".scroller").evaluate((scroller) => scroller.scrollTo(0, 0));
    await eventually(() => words(page, "article")).toMatch(/summarized/);
    const { messages } = session.buildSessionContext();
    expect(await words(page, ".path-name")).toMatch(new RegExp(`${messages.length} messages`));
    expect(await page.locator("article").first().getAttribute("aria-setsize")).toBe(String(messages.length));
  });

  test("help and charts come up as dialogs, and Esc closes the one on top", async () => {
    const { page, trouble } = await open(file);
    await page.locator("body").press("?");
    await eventually(() => page.getByRole("dialog").innerText()).toMatch(/next, previous prompt/);
    await page.keyboard.press("Escape");
    await eventually(() => page.getByRole("dialog").count()).toBe(0);
    await page.locator("details.menu summary").click();
    await page.getByRole("button", { name: "Tokens and cost" }).click();
    await eventually(() => page.getByRole("dialog").locator("tbody tr").count()).toBe(5);
    const rows = await page.getByRole("dialog").locator("tbody tr").allInnerTexts();
    expect(rows.every((row) => /^#\d/.test(row) && /\$/.test(row))).toBe(true);
    expect(trouble).toEqual([]);
  });

  test("the JSONL it gives back is a session with the same tree", async () => {
    const { page } = await open(file);
    await page.locator("details.menu summary").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Get JSONL" }).click(),
    ]);
    const path = join(folder, "given-back.jsonl");
    await download.saveAs(path);
    const { SessionManager } = await import("@bough/session/session/index.js");
    const copy = SessionManager.open(path);
    expect(copy.getSessionId()).toBe("the-copy");
    expect(copy.getEntries()).toEqual(session.getEntries());
    expect(copy.getLeafId()).toBe(session.getLeafId());
    copy.close();
  });
});
