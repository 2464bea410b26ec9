/** The documentation pages: every link leads somewhere, and every page can be found. */
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

interface PageLink {
  readonly file: string;
  /** The heading it leads to, as GitHub names it; empty if it leads to the page. */
  readonly heading: string;
}

const withoutBlocks = (page: string) => readFileSync(page, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");

/** Files and headings that a page links to or embeds, without those in code. */
function pageLinks(page: string): PageLink[] {
  return [
    ...withoutBlocks(page)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s#]*)(?:#([^)]*))?\)/g),
  ]
    .filter(([, target]) => !/^[a-z]+:/.test(target as string))
    .map(([, target, heading]) => ({
      file: target === "" ? page : join(dirname(page), decodeURI(target as string)),
      heading: heading ?? "",
    }));
}

const linksOf = (page: string) => pageLinks(page).map(({ file }) => file);

/** The names that GitHub gives a page's headings. */
const headingsOf = (page: string): Set<string> =>
  new Set(
    [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      (title as string)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

const short = (file: string) => relative(root, file);

test("every link of a page leads to a file, and to a heading if it names one", () => {
  const pages = [...pagesIn("docs"), ...pagesIn("examples"), ...pagesIn("bench")];
  pages.push(...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((name) => join(root, name)));
  expect(pages.length).toBeGreaterThan(80);
  const broken = pages.flatMap((page) =>
    pageLinks(page).flatMap(({ file, heading }) => {
      const leads = existsSync(file) && (heading === "" || !file.endsWith(".md") || headingsOf(file).has(heading));
      return leads ? [] : [`${short(page)}: ${short(file)}#${heading}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every source file that the page of flows names exists", () => {
  const page = readFileSync(join(root, "docs/internals/flows.md"), "utf8");
  const named = [...page.matchAll(/`(packages\/[^`]+)`/g)].map(([, file]) => file as string);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
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

test("no page installs Bough from a registry, where it is not yet", () => {
  const pages = [...pagesIn("docs"), ...pagesIn("examples"), join(root, "README.md")];
  const asked = pages.filter((page) =>
    /\bnpm (?:i|install|add)(?: -\S+)* bough(?:@\S*)?(?=\s|`|$)/m.test(readFileSync(page, "utf8")),
  );
  expect(asked.map(short)).toEqual([]);
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
