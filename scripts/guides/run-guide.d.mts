export type Step =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "output"; readonly text: string };
export function stepsOf(page: string): Step[];
export function runGuide(options: {
  readonly page: string;
  readonly folder: string;
  readonly runtime: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}): string | undefined;
