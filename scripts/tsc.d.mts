/** The script that starts the compiler. */
export function nativeCompiler(): string;

/** The environment for running it. */
export const COMPILER_ENVIRONMENT: NodeJS.ProcessEnv;

/** Flags that are always passed. */
export const COMPILER_WORDS: readonly string[];
