/** The WebAssembly module behind `ByteFinder`, assembled here so that it needs neither a file nor a tool. */
import { assembleModule } from "./assembler.js";
import { FIND_EXACT_PAIR, FIND_PAIR } from "./find-pair.js";
import { TAKE_MESSAGES } from "./take-messages.js";

export function vectorModule(): Uint8Array {
  return assembleModule([FIND_PAIR, FIND_EXACT_PAIR, TAKE_MESSAGES]);
}
