import { Kind } from "../entry/index.js";

/** Entries of the kinds that are queried as a whole, in file order. */
export class KindLists {
  readonly labels: number[] = [];
  readonly names: number[] = [];
  readonly positions: number[] = [];
  latestCompaction = -1;

  add(n: number, kind: Kind): void {
    if (kind === Kind.label) this.labels.push(n);
    else if (kind === Kind.sessionInfo) this.names.push(n);
    else if (kind === Kind.position) this.positions.push(n);
    else if (kind === Kind.compaction) this.latestCompaction = n;
  }
}
