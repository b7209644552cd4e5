/**
 * Which databases a cluster has, and which of them an object is in.
 *
 * A database has a name, under which it is recorded in all of them: its URL may change, and the order in which URLs are
 * given is irrelevant. Each of the initial databases has generation 1; those that are added later have the next ones.
 * An object is in one of the databases of the generation in which it was created: the one whose name fits its key best
 * (rendezvous hashing), so that an added database takes its share of the objects created from then on, and no object
 * ever moves.
 *
 * Most objects fit the same database in every generation. For the others, the candidates are asked which of them has
 * the object; if none has, it is created in that of the newest generation. Hosts of an older and a newer generation
 * never run at the same time, so it is not created elsewhere.
 */
import { ClusterDatabaseError } from '../errors.ts';
import type { ObjectKey } from '../ownership/lease-database.ts';
import { chooseDatabase, hashName } from './rendezvous.ts';

export interface DatabaseUrl {
  readonly name: string;
  readonly url: string;
}

export interface ListedDatabase {
  readonly name: string;
  readonly generation: number;
}

/** The list as one of the databases records it. */
export interface RecordedList {
  /** Empty if the database is not part of a cluster yet. */
  readonly databases: readonly ListedDatabase[];
  /** The database's own name. */
  readonly mine: string | undefined;
  /** Whether there are objects in it. */
  readonly isUsed: boolean;
}

/** A host that is not declared dead, which prevents changes of the list. */
export interface LivingHost {
  readonly id: string;
  readonly beat: number;
  readonly leaseMs: number;
  readonly isOver: boolean;
}

/** The name of a database whose URL contains none. */
const nameDefault = 'main';

/** Reads URLs, a list or a text with spaces between them. No message contains a URL, because of passwords. */
export function readDatabaseUrls(given: string | readonly string[]): DatabaseUrl[] {
  const texts = typeof given === 'string' ? given.trim().split(/\s+/) : given;
  if (!Array.isArray(texts) || texts.length === 0)
    throw new ClusterDatabaseError('url must be the address of a database, or a list of them');
  const databases = texts.map(readDatabaseUrl);
  const names = databases.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new ClusterDatabaseError(
      `url must have a different name for each database: two are called "${twice}"; put the name behind the URL, as in postgres://db2.internal/gatehouse#second`,
    );
  }
  return databases;
}

function readDatabaseUrl(text: unknown): DatabaseUrl {
  if (typeof text !== 'string' || !URL.canParse(text) || !/^postgres(?:ql)?:$/.test(new URL(text).protocol)) {
    throw new ClusterDatabaseError(
      'url must be the address of a database, such as postgres://user:password@db.internal/gatehouse, with user and password percent-encoded',
    );
  }
  const url = new URL(text);
  // Such a password ends early, and its rest would be taken for an address.
  if (!isDecodable(url) || (url.username === '' && text.includes('@'))) {
    throw new ClusterDatabaseError(
      'url must have its user and password percent-encoded: write %40 for @, %3A for :, %2F for /, %3F for ?, %23 for # and %25 for %',
    );
  }
  const name = url.hash === '' ? nameDefault : url.hash.slice(1);
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw new ClusterDatabaseError(
      'url must have 1 to 64 letters, digits, dots, dashes or underscores behind its #: the name of the database',
    );
  }
  url.hash = '';
  return { name, url: url.href };
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** The URL without user and password. */
export function describeUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

export class DatabaseList {
  readonly #byGeneration: ReadonlyArray<{
    readonly names: readonly string[];
    readonly hashes: readonly number[];
  }>;

  constructor(databases: readonly ListedDatabase[]) {
    const newest = Math.max(...databases.map(({ generation }) => generation));
    this.#byGeneration = Array.from({ length: newest }, (_, index) => {
      const names = databases
        .filter(({ generation }) => generation <= index + 1)
        .map(({ name }) => name)
        .toSorted();
      return { names, hashes: names.map(hashName) };
    });
  }

  /** The names of the databases that an object may be in, that of the newest generation first. */
  candidatesOf(object: ObjectKey): string[] {
    const hash = hashName(object);
    const names = this.#byGeneration.map(
      ({ hashes, names: listed }) => listed[chooseDatabase(hashes, hash)]!,
    );
    return [...new Set(names.toReversed())];
  }
}
