/**
 * Damages each kind of file of a data directory in each way, and prints a table: the reports of a scrub and of the next
 * start, and the lost data. Run it by hand: `npm run verify -- damage`, some kinds with `npm run verify -- damage
 * hosts.json journal`. It fails if data is lost that neither of them reported, nor the response to a request for it,
 * unless the bytes cannot show it. Finally the directory is copied while the server writes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UploadSite } from '../wrangler/upload-site.ts';
import { environment, fillSite, look, whole } from './full-site.ts';
import { walkDirectory } from './kinds.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

type Damage = (file: string, yesterday: string) => boolean;

/** Each returns whether it changed anything. */
const damages: Readonly<Record<string, Damage>> = {
  deleted: (file) => {
    rmSync(file);
    return true;
  },
  emptied: (file) => {
    truncateSync(file, 0);
    return true;
  },
  cut(file) {
    const { size } = statSync(file);
    truncateSync(file, size >> 1);
    return size > 0;
  },
  'a bit flipped'(file) {
    const bytes = readFileSync(file);
    // Where the content is: files of the log end in zeros.
    const used = bytes.findLastIndex((byte) => byte !== 0);
    if (used < 0) return false;
    bytes[used >> 1]! ^= 4;
    writeFileSync(file, bytes);
    return true;
  },
  "yesterday's"(file, yesterday) {
    const before = statSync(yesterday, { throwIfNoEntry: false });
    if (before === undefined || readFileSync(yesterday).equals(readFileSync(file))) return false;
    cpSync(yesterday, file);
    return true;
  },
};

async function scrub(data: string): Promise<string> {
  const command = spawn(process.execPath, [main, 'objects', 'scrub', '--data', data]);
  const [stdout] = [text(command.stdout), text(command.stderr)];
  const [code] = (await once(command, 'close')) as [number | null];
  return code === 0
    ? '–'
    : ((await stdout).split('\n')[0]?.split('  ').slice(2).join(' ') ?? `exit code ${code}`);
}

/** A request for it gets an error: damage of one object is found when it is read. */
function isSaidLater(lost: readonly string[]): boolean {
  return lost.every((each) => /: 5\d\d(?: |$)/.test(each));
}

interface Outcome {
  readonly said: string;
  readonly lost: readonly string[];
}

async function startOn(directory: string, token: string, expected: Record<string, string>): Promise<Outcome> {
  const ends: (() => void)[] = [];
  const t = { after: (end: () => void) => void ends.push(end) } as unknown as TestContext;
  try {
    const site = await UploadSite.start(t, { directory, environment, token });
    const answers = await look(site);
    const lost = Object.keys(expected).filter((name) => answers[name] !== expected[name]);
    await site.server.end('SIGKILL');
    const said =
      site.server.stderr
        .split('\n')
        .find((line) => /out of service|set aside|written again|damaged|missing|broken|cannot/i.test(line)) ??
      '–';
    return { said: shorten(said), lost: lost.map((name) => `${name}: ${answers[name]}`) };
  } catch (error) {
    const lines = (error as Error).message.split('\n').filter((line) => /gatehouse:|error/i.test(line));
    return {
      said: `refused: ${shorten(lines.at(-1) ?? (error as Error).message)}`,
      lost: ['nothing starts'],
    };
  } finally {
    for (const end of ends) end();
  }
}

function shorten(line: string): string {
  return line
    .replace(/^\S+ (?:warn|error) /i, '')
    .replaceAll(/\/tmp\/\S*?\/data/g, 'DATA')
    .replaceAll('|', '/')
    .slice(0, 160);
}

async function sweep(only: readonly string[]): Promise<boolean> {
  const base = mkdtempSync(join(tmpdir(), 'gatehouse-damage-'));
  const ends: (() => void)[] = [];
  const t = { after: (end: () => void) => void ends.push(end) } as unknown as TestContext;
  let isSilent = false;
  try {
    const home = join(base, 'home');
    mkdirSync(home);
    const first = await fillSite(t, home);
    const token = first.ready.token!;
    await first.server.end('SIGTERM');
    cpSync(join(home, 'data'), join(base, 'yesterday'), { recursive: true });
    const second = await UploadSite.start(t, { directory: home, environment, token });
    const [{ id }] = (await second.call('GET A/storage/kv/namespaces')).result;
    const { account_id: account, api } = second.ready;
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${api}/accounts/${account}/storage/kv/namespaces/${id}/values/key`, {
      method: 'PUT',
      headers,
      body: 'later',
    });
    const expected = { ...whole, kv: 'later', stores: 'later' };
    await second.server.end('SIGKILL');
    process.stdout.write('| file | damage | scrub | start | not there |\n|---|---|---|---|---|\n');
    for (const [name, { path, kind }] of walkDirectory(join(home, 'data'))) {
      if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
      for (const [how, damage] of Object.entries(damages)) {
        const directory = join(base, 'case');
        rmSync(directory, { recursive: true, force: true });
        cpSync(home, directory, { recursive: true });
        const data = join(directory, 'data');
        if (!damage(join(data, path), join(base, 'yesterday', path))) continue;
        // Both inspect the damaged file: a scrub that opens a log may repair it.
        const copy = join(base, 'scrubbed');
        rmSync(copy, { recursive: true, force: true });
        cpSync(data, copy, { recursive: true });
        const found = shorten((await scrub(copy)).replaceAll(copy, 'DATA'));
        const { said, lost } = await startOn(directory, token, expected);
        const isQuiet = lost.length > 0 && said === '–' && found === '–' && !isSaidLater(lost);
        const why = isQuiet ? kind.unseen?.[how] : undefined;
        isSilent ||= isQuiet && why === undefined;
        const mark = !isQuiet ? '' : why === undefined ? '**SILENT** ' : `(${why}) `;
        process.stdout.write(
          `| \`${name}\` | ${how} | ${found} | ${said} | ${mark}${lost.join('; ') || '–'} |\n`,
        );
      }
    }
    if (only.length === 0 || only.includes('directory')) await copyUnderWork(base, { home, token, expected });
  } finally {
    for (const end of ends) end();
    rmSync(base, { recursive: true, force: true });
  }
  return isSilent;
}

interface Site {
  readonly home: string;
  readonly token: string;
  readonly expected: Record<string, string>;
}

/**
 * The files of the copy are from different moments; data from before the start of the copy must be in it, or be
 * reported as missing.
 */
async function copyUnderWork(base: string, { home, token, expected }: Site): Promise<void> {
  const ends: (() => void)[] = [];
  const t = { after: (end: () => void) => void ends.push(end) } as unknown as TestContext;
  const directory = join(base, 'copied');
  try {
    const site = await UploadSite.start(t, { directory: home, environment, token });
    const end = new AbortController();
    const work = (async () => {
      for (let n = 0; !end.signal.aborted; n++) await site.call('POST A/queues', { queue_name: `more-${n}` });
    })();
    await cp(home, directory, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    end.abort();
    await work;
    await site.server.end('SIGKILL');
  } finally {
    for (const end of ends) end();
  }
  const { said, lost } = await startOn(directory, token, expected);
  process.stdout.write(
    `| the whole directory | copied while it is written | | ${said} | ${lost.join('; ') || '–'} |\n`,
  );
}

process.exitCode = (await sweep(process.argv.slice(2))) ? 1 : 0;
