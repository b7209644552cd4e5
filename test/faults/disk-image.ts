/**
 * The contents of a disk at one moment: directories, the names in them, and the bytes of each file. An image changes
 * only by `apply`, one operation at a time, so that a test can build the image after a crash from any selection of the
 * operations before it.
 *
 * Bytes are kept in pages that are never changed in place and shared between copies; pages of zeros are not kept at
 * all. So a copy costs a few map entries, even of a preallocated log.
 */
import { posix } from 'node:path';

export const sectorBytes = 512;
const pageBytes = 4096;

export type FileNumber = number & { readonly brand: 'FileNumber' };

export type DiskOperation =
  | {
      readonly kind: 'write';
      readonly file: FileNumber;
      readonly position: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'resize'; readonly file: FileNumber; readonly size: number }
  | { readonly kind: 'create'; readonly path: string; readonly file: FileNumber }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly file: FileNumber }
  | { readonly kind: 'unlink'; readonly path: string; readonly file: FileNumber }
  | { readonly kind: 'mkdir'; readonly path: string };

interface Content {
  size: number;
  readonly pages: Map<number, Buffer>;
}

export class DiskImage {
  readonly #directories: Map<string, Map<string, FileNumber>>;
  readonly #contents: Map<FileNumber, Content>;

  private constructor(directories: Map<string, Map<string, FileNumber>>, contents: Map<FileNumber, Content>) {
    this.#directories = directories;
    this.#contents = contents;
  }

  /** An empty disk on which the directory `root` exists. */
  static empty(root: string): DiskImage {
    return new DiskImage(new Map([[root, new Map()]]), new Map());
  }

  copy(): DiskImage {
    return new DiskImage(
      new Map(Array.from(this.#directories, ([path, names]) => [path, new Map(names)])),
      new Map(
        Array.from(this.#contents, ([file, { size, pages }]) => [file, { size, pages: new Map(pages) }]),
      ),
    );
  }

  names(directory: string): string[] | undefined {
    const names = this.#directories.get(directory);
    if (names === undefined) return undefined;
    const inside = [...this.#directories.keys()].filter((path) => posix.dirname(path) === directory);
    return [...names.keys(), ...inside.map((path) => posix.basename(path))].sort();
  }

  file(path: string): FileNumber | undefined {
    return this.#directories.get(posix.dirname(path))?.get(posix.basename(path));
  }

  /** A number that no file of this image has. */
  get unusedFile(): FileNumber {
    return (Math.max(0, ...this.#contents.keys()) + 1) as FileNumber;
  }

  size(file: FileNumber): number {
    return this.#contents.get(file)?.size ?? 0;
  }

  read(file: FileNumber, target: Uint8Array, position: number): number {
    const { size, pages } = this.#content(file);
    const length = Math.max(0, Math.min(target.length, size - position));
    let absent = 0;
    for (let at = 0; at < length;) {
      const start = (position + at) % pageBytes;
      const end = Math.min(at + pageBytes - start, length);
      const page = pages.get(Math.floor((position + at) / pageBytes));
      if (page !== undefined) {
        clear(target.subarray(absent, at));
        target.set(page.subarray(start, start + end - at), at);
        absent = end;
      }
      at = end;
    }
    clear(target.subarray(absent, length));
    return length;
  }

  /** An operation on a name or directory that does not exist here is lost with it. */
  apply(operation: DiskOperation): void {
    switch (operation.kind) {
      case 'write':
        this.#write(this.#content(operation.file), operation.bytes, operation.position);
        break;
      case 'resize':
        this.#resize(this.#content(operation.file), operation.size);
        break;
      case 'create':
        this.#parent(operation.path)?.set(posix.basename(operation.path), operation.file);
        break;
      case 'rename': {
        const names = this.#parent(operation.from);
        if (names?.get(posix.basename(operation.from)) === operation.file)
          names.delete(posix.basename(operation.from));
        names?.set(posix.basename(operation.to), operation.file);
        break;
      }
      case 'unlink': {
        const names = this.#parent(operation.path);
        if (names?.get(posix.basename(operation.path)) === operation.file)
          names.delete(posix.basename(operation.path));
        break;
      }
      case 'mkdir':
        if (this.#parent(operation.path) !== undefined) this.#directories.set(operation.path, new Map());
        break;
    }
  }

  #parent(path: string): Map<string, FileNumber> | undefined {
    return this.#directories.get(posix.dirname(path));
  }

  #content(file: FileNumber): Content {
    let content = this.#contents.get(file);
    if (content === undefined) this.#contents.set(file, (content = { size: 0, pages: new Map() }));
    return content;
  }

  #write(content: Content, bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length;) {
      const number = Math.floor((position + at) / pageBytes);
      const start = (position + at) % pageBytes;
      const part = bytes.subarray(at, at + pageBytes - start);
      const old = content.pages.get(number);
      if (old !== undefined || !isZero(part)) {
        const page = old === undefined ? Buffer.alloc(pageBytes) : Buffer.from(old);
        page.set(part, start);
        content.pages.set(number, page);
      }
      at += part.length;
    }
    content.size = Math.max(content.size, position + bytes.length);
  }

  #resize(content: Content, size: number): void {
    for (const number of content.pages.keys()) {
      if (number * pageBytes >= size) content.pages.delete(number);
    }
    const last = content.pages.get(Math.floor(size / pageBytes));
    if (last !== undefined) {
      content.pages.set(
        Math.floor(size / pageBytes),
        Buffer.concat([last.subarray(0, size % pageBytes)], pageBytes),
      );
    }
    content.size = size;
  }
}

const zeros = Buffer.alloc(16 * pageBytes);

function isZero(bytes: Uint8Array): boolean {
  return zeros.compare(bytes, 0, bytes.length, 0, bytes.length) === 0;
}

/** Writes zeros only where there are none: a large fresh buffer then takes no memory for a preallocated file. */
function clear(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += zeros.length) {
    const piece = bytes.subarray(at, at + zeros.length);
    if (!isZero(piece)) piece.fill(0);
  }
}
