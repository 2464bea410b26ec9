// The packages of this repository, lowest first, and where their sources are. Every tool that follows imports takes the places
// from here: a module that was found in two places would exist twice.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Each imports only those before it; its tsconfig.json says which. */
export const PACKAGES = ["session", "workbench", "agent", "rpc", "pi", "program"];

/**
 * What `@bough/session` and the others stand for in an import.
 *
 * @param {string} root
 * @returns {Record<string, string>}
 */
export function packageAliases(root) {
  return Object.fromEntries(PACKAGES.map((name) => [`@bough/${name}`, join(root, "packages", name, "src")]));
}

/**
 * Every room with its folder, which is `packages/<package>/src/<room>`. No two packages have a room of the same name.
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
 * The source of a module that is named as it is in dist/, such as `session/index`.
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
