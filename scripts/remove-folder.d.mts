/** Removes a folder and its contents, even if a folder in it is not accessible or writable. */
export declare function removeFolder(folder: string): void;
