/**
 * The kinds of files of a data directory, and the row of the table in `docs/operate/troubleshooting.md` that describes
 * the effect of damage to each. A file of no kind fails the test that walks a directory, and so does a row without a
 * kind.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Kind {
  /** Of the path below the directory, as `toKind` writes it. */
  readonly pattern: RegExp;
  /** The first column of the row. */
  readonly row: string;
  /** Why a test that serves a site does not have one. */
  readonly elsewhere?: string;
  /** Which kinds of damage the bytes cannot show, and why. */
  readonly unseen?: Readonly<Record<string, string>>;
}

const anOlderLog = { "yesterday's": 'a log that ends earlier is whole: the same as after a power cut' };

export const kinds: readonly Kind[] = [
  { pattern: /^(?:.+\/)?gatehouse\.json(?:\.copy)?$/, row: '`hosts.json`, `gatehouse.json`' },
  { pattern: /^(?:.+\/)?hosts\.json(?:\.copy)?$/, row: '`hosts.json`, `gatehouse.json`' },
  {
    pattern: /^(?:host-N\/)?(?:journal|tables|images)\//,
    row: '`host-N/journal/`, `host-N/tables/`',
    unseen: anOlderLog,
  },
  {
    pattern: /^stores\/(?:host-N\/)?(?:journal|tables|images)\//,
    row: 'anything in `stores/` that keeps it from being opened',
    unseen: anOlderLog,
  },
  { pattern: /^stores\/buckets\/HEX\/HEX$/, row: '`stores/buckets/…`' },
  {
    pattern: /^workers\/@ID\/(?:host-N\/)?(?:journal|tables|images)\//,
    row: 'anything in the directory of one Worker that keeps it from being opened',
    unseen: anOlderLog,
  },
  { pattern: /^worker-code\/HEX$/, row: '`worker-code/…`' },
  {
    pattern: /^worker-assets\/HEX$/,
    row: '`worker-assets/…`',
    elsewhere: 'no Worker of it has static assets',
  },
  { pattern: /^certificates\.key(?:\.copy)?$/, row: '`certificates.key`' },
  { pattern: /^edge\.secret(?:\.copy)?$/, row: '`edge.secret`' },
  {
    pattern: /^tls\/(?:ca\.pem(?:\.copy)?|ca\.crt|server\.pem)$/,
    row: '`tls/ca.pem`',
    elsewhere: 'it serves HTTP only',
  },
  {
    pattern: /^events\/TIME\.events$/,
    row: '`events/….events`',
    unseen: { deleted: 'segments leave by age', "yesterday's": 'a segment that ends earlier is whole' },
  },
  { pattern: /^events\/moved-from-0\.1\.0$/, row: '`events/moved-from-0.1.0`' },
  { pattern: /^events\/tail\//, row: '`events/tail/`', unseen: anOlderLog },
  { pattern: /^traffic\//, row: '`traffic/`' },
  { pattern: /^crs\/current(?:\.copy)?$/, row: '`crs/current`', elsewhere: 'the rules are not installed' },
  { pattern: /^crs\/versions\//, row: '`crs/versions/…`', elsewhere: 'the rules are not installed' },
  { pattern: /^logpush\/[^/]+\/position\.json$/, row: '`logpush/…/position.json`' },
  {
    pattern: /^logpush\/[^/]+\/\d+\.lines$/,
    row: '`logpush/…/….lines`',
    elsewhere: 'all lines of it are delivered',
  },
  { pattern: /^versions\//, row: '`versions/…`', elsewhere: 'Workers of `gatehouse run` have them' },
  {
    pattern: /^(?:geoip\/|trusted-HEX\.txt$|(?:.+\/)?last-scrub\.json$)/,
    row: '`geoip/…`, `trusted-….txt`, `last-scrub.json`',
    elsewhere: 'they are downloaded, or made by a scrub',
  },
];

/** Files that only the running program needs, and files that are not data. */
const passing =
  /(?:^|\/)(?:\.worker-sockets|lock|lock\.holder|live|uploads|logs|logpush-files|[^/]+\.(?:tmp|new)|[^/]+\.sock(?:\.pids)?)(?:\/|$)/;

function toKind(path: string): string {
  return path
    .replaceAll(/@[0-9a-f]{32}/g, '@ID')
    .replaceAll(/[0-9a-f]{16,}/g, 'HEX')
    .replaceAll(/\d{10}\.run/g, 'N.run')
    .replaceAll(/\d{4}-\d\d-\d\dT\d{4}Z-\d+/g, 'TIME')
    .replaceAll(/host-\d+/g, 'host-N');
}

/** The largest file of each kind in a data directory; throws for one of no kind. */
export function walkDirectory(
  data: string,
): ReadonlyMap<string, { readonly path: string; readonly kind: Kind }> {
  const found = new Map<string, { readonly path: string; readonly kind: Kind; readonly bytes: number }>();
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    const path = relative(data, join(entry.parentPath, entry.name));
    if (!entry.isFile() || passing.test(path)) continue;
    const name = toKind(path);
    const kind = kinds.find(({ pattern }) => pattern.test(name));
    if (kind === undefined)
      throw new Error(
        `${name} is of no kind: add it to test/damage/kinds.ts, and what becomes of it to the table in docs/operate/troubleshooting.md`,
      );
    const bytes = statSync(join(data, path)).size;
    if (bytes > (found.get(name)?.bytes ?? -1)) found.set(name, { path, kind, bytes });
  }
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const guide = new URL('../../docs/operate/troubleshooting.md', import.meta.url);

/** The first column of the table of damaged files. */
export function readRows(): string[] {
  const section =
    /^## A file is damaged or missing\n(.*?)^## /ms.exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
  const table = /^\| file \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(section)?.[1] ?? '';
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' | ')[0]!.slice(2));
}
