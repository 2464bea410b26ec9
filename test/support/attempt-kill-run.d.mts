export interface AttemptKillRun {
  readonly fault?: string;
  readonly phase: string;
  readonly attempts: number;
}

export function attemptKillRun(folder: string, random: () => number): Promise<AttemptKillRun>;
