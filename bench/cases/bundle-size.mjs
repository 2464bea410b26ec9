import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { amount } from "../options.mjs";
import { formatBytes } from "../report/format.mjs";

const ROOT = new URL("../../", import.meta.url);
/** These run in a browser; the others are for Node. */
const PURE = ["entry", "tree", "context", "view"];
/** One for browsers and one for Node, because the bundler takes seconds for each. */
const QUICK = ["entry", "session"];
const ONCE = ["entry"];

/** What importing a door adds to a bundle. @type {import("./case.mjs").Case} */
export const bundleSize = {
  name: "bundle-size",
  says: "bytes of each door, everything it exports, bundled and minified by esbuild",
  data: [],
  run: (bench) => {
    const { exports, dependencies } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
    const wanted = amount(bench.options, { full: undefined, quick: QUICK, once: ONCE });
    for (const [name, door] of Object.entries(exports)) {
      if (typeof door === "string" || wanted?.includes(name.slice(2)) === false) continue;
      const platform = PURE.includes(name.slice(2)) ? "browser" : "node";
      const file = fileURLToPath(new URL(door.default, ROOT));
      const input = { file, platform, packages: Object.keys(dependencies) };
      const what = `for ${platform === "node" ? "Node" : "browsers"}`;
      const job = { who: "bough", what, task: "bundle-size", input, expect: "bundled", once: true };
      const [outcome] = bench.measure({ case: "bundle-size", data: `bough${name.slice(1)}`, jobs: [job] });
      if (outcome === undefined) continue;
      const size = (/** @type {string} */ one) => formatBytes(outcome.extra(one).median);
      const later = outcome.extra("laterMinified").median > 0;
      // This measures bytes, not the bundler.
      delete outcome.row.time;
      delete outcome.row.peak;
      const whenNeeded = later ? `; loaded when needed: ${size("laterMinified")}, ${size("laterGzip")} gzip` : "";
      const isTypes = outcome.extra("minified").median < 10;
      outcome.row.note = isTypes ? "types only" : `${size("minified")} minified, ${size("gzip")} gzip${whenNeeded}`;
    }
  },
};
