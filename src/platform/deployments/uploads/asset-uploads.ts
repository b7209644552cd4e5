/**
 * Static assets of uploaded Workers: a session lists the files by their hashes; missing ones are uploaded, and then a
 * version can refer to the session. Files are stored once for all Workers, named by their own digest; the list of a
 * version is also a file, named by its digest.
 *
 * The client's hash of a file is only its name between the client and one Worker: clients compute it in different ways,
 * so it does not identify the content. A file counts as uploaded if a version of the same Worker has one with this name
 * and size, whichever client uploaded it.
 *
 * Files are written atomically. Sessions are in memory: one that a restart has ended must be started again. In a
 * cluster, files are also in the database, and each host has copies of those that it serves.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecentMap } from '#base';
import {
  type ApiRequest,
  type ApiResponse,
  apiPath,
  fault,
  ok,
  readFormBoundary,
  readForm,
  workerCodes,
  writeFault,
  writeReply,
} from '#contract';
import type { AssetHost, AssetManifest } from '#control';
import type { SharedFiles } from './clustered/shared-files.ts';
import { assetFolder } from './folders.ts';
import { removeUnused, writeWhole } from './whole-file.ts';

/** Cloudflare's limit. */
const fileBytesMax = 25 * 1024 * 1024;

/** The size of a joint upload in base64, for clients that do not upload files one by one. */
const bucketBytesMax = 20 * 1024 * 1024;
const formBytesMax = 64 * 1024 * 1024;

const sessionMs = 60 * 60_000;
const sessionsMax = 64;
const uploadsAtOnce = 10;

const uploadPath = new RegExp(
  `^${apiPath}/accounts/[0-9a-f]{32}/workers/assets/upload(?:/([0-9a-f]{32}))?(?:\\?.*)?$`,
);

interface Session {
  readonly manifest: AssetManifest;
  /** Sizes of the missing files, by the client's hash. */
  readonly missing: Map<string, number>;
  /** The digests of existing files. */
  readonly digests: Map<string, string>;
  readonly token: string;
  readonly completion: string;
  readonly endsAtMs: number;
}

export class AssetUploads implements AssetHost {
  readonly #folder: string;
  readonly #shared: SharedFiles | undefined;
  readonly #sessions = new RecentMap<string, Session>({ sizeMax: sessionsMax });

  constructor(data: string, shared: SharedFiles | undefined) {
    this.#folder = join(data, assetFolder);
    this.#shared = shared;
  }

  async begin(
    manifest: AssetManifest,
    lists: readonly string[],
  ): Promise<{ jwt: string; buckets: string[][] }> {
    const endsAtMs = Date.now() + sessionMs;
    const digests = await this.#findSent(manifest, lists);
    const missing = new Map<string, number>();
    for (const { hash, size } of Object.values(manifest)) if (!digests.has(hash)) missing.set(hash, size);
    const id = randomBytes(16).toString('hex');
    const expSeconds = Math.floor(endsAtMs / 1_000);
    const session: Session = {
      manifest,
      missing,
      digests,
      token: createToken({ id, exp: expSeconds, kind: 'session' }),
      completion: createToken({ id, exp: expSeconds, kind: 'completion' }),
      endsAtMs,
    };
    this.#sessions.set(id, session);
    const isComplete = missing.size === 0;
    return { jwt: isComplete ? session.completion : session.token, buckets: fillBuckets(missing) };
  }

  async complete(jwt: string): Promise<string> {
    const session = this.#find(jwt, 'completion');
    if (session === undefined || session.missing.size > 0)
      throw fault(workerCodes.assetsRefused, {
        fill: { reason: 'assets.jwt does not belong to a session with all its files: upload them again' },
      });
    const files = Object.entries(session.manifest).map(([path, { hash: given, size }]) => [
      path,
      { hash: session.digests.get(given)!, size, given },
    ]);
    return await this.#keep(Buffer.from(JSON.stringify(Object.fromEntries(files))));
  }

