export const RPC_TYPES: string;
export function writeRpcTypes(root: string): Promise<void>;
export function formatTypes(root: string, types: ReadonlyMap<string, string>): Map<string, string>;
