/** Folders of attempts: copies of a project as its files are now, apart from it, and what killed processes left of them. */
export { attemptTip, type CleanedFolder, cleanFolders, endGroups, settleFolder } from "./clean-folders.js";
export { FOLDER_ERROR_CODES, FolderError } from "./folder-error.js";
export {
  type AttemptFolder,
  type FolderRecord,
  listFolders,
  readFolderRecord,
  writeFolderRecord,
} from "./folder-record.js";
export { type CopyProgress, type DependenciesFound, type MakeFoldersOptions, makeFolders } from "./make-folders.js";
export { removeFolder } from "./remove-folder.js";
