export interface KillRun {
  readonly acknowledged: number;
  /** How many lines the kill cut off: 0 or 1. */
  readonly torn: number;
  readonly faults: readonly string[];
}

export function killRun(options: {
  readonly file: string;
  readonly afterMs: number;
  readonly largeEvery: number;
}): Promise<KillRun>;
