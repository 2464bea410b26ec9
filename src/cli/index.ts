/** The command line: arguments, print, JSON and RPC modes. Wires everything. */
export * from "./cli-error.js";
export * from "./cli-options.js";
export { makeDemo } from "./demo/make-demo.js";
export { FLAG_GROUPS, FLAGS, type Flag, helpText } from "./flags.js";
export { runCli } from "./run-cli.js";
