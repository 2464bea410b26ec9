import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type HoldClock, waitFor } from "./wait-for.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = () => new Promise<never>(() => {});

describe("waiting for a piece of an extension", () => {
  it("gives its value, or says what it threw, at once or later", async () => {
    expect(await waitFor(() => 1)).toEqual({ kind: "done", value: 1 });
    expect(await waitFor(async () => 2, { limitMs: 10 })).toEqual({ kind: "done", value: 2 });
    const threw = { kind: "threw", message: "no luck" };
    const throwing = () => {
      throw new Error("no luck");
    };
    expect(await waitFor(throwing)).toEqual(threw);
    expect(await waitFor(() => Promise.reject("no luck"))).toEqual(threw);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when the time is over", async () => {
    const waited = waitFor(never, { limitMs: 10 });
    await vi.advanceTimersByTimeAsync(10);
    expect(await waited).toEqual({ kind: "late" });
  });

  it("ends when the signal fires, and does not start after it", async () => {
    const controller = new AbortController();
    const waited = waitFor(never, { signal: controller.signal });
    controller.abort();
    expect(await waited).toEqual({ kind: "aborted" });
    const work = vi.fn();
    expect(await waitFor(work, { signal: controller.signal })).toEqual({ kind: "aborted" });
    expect(work).not.toHaveBeenCalled();
  });

  it("leaves a moment once there is a hurry, whatever the clock says, and takes its timer back", async () => {
    const controller = new AbortController();
    const hurry = { signal: controller.signal, limitMs: 10 };
    const waited = waitFor((hold) => hold() && never(), { limitMs: 5, hurry });
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort();
    await vi.advanceTimersByTimeAsync(10);
    expect(await waited).toEqual({ kind: "unstopped" });
    expect(await waitFor(() => 1, { hurry })).toEqual({ kind: "done", value: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not count the time in which the clock is held, and starts over after it", async () => {
    let hold: HoldClock | undefined;
    let kind: string | undefined;
    const waited = waitFor(
      (given) => {
        hold = given;
        return never();
      },
      { limitMs: 10 },
    ).then((end) => {
      kind = end.kind;
    });
    await vi.advanceTimersByTimeAsync(9);
    const [first, second] = [hold?.(), hold?.()];
    await vi.advanceTimersByTimeAsync(1000);
    first?.();
    first?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(kind).toBeUndefined();
    second?.();
    await vi.advanceTimersByTimeAsync(9);
    expect(kind).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await waited;
    expect(kind).toBe("late");
  });
});
