import type { SearchHit, SearchProgress } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { sizeOf } from "../line-limit.js";
import { PAGE_LIMIT } from "./answer-page.js";
import { type Hits, OpenSearches } from "./open-searches.js";

const PROGRESS = { files: 1 } as unknown as SearchProgress;
const hit = (excerpt: string) => ({ excerpt }) as unknown as SearchHit;

async function* hitsOf(...excerpts: readonly string[]): Hits {
  for (const excerpt of excerpts) yield hit(excerpt);
  return PROGRESS;
}

describe("open searches", () => {
  test("return pages with the requested number of hits that fit on a line", async () => {
    const searches = new OpenSearches();
    const long = "x".repeat(PAGE_LIMIT / 3);
    const all = [long, long, long, long, "a", "b"];
    const seen: SearchHit[] = [];
    let page = await searches.start(() => hitsOf(...all), 4);
    for (;;) {
      expect(sizeOf(page.hits)).toBeLessThanOrEqual(PAGE_LIMIT);
      seen.push(...page.hits);
      if (page.cursor === null) break;
      page = await searches.next(page.cursor, 4);
    }
    expect(seen).toEqual(all.map(hit));
    expect(page.progress).toBe(PROGRESS);
  });

  test("return a hit that is too long for a page on its own page", async () => {
    const searches = new OpenSearches();
    const page = await searches.start(() => hitsOf("x".repeat(PAGE_LIMIT), "a"), 10);
    expect(page.hits).toHaveLength(1);
    expect((await searches.next(page.cursor as string, 10)).hits).toEqual([hit("a")]);
  });

  test("stop a search that is running, whether it notices the signal or not", async () => {
    const searches = new OpenSearches();
    let found: (() => void) | undefined;
    const pages = [
      searches.start(async function* (signal): Hits {
        await new Promise<void>((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
        return PROGRESS;
      }, 10),
      searches.start(async function* (): Hits {
        await new Promise<void>((resolve) => {
          found = resolve;
        });
        yield hit("late");
        return PROGRESS;
      }, 10),
    ];
    searches.stop();
    found?.();
    for (const page of pages) await expect(page).rejects.toMatchObject({ code: "aborted" });
  });
});
