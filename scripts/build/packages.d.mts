/** Each package imports only those before it. */
export declare const PACKAGES: readonly string[];
export declare function packageAliases(root: string): Record<string, string>;
export declare function roomsIn(root: string): { room: string; package: string; folder: string }[];
export declare function sourceOf(root: string, module: string): string;
