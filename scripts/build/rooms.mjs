// Bundles every room into dist/: a door for each, the program, and the parts they share.
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { packageAliases, roomsIn, sourceOf } from "./packages.mjs";
import { subcommandRows } from "./subcommand-rows.mjs";

/** Packages that stay packages: one brings a compiler, one a binary, and both find their files by themselves. */
const PACKAGES = ["jiti", "node-sqlite3-wasm"];
/** Installed by those who use them, and found when they are used. */
const OPTIONAL_PACKAGES = [
  /^@ai-sdk\/(?:amazon-bedrock|azure|google-vertex)(?:\/|$)/,
  /^@anthropic-ai\/sandbox-runtime(?:\/|$)/,
];
/** Loaded by name as threads of their own, so they keep it. */
const WORKERS = {
  "workers/find-worker": "interop/aside/find-worker",
  "workers/import-worker": "interop/aside/import-worker",
};

/** Published beside the door of their room. */
const OTHER_DOORS = ["agent/plan", "extension/run", "extension/ui", "log/door"];

/**
 * Loaded together nearly always, so one file each; what is imported late stays apart. The pure rooms are apart: they also run in a browser. The rest is split
 * by who loads it: the rules of a log are for tests.
 */
const GROUPS = [
  { name: "pure", test: /\/session\/src\/(?:text|entry|tree|context)\// },
  { name: "engine", test: /\/session\/src\/(?:log|session)\/(?!contract\/|door\.)/, tags: ["$initial"] },
];

/**
 * Every file that is written lies one folder below dist/, so what a module looks up relative to itself is at the same
 * place wherever the bundler puts the module.
 *
 * @param {{ root: string, folder: string }} places
 * @returns {Promise<string[]>} the modules that are inside
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
  });
  try {
    const { output } = await bundle.write({
      ...outputOptions({ root, dir: folder }),
      format: "es",
      entryFileNames: "[name].js",
      chunkFileNames: (chunk) => `parts/${partName(chunk)}.js`,
      codeSplitting: { groups: [...GROUPS, { name: "subcommands", test: rows.isPartOfRow }] },
    });
    return output.flatMap((made) => (made.type === "chunk" ? made.moduleIds : []));
  } finally {
    await bundle.close();
  }
}

/** What is the same for every bundle that runs in Node. @param {string} root */
export function bundleOptions(root) {
  return {
    cwd: root,
    platform: /** @type {const} */ ("node"),
    tsconfig: false,
    transform: { target: "es2023" },
    resolve: { alias: packageAliases(root), extensionAlias: { ".js": [".ts", ".js"] } },
    experimental: { attachDebugInfo: /** @type {const} */ ("none") },
    // A room's door is an entry too, so what the program loads late may be in a door that loads it at once.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
  };
}

/**
 * Names stay as they were written and maps lie beside, so that a stack trace can be read with and without them. The
 * sources are not in the maps: a trace needs files and lines, and they would double the size of the package.
 *
 * @param {{ root: string, dir: string }} places
 */
export function outputOptions({ root, dir }) {
  return {
    dir,
    sourcemap: true,
    sourcemapExcludeSources: true,
    // The build is moved to dist/ when it is complete: paths are those that hold there.
    /** @param {string} source @param {string} map */
    sourcemapPathTransform: (source, map) => join("../..", relative(root, resolve(dirname(map), source))),
    comments: { legal: true, annotation: false, jsdoc: false },
    minifyInternalExports: false,
    keepNames: false,
  };
}

/** A part is called after the room, the file or the package it begins with. @param {{ name: string, moduleIds: string[] }} chunk */
function partName({ name, moduleIds }) {
  const last = moduleIds.at(-1) ?? "";
  const [, inside] = /node_modules\/(?!.*node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(last) ?? [];
  const [, room] = /\/packages\/[a-z]+\/src\/([a-z]+)\//.exec(last) ?? [];
  // Every room may have an internal door: its part is called after both.
  if (name === "internal" && room !== undefined) return `${room}-${name}`;
  return inside === undefined ? name : inside.replace("@", "").replaceAll("/", "-");
}
