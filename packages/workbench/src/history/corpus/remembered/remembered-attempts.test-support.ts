/**
 * What happened in the sessions that the hundred questions are about. Written as people prompt and agents answer: whole
 * sentences, in the words of the work at hand. The questions were written apart, by somebody who half remembers.
 */
import type { Fate } from "../attempts-table.test-support.js";

export interface RememberedAttempt {
  readonly key: string;
  readonly prompt: string;
  readonly file: string;
  readonly fate: Fate;
  /** The last answer; default: a sentence about the tests. */
  readonly answer?: string;
  readonly said?: string;
  readonly summary?: string;
}

export interface RememberedSession {
  readonly agent: "bough" | "claude-code" | "codex" | "pi";
  readonly title: string;
  readonly attempts: readonly RememberedAttempt[];
}

export const REMEMBERED: readonly RememberedSession[] = [
  {
    agent: "bough",
    title: "Checkout charges customers twice",
    attempts: [
      {
        key: "idempotency",
        prompt:
          "Some customers were billed two times last night. Add an idempotency key to the payment intent so that a repeated submit cannot create a second charge.",
        file: "services/billing/create-payment-intent.ts",
        fate: "failed-left",
        said: "FAIL billing/create-payment-intent.test.ts\nStripeIdempotencyError: Keys for idempotent requests can only be used with the same parameters they were first used with",
        answer:
          "The key depends on the cart, and the cart changes between the two submits, so Stripe rejects the second.",
      },
      {
        key: "disable-button",
        prompt: "Just disable the pay button after the first click and show a spinner.",
        file: "apps/web/src/components/PayButton.tsx",
        fate: "tree-summary",
        summary:
          "Disabling the button hides the problem in the browser only: the webhook of the payment provider is what arrives twice.",
      },
      {
        key: "webhook-dedupe",
        prompt: "Deduplicate webhook deliveries by event id in a table with a unique constraint.",
        file: "services/billing/webhooks/handleStripeEvent.ts",
        fate: "kept",
        answer:
          "Every delivery is now inserted first; a conflict means that it was handled and is acknowledged with 200.",
      },
    ],
  },
  {
    agent: "claude-code",
    title: "Images are too large",
    attempts: [
      {
        key: "sharp-resize",
        prompt: "Resize uploaded photos with sharp before we store them, 2000 pixels at most on the long edge.",
        file: "api/uploads/resize-photo.ts",
        fate: "failed-left",
        said: "Error: Input buffer contains unsupported image format\n    at Sharp.toBuffer (sharp/lib/output.js:163)",
        answer: "Phones send HEIC, which the bundled libvips cannot decode.",
      },
      {
        key: "client-canvas",
        prompt: "Shrink pictures in the browser with a canvas before the upload starts.",
        file: "web/lib/shrinkImage.js",
        fate: "tree",
        answer: "Works in Chrome; Safari drops the EXIF orientation, so portraits arrive lying on their side.",
      },
      {
        key: "cdn-variants",
        prompt: "Let the CDN create thumbnails on demand, with the width in the query string.",
        file: "infra/cdn/variants.tf",
        fate: "kept",
        answer: "The distribution now rewrites ?w=400 to a variant and stores it for a month.",
      },
    ],
  },
  {
    agent: "codex",
    title: "Nightly import is slow",
    attempts: [
      {
        key: "copy-from",
        prompt:
          "The nightly import of the product feed takes four hours. Use COPY FROM STDIN instead of single inserts.",
        file: "internal/feed/importer.go",
        fate: "failed-left",
        said: 'pq: duplicate key value violates unique constraint "products_sku_key"',
        answer: "COPY cannot skip rows that exist already; the whole load is rolled back at the first one.",
      },
      {
        key: "temp-table-upsert",
        prompt: "Load into a temporary table, then INSERT ... ON CONFLICT DO UPDATE from there.",
        file: "internal/feed/upsert.go",
        fate: "tree",
        answer: "Down to 20 minutes, but the lock on products blocks the shop while it runs.",
      },
      {
        key: "chunked-workers",
        prompt: "Split the feed in chunks of 5000 lines and import them with eight workers in parallel.",
        file: "internal/feed/worker_pool.go",
        fate: "kept",
        answer: "Eleven minutes, and no lock is held for longer than a second.",
      },
    ],
  },
  {
    agent: "bough",
    title: "Users are logged out at random",
    attempts: [
      {
        key: "sliding-session",
        prompt:
          "People lose their session in the middle of writing. Make the expiry sliding: extend it on every request.",
        file: "server/session/sliding-expiry.ts",
        fate: "tree",
        answer: "Each request now writes to Redis, which doubled the load on it.",
      },
      {
        key: "clock-skew",
        prompt: "Accept tokens up to 60 seconds after they expired, in case the clocks of the pods differ.",
        file: "server/jwt/verify_token.ts",
        fate: "undo",
        answer: "verifyToken takes clockTolerance: 60 now.",
      },
      {
        key: "sticky-cookie",
        prompt: "Turn on sticky sessions in the load balancer.",
        file: "deploy/nginx/upstream.conf",
        fate: "tool-error",
        said: 'nginx: [emerg] unknown directive "sticky" in /etc/nginx/conf.d/upstream.conf:7',
      },
      {
        key: "rotate-secret",
        prompt: "I think the signing secret differs between replicas after a deploy. Read it from one place.",
        file: "server/jwt/signing_secret.ts",
        fate: "merged",
        answer: "Each replica generated its own secret at start. They now share the one in Vault.",
      },
      {
        key: "refresh-race",
        prompt: "Two tabs refresh the token at the same moment and one of them loses. Guard the refresh with a lock.",
        file: "apps/web/src/auth/refreshMutex.ts",
        fate: "kept",
        answer: "navigator.locks serializes the refresh over all tabs.",
      },
    ],
  },
  {
    agent: "pi",
    title: "Move from webpack to Vite",
    attempts: [
      {
        key: "vite-plain",
        prompt: "Replace webpack by Vite with as few changes as possible.",
        file: "vite.config.mts",
        fate: "failed-left",
        said: "ReferenceError: process is not defined\n    at src/env.ts:3:17",
        answer: "The code reads process.env in 84 places.",
      },
      {
        key: "vite-define",
        prompt: "Define process.env at build time for the old code.",
        file: "build/define-env.mts",
        fate: "tree",
        answer: "It builds, but secrets of the CI ended up in the bundle.",
      },
      {
        key: "rspack",
        prompt: "Try Rspack instead, it reads our webpack configuration as it is.",
        file: "rspack.config.js",
        fate: "kept",
        answer: "Cold build 41 s before, 6 s now; all loaders work.",
      },
    ],
  },
  {
    agent: "bough",
    title: "Search suggestions",
    attempts: [
      {
        key: "trigram",
        prompt: "Suggest product names while typing, with a trigram index in Postgres.",
        file: "search/suggest/trigram.sql",
        fate: "failed-left",
        said: 'ERROR: permission denied to create extension "pg_trgm"\nHINT: Must be superuser to create this extension.',
      },
      {
        key: "levenshtein",
        prompt: "Rank suggestions by Levenshtein distance so that typos still find something.",
        file: "search/suggest/editDistance.ts",
        fate: "pop",
        answer: "300 ms for each keystroke with 40,000 names.",
      },
      {
        key: "meilisearch",
        prompt: "Set up Meilisearch as a sidecar and index the catalogue on every publish.",
        file: "deploy/meilisearch.yaml",
        fate: "tree-summary",
        summary: "Meilisearch ran out of memory on the small nodes and operations refused larger ones.",
      },
      {
        key: "prefix-trie",
        prompt: "Keep a compressed trie of all names in memory.",
        file: "search/suggest/CompressedTrie.ts",
        fate: "kept",
        answer: "A lookup takes 0.2 ms and the trie 9 MB.",
      },
    ],
  },
  {
    agent: "claude-code",
    title: "The mobile app crashes on start",
    attempts: [
      {
        key: "hermes-off",
        prompt: "It only happens on old Android phones. Switch Hermes off and see whether the startup crash goes away.",
        file: "android/gradle.properties",
        fate: "failed-left",
        said: "FAILURE: Build failed with an exception. Could not find com.facebook.react:jsc-android:+",
      },
      {
        key: "lazy-modules",
        prompt: "Load native modules lazily so that less runs before the first screen.",
        file: "mobile/src/bootstrap/lazyModules.ts",
        fate: "tree",
        answer: "Startup is 400 ms faster, the crash is still there.",
      },
      {
        key: "abi-split",
        prompt: "Check the ABI splits, maybe armeabi-v7a is missing from the release.",
        file: "android/app/build.gradle",
        fate: "kept",
        answer:
          "The 32-bit library was left out of the bundle. It is included again, and the phone of the tester starts.",
      },
    ],
  },
  {
    agent: "bough",
    title: "Flaky end-to-end suite",
    attempts: [
      {
        key: "network-idle",
        prompt: "The checkout scenario is red every third run. Wait for networkidle before clicking.",
        file: "e2e/checkout.spec.ts",
        fate: "failed-left",
        said: "TimeoutError: page.waitForLoadState: Timeout 30000ms exceeded.",
        answer: "The analytics beacon polls forever, so the network is never idle.",
      },
      {
        key: "freeze-clock",
        prompt: "Freeze the clock in the browser so that countdowns do not re-render.",
        file: "e2e/support/freezeClock.ts",
        fate: "retry",
        answer: "Date.now is constant now and the animation library divides by zero.",
      },
      {
        key: "seed-per-worker",
        prompt: "Give each Playwright worker its own database schema with seeded data.",
        file: "e2e/support/worker-schema.ts",
        fate: "picked",
        answer: "No two workers share a row any more; 50 runs were green.",
      },
      {
        key: "quarantine",
        prompt: "Quarantine the scenario until it is understood, with a ticket in the annotation.",
        file: "e2e/quarantine.json",
        fate: "kept",
      },
    ],
  },
  {
    agent: "codex",
    title: "Kafka consumer falls behind",
    attempts: [
      {
        key: "batch-commit",
        prompt: "Commit offsets once per batch rather than after each message.",
        file: "consumer/src/main/java/com/acme/OrderConsumer.java",
        fate: "tree",
        answer: "Lag shrinks, but a restart processed 500 orders again.",
      },
      {
        key: "more-partitions",
        prompt: "Raise the number of partitions of the orders topic to 24.",
        file: "infra/kafka/topics.tf",
        fate: "failed-left",
        said: "org.apache.kafka.common.errors.InvalidPartitionsException: Topic currently has 24 partitions, which is higher than the requested 12",
      },
      {
        key: "async-enrichment",
        prompt: "The enrichment call to the CRM blocks the poll loop. Make it asynchronous with a bounded queue.",
        file: "consumer/src/main/java/com/acme/EnrichmentQueue.java",
        fate: "failed-here",
        said: "CommitFailedException: the consumer is not part of an active group; max.poll.interval.ms was exceeded",
      },
    ],
  },
  {
    agent: "bough",
    title: "Export to PDF",
    attempts: [
      {
        key: "puppeteer-pdf",
        prompt: "Print invoices to PDF with headless Chrome.",
        file: "invoices/render/chromePdf.ts",
        fate: "tool-error",
        said: "Error: Failed to launch the browser process! libnss3.so: cannot open shared object file: No such file or directory",
      },
      {
        key: "pdfkit",
        prompt: "Draw the invoice by hand with PDFKit, table and footer included.",
        file: "invoices/render/pdfkit-invoice.ts",
        fate: "undo",
        answer: "Arabic names come out in the wrong direction: PDFKit knows no bidirectional text.",
      },
      {
        key: "typst",
        prompt: "Compile a Typst template to PDF from the worker.",
        file: "invoices/template/invoice.typ",
        fate: "kept",
        answer: "40 ms for each invoice, fonts are embedded, and right-to-left names are correct.",
      },
    ],
  },
  {
    agent: "pi",
    title: "Rate limits for the public API",
    attempts: [
      {
        key: "token-bucket-memory",
        prompt: "Limit each API key to 100 requests a minute with a token bucket in memory.",
        file: "gateway/limit/TokenBucket.kt",
        fate: "tree",
        answer: "With six instances a customer gets six times the limit.",
      },
      {
        key: "redis-lua",
        prompt: "Keep the buckets in Redis and update them in a Lua script.",
        file: "gateway/limit/bucket.lua",
        fate: "failed-left",
        said: "ERR Error running script: @user_script: 14: Script attempted to access nonexistent global variable 'tonumer'",
      },
      {
        key: "envoy-ratelimit",
        prompt: "Use the rate limit service of Envoy in front of the gateway.",
        file: "deploy/envoy/ratelimit.yaml",
        fate: "kept",
        answer: "429 with Retry-After comes from Envoy now; the gateway is not touched.",
      },
    ],
  },
  {
    agent: "bough",
    title: "Wrong dates in reports",
    attempts: [
      {
        key: "store-utc",
        prompt: "Reports of our customers in Sydney are off by one day. Store every timestamp in UTC.",
        file: "reports/src/normalizeTimestamps.ts",
        fate: "failed-left",
        said: "AssertionError: expected '2026-03-28T23:00:00.000Z' to equal '2026-03-29T00:00:00.000Z'",
        answer: "One hour is missing on the night when daylight saving begins.",
      },
      {
        key: "temporal-polyfill",
        prompt: "Calculate days with the Temporal polyfill and the zone of the account.",
        file: "reports/src/accountDay.ts",
        fate: "tree-summary",
        summary: "Temporal gave right results but added 200 kB to the bundle of the dashboard, which has a budget.",
      },
      {
        key: "postgres-at-time-zone",
        prompt: "Let the database group by day with AT TIME ZONE.",
        file: "reports/queries/daily_revenue.sql",
        fate: "kept",
        answer: "date_trunc('day', paid_at AT TIME ZONE account.zone) gives the day of the customer.",
      },
    ],
  },
  {
    agent: "claude-code",
    title: "Type checking takes minutes",
    attempts: [
      {
        key: "project-references",
        prompt: "Split the monorepo into TypeScript project references so that tsc only checks what changed.",
        file: "tsconfig.base.json",
        fate: "failed-left",
        said: "error TS6307: File 'packages/ui/src/theme.ts' is not listed within the file list of project. Projects must list all files or use an 'include' pattern.",
      },
      {
        key: "skip-lib-check",
        prompt: "Set skipLibCheck and see how much that saves.",
        file: "tsconfig.json",
        fate: "tree",
        answer: "9 of 140 seconds. The rest is one generic of the form library.",
      },
      {
        key: "simplify-generic",
        prompt: "Replace the recursive conditional type DeepPath by a plain string in the form library.",
        file: "packages/forms/src/deep-path.ts",
        fate: "kept",
        answer: "31 seconds, and autocompletion in forms is gone.",
      },
    ],
  },
  {
    agent: "bough",
    title: "Emails land in spam",
    attempts: [
      {
        key: "dkim",
        prompt: "Sign our outgoing mail with DKIM and publish the key in DNS.",
        file: "mail/dkim-signer.ts",
        fate: "merged",
        answer: "Signatures verify at Gmail and at Fastmail.",
      },
      {
        key: "plain-text-part",
        prompt: "Add a plain text alternative to every newsletter.",
        file: "mail/templates/toPlainText.ts",
        fate: "retry",
        answer: "Tables of prices become unreadable columns.",
      },
      {
        key: "warm-up-ip",
        prompt: "Warm the new sending address up slowly: 200 messages on the first day, then double.",
        file: "mail/schedule/warmup.ts",
        fate: "stopped",
      },
    ],
  },
  {
    agent: "codex",
    title: "GraphQL resolver loads too much",
    attempts: [
      {
        key: "dataloader",
        prompt: "The orders query sends one SELECT per line item. Batch them with a dataloader.",
        file: "graph/loaders/line_items.go",
        fate: "tree",
        answer:
          "Two queries instead of 340, but the loader caches rows over requests and showed one customer another's order.",
      },
      {
        key: "join-lookahead",
        prompt: "Look at the selected fields and join line items in the first query.",
        file: "graph/resolver/lookahead.go",
        fate: "failed-left",
        said: "panic: runtime error: invalid memory address or nil pointer dereference [signal SIGSEGV: segmentation violation]",
      },
      {
        key: "persisted-queries",
        prompt: "Allow only persisted queries from the app.",
        file: "graph/persisted.go",
        fate: "kept",
        answer: "Unknown documents get PERSISTED_QUERY_NOT_FOUND.",
      },
    ],
  },
  {
    agent: "bough",
    title: "Container image is 2 GB",
    attempts: [
      {
        key: "alpine",
        prompt: "Base the image on Alpine.",
        file: "Dockerfile",
        fate: "failed-left",
        said: "Error relocating /app/node_modules/canvas/build/Release/canvas.node: __memcpy_chk: symbol not found",
        answer: "The native canvas addon is linked against glibc, and Alpine has musl.",
      },
      {
        key: "distroless",
        prompt: "Switch the last stage to distroless.",
        file: "docker/distroless.Dockerfile",
        fate: "model-error",
        said: "529 overloaded_error: Overloaded",
      },
      {
        key: "multi-stage",
        prompt: "Use a multi-stage build and copy only the pruned production dependencies.",
        file: "docker/release.Dockerfile",
        fate: "restored",
        answer: "380 MB.",
      },
      {
        key: "apt-clean",
        prompt: "Clean the apt lists in the layer that fills them.",
        file: "docker/base.Dockerfile",
        fate: "kept",
      },
    ],
  },
  {
    agent: "pi",
    title: "Accessible date picker",
    attempts: [
      {
        key: "native-date-input",
        prompt: "Replace our calendar widget by the native date input.",
        file: "ui/date-picker/NativeDateInput.vue",
        fate: "tree",
        answer: "Screen readers are happy, design is not: no ranges and no colours.",
      },
      {
        key: "roving-tabindex",
        prompt: "Make the days reachable by arrow keys with a roving tabindex.",
        file: "ui/date-picker/useRovingFocus.ts",
        fate: "failed-left",
        said: "axe: Elements must only use supported ARIA attributes (aria-selected is not allowed on role=button)",
      },
      {
        key: "grid-role",
        prompt: "Give the month a grid role with gridcell children, and announce the month politely.",
        file: "ui/date-picker/MonthGrid.vue",
        fate: "kept",
        answer: "VoiceOver and NVDA read day, month and availability.",
      },
    ],
  },
  {
    agent: "bough",
    title: "Undo in the drawing editor",
    attempts: [
      {
        key: "snapshot-undo",
        prompt: "Save a snapshot of the document before each stroke, for undo.",
        file: "editor/history/snapshots.rs",
        fate: "failed-left",
        said: "memory allocation of 268435456 bytes failed (signal: 6, SIGABRT: process abort signal)",
        answer: "A drawing of 60 MB with 200 strokes cannot be copied each time.",
      },
      {
        key: "inverse-commands",
        prompt: "Record the inverse of every command and replay it backwards.",
        file: "editor/history/inverse.rs",
        fate: "tree",
        answer: "Filters such as blur have no inverse.",
      },
      {
        key: "persistent-structure",
        prompt: "Use persistent data structures with structural sharing for the layers.",
        file: "editor/model/layer_tree.rs",
        fate: "failed-left",
        said: "error[E0502]: cannot borrow `*layers` as mutable because it is also borrowed as immutable",
      },
      {
        key: "tile-deltas",
        prompt: "Keep only the changed tiles of 64 by 64 pixels for each stroke.",
        file: "editor/history/tile_delta.rs",
        fate: "kept",
        answer: "An undo step is 80 kB on average.",
      },
    ],
  },
  {
    agent: "claude-code",
    title: "Translate the interface",
    attempts: [
      {
        key: "i18next",
        prompt: "Extract all strings into i18next namespaces and load German first.",
        file: "web/i18n/extract-strings.mjs",
        fate: "tree",
        answer: "3,100 keys; plural forms of Polish are wrong because the old helper only knows one and many.",
      },
      {
        key: "icu-messages",
        prompt: "Use ICU messages for plurals and gender.",
        file: "web/i18n/icuFormat.ts",
        fate: "failed-left",
        said: "SyntaxError: MISSING_OTHER_CLAUSE\n    at pluralRule (icu-messageformat-parser/lib/error.js:9)",
      },
      {
        key: "lingui",
        prompt: "Compile catalogs with Lingui at build time.",
        file: "lingui.config.ts",
        fate: "kept",
      },
    ],
  },
  {
    agent: "bough",
    title: "Backups of the production cluster",
    attempts: [
      {
        key: "pg-dump",
        prompt: "Run pg_dump every night and copy the file to the object store.",
        file: "ops/backup/nightly-dump.sh",
        fate: "failed-left",
        said: "pg_dump: error: query failed: ERROR: canceling statement due to conflict with recovery",
        answer: "The dump of the replica is cancelled after 30 seconds of replication conflict.",
      },
      {
        key: "wal-archiving",
        prompt: "Archive WAL segments continuously with wal-g and practise a point-in-time restore.",
        file: "ops/backup/wal-g.yaml",
        fate: "kept",
        answer: "Restored the state of 14:05 to a second cluster in 22 minutes.",
      },
    ],
  },
];
