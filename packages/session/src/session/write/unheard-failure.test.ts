import { describe, expect, it } from "vitest";
import { UnheardFailure } from "./unheard-failure.js";

const failing = async () => {
  await Promise.resolve();
  throw new Error("failed");
};
const settled = () => new Promise<void>((done) => setImmediate(done));

describe("work that fails in the background", () => {
  it.each<[string, (promise: Promise<void>) => Promise<unknown>]>([
    ["await", async (promise) => await promise],
    ["then", (promise) => promise.then(() => {})],
    ["catch", (promise) => promise.catch((error) => Promise.reject(error))],
    ["finally", (promise) => promise.finally(() => {})],
    ["Promise.all", (promise) => Promise.all([promise])],
    ["Promise.race", (promise) => Promise.race([promise, new Promise(() => {})])],
  ])("is reported to what waits for it with %s, and to nothing else", async (_, wait) => {
    const unheard = new UnheardFailure();
    await expect(wait(unheard.watch(failing))).rejects.toThrow("failed");
    await settled();
    expect(() => unheard.throwPending()).not.toThrow();
  });

  it("is reported once by the next call, if nothing waits", async () => {
    const unheard = new UnheardFailure();
    void unheard.watch(failing);
    await settled();
    expect(() => unheard.throwPending()).toThrow("failed");
    expect(() => unheard.throwPending()).not.toThrow();
  });

  it("is nothing where the work succeeds", async () => {
    const unheard = new UnheardFailure();
    const done = unheard.watch(async () => {});
    expect(done).toBeInstanceOf(Promise);
    await done;
    unheard.throwPending();
  });
});
