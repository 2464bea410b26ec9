/** Loads one extension's code. TypeScript runs as it is; loading again reads the files again. */
import type { ExtensionFactory } from "./extension-api.js";

export type ImportedExtension =
  | { readonly kind: "loaded"; readonly factory: ExtensionFactory }
  | { readonly kind: "failed"; readonly message: string };

export interface ImportOptions {
  /** A folder of ours for compiled code: repeat loads are several times faster. */
  readonly cacheDir?: string;
  /** Modules extensions may import by name and share with us. */
  readonly modules?: Readonly<Record<string, unknown>>;
}

export async function importExtension(file: string, options: ImportOptions = {}): Promise<ImportedExtension> {
  try {
    // Only now: most sessions load no extension, and the compiler is not small.
    const { createJiti } = await import("jiti");
    const jiti = createJiti(import.meta.url, {
      tryNative: false,
      moduleCache: false,
      fsCache: options.cacheDir ?? false,
      virtualModules: { ...options.modules },
    });
    const factory: unknown = await jiti.import(file, { default: true });
    if (typeof factory === "function") return { kind: "loaded", factory: factory as ExtensionFactory };
    return { kind: "failed", message: "it does not export a function by default" };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
