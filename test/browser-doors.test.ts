import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** What a bundler for browsers leaves to be imported: modules of Node and packages that are not inside. */
async function leftOutside(door: string): Promise<readonly string[]> {
  const bundle = await rolldown({ input: join(dist, door, "index.js"), platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  return output.flatMap((made) => (made.type === "chunk" ? [...made.imports, ...made.dynamicImports] : []));
}

describe("C5: doors in a browser", () => {
  it.each(["entry", "tree", "context", "view"])("C5: bough/%s is bundled for a browser as it is", async (door) => {
    expect(await leftOutside(door)).toEqual([]);
  });

  it("C5: bough/session is for Node and says so by what it imports", async () => {
    expect(await leftOutside("session")).toContain("node:fs");
  });
});
