export interface SandboxKillRun {
  readonly fault?: string;
  readonly ended: number;
}

export function sandboxKillRun(folder: string, random: () => number): Promise<SandboxKillRun>;
