/** Rules in a directory: an unpacked release of CRS, the tree of a package, or any directory of `.conf` files. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { depthMax, entriesMax, fileBytesMax } from '../limits.ts';
import { CrsError } from '../problem.ts';
import { chooseFiles, type FoundRules, isRuleFile, type SourceFile } from './choose-files.ts';

export function readRuleDirectory(directory: string): FoundRules {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status?.isDirectory() !== true) throw new CrsError(`${directory} is not a directory`);
  const files: SourceFile[] = [];
  let entries = 0;
  const walk = (folder: string, depth: number): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (++entries > entriesMax)
        throw new CrsError(`${directory} has more than ${entriesMax} files: name the folder of the rules`);
      const path = join(folder, entry.name);
      // Symbolic links are not followed: they may lead outside.
      if (entry.isDirectory() && depth < depthMax) walk(path, depth + 1);
      else if (entry.isFile() && isRuleFile(entry.name))
        files.push({ path: relative(directory, path), text: read(path) });
    }
  };
  walk(directory, 0);
  return chooseFiles(files, directory);
}

function read(path: string): string {
  const { size } = statSync(path);
  if (size > fileBytesMax) throw new CrsError(`${path} has ${size} bytes, more than ${fileBytesMax}`);
  return readFileSync(path, 'latin1');
}
