/**
 * Converts a directory to the requested layout: for a number of hosts, or for one process. If its objects are in
 * another layout, they are moved: all of them are written again beside the present ones, with their history, then one
 * rename commits the move, then the former ones are removed. After a crash at any moment, the next start completes the
 * move or starts it over; neither layout serves objects before that.
 *
 * Only folders that `hosts.json` itself lists as unfinished or former are removed. A folder that it does not list is
 * set aside under another name if the layout is complete without it, and otherwise prevents opening the directory.
 *
 * The move needs as much additional space as the objects occupy.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FileSystem, findFreeName, holdsFiles, realFileSystem } from '#files';
import { type OnProgress, redistributeObjects } from '#objects';
import {
  checkMade,
  createUnknownError,
  findLayout,
  hasLog,
  type Layout,
  type LayoutFile,
  listFolders,
  numberOf,
  plainParts,
  writeLayout,
} from './layout.ts';
import { placeObject } from './placement.ts';

export interface ArrangeOptions {
  /** Locked by the caller, as are the folders of its hosts. */
  readonly directory: string;
  /** The number of hosts; 0 for a directory of one process. */
  readonly hosts: number;
  /** Called before objects are moved. */
  readonly onMove?: (move: { readonly from: number; readonly to: number }) => void;
  readonly onProgress?: OnProgress;
  /** Receives descriptions of problems that were found and repaired. */
  readonly warn?: (message: string) => void;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
  /** @internal */
  readonly segmentBytes?: number;
  /** @internal */
  readonly removeFolder?: (path: string) => void;
}

const noFile: LayoutFile = {
  layout: undefined,
  unfinished: [],
  former: [],
  isMade: false,
  flaw: undefined,
};

/** Returns the layout; undefined for a directory of one process. */
export async function arrangeDirectory(options: ArrangeOptions): Promise<Layout | undefined> {
  const { directory, hosts, fs = realFileSystem } = options;
  const present = findLayout(fs, directory) ?? noFile;
  tidy(options, present);
  const { layout: before, isMade } = present;
  if ((before?.hosts ?? 0) === hosts) return before;
  const from = listSources(fs, directory, before);
  const layout = hosts === 0 ? undefined : createLayout(fs, directory, hosts);
  const targets = namesOf(layout);
  if (from.length > 0) {
    options.onMove?.({ from: from.length, to: layout?.hosts ?? 1 });
    const moving: LayoutFile = { ...noFile, layout: before, isMade, unfinished: targets };
    writeLayout(fs, directory, moving);
    const to = layout === undefined ? [directory] : targets.map((folder) => join(directory, folder));
    await move(options, { from, to }).catch((error: unknown) => {
      // On a full disk, an incomplete move must not take up the last of the space.
      tidy(options, moving);
      throw error;
    });
  }
  const former = from.length === 0 ? [] : namesOf(before);
  const moved: LayoutFile = { ...noFile, layout, former, isMade: from.length > 0 };
  writeLayout(fs, directory, moved);
  tidy(options, moved);
  return layout;
}

/** Records that every host has its folder: from then on, a missing one is a loss. The directory must be locked. */
export function noteMade(directory: string): void {
  const file = findLayout(realFileSystem, directory);
  if (file?.layout === undefined || file.isMade) return;
  if (listFolders(file.layout).every((folder) => hasLog(realFileSystem, join(directory, folder))))
    writeLayout(realFileSystem, directory, { ...file, isMade: true });
}

function move(
  { fs = realFileSystem, segmentBytes, onProgress }: ArrangeOptions,
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): Promise<void> {
  return redistributeObjects({
    from,
    to,
    place: (idHex) => placeObject(idHex, to.length),
    fs,
    segmentBytes,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

/** Removes everything but the current layout, and repairs the file that describes it. */
function tidy(options: ArrangeOptions, file: LayoutFile): void {
  const { directory, fs = realFileSystem, removeFolder = removeWhole, warn } = options;
  checkMade(fs, directory, file);
  const counts = new Set(namesOf(file.layout));
  const gone = [...file.unfinished, ...file.former].filter((name) => !counts.has(name));
  for (const name of fs.readdirSync(directory)) {
    const isPart = numberOf(name) !== undefined || (plainParts as readonly string[]).includes(name);
    if (!isPart || counts.has(name)) continue;
    const path = join(directory, name);
    if (gone.includes(name) || !holdsFiles(path, fs)) removeFolder(path);
    else setAside(options, file, name);
  }
  if (gone.length === 0 && file.flaw === undefined) return;
  // Removed folders must not reappear when the file no longer lists them.
  fs.fsyncDirectorySync(directory);
  if (file.flaw !== undefined) warn?.(`${file.flaw}: written again`);
  writeLayout(fs, directory, { ...file, unfinished: [], former: [] });
}

/** Older versions left obsolete folders behind without listing them. */
function setAside(
  { directory, fs = realFileSystem, warn }: ArrangeOptions,
  file: LayoutFile,
  name: string,
): void {
  const kept = file.layout === undefined ? [''] : listFolders(file.layout);
  if (!kept.every((folder) => hasLog(fs, join(directory, folder))))
    throw createUnknownError(directory, `${name} is there and not named`, [...namesOf(file.layout), name]);
  const taken = new Set(fs.readdirSync(directory));
  const aside = findFreeName(`${name}.set-aside`, (each) => taken.has(each));
  fs.renameSync(join(directory, name), join(directory, aside));
  fs.fsyncDirectorySync(directory);
  warn?.(
    `${name} does not count as a folder of objects: set aside as ${aside}; remove it once nothing is missing`,
  );
}

function removeWhole(path: string): void {
  rmSync(path, { recursive: true });
}

function namesOf(layout: Layout | undefined): readonly string[] {
  return layout === undefined ? plainParts : listFolders(layout);
}

/** A host that has never started has no folder. */
function listSources(fs: FileSystem, directory: string, layout: Layout | undefined): string[] {
  const names = fs.readdirSync(directory);
  if (layout === undefined) return names.includes('journal') ? [directory] : [];
  const folders = listFolders(layout).filter((folder) => names.includes(folder));
  return folders.map((folder) => join(directory, folder));
}

/** Creates the layout with folders that do not exist: remains of a crash in one are not used. */
function createLayout(fs: FileSystem, directory: string, hosts: number): Layout {
  const taken = fs.readdirSync(directory).map((name) => numberOf(name) ?? -1);
  return { hosts, first: Math.max(-1, ...taken) + 1 };
}
