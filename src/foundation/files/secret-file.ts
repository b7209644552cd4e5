/**
 * A secret in a file of its own that cannot be recreated: a key with which others are encrypted. Beside it is a copy
 * with a checksum (`<name>.copy`), so that a lost or damaged file can be restored from the other. The copy has the
 * checksum, so it counts where the two differ; another secret of the right form is set aside and not overwritten.
 *
 * A secret never changes once it exists.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { decodeDecidingFile, encodeDecidingFile } from './deciding-file.ts';
import { findFreeName } from './find-free-name.ts';
import { createPrivateFile, readIfThere, writePrivateFile } from './private-file.ts';

export interface SecretFile {
  readonly path: string;
  /** Whether the content of a file without a checksum can be a secret. */
  readonly isSecret: (content: Buffer) => boolean;
}

export const secretKeyBytes = 32;

/** A key as raw bytes. */
export function isSecretKey(content: Buffer): boolean {
  return content.length === secretKeyBytes;
}

/** A key as a line of text. */
export function isSecretText(content: Buffer): boolean {
  return isSecretKey(decodeSecretText(content));
}

export function decodeSecretText(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').trim(), 'base64url');
}

type FoundSecret =
  | { readonly state: 'absent' }
  | { readonly state: 'damaged'; readonly reason: string }
  | {
      readonly state: 'whole';
      readonly content: Buffer;
      /** A problem of the file or its copy; `mendSecretFile` repairs both. */
      readonly flaw: string | undefined;
      /** Older versions made no copy. */
      readonly isCopied: boolean;
    };

export function readSecretFile({ path, isSecret }: SecretFile): FoundSecret {
  const main = existsSync(path) ? readFileSync(path) : undefined;
  const copyText = readIfThere(copyOf(path));
  const copy = copyText === undefined ? undefined : decodeCopy(copyText);
  if (main === undefined && copyText === undefined) return { state: 'absent' };
  const content = copy ?? (main !== undefined && isSecret(main) ? main : undefined);
  const flaws: string[] = [];
  if (main === undefined) flaws.push(`${path} is missing`);
  else if (content === undefined || !content.equals(main)) flaws.push(`${path} is damaged`);
  if (copyText !== undefined && copy === undefined) flaws.push(`${copyOf(path)} is damaged`);
  const flaw = flaws.length === 0 ? undefined : flaws.join(', and ');
  return content === undefined
    ? { state: 'damaged', reason: flaw ?? `${path} is damaged` }
    : { state: 'whole', content, flaw, isCopied: copyText !== undefined };
}

/** Stores a new secret, unless another process was first: returns the one that counts. */
export function createSecretFile(file: SecretFile, content: string | Uint8Array): Buffer {
  createPrivateFile(file.path, content);
  const found = readSecretFile(file);
  if (found.state !== 'whole') throw new Error(`${file.path} could not be created`);
  writePrivateFile(copyOf(file.path), encodeCopy(found.content));
  return found.content;
}

/** Stores this secret and no other. */
export function replaceSecretFile(path: string, content: string | Uint8Array): void {
  writePrivateFile(copyOf(path), encodeCopy(content));
  writePrivateFile(path, content);
}

/** Called by one process, before others read the file. A full disk does not prevent a start: the next one retries. */
export function mendSecretFile(file: SecretFile, warn: (message: string) => void): void {
  const found = readSecretFile(file);
  if (found.state !== 'whole' || (found.flaw === undefined && found.isCopied)) return;
  const { path, isSecret } = file;
  const flaw = found.flaw ?? `${path} has no copy`;
  try {
    if (existsSync(path)) {
      const main = readFileSync(path);
      if (!main.equals(found.content) && isSecret(main)) moveAside(path);
    }
    replaceSecretFile(path, found.content);
    if (found.flaw !== undefined) warn(`${flaw}: written again`);
  } catch (error) {
    warn(`${flaw}, and it cannot be rewritten: ${(error as Error).message}`);
  }
}

/** For a secret that is damaged together with its copy: neither is overwritten by another secret. */
export function setAsideSecretFile(path: string): void {
  for (const each of [path, copyOf(path)]) if (existsSync(each)) moveAside(each);
}

function copyOf(path: string): string {
  return `${path}.copy`;
}

function encodeCopy(content: string | Uint8Array): Uint8Array {
  return encodeDecidingFile({ secret: Buffer.from(content).toString('base64') });
}

function decodeCopy(text: string): Buffer | undefined {
  const value: { readonly secret?: unknown } | undefined = decodeDecidingFile(text);
  return typeof value?.secret === 'string' ? Buffer.from(value.secret, 'base64') : undefined;
}

function moveAside(path: string): void {
  renameSync(path, findFreeName(`${path}.damaged`, existsSync));
}
