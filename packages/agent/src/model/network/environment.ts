/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces `$NAME` and `${NAME}` with environment variables; `$$` is a dollar sign. */
export function expanded(text: string, env: Environment): string {
  return text.replace(/\$(\$|\{(\w+)\}|(\w+))/g, (_all, sign: string, braced?: string, bare?: string) =>
    sign === "$" ? "$" : (env[braced ?? bare ?? ""] ?? ""),
  );
}
