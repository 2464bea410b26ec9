import { Kind } from "../entry/index.js";

/** Entries of the kinds that are asked for as a whole, in the order of the file. */
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
