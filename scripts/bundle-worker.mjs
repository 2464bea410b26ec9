// Makes one CommonJS file of the search worker and what it imports. A worker that has to load a dozen modules takes twice
// as long to start, and by then a search is half done. `node scripts/bundle-worker.mjs [folder]`: dist/ if none is given.
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(process.argv[2] ?? join(root, "dist"), "session/search");
const worker = join(folder, "search-worker.js");
/** Loaded only by a worker that has to make hits, as the module it is. */
const LATER = "search-file.js";

const result = await build({
  configFile: false,
  root,
  logLevel: "warn",
  build: {
    write: false,
    ssr: worker,
    target: "node20",
    minify: false,
    copyPublicDir: false,
    rolldownOptions: {
      // No comments with the paths of modules: they would differ from build to build.
      experimental: { attachDebugInfo: "none" },
      external: (id) => id.startsWith("node:") || id.endsWith(LATER),
      output: { format: "cjs", dynamicImportInCjs: true },
    },
  },
});
const [made] = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []));
if (made?.type !== "chunk" || !made.code.includes(`import("./${LATER}")`)) {
  throw new Error("bug: the worker came out without the way to its other half");
}
writeFileSync(join(folder, "search-worker.cjs"), made.code);
// Nobody would start it.
rmSync(worker);
