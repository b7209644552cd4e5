/** The sending side of a backup: the files of a directory that is in use, as of one position of its log. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile, BackupPart, HeldFiles } from '#objects';
import type { Channel } from './channel.ts';
import { MaintenanceError } from './error.ts';
import { pieceBytesMax, socketName } from './limits.ts';
import type { SessionParts } from './session-parts.ts';

/**
 * Names each file and sends what the other side does not have of it. The objects are held first, and the position that
 * they are held at is the backup's; other parts are at least as new.
 */
export async function sendBackup(
  channel: Channel,
  { directory, runtime, parts }: SessionParts,
): Promise<void> {
  using objects = await runtime.holdForBackup();
  using stack = new DisposableStack();
  const held: HeldFiles[] = [objects];
  const names = new Set([...objects.names, socketName, ...parts.flatMap((part) => part.names)]);
  for (const part of [...parts, createOtherFiles(directory, names)]) held.push(stack.use(await part.hold()));
  const bytes = held.reduce((sum, part) => sum + part.bytes, 0);
  await channel.send({ backup: { position: objects.position, bytes } });
  for (const { files } of held) for await (const file of files) await sendFile(channel, directory, file);
}

async function sendFile(channel: Channel, directory: string, file: BackupFile): Promise<void> {
  const { content, source = file.path, ...description } = file;
  await channel.send({ file: description });
  const from = await receiveStart(channel, file.bytes);
  if (content !== undefined) return await channel.sendPiece(from, content.subarray(from));
  if (from === file.bytes) return;
  const handle = await open(join(directory, source), 'r');
  try {
    for (let at = from; at < file.bytes;) {
      const memory = Buffer.allocUnsafeSlow(Math.min(pieceBytesMax, file.bytes - at));
      const { bytesRead } = await handle.read(memory, 0, memory.length, at);
      if (bytesRead === 0) throw new MaintenanceError(`${file.path} became shorter while it was copied`);
      await channel.sendPiece(at, memory.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** How much of the file the other side has. */
async function receiveStart(channel: Channel, bytes: number): Promise<number> {
  const frame = await channel.receive();
  const { from } = (frame !== undefined && 'message' in frame ? frame.message : {}) as {
    readonly from?: unknown;
  };
  if (typeof from === 'number' && Number.isSafeInteger(from) && from >= 0 && from <= bytes) return from;
  throw new MaintenanceError('the client did not say what it has of a file', { code: 'REQUEST_INVALID' });
}

/** What no part has claimed: small files that are replaced as a whole, such as certificates. */
function createOtherFiles(directory: string, claimed: ReadonlySet<string>): BackupPart {
  return {
    names: [],
    async hold() {
      const paths = [...listPaths(directory, '', claimed)];
      const bytes = paths.reduce((sum, path) => sum + statSync(join(directory, path)).size, 0);
      return { bytes, files: describeFiles(directory, paths), [Symbol.dispose]: () => {} };
    },
  };
}

function* listPaths(directory: string, folder: string, claimed: ReadonlySet<string>): Generator<string> {
  for (const entry of readdirSync(join(directory, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const isPassing = entry.name.startsWith('.') || entry.name.endsWith('.tmp');
    if (claimed.has(path) || isPassing) continue;
    if (entry.isDirectory()) yield* listPaths(directory, path, claimed);
    else if (entry.isFile()) yield path;
  }
}

/** A file that is small is read at once, so that its length and its bytes are of one moment. */
function* describeFiles(directory: string, paths: readonly string[]): Generator<BackupFile> {
  for (const path of paths) {
    const size = statSync(join(directory, path), { throwIfNoEntry: false })?.size;
    if (size === undefined) continue;
    if (size > pieceBytesMax) yield { path, bytes: size };
    else {
      const content = readFileSync(join(directory, path));
      yield { path, bytes: content.length, content };
    }
  }
}
