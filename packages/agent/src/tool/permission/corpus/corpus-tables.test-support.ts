/** Every table of the corpus. */
import { ATTACKS } from "./attack-lines.test-support.js";
import type { CorpusTable } from "./corpus-table.test-support.js";
import { DENIED_TABLES } from "./denied-lines.test-support.js";
import { GRAMMAR_TABLES } from "./grammar-lines.test-support.js";
import { MISREAD_TABLES } from "./misread-lines.test-support.js";
import { OPTIONS } from "./option-lines.test-support.js";
import { ALLOWED } from "./ordinary-lines.test-support.js";
import { GIT_OPTIONS, OTHER_FOLDERS, READERS, SCRIPTS } from "./program-lines.test-support.js";
import { RUNNERS } from "./runner-lines.test-support.js";
import { TRICKS } from "./trick-lines.test-support.js";

export const CORPUS: readonly CorpusTable[] = [
  ALLOWED,
  ATTACKS,
  OPTIONS,
  TRICKS,
  ...GRAMMAR_TABLES,
  ...READERS,
  GIT_OPTIONS,
  OTHER_FOLDERS,
  SCRIPTS,
  ...RUNNERS,
  ...DENIED_TABLES,
  ...MISREAD_TABLES,
];
