/** Makes a SQLite file that a client sends the database of an object. */
import { statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fault, objectCodes, operatorCodes } from '#contract';
import { type DurableObjectId, NotADatabaseError, type ObjectRuntime } from '#objects';
import { removeDatabase } from '#sqlite';
import { createStoppingProgress, type OperatorCall } from '../operator-handlers.ts';

export interface ImportRequest {
  readonly id: DurableObjectId;
  /** The expected size, to check for free space; the actual file may differ. */
  readonly bytes: number;
  /** The number of final bytes that are the write-ahead log of the file. */
  readonly walBytes: number;
  /** Fails if the object has written after this bookmark. */
  readonly unlessChangedSince: string | undefined;
}

interface ImportParts {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
}

/** Resolves to the bookmark that undoes it. */
export async function importObject(
  { directory, runtime }: ImportParts,
  call: OperatorCall,
  { id, bytes, walBytes, unlessChangedSince }: ImportRequest,
): Promise<string> {
  const history = runtime.history(id);
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < bytes * 3) throw fault(operatorCodes.directoryFull, { fill: { directory } });
  const path = runtime.scratchPath('upload', bytes);
  try {
    await receiveFile(call.content, path);
    if (walBytes > 0) await splitOff(path, `${path}-wal`, walBytes);
    return await history.importFrom(path, {
      ...(unlessChangedSince === undefined ? {} : { unlessChangedSince }),
      signal: call.signal,
      onProgress: createStoppingProgress(call),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'OBJECT_CHANGED') throw fault(objectCodes.objectChanged);
    if (!(error instanceof NotADatabaseError)) throw error;
    throw fault(operatorCodes.objectFileInvalid, { fill: { reason: error.problem } });
  } finally {
    removeDatabase(path);
  }
}

async function receiveFile(content: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of content) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

/** Moves the last bytes of a file to a separate one. */
async function splitOff(path: string, target: string, bytes: number): Promise<void> {
  const whole = await open(path, 'r+');
  try {
    const start = Math.max(0, (await whole.stat()).size - bytes);
    await receiveFile(whole.createReadStream({ start, autoClose: false }), target);
    await whole.truncate(start);
  } finally {
    await whole.close();
  }
}
