import { expect, test } from "vitest";
import { createMatcher } from "./matcher.js";
import { parseQuery } from "./query.js";
import { SlowPattern, timedMatcher } from "./timed-matcher.js";

const ENDLESS = `${"a".repeat(40)}!`;

test.each(["re:(a+)+$", "re:(a|a)*$", "re:(a*)*b", "re:(a|aa)+$", "re:(?:a?){30}a{30}b"])(
  "%s is stopped on a text that would take forever, reported once, and the search continues",
  (query) => {
    const matcher = timedMatcher(parseQuery(query), 50);
    expect(() => matcher(ENDLESS.repeat(2), 100)).toThrow(SlowPattern);
    expect(matcher("aaaa", 100)).toBeUndefined();
  },
);

test.each(["re:time(d )?out", "re:a.*b", "re:(a|b)+c", "re:\\w+ \\w+", "words here"])(
  "%s finds what it finds without a limit",
  (query) => {
    const parsed = parseQuery(query);
    for (const text of ["it timed out", "a word b", "ababc", "two words here", ""]) {
      expect(timedMatcher(parsed)(text, 100)).toEqual(createMatcher(parsed)(text, 100));
    }
  },
);
