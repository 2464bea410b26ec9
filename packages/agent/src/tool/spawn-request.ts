/** What a model asks for when it starts a sub-agent. */
export interface SpawnRequest {
  readonly task: string;
  readonly description?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly context?: "fresh" | "branch";
  readonly background?: boolean;
}
