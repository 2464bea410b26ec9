/** Variables, as a program is given them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with `$NAME` and `${NAME}` replaced by what the environment has; `$$` is a dollar sign. */
export function expanded(text: string, env: Environment): string {
  return text.replace(/\$(\$|\{(\w+)\}|(\w+))/g, (_all, sign: string, braced?: string, bare?: string) =>
    sign === "$" ? "$" : (env[braced ?? bare ?? ""] ?? ""),
  );
}
