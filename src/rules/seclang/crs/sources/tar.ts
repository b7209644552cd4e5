/**
 * The rule files of a tar archive. Names are only compared and shown, never used as paths, and links are skipped: an
 * archive cannot write anywhere.
 */
import { readTar } from '#streams';
import { entriesMax, fileBytesMax } from '../limits.ts';
import { CrsError } from '../problem.ts';
import { isRuleFile, type SourceFile } from './choose-files.ts';

export async function listTarFiles(archive: Buffer, source: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  let entries = 0;
  for await (const { path, bytes, content } of readTar([archive], explain)) {
    if (++entries > entriesMax) throw new CrsError(`${source} has more than ${entriesMax} files`);
    if (!isRuleFile(path)) continue;
    if (bytes > fileBytesMax) throw new CrsError(`${path} has ${bytes} bytes, more than ${fileBytesMax}`);
    files.push({ path, text: Buffer.concat(await Array.fromAsync(content)).toString('latin1') });
  }
  return files;

  function explain(reason: string): CrsError {
    return new CrsError(`${source} cannot be unpacked: ${reason}`);
  }
}
