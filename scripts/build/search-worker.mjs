// Bundles the search worker and its imports into one CommonJS file. A worker that loads a dozen modules takes twice as
// long to start, and by then a search is half done. Code that only some workers need is in a second file.
import { join } from "node:path";
import { rolldown } from "rolldown";
import { sourceOf } from "./packages.mjs";
import { bundleOptions, outputOptions } from "./rooms.mjs";

/** @param {{ root: string, folder: string, maps?: "beside" | "none" }} places */
export async function bundleSearchWorker({ root, folder, maps = "beside" }) {
  const bundle = await rolldown({
    ...bundleOptions(root),
    input: { "search-worker": sourceOf(root, "session/search/search-worker") },
    external: [/^node:/],
  });
  try {
    const { output } = await bundle.write({
      ...outputOptions({ root, dir: join(folder, "workers") }),
      sourcemap: maps === "beside",
      // Without a map a trace has no line numbers anyway, and the engine's package should be small.
      minify:
        maps === "none" ? { codegen: { removeWhitespace: true }, compress: false, mangle: { keepNames: true } } : false,
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
    });
    const later = output.some((made) => made.type === "chunk" && made.isDynamicEntry);
    if (!later) throw new Error("bug: the worker came out without its other half");
    return output.flatMap((made) => (made.type === "chunk" ? made.moduleIds : []));
  } finally {
    await bundle.close();
  }
}
