/** Removes a folder with everything in it, also where a folder inside may not be entered or changed. */
export declare function removeFolder(folder: string): void;
