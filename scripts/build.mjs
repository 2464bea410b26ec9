// Builds dist/ and packages/session/dist/ from scratch, so that a removed source leaves no stale module: the bundled
// rooms and workers, the page, declarations, and the licences of bundled packages. See
// docs/decisions/0015-bundled-doors.md. The new build replaces the old one when it is complete, so that programs
// running meanwhile find one or the other.
import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeDeclarations } from "./build/declarations.mjs";
import { bundleEngine, ENGINE } from "./build/engine.mjs";
import { bundlePage } from "./build/page.mjs";
import { bundleRooms } from "./build/rooms.mjs";
import { writeRpcTypes } from "./build/rpc-types.mjs";
import { bundleSearchWorker } from "./build/search-worker.mjs";
import { writeLicences } from "./build/third-party.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** Each package, with the folder that is built and the one it finally replaces. */
const packages = [
  { at: root, as: /** @type {const} */ ("files") },
  { at: join(root, ENGINE), as: /** @type {const} */ ("one file") },
].map(({ at, as }, index) => ({
  as,
  manifest: join(at, "package.json"),
  dist: join(at, "dist"),
  folder: join(root, `.tmp/dist-${process.pid}-${index}`),
  old: join(root, `.tmp/dist-${process.pid}-${index}-old`),
}));
const [{ folder }, { folder: engineFolder }] = packages;

try {
  // The protocol's types are part of the declarations, but of no bundle.
  const [code, engineModules, ...modules] = await Promise.all([
    writeRpcTypes(root).then(() => writeDeclarations({ root, packages })),
    bundleEngine({ root, folder: engineFolder }),
    bundleRooms({ root, folder }),
    bundleSearchWorker({ root, folder }),
    bundlePage({ root, folder }),
  ]);
  // Type errors still produce output, so that unfinished changes can be tried; the exit code reports them.
  if (code !== 0) process.exitCode = 1;
  writeLicences({ root, folder: engineFolder, modules: engineModules });
  writeLicences({ root, folder, modules: modules.flat() });
  for (const made of packages) {
    if (existsSync(made.dist)) renameSync(made.dist, made.old);
    renameSync(made.folder, made.dist);
  }
} finally {
  for (const made of packages)
    for (const path of [made.folder, made.old]) rmSync(path, { recursive: true, force: true });
}
