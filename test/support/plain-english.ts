/** Finds phrases that sound translated in what people and models read: strings in the source, and the docs. */
import { parseSync } from "rolldown/utils";
import ts from "typescript";

export interface EnglishFinding {
  readonly file: string;
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** What to look for, and what to write instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:nobody|somebody|whoever)\b/gi, 'the passive, or "you"'],
  [/\bso many\b/gi, '"N" or "up to N"'],
  [/\bthat very\b/gi, '"that exact"'],
  [/\bgo(?:es)? on\b/gi, '"continue" or "resume"'],
  [/\banew\b/gi, '"again"'],
  [/\bword for word\b/gi, '"verbatim"'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b|one\b)[a-z]+/gi, '"is not a"'],
  [/\btak(?:es?|en) back\b/gi, '"undo" or "revoke"'],
  [/\bin the place of\b/gi, '"instead of" or "replaces"'],
  [/\bthere is a file already\b/gi, '"file already exists"'],
  [/\bwhere (?:it is )?left out\b/gi, '"(default: ...)"'],
  [
    /\b(?:stands? (?:for no|further|twice|earlier|behind|before|in|at)|begins? (?:so|anew))\b/gi,
    '"is", "appears" or "starts"',
  ],
  [/\bis passed over\b/gi, '"is ignored"'],
  [/\b(?:stays?|is|are) as (?:it|they) (?:is|are|was|were)\b/gi, '"is unchanged"'],
  [/\b(?:here|there) already\b/gi, '"already here", "already exists"'],
  [/\busual places?\b/gi, '"default folders"'],
  [/\bcan be given several times\b/gi, '"repeatable"'],
  [/\bsession used last\b/gi, '"last session"'],
  [/\btakes? (?:it|them|that) back\b/gi, '"undo"'],
  [/\bbring a summary along\b/gi, '"bring a summary"'],
  [/\bsessions? of (?:another|other) agents?\b/gi, '"other agents\' sessions"'],
  [/\b(?:have|has) to occur\b/gi, '"must contain"'],
  [/\bfrom before (?:one|this|a|it)\b/gi, '"from just before"'],
  [/\bis only (?:ever )?read\b/gi, '"is not modified"'],
  [/\b(?:that|which) only one model has\b/gi, '"unambiguous"'],
  [/\b(?:summaris|colour|behaviour|honour|neighbour|recognis)|(?<!un)labelled/gi, "American spelling"],
  [/(?<=\w) [;,](?= \w)/g, "no blank before punctuation"],
];

/** A heading in older session files, which has to be recognised as it was written. */
const EXCEPTIONS: ReadonlySet<string> = new Set(["## Pinned, word for word"]);

function findingsIn(file: string, text: string, lineAt: (offset: number) => number): EnglishFinding[] {
  // A phrase may be wrapped; the same length keeps the offsets.
  const unwrapped = text.replaceAll("\n", " ");
  return PHRASES.flatMap(([pattern, instead]) =>
    [...unwrapped.matchAll(pattern)].map((match) => ({
      file,
      line: lineAt(match.index),
      phrase: match[0].trim(),
      instead,
    })),
  );
}

/** Findings in the string, template and JSX literals of a source file. Comments and code are not looked at. */
export function findingsInSource(file: string, source: string): EnglishFinding[] {
  if (!mayHaveFindings(file, source)) return [];
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true, kind);
  const findings: EnglishFinding[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) && isProse(node.text)) {
      const first = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      findings.push(...findingsIn(file, node.text, (offset) => first + newlines(node.text, offset)));
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return findings;
}

/** An escape that means a letter, a space or nothing: decode it before judging the text. */
const ESCAPED_TEXT = /\\(?:x[2-7]|u00[2-7]|u\{|\r?\n)/;

/** Whether a phrase is anywhere but in a comment. Most files have none, and a native parser finds comments quickly. */
function mayHaveFindings(file: string, source: string): boolean {
  const { comments, errors } = parseSync(file, source);
  if (errors.length > 0 || ESCAPED_TEXT.test(source)) return true;
  const parts = comments.map(({ start }, index) => source.slice(comments[index - 1]?.end ?? 0, start));
  const code = [...parts, source.slice(comments.at(-1)?.end ?? 0)].join("\n");
  const text = code.replace(/\\(.)/g, (_escape, letter) => (letter === "n" ? " " : "\\")).replaceAll("\n", " ");
  return PHRASES.some(([pattern]) => text.search(pattern) >= 0);
}

/** Findings in Markdown, without its fenced code and code spans. */
export function findingsInMarkdown(file: string, text: string): EnglishFinding[] {
  const blank = (code: string) => code.replace(/[^\n]/g, "`");
  const prose = text.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank);
  return findingsIn(file, prose, (offset) => 1 + newlines(prose, offset));
}

/** Shell scripts for completion have blanks before `;;`, and are not prose. */
function isProse(text: string): boolean {
  return text.includes(" ") && !text.includes(";;") && !EXCEPTIONS.has(text);
}

function newlines(text: string, end: number): number {
  return text.slice(0, end).split("\n").length - 1;
}
