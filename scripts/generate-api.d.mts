/** Page by file name, and the values that have no comment. */
export function apiPages(): { readonly pages: ReadonlyMap<string, string>; readonly silent: readonly string[] };
