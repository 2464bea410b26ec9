/** Failures while other agents' sessions are searched. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { ForeignPlace, OpenedForeign } from "../index.js";
import { HitSearch } from "./hit-search.js";
import { ForeignSearch } from "./search-foreign.js";

/** A folder in place of a converted file, which cannot be searched. */
const openFolder = async () => ({ file: tempFolder(), close: () => {} }) as OpenedForeign;

test("every session that could not be searched is named, including those of the last batch", async () => {
  const folder = tempFolder();
  const places = ["a", "b"].map((id): ForeignPlace => {
    const path = join(folder, id);
    writeFileSync(path, "words");
    const time = new Date(0);
    const facts = { title: undefined, created: time, modified: time, size: 5 };
    return { reference: `codex:${id}`, foreign: { agent: "codex", id, path, files: [path], cwd: "", ...facts } };
  });
  const search = new HitSearch("words", {});
  const step = await new ForeignSearch(search, places, openFolder).hits(places).next();
  expect(step).toMatchObject({ done: true, value: { problems: places.map(({ foreign: { path } }) => ({ path })) } });
});
