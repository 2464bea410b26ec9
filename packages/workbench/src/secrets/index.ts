/** Secrets: the keys of this machine, finding what looks like a secret in a text, and masking it. */
export { type AuthFile, authPath, readAuthEntry, readAuthFile } from "./auth-file.js";
export { type SecretFinder, type SecretFinderOptions, secretFinder } from "./find-secrets.js";
export { createRedactor, type Redactor, type RedactorOptions } from "./mask-secrets.js";
export { ownSecrets } from "./own-secrets.js";
export type { Scanned } from "./scan-batch.js";
export { type ScanOptions, type SecretFinding, type SecretScan, scanEntries } from "./scan-entries.js";
export type { Spot, Spots } from "./spots.js";
