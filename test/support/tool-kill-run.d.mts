export interface ToolKillRun {
  readonly fault?: string;
  readonly inTool: boolean;
  readonly records: number;
}

export function toolKillRun(folder: string, random: () => number): Promise<ToolKillRun>;
