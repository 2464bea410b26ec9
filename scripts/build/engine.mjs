// Builds the dist/ of packages/session: the engine alone, bundled from the same sources as the whole package.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { sourceOf } from "./packages.mjs";
import { bundleOptions, outputOptions } from "./rooms.mjs";
import { bundleSearchWorker } from "./search-worker.mjs";

/** Path of the package in the checkout. */
export const ENGINE = "packages/session";

/** Code that programs load at startup is in two files; code that only some programs need is in separate ones. */
const GROUPS = [
  { name: "pure", test: /\/session\/src\/(?:text|entry|tree|context)\// },
  { name: "view", test: /\/session\/src\/view\// },
  { name: "engine", test: /\/session\/src\/(?:log|session)\/(?!contract\/|door\.)/, tags: ["$initial"] },
];

/**
 * Has no source maps: they would be a third of the package, and names are not shortened.
 *
 * @param {{ root: string, folder: string }} places
 * @returns {Promise<string[]>} the bundled modules
 */
export async function bundleEngine({ root, folder }) {
  mkdirSync(folder, { recursive: true });
  const [rooms, worker] = await Promise.all([
    bundleDoors({ root, folder }),
    bundleSearchWorker({ root, folder, maps: "none" }),
  ]);
  return [...rooms, ...worker];
}

/** @param {{ root: string, folder: string }} places */
async function bundleDoors({ root, folder }) {
  const bundle = await rolldown({
    ...bundleOptions(root),
    input: Object.fromEntries(doors(root).map((door) => [door, sourceOf(root, door)])),
    external: [/^node:/],
  });
  try {
    const { output } = await bundle.write({
      ...outputOptions({ root, dir: folder }),
      sourcemap: false,
      format: "es",
      entryFileNames: "[name].js",
      chunkFileNames: "parts/[name].js",
      codeSplitting: { groups: GROUPS },
    });
    return output.flatMap((made) => (made.type === "chunk" ? made.moduleIds : []));
  } finally {
    await bundle.close();
  }
}

/** The modules of its doors, named as in dist/. @param {string} root @returns {string[]} */
function doors(root) {
  const { exports } = JSON.parse(readFileSync(join(root, ENGINE, "package.json"), "utf8"));
  return Object.values(exports).flatMap((door) => /^\.\/dist\/(.+)\.js$/.exec(door.default)?.[1] ?? []);
}
