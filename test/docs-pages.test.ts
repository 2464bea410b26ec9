/** The pages of the documentation: every link leads somewhere, and every page can be found. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decisionsPage } from "../scripts/generate-decisions.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const pagesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => join(root, folder, name));

/** Files that a page links to or shows, without what is in code. */
function linksOf(page: string): string[] {
  const text = readFileSync(page, "utf8")
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), decodeURI(target)));
}

const short = (file: string) => relative(root, file);

test("every link of a page leads to a file", () => {
  const pages = [...pagesIn("docs"), ...pagesIn("examples"), ...pagesIn("bench")];
  pages.push(...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((name) => join(root, name)));
  expect(pages.length).toBeGreaterThan(80);
  const broken = pages.flatMap((page) =>
    linksOf(page).flatMap((file) => (existsSync(file) ? [] : [`${short(page)}: ${short(file)}`])),
  );
  expect(broken).toEqual([]);
});

test("every page is two steps from the list of pages", () => {
  const start = join(root, "docs/README.md");
  const first = linksOf(start).filter((file) => file.endsWith(".md"));
  const second = first.flatMap(linksOf);
  const reached = new Set([start, ...first, ...second]);
  expect(
    pagesIn("docs")
      .filter((page) => !reached.has(page))
      .map(short),
  ).toEqual([]);
  expect(linksOf(join(root, "README.md"))).toContain(start);
});

describe("decisions", () => {
  const pages = pagesIn("docs/decisions").filter((page) => /\d{4}-/.test(page));

  test("are listed with their status", () => {
    expect(readFileSync(join(root, "docs/decisions/README.md"), "utf8"), "node scripts/generate-decisions.mjs").toBe(
      decisionsPage(),
    );
  });

  test("say what the situation was, what was chosen and what it costs", () => {
    const parts = ["Situation", "Choice", "Cost"];
    const missing = pages.flatMap((page) => {
      const text = readFileSync(page, "utf8");
      return parts.filter((part) => !text.includes(`\n**${part}.**`)).map((part) => `${short(page)}: ${part}`);
    });
    expect(missing).toEqual([]);
  });
});
