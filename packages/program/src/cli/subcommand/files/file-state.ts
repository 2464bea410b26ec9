/** How the help describes the state of a file in `--json`. */
export const FILE_STATE = "{ hash, mode, size } or { link } or null";
