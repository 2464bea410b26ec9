import type { FileDelta, FileState } from "@bough/session/entry/index.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AttributeOptions, attributeChanges, type CallTime } from "./attribute-changes.js";
import { isJump } from "./clock.js";

const state = (text: string): FileState => ({ hash: text.padEnd(64, "0"), mode: "644", size: 1 });
const made = (path: string): FileDelta => ({ path, before: null, after: state("a") });
const call = (from: number, to: number, isCertain = true): CallTime => ({ id: "own", from, to, isCertain });
const other = (from: number, to: number) => ({ ...call(from, to), id: "other", session: "s" });

function attributed(changes: readonly FileDelta[], options: Partial<AttributeOptions> & { readonly at?: number }) {
  const { at = 5000, exact = [], own = [], announced = new Map(), others = { calls: [], announced: [] } } = options;
  const timeOf = options.timeOf ?? (() => ({ moments: [at], isLatest: false }));
  const found = attributeChanges(changes, { exact, own, announced, others, timeOf });
  return Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
}

describe("a change", () => {
  test("while only a command of this session ran is its own; outside of that, the person's", () => {
    const own = [call(4000, 6000)];
    expect(attributed([made("a")], { own })).toEqual({ tool: [made("a")] });
    expect(attributed([made("a")], { own, at: 3000 })).toEqual({ person: [made("a")] });
    expect(attributed([made("a")], { own, at: 7000 })).toEqual({ person: [made("a")] });
  });

  test("while another session's command ran is that session's, and if both ran it names them both", () => {
    const others = { calls: [other(4000, 6000)], announced: [] };
    const shared = [{ with: [{ session: "s", callIds: ["other"] }], changes: [made("a")] }];
    expect(attributed([made("a")], { own: [call(8000, 9000)], others })).toEqual({ shared });
    expect(attributed([made("a")], { own: [call(4500, 5500)], others })).toEqual({ shared });
    expect(attributed([made("a")], { own: [call(4500, 5500)], others, at: 7000 })).toEqual({ person: [made("a")] });
  });

  test("that cannot be dated, because the clock was set, counts for every command that ran", () => {
    const own = [call(4000, 6000, false)];
    expect(attributed([made("a")], { own, at: 1 })).toEqual({ tool: [made("a")] });
    const others = { calls: [{ ...other(4000, 6000), isCertain: false }], announced: [] };
    expect(attributed([made("a")], { own, others, at: 1 })).toMatchObject({ shared: [{ changes: [made("a")] }] });
    expect(attributed([made("a")], { own: [call(4000, 6000)], timeOf: () => undefined })).toEqual({
      tool: [made("a")],
    });
  });

  test("of a file that is gone may have been any time before its folder last changed", () => {
    const gone = { path: "a", before: state("a"), after: null };
    const timeOf = () => ({ moments: [9000], isLatest: true });
    expect(attributed([gone], { own: [call(4000, 6000)], timeOf })).toEqual({ tool: [gone] });
    expect(attributed([gone], { own: [call(9500, 9900)], timeOf })).toEqual({ person: [gone] });
  });

  test("that a tool said it made is the tool's, and what came before or after it is not", () => {
    const [one, two, three, four] = ["1", "2", "3", "4"].map(state) as [FileState, FileState, FileState, FileState];
    const change = { path: "a", before: one, after: four };
    const exact = [{ path: "a", before: two, after: three }];
    expect(attributed([change], { exact })).toEqual({
      earlier: [{ with: [], changes: [{ path: "a", before: one, after: two }] }],
      tool: exact,
      person: [{ path: "a", before: three, after: four }],
    });
  });
});

test("what a tool found is whose it was by the time at which it had changed", () => {
  const [one, two, three] = ["1", "2", "3"].map(state) as [FileState, FileState, FileState];
  const change = { path: "a", before: one, after: three };
  const own = [call(4000, 6000)];
  const exact = (foundAt?: number) => [{ path: "a", before: two, after: three, foundAt }];
  const [first, second] = [
    { path: "a", before: one, after: two },
    { path: "a", before: two, after: three },
  ];
  expect(attributed([change], { own, exact: exact(5000) })).toEqual({ tool: [change] });
  expect(attributed([change], { own, exact: exact() })).toEqual({ tool: [change] });
  expect(attributed([change], { own, exact: exact(3000) })).toMatchObject({
    earlier: [{ with: [], changes: [first] }],
    tool: [second],
  });
  const others = { calls: [other(2000, 3500)], announced: [] };
  expect(attributed([change], { own, others, exact: exact(3000) })).toMatchObject({
    earlier: [{ with: [{ session: "s", callIds: ["other"] }], changes: [first] }],
    tool: [second],
  });
});

