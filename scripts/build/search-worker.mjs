// Makes a CommonJS file of the search worker and what it imports. A worker that has to load a dozen modules takes twice as
// long to start, and by then a search is half done. What only some workers need is a second file.
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
      // Without a map nothing leads back to a line anyway, and the package of the engine is small.
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
