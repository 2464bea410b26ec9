export interface UpgradeRuns {
  readonly runs: number;
  readonly acknowledged: number;
  readonly faults: readonly string[];
}

/** Several processes open one file of an old version at the same moment, again and again. */
export function upgradeRuns(options: {
  readonly folder: string;
  readonly runs: number;
  readonly processes: number;
}): Promise<UpgradeRuns>;
