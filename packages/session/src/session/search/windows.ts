/** The buffer that files are read into: small enough to search what was read while it is in the processor's cache. */
export const WINDOW = 1 << 20;
