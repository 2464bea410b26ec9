/** Records that a compaction keeps: some are before its boundary, some below its summary. */
import type { KeptBelow, Unit } from "./claude-unit.js";

interface KeptUnits {
  /** Kept units before the boundary, in order. */
  readonly above: readonly Unit[];
  readonly below: KeptBelow | undefined;
}

/** Returns the unit of a uuid. */
type UnitAt = (uuid: string) => Unit | undefined;

/**
 * Separates the units that were kept before a compaction from those that were written again below its summary.
 *
 *     a  b  boundary(keeps b, c)  summary ─ c ─ d        above: b   below: c
 */
export function sortKept(compaction: Unit, kept: readonly Unit[], unitAt: UnitAt): KeptUnits {
  const above: Unit[] = [];
  const below = new Set<Unit>();
  let ends: KeptBelow | undefined;
  for (const unit of [...kept].reverse()) {
    if (below.has(unit) || unit === compaction) continue;
    const way = pathBelow(compaction, unit, unitAt);
    for (const step of way) below.add(step);
    const first = way.at(-1);
    if (first === undefined) above.unshift(unit);
    else ends ??= { first, last: unit };
  }
  return { above, below: ends };
}

/** The units from `unit` up to the one directly below a compaction. Empty if `unit` is not below it. */
export function pathBelow(compaction: Unit, unit: Unit, unitAt: UnitAt): Unit[] {
  if (!isWrittenAfter(unit, compaction)) return [];
  const way = new Set<Unit>();
  for (let at: Unit | undefined = unit; at !== undefined && !way.has(at); ) {
    way.add(at);
    const above: string | undefined = at.records[0]?.parentUuid;
    at = above === undefined ? undefined : unitAt(above);
    if (at === compaction) return [...way];
  }
  return [];
}

function isWrittenAfter(unit: Unit, other: Unit): boolean {
  const [one, two] = [unit.records[0], other.records[0]];
  return one !== undefined && two !== undefined && one.file === two.file && one.line > two.line;
}

/**
 * The actual parent of a unit that names `parent`. Claude Code puts the kept records directly after the summary, so any
 * other child of the summary comes after the last of them.
 */
export function afterKept(parent: Unit, follower: Unit): Unit {
  const below = parent.keptBelow;
  if (below === undefined || below.first === follower || below.last.segment > follower.segment) return parent;
  return isWrittenAfter(follower, below.last) ? below.last : parent;
}