test("what another session wrote is on the way to what a command left, unless this session wrote the file after it", () => {
  const [one, two, three] = ["1", "2", "3"].map(state) as [FileState, FileState, FileState];
  const change = { path: "a", before: one, after: three };
  const own = [call(4000, 6000)];
  const others = { calls: [], announced: [{ session: "s", path: "a", state: two, at: 3000 }] };
  const wrote = (at: number, what = one) => new Map([["a", { path: "a", state: what, at }]]);
  const both = {
    earlier: [{ with: [{ session: "s" }], changes: [{ path: "a", before: one, after: two }] }],
    tool: [{ path: "a", before: two, after: three }],
  };
  expect(attributed([change], { own, others })).toEqual(both);
  expect(attributed([change], { own, others, announced: wrote(2000) })).toEqual(both);
  expect(attributed([change], { own, others, announced: wrote(3500) })).toEqual({ tool: [change] });
  // Announced after the command had ended, or after the file had last changed.
  const later = (at: number) => ({ calls: [], announced: others.announced.map((its) => ({ ...its, at })) });
  expect(attributed([change], { own, others: later(6001) })).toEqual({ tool: [change] });
  expect(attributed([change], { own, others: later(5900) })).toEqual({ tool: [change] });
  expect(attributed([change], { own, others: later(4900) })).toEqual(both);
  const twice = { calls: [], announced: [...others.announced, { session: "t", path: "a", state: one, at: 6001 }] };
  expect(attributed([change], { own, others: twice })).toEqual(both);
  // It announced a write that it then did not make.
  expect(attributed([change], { own, others, announced: wrote(3500, three) })).toEqual(both);
});

test("every change is attributed, and the parts of a path lead from what it was to what it is", () => {
  const times = fc.record({ from: fc.nat(100), length: fc.nat(100), isCertain: fc.boolean() });
  const spans = fc.array(times, { maxLength: 3 });
  const paths = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 });
  const told = fc.array(
    fc.record({ path: fc.constantFrom("a", "b", "c"), state: fc.constantFrom("0", "1", "2", "3"), at: fc.nat(200) }),
    {
      maxLength: 3,
    },
  );
  fc.assert(
    fc.property(
      paths,
      spans,
      spans,
      told,
      told,
      told,
      fc.nat(200),
      (names, own, foreign, exact, will, announced, at) => {
        const changes = names.map((path) => ({ path, before: state("0"), after: state("3") }));
        const asCall = ({ from, length, isCertain }: { from: number; length: number; isCertain: boolean }) =>
          call(from * 1000, (from + length) * 1000, isCertain);
        const said = new Map(exact.map((one) => [one.path, one]));
        const { earlier, tool, person, shared } = attributeChanges(changes, {
          exact: [...said.values()].map((one, index) => ({
            path: one.path,
            before: state(index === 1 ? "2" : "0"),
            after: state(one.state),
            foundAt: at * 900,
          })),
          own: own.map(asCall),
          announced: new Map(will.map((one) => [one.path, { ...one, state: state(one.state) }])),
          others: {
            calls: foreign.map((one) => ({ ...asCall(one), session: "s" })),
            announced: announced.map((one) => ({ ...one, session: "s", state: state(one.state) })),
          },
          timeOf: () => ({ moments: [at * 1000], isLatest: false }),
        });
        for (const { path, before, after } of changes) {
          let now = before;
          const parts = [
            ...earlier.flatMap((one) => one.changes),
            ...tool,
            ...person,
            ...shared.flatMap((one) => one.changes),
          ];
          for (const part of parts.filter((one) => one.path === path)) {
            expect(part.before).toEqual(now);
            now = part.after;
          }
          expect(now).toEqual(after);
        }
      },
    ),
  );
});

test("a clock that was set shows, one that drifts does not", () => {
  expect(isJump({ at: 1000, up: 0 }, { at: 11_000, up: 10_000 })).toBe(false);
  expect(isJump({ at: 1000, up: 0 }, { at: 11_200, up: 10_000 })).toBe(false);
  expect(isJump({ at: 1000, up: 0 }, { at: 3_611_000, up: 10_000 })).toBe(true);
  expect(isJump({ at: 1000, up: 0 }, { at: -3_589_000, up: 10_000 })).toBe(true);
});
