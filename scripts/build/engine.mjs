// Builds the dist/ of packages/session: the engine alone, bundled from the same sources as the whole package.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { sourceOf } from "./packages.mjs";
import { bundleOptions, outputOptions } from "./rooms.mjs";
import { bundleSearchWorker } from "./search-worker.mjs";

/** The package, below the checkout. */
export const ENGINE = "packages/session";

/** What a program loads at once is in two files; what only some programs need is a file of its own. */
const GROUPS = [
  { name: "pure", test: /\/session\/src\/(?:text|entry|tree|context)\// },
  { name: "view", test: /\/session\/src\/view\// },
  { name: "engine", test: /\/session\/src\/(?:log|session)\/(?!contract\/|door\.)/, tags: ["$initial"] },
];

/**
 * No maps: they would be a third of the package, and names are not shortened.
 *
 * @param {{ root: string, folder: string }} places
 * @returns {Promise<string[]>} the modules that are inside
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

/** The modules behind its doors, as dist/ names them. @param {string} root @returns {string[]} */
function doors(root) {
  const { exports } = JSON.parse(readFileSync(join(root, ENGINE, "package.json"), "utf8"));
  return Object.values(exports).flatMap((door) => /^\.\/dist\/(.+)\.js$/.exec(door.default)?.[1] ?? []);
}
