/**
 * Brings a directory into the layout that a start asks for: for so many hosts, or for one process. If its objects are
 * in another, they are moved: all of them are written again beside the present ones, with their history, then one rename
 * decides, then the former ones go. A crash at any moment leaves a directory that the next start brings to its end, or
 * starts over; objects are served by neither layout before that.
 *
 * The move needs as much room again as the objects take.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FileSystem, realFileSystem } from '#base';
import { type OnProgress, redistributeObjects } from '#objects';
import { type Layout, findLayout, numberOf, listFolders, writeLayout } from './layout.ts';
import { placeObject } from './placement.ts';

export interface ArrangeOptions {
  /** Locked by the caller, with the folders of its hosts. */
  readonly directory: string;
  /** How many hosts; 0 for a directory of one process. */
  readonly hosts: number;
  /** Called before objects are moved. */
  readonly onMove?: (move: { readonly from: number; readonly to: number }) => void;
  readonly onProgress?: OnProgress;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
  /** @internal */
  readonly segmentBytes?: number;
  /** @internal */
  readonly removeFolder?: (path: string) => void;
}

/** What a runtime in one process keeps, and a move takes along. */
const parts = ['journal', 'tables', 'images'] as const;

/** Answers the layout; undefined for a directory of one process. */
export async function arrangeDirectory(options: ArrangeOptions): Promise<Layout | undefined> {
  const { directory, hosts, fs = realFileSystem } = options;
  const present = findLayout(fs, directory);
  removeOthers(options, present);
  if ((present?.hosts ?? 0) === hosts) return present;
  const from = present === undefined ? findPlain(fs, directory) : findHosts(fs, directory, present);
  const layout = hosts === 0 ? undefined : createLayout(fs, directory, hosts);
  if (from.length > 0) {
    options.onMove?.({ from: from.length, to: layout?.hosts ?? 1 });
    const to = layout === undefined ? [directory] : foldersOf(directory, layout);
    await move(options, { from, to }).catch((error: unknown) => {
      // On a full disk, half of a move must not take the last of the space.
      removeOthers(options, present);
      throw error;
    });
  }
  await writeLayout(fs, directory, layout);
  removeOthers(options, layout);
  return layout;
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

/** Removes what does not count: objects that were moved from there, and those that were on their way. */
function removeOthers(options: ArrangeOptions, layout: Layout | undefined): void {
  const { directory, fs = realFileSystem, removeFolder = removeWhole } = options;
  const counts = new Set<string>(layout === undefined ? parts : listFolders(layout));
  for (const name of fs.readdirSync(directory)) {
    const isOurs = numberOf(name) !== undefined || (parts as readonly string[]).includes(name);
    if (isOurs && !counts.has(name)) removeFolder(join(directory, name));
  }
}

function removeWhole(path: string): void {
  rmSync(path, { recursive: true });
}

function findPlain(fs: FileSystem, directory: string): string[] {
  return fs.readdirSync(directory).includes('journal') ? [directory] : [];
}

/** A host that has never started has no folder. */
function findHosts(fs: FileSystem, directory: string, layout: Layout): string[] {
  const names = fs.readdirSync(directory);
  const folders = listFolders(layout).filter((folder) => names.includes(folder));
  return folders.map((folder) => join(directory, folder));
}

/** With folders that are not there: what a crash has left of one is not used. */
function createLayout(fs: FileSystem, directory: string, hosts: number): Layout {
  const taken = fs.readdirSync(directory).map((name) => numberOf(name) ?? -1);
  return { hosts, first: Math.max(-1, ...taken) + 1 };
}

function foldersOf(directory: string, layout: Layout): string[] {
  return listFolders(layout).map((folder) => join(directory, folder));
}
