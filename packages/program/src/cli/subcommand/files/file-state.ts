/** What `--json` prints of a file at an entry, as the help says it. */
export const FILE_STATE = "{ hash, mode, size } or { link } or null";
