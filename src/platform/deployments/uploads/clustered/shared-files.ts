/**
 * Files that all hosts of a cluster need: code and assets of uploaded Workers, named by their content. They are objects
 * of a bucket that Workers cannot be bound to; each host has a copy of those that it runs.
 */
import { bindingClassNames, R2Bucket, R2ObjectBody } from '#bindings';
import type { ObjectRuntime } from '#objects';

/** Buckets of the account cannot have this name. */
const bucketName = '@workers';

/** Files of an interrupted upload are deleted after this time. */
const leftMs = 60 * 60_000;

/** Files that are deleted at a time. */
const deletedMax = 1_000;

interface Listed {
  readonly objects: readonly { readonly key: string; readonly uploaded: Date }[];
  readonly truncated: boolean;
  readonly cursor?: string;
}

export class SharedFiles {
  readonly #open: () => Promise<Pick<ObjectRuntime, 'namespace'>>;
  readonly #prefix: string;

  constructor(open: () => Promise<Pick<ObjectRuntime, 'namespace'>>, folder: string) {
    this.#open = open;
    this.#prefix = `${folder}/`;
  }

  async has(name: string): Promise<boolean> {
    return (await (await this.#bucket()).head(this.#prefix + name)) !== null;
  }

  /** Resolves when it is in the database. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const bucket = await this.#bucket();
    if ((await bucket.head(this.#prefix + name)) === null) await bucket.put(this.#prefix + name, bytes);
  }

  /** Undefined if there is none of this name. */
  async read(name: string): Promise<Uint8Array | undefined> {
    const found = await (await this.#bucket()).get(this.#prefix + name);
    return found instanceof R2ObjectBody ? new Uint8Array(await found.arrayBuffer()) : undefined;
  }

  async remove(names: readonly string[]): Promise<void> {
    if (names.length > 0) await (await this.#bucket()).delete(names.map((name) => this.#prefix + name));
  }

  /** Deletes unused files, except those that may be part of an upload in progress at another host. */
  async dropAllBut(names: ReadonlySet<string>, nowMs: number): Promise<void> {
    const bucket = await this.#bucket();
    let cursor: string | undefined;
    do {
      const list = (await bucket.list({
        prefix: this.#prefix,
        limit: deletedMax,
        ...(cursor && { cursor }),
      })) as Listed;
      const unused = list.objects
        .filter(({ uploaded }) => nowMs - uploaded.getTime() > leftMs)
        .map(({ key }) => key.slice(this.#prefix.length))
        .filter((name) => !names.has(name));
      await this.remove(unused);
      cursor = list.truncated ? list.cursor : undefined;
    } while (cursor !== undefined);
  }

  async #bucket(): Promise<R2Bucket> {
    const runtime = await this.#open();
    return new R2Bucket(() => runtime.namespace(bindingClassNames.r2).getByName(bucketName));
  }
}
