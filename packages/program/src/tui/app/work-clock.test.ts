import { opened } from "@bough/agent/agent/agent-harness.test-support.js";
import { expect, test } from "vitest";
import { WorkClock } from "./work-clock.js";

test("the clock of running work stops while a person is asked", async () => {
  let now = 1000;
  const clock = new WorkClock(() => now);
  const seen: number[] = [];
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    seen.push(clock.now());
  };
  const [first, second] = [opened(), opened()];
  pass(500);
  const answered = [clock.during(() => first.promise), clock.during(() => second.promise)];
  pass(10_000);
  first.open();
  await answered[0];
  pass(10_000);
  second.open();
  await answered[1];
  pass(250);
  expect(seen).toEqual([1500, 1500, 1500, 1750]);
});
