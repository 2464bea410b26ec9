/** The script that starts the compiler. */
export function nativeCompiler(): string;
