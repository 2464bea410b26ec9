// Decides which of the parts that the program is split into share a file. A bundler puts modules together that exactly
// the same entry points need, which makes hundreds of small files; finding and linking one costs more than its code.
import { basename } from "node:path";

/**
 * What a small file costs beyond its code, in bytes of code that take as long to load: 0.3 ms in Node 20, at 30 ms for
 * a megabyte.
 */
const FILE = 10_000;

/**
 * @typedef {import("rolldown").OutputChunk} Chunk
 * @typedef {object} Part
 * @property {string} name
 * @property {string[]} modules
 * @property {number} bytes
 * @property {boolean} isEntry a file of its own, because something imports it by name or on demand
 * @property {boolean} mayGrow
 * @property {Set<Part>} needs the parts it imports
 * @property {Set<string>} rooms
 * @property {ReadonlySet<Part>} users the entries that load it
 * @typedef {{ readonly loaded: ReadonlySet<Part>, readonly rooms: ReadonlySet<string> }} Loads
 */

/**
 * The name of the file for each module whose part is merged with another. Two parts are merged if the entries that load
 * both save more than the others lose by loading what they do not need; entries count equally. Never merges what would
 * make an entry load a room that it does not need, or parts import each other in a circle: their modules would run in
 * another order.
 *
 * @param {readonly Chunk[]} chunks as the bundler splits them
 * @param {(chunk: Chunk) => boolean} mayMerge
 * @returns {ReadonlyMap<string, string>}
 */
export function mergedParts(chunks, mayMerge) {
  let parts = partsOf(chunks, mayMerge);
  /** @type {Set<Part>} */
  const merged = new Set();
  for (;;) {
    const loads = findUsers(parts);
    const best = bestPair(parts, loads);
    if (best === undefined) break;
    const [large, small] = best;
    absorb(large, small);
    parts = parts.filter((part) => part !== small);
    for (const part of parts) if (part.needs.delete(small)) part.needs.add(large);
    // It may have imported what it absorbed, or the other way round.
    large.needs.delete(large);
    merged.delete(small);
    merged.add(large);
  }
  return new Map([...merged].flatMap(({ name, modules }) => modules.map((module) => [module, name])));
}

/** @param {readonly Chunk[]} chunks @param {(chunk: Chunk) => boolean} mayMerge @returns {Part[]} */
function partsOf(chunks, mayMerge) {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  for (const chunk of chunks) {
    const isEntry = chunk.isEntry || chunk.isDynamicEntry;
    parts.set(chunk.fileName, {
      // The names of chunks are not unique.
      name: basename(chunk.fileName, ".js"),
      modules: [...chunk.moduleIds],
      bytes: chunk.code.length,
      isEntry,
      mayGrow: !isEntry && mayMerge(chunk),
      needs: new Set(),
      rooms: roomsIn(chunk.moduleIds),
      users: new Set(),
    });
  }
  for (const { fileName, imports } of chunks) {
    for (const other of imports) {
      const needed = parts.get(other);
      if (needed !== undefined) parts.get(fileName)?.needs.add(needed);
    }
  }
  return [...parts.values()];
}

/** @param {readonly string[]} modules */
function roomsIn(modules) {
  const rooms = modules.flatMap((module) => /\/packages\/[a-z]+\/src\/([a-z]+)\//.exec(module)?.[1] ?? []);
  return new Set(rooms);
}

/** Sets the users of each part, and returns what each entry loads. @param {readonly Part[]} parts */
function findUsers(parts) {
  const entries = parts.filter(({ isEntry }) => isEntry);
  /** @type {Map<Part, Loads>} */
  const loads = new Map();
  for (const entry of entries) {
    const loaded = loadedBy(entry);
    loads.set(entry, { loaded, rooms: new Set([...loaded].flatMap(({ rooms }) => [...rooms])) });
  }
  for (const part of parts) part.users = new Set(entries.filter((entry) => loads.get(entry)?.loaded.has(part)));
  return loads;
}

/** A part and everything it imports. @param {Part} part */
function loadedBy(part) {
  const loaded = new Set([part]);
  for (const one of loaded) for (const needed of one.needs) loaded.add(needed);
  return loaded;
}

/**
 * The pair to merge, the larger part first; undefined if no merge saves anything.
 *
 * @param {readonly Part[]} parts
 * @param {ReadonlyMap<Part, Loads>} loads
 * @returns {readonly [Part, Part] | undefined}
 */
function bestPair(parts, loads) {
  const growing = parts.filter(({ mayGrow }) => mayGrow);
  /** @type {readonly [Part, Part] | undefined} */
  let best;
  let most = 0;
  for (const [at, one] of growing.entries()) {
    for (const other of growing.slice(at + 1)) {
      const saved = savedBy(one, other, { loads, least: most });
      if (saved <= most || isBetween(one, other) || isBetween(other, one)) continue;
      best = one.bytes > other.bytes ? [one, other] : [other, one];
      most = saved;
    }
  }
  return best;
}

/**
 * The bytes that all entries together save. May return any smaller number if that is not more than `least`.
 *
 * @param {Part} one
 * @param {Part} other
 * @param {{ loads: ReadonlyMap<Part, Loads>, least: number }} known
 */
function savedBy(one, other, { loads, least }) {
  let both = 0;
  for (const user of one.users) if (other.users.has(user)) both += 1;
  let saved = both * FILE;
  // Without what the added part imports: enough to rule most pairs out.
  if (saved - (one.users.size - both) * other.bytes - (other.users.size - both) * one.bytes <= least) return 0;
  for (const [part, added] of [
    [one, other],
    [other, one],
  ]) {
    const more = loadedBy(/** @type {Part} */ (added));
    for (const user of /** @type {Part} */ (part).users) {
      const { loaded, rooms } = /** @type {Loads} */ (loads.get(user));
      for (const unneeded of more) {
        if (loaded.has(unneeded)) continue;
        if ([...unneeded.rooms].some((room) => !rooms.has(room))) return 0;
        saved -= unneeded.bytes;
      }
    }
  }
  return saved;
}

/** Whether one part imports the other through a third. @param {Part} from @param {Part} to */
function isBetween(from, to) {
  const between = new Set([...from.needs].filter((part) => part !== to));
  for (const part of between) {
    if (part.needs.has(to)) return true;
    for (const needed of part.needs) between.add(needed);
  }
  return false;
}

/** @param {Part} large @param {Part} small */
function absorb(large, small) {
  large.modules.push(...small.modules);
  large.bytes += small.bytes;
  for (const room of small.rooms) large.rooms.add(room);
  for (const needed of small.needs) large.needs.add(needed);
}
