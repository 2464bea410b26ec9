/** How the help describes a file's state in `--json`. */
export const FILE_STATE = "{ hash, mode, size } or { link } or null";
