// The packages of this repository, lowest first, and where their sources are. Every tool that resolves imports uses
// these paths: a module found in two places would be loaded twice.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Each imports only those before it, as listed in its tsconfig.json. */
export const PACKAGES = ["session", "workbench", "agent", "rpc", "pi", "program"];

/**
 * The folders that `@bough/session` and the others resolve to.
 *
 * @param {string} root
 * @returns {Record<string, string>}
 */
export function packageAliases(root) {
  return Object.fromEntries(PACKAGES.map((name) => [`@bough/${name}`, join(root, "packages", name, "src")]));
}

/**
 * Every room with its folder, `packages/<package>/src/<room>`. Room names are unique across packages.
 *
 * @param {string} root
 * @returns {{ room: string, package: string, folder: string }[]}
 */
export function roomsIn(root) {
  return PACKAGES.flatMap((name) => {
    const sources = join(root, "packages", name, "src");
    return readdirSync(sources).map((room) => ({ room, package: name, folder: join(sources, room) }));
  });
}

/**
 * The source of a module given by its name in dist/, such as `session/index`.
 *
 * @param {string} root
 * @param {string} module
 */
export function sourceOf(root, module) {
  const [name = "", ...below] = module.split("/");
  const room = roomsIn(root).find((one) => one.room === name);
  if (room === undefined) throw new Error(`bug: no package has a room ${name}`);
  return join(room.folder, `${below.join("/")}.ts`);
}
