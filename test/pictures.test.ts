/** The pictures in the documentation: drawn from real runs by scripts, and fit to be published. */
import { readdirSync, readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "docs", "images");
const drawings = readdirSync(folder).filter((name) => name.endsWith(".svg"));

const read = (name: string) => readFileSync(join(folder, name), "utf8");

/** The names of all elements, or the first tag that does not fit. Enough XML for what the scripts write. */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const tag = /<(\/?)([a-z]+)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(\/?)>|<|&(?!(?:amp|lt|gt|quot);)/g;
  for (const [text, closes, name, , empty] of xml.matchAll(tag)) {
    if (name === undefined) throw new Error(`not XML: ${text}`);
    if (closes === "/") {
      if (open.pop() !== name) throw new Error(`${text} closes another element`);
      continue;
    }
    names.push(name);
    if (empty !== "/") open.push(name);
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(" ")}`);
  return names;
}

describe.each(drawings)("%s", (name) => {
  test("is well-formed and has a title", () => {
    const elements = elementsOf(read(name));
    expect(elements[0]).toBe("svg");
    expect(elements).toContain("title");
  });

  test("runs no script and loads nothing", () => {
    expect(read(name)).not.toMatch(/<script|\son[a-z]+=|<foreignObject|url\(|(?:href|src)="(?!#)/i);
  });

  test("does not tell on which machine it was drawn", () => {
    // The account of a build machine may have the name of an everyday word: only as part of a path is it a name.
    const text = read(name);
    expect(text).not.toMatch(/\/(?:home|root|tmp|Users|work|var|private)\//);
    expect(text).not.toContain(`/${userInfo().username}/`);
    expect(text).not.toContain(`@${hostname()}`);
  });
});

describe("the moving picture of the README", () => {
  const text = read("tour.svg");

  test("is the first picture there, and small", () => {
    expect(/!\[[^\]]*\]\(([^)]+)\)/.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1]).toBe(
      "docs/images/tour.svg",
    );
    expect(text.length).toBeLessThan(300_000);
  });

  test("shows every row that it names, and holds still for readers who want less motion", () => {
    const rows = new Set([...text.matchAll(/<g id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const used = new Set([...text.matchAll(/<use href="([^"]+)"/g)].map(([, id]) => id));
    expect([...used].sort()).toEqual([...rows].sort());
    expect(text).toMatch(/@media \(prefers-reduced-motion:reduce\)\{\.s\{animation:none;transform:translateY\(-\d/);
  });

  test("tells the whole story: ask, go back with the files, branch, compare", () => {
    // Blanks are drawn as no-break spaces.
    const shown = text.replaceAll("\u00a0", " ").replaceAll(/<[^>]*>/g, " ");
    for (const moment of ["FAIL 0.3", "ok 0.3", "Restored 1 file", "This is a new branch (#2)", "parted at"])
      expect(shown).toContain(moment);
  });
});
