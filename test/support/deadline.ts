/** A time limit that passes when the test says so, however slow the machine is. */
import { vi } from "vitest";
import { afterTest } from "./after-test.js";

/** Every timer of this many milliseconds that code asks for from now on, until the end of the test. */
export function heldDeadline(milliseconds: number): { readonly pass: () => void } {
  const controller = new AbortController();
  const real = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((asked) => (asked === milliseconds ? controller.signal : real(asked)));
  afterTest(() => spy.mockRestore());
  return { pass: () => controller.abort(new DOMException("The operation timed out", "TimeoutError")) };
}
