import { expect, test } from "vitest";
import { extractSummary } from "./extract-summary.js";

const TRANSCRIPT = `[User]: Add a parser for dates. It must never throw.

[Assistant thinking]: Perhaps a table.

[Assistant]: I will look at src/date.ts first.
[Assistant calls read]: {"path":"src/date.ts"}

[Result of read]: export function parse() {}

[Assistant]: We decided to use a table instead of a regular expression. Next, the tests have to be written.

[Tool call]: bash {"command":"npm test"}

[Result of bash (error)]: exit code 1
Error: parse is not a function

[User]: Fix that, please.`;

test("a summary holds what was said, in the standard format, and says how it was made", () => {
  expect(extractSummary({ transcript: TRANSCRIPT })).toMatchInlineSnapshot(`
    "## Goal
    Add a parser for dates. It must never throw.

    ## Constraints & Preferences
    - It must never throw.

    ## Progress
    ### Done
    - [x] Called read {"path":"src/date.ts"}
    - [x] Called bash {"command":"npm test"}
    - [x] I will look at src/date.ts first.
    - [x] We decided to use a table instead of a regular expression.

    ### In Progress
    - [ ] Fix that, please.

    ### Blocked
    - exit code 1

    ## Key Decisions
    - We decided to use a table instead of a regular expression.

    ## Next Steps
    1. Next, the tests have to be written.

    ## Critical Context
    - Files named: src/date.ts
    - Made by offline/rules: sentences picked by rules, not understood."
  `);
});

test("the same conversation gives the same summary", () => {
  expect(extractSummary({ transcript: TRANSCRIPT })).toBe(extractSummary({ transcript: TRANSCRIPT }));
});

test("an earlier summary is updated, and nothing in it is repeated", () => {
  const previous = extractSummary({ transcript: TRANSCRIPT });
  const updated = extractSummary({
    transcript: "[User]: Now document it in docs/date.md.\n\n[Assistant]: Documented.",
    previous,
    focus: "document",
  });
  expect(updated).toMatchInlineSnapshot(`
    "## Goal
    Add a parser for dates.
    It must never throw.
    Now document it in docs/date.md.

    ## Constraints & Preferences
    - It must never throw.

    ## Progress
    ### Done
    - [x] Called read {"path":"src/date.ts"}
    - [x] Called bash {"command":"npm test"}
    - [x] I will look at src/date.ts first.
    - [x] We decided to use a table instead of a regular expression.
    - [x] Documented.

    ### In Progress
    - [ ] Fix that, please.

    ### Blocked
    - exit code 1

    ## Key Decisions
    - We decided to use a table instead of a regular expression.

    ## Next Steps
    1. Next, the tests have to be written.

    ## Critical Context
    - Files named: src/date.ts
    - Now document it in docs/date.md.
    - Documented.
    - Files named: docs/date.md
    - Made by offline/rules: sentences picked by rules, not understood."
  `);
});

test("a conversation without anything gives every section all the same", () => {
  expect(extractSummary({ transcript: "" })).toMatchInlineSnapshot(`
    "## Goal
    (none)

    ## Constraints & Preferences
    - (none)

    ## Progress
    ### Done
    - (none)

    ### In Progress
    - (none)

    ### Blocked
    - (none)

    ## Key Decisions
    - (none)

    ## Next Steps
    - (none)

    ## Critical Context
    - Made by offline/rules: sentences picked by rules, not understood."
  `);
});
