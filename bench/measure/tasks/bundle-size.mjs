/** Bundles and minifies everything a door exports: what is loaded with it, and what it loads later. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild-wasm";

/** @param {{ file: string, platform: "browser" | "node", packages: string[] }} input */
export async function run({ file, platform, packages }) {
  const outdir = mkdtempSync(join(tmpdir(), "bough-bench-"));
  try {
    const from = performance.now();
    const { outputFiles, metafile } = await build({
      stdin: { contents: `export * from ${JSON.stringify(file)};`, resolveDir: outdir },
      bundle: true,
      minify: true,
      splitting: true,
      metafile: true,
      write: false,
      absWorkingDir: outdir,
      outdir,
      format: "esm",
      platform,
      external: packages,
      logLevel: "error",
    });
    const ms = performance.now() - from;
    const texts = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
    const first = outputFiles.find(({ path }) => path.endsWith("stdin.js"))?.path ?? "";
    const atOnce = staticImports(metafile.outputs, first.slice(outdir.length + 1));
    const sizes = [...texts].map(([path, contents]) => ({
      atOnce: atOnce.has(path.slice(outdir.length + 1)),
      minified: contents.length,
      gzip: gzipSync(contents, { level: 9 }).length,
    }));
    const sum = (/** @type {"minified" | "gzip"} */ size, /** @type {boolean} */ when) =>
      sizes.reduce((total, one) => total + (one.atOnce === when ? one[size] : 0), 0);
    const extra = {
      minified: sum("minified", true),
      gzip: sum("gzip", true),
      laterMinified: sum("minified", false),
      laterGzip: sum("gzip", false),
    };
    return { ms, check: first === "" ? "nothing" : "bundled", extra };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/**
 * The chunk and all it imports with `import … from`.
 *
 * @param {Record<string, { imports: { path: string, kind: string }[] }>} outputs
 * @param {string} first
 */
function staticImports(outputs, first) {
  const found = new Set([first]);
  for (const path of found) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && next in outputs) found.add(next);
    }
  }
  return found;
}
