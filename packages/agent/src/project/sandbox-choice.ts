/** When shell commands run in the sandbox: in permission mode `auto`, always, or never. */
export const SANDBOX_CHOICES = ["auto", "on", "off"] as const;
export type SandboxChoice = (typeof SANDBOX_CHOICES)[number];

/** What applies without a setting. */
export const DEFAULT_SANDBOX: SandboxChoice = "auto";