  /** The digests of versions' files, by the client's current hash. */
  async #findSent(manifest: AssetManifest, lists: readonly string[]): Promise<Map<string, string>> {
    const sizes = new Map(Object.values(manifest).map(({ hash: given, size }) => [given, size]));
    const sent = new Map<string, string>();
    for (const list of new Set(lists)) {
      await this.#copy(list);
      // Lists of older versions have no other names, because files were then named by the client's hash.
      for (const { hash: digest, given = digest, size } of Object.values(this.#readList(list)))
        if (sizes.get(given) === size && !sent.has(given) && (await this.#has(digest)))
          sent.set(given, digest);
    }
    return sent;
  }

  /** The list of a version, and the folder of its files. */
  async read(digest: string): Promise<{ folder: string; files: AssetManifest }> {
    await this.#copy(digest);
    const files = this.#readList(digest);
    for (const { hash } of Object.values(files)) await this.#copy(hash);
    return { folder: this.#folder, files };
  }

  /**
   * Deletes files that no version uses and that were written before this time; none if a list cannot be read, because
   * the files that it names are then unknown. Called before anything can be uploaded.
   */
  async dropAllBut(digests: Iterable<string>, beforeMs: number): Promise<void> {
    const used = new Set(digests);
    if (this.#shared !== undefined) for (const digest of used) await this.#copy(digest);
    for (const digest of [...used])
      for (const { hash } of Object.values(this.#readList(digest))) used.add(hash);
    await this.#shared?.dropAllBut(used, Date.now());
    removeUnused(this.#folder, used, beforeMs);
  }

  isFor(request: ApiRequest): boolean {
    return request.method === 'POST' && uploadPath.test(request.target);
  }

  async answer(request: ApiRequest): Promise<ApiResponse> {
    try {
      const jwt = /^Bearer (\S+)$/.exec(String(request.headers['authorization'] ?? ''))?.[1] ?? '';
      const session = this.#find(jwt, 'session');
      if (session === undefined)
        throw fault(workerCodes.assetsRefused, {
          fill: { reason: 'the session has expired or does not exist: start a new one' },
        });
      const hash = uploadPath.exec(request.target)![1];
      if (hash === undefined) await this.#takeForm(request, session);
      else await this.#take(session, hash, await readBytes(request, fileBytesMax));
      const isComplete = session.missing.size === 0;
      const { body } = writeReply(ok(isComplete ? { jwt: session.completion } : {}), []);
      return { status: isComplete ? 201 : 202, headers: { 'content-type': 'application/json' }, body };
    } catch (error) {
      if (!(error instanceof Error) || !('entries' in error)) throw error;
      const { status, body } = writeFault(error as Parameters<typeof writeFault>[0]);
      return { status, headers: { 'content-type': 'application/json' }, body };
    }
  }

  async #takeForm(request: ApiRequest, session: Session): Promise<void> {
    const boundary = readFormBoundary(String(request.headers['content-type'] ?? ''));
    const form =
      boundary === undefined ? undefined : readForm(await readBytes(request, formBytesMax), boundary);
    if (form === undefined || 'problem' in form)
      throw fault(workerCodes.assetsRefused, { fill: { reason: 'the form cannot be read' } });
    const isBase64 = request.target.includes('base64=true');
    for (const { name, bytes } of form)
      await this.#take(
        session,
        name,
        isBase64 ? Buffer.from(Buffer.from(bytes).toString('latin1'), 'base64') : bytes,
      );
  }

  async #take(session: Session, given: string, bytes: Uint8Array): Promise<void> {
    const size = session.missing.get(given);
    if (size === undefined) {
      // Uploaded again, after an answer that did not arrive.
      if (session.digests.has(given)) return;
      throw fault(workerCodes.assetsRefused, {
        fill: { reason: `${given.slice(0, 64)} is not a file of this session` },
      });
    }
    if (bytes.length !== size)
      throw fault(workerCodes.assetsRefused, {
        fill: { reason: `${given} has ${bytes.length} bytes, but the session declares ${size}` },
      });
    session.digests.set(given, await this.#keep(bytes));
    session.missing.delete(given);
  }

  /** Returns the digest, which is its name. */
  async #keep(bytes: Uint8Array): Promise<string> {
    const digest = hash('sha256', bytes, 'hex');
    if (!existsSync(join(this.#folder, digest))) await writeWhole(this.#folder, digest, bytes);
    await this.#shared?.write(digest, bytes);
    return digest;
  }

  async #has(name: string): Promise<boolean> {
    return this.#shared === undefined ? existsSync(join(this.#folder, name)) : await this.#shared.has(name);
  }

  /** Copies it from the database, if this host does not have it yet. */
  async #copy(name: string): Promise<void> {
    if (existsSync(join(this.#folder, name))) return;
    const bytes = await this.#shared?.read(name);
    if (bytes !== undefined) await writeWhole(this.#folder, name, bytes);
  }

  #readList(digest: string): AssetManifest {
    const file = join(this.#folder, digest);
    const bytes = readFileSync(file);
    if (hash('sha256', bytes, 'hex') !== digest)
      throw new Error(`${file} is damaged, a list of assets: deploy the Worker again`);
    return readManifest(bytes.toString());
  }

  #find(jwt: string, kind: 'session' | 'completion'): Session | undefined {
    const id = readId(jwt);
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (session === undefined || session.endsAtMs < Date.now()) return undefined;
    const expected = Buffer.from(kind === 'session' ? session.token : session.completion);
    const given = Buffer.from(jwt);
    return given.length === expected.length && timingSafeEqual(given, expected) ? session : undefined;
  }
}

function readManifest(text: string): AssetManifest {
  return JSON.parse(text) as AssetManifest;
}

/** The names of the files of a list. */
export function listAssetFiles(list: string): string[] {
  return Object.values(readManifest(list)).map(({ hash }) => hash);
}

/** In the form of a JWT, because Wrangler reads its claims; only this program verifies it. */
function createToken(claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const all = { ...claims, wrangler_single_asset_uploads: true, edge_kv_upload_concurrency: uploadsAtOnce };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(all)}.${randomBytes(32).toString('base64url')}`;
}

function readId(jwt: string): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
      id?: unknown;
    };
    return typeof claims.id === 'string' ? claims.id : undefined;
  } catch {
    return undefined;
  }
}

function fillBuckets(missing: ReadonlyMap<string, number>): string[][] {
  const buckets: string[][] = [];
  let bytes = Infinity;
  for (const [hash, size] of missing) {
    if (bytes + size > bucketBytesMax) {
      buckets.push([]);
      bytes = 0;
    }
    buckets.at(-1)!.push(hash);
    bytes += size;
  }
  return buckets;
}

async function readBytes(request: ApiRequest, bytesMax: number): Promise<Uint8Array> {
  const bytes = await request.readBody(bytesMax);
  if (bytes !== 'too-large') return bytes;
  throw fault(workerCodes.assetsRefused, { fill: { reason: `it has more than ${bytesMax} bytes` } });
}
