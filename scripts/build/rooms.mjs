// Bundles every room into dist/: one door each, the program, and the parts they share.
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { mergedParts } from "./merged-parts.mjs";
import { packageAliases, roomsIn, sourceOf } from "./packages.mjs";
import { subcommandRows } from "./subcommand-rows.mjs";

/** Packages that are not bundled: one contains a compiler, one a binary, and both locate their own files. */
const PACKAGES = ["jiti", "node-sqlite3-wasm"];
/** Installed by people who need them, and looked up when they are used. */
const OPTIONAL_PACKAGES = [/^@ai-sdk\/(?:amazon-bedrock|azure|google-vertex)(?:\/|$)/];
/** Loaded by name as threads, so their names are kept. */
const WORKERS = {
  "workers/find-worker": "interop/worker/find-worker",
  "workers/import-worker": "interop/worker/import-worker",
};

/** Published beside the main door of their room. */
const OTHER_DOORS = ["agent/plan", "agent/testing", "extension/run", "extension/ui", "log/door"];

/**
 * Modules that are nearly always loaded together share a file; lazily imported ones stay separate. The pure rooms are
 * separate because they also run in a browser. The rest is split by who loads it: the contract of a log is for tests,
 * and what finds bytes is for searches.
 */
const GROUPS = [
  { name: "pure", test: /\/session\/src\/(?:text|entry|tree|context)\// },
  {
    name: "engine",
    test: /\/session\/src\/(?:log|session)\/(?!contract\/|door\.|search\/vector\/|search\/match\/(?:find-bytes|may-contain)|search\/message-runs)/,
    tags: ["$initial"],
  },
];

/**
 * Every written file is one folder below dist/, so that paths relative to a module are the same wherever the bundler
 * puts it.
 *
 * @param {{ root: string, folder: string }} places
 * @returns {Promise<string[]>} the bundled modules
 */
export async function bundleRooms({ root, folder }) {
  const doors = [...roomsIn(root).map(({ room }) => `${room}/index`), ...OTHER_DOORS, "cli/main"];
  const modules = [...doors.map((door) => [door, door]), ...Object.entries(WORKERS)];
  const rows = subcommandRows();
  const bundle = await rolldown({
    ...bundleOptions(root),
    input: Object.fromEntries(modules.map(([name = "", module = ""]) => [name, sourceOf(root, module)])),
    external: [/^node:/, ...PACKAGES, ...OPTIONAL_PACKAGES],
    plugins: [rows.plugin],
    preserveEntrySignatures: "allow-extension",
  });
  try {
    const groups = [...GROUPS, { name: "subcommands", test: rows.isPartOfRow }];
    const options = {
      ...outputOptions({ root, dir: folder }),
      format: /** @type {const} */ ("es"),
      entryFileNames: "[name].js",
      /** @param {{ name: string, moduleIds: string[] }} chunk */
      chunkFileNames: (chunk) => `parts/${partName(chunk)}.js`,
    };
    const split = await bundle.generate({ ...options, sourcemap: false, codeSplitting: { groups } });
    const merged = mergedParts(
      split.output.filter((made) => made.type === "chunk"),
      ({ name, moduleIds }) => !groups.some((group) => group.name === name) && moduleIds.every(isOurs),
    );
    const { output } = await bundle.write({
      ...options,
      codeSplitting: {
        groups: [...groups, { name: (id) => merged.get(id), includeDependenciesRecursively: false }],
      },
    });
    return output.flatMap((made) => (made.type === "chunk" ? made.moduleIds : []));
  } finally {
    await bundle.close();
  }
}

/** Options that all bundles for Node share. @param {string} root */
export function bundleOptions(root) {
  return {
    cwd: root,
    platform: /** @type {const} */ ("node"),
    tsconfig: false,
    transform: { target: "es2023" },
    resolve: { alias: packageAliases(root), extensionAlias: { ".js": [".ts", ".js"] } },
    experimental: { attachDebugInfo: /** @type {const} */ ("none") },
    // Every door is an entry point too, so something the program loads lazily may be in a door that loads it eagerly.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
  };
}

/**
 * Names are not shortened and source maps are in separate files, so that stack traces are readable with and without
 * them. The maps contain no sources: a trace needs only files and lines, and sources would double the package's size.
 *
 * @param {{ root: string, dir: string }} places
 */
export function outputOptions({ root, dir }) {
  return {
    dir,
    sourcemap: true,
    sourcemapExcludeSources: true,
    // The finished build is moved to dist/, so use the paths that are valid there.
    /** @param {string} source @param {string} map */
    sourcemapPathTransform: (source, map) => join("../..", relative(root, resolve(dirname(map), source))),
    comments: { legal: true, annotation: false, jsdoc: false },
    minifyInternalExports: false,
    keepNames: false,
  };
}

/** @param {string} module */
function isOurs(module) {
  return /\/packages\/[a-z]+\/src\//.test(module);
}

/** Names a part after the room, file or package it starts with. @param {{ name: string, moduleIds: string[] }} chunk */
function partName({ name, moduleIds }) {
  const last = moduleIds.at(-1) ?? "";
  const [, inside] = /node_modules\/(?!.*node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(last) ?? [];
  const [, room] = /\/packages\/[a-z]+\/src\/([a-z]+)\//.exec(last) ?? [];
  // Several rooms have an internal door, so such a part is named after both.
  if (name === "internal" && room !== undefined) return `${room}-${name}`;
  return inside === undefined ? name : inside.replace("@", "").replaceAll("/", "-");
}
