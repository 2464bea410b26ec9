/** The script that starts the compiler. */
export function nativeCompiler(): string;

/** The environment it is run in. */
export const COMPILER_ENVIRONMENT: NodeJS.ProcessEnv;

/** What it is always told. */
export const COMPILER_WORDS: readonly string[];
