/** The readers of other agents, loaded when someone asks for them: no start of the program waits for them. */
type Interop = typeof import("../../interop/index.js");

export function loadInterop(): Promise<Interop> {
  return import("../../interop/index.js");
}
