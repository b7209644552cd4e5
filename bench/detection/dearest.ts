/**
 * Searches for the request that takes the managed ruleset longest to judge, for a given time: texts of repeated pieces,
 * in one value or, with `--values many`, every repetition in a separate numbered value; the most expensive are mutated
 * repeatedly. Prints the five most expensive with their CPU time; the edge refuses requests whose judging is abandoned,
 * which count as well.
 *
 *     npm run verify -- dearest --minutes 10 [--values one|many] [--seed 7] [--kilobytes 128]
 */
import { parseArgs } from 'node:util';
import { StepBudget } from '../../src/foundation/work.ts';
import { RequestView } from '../../src/rules/expressions.ts';
import { CompiledZone, ManagedPrograms } from '../../src/rules/firewall.ts';
import { getJudgingSteps } from '../../src/rules/rulesets.ts';
import { legacyPackages, managedRulesets } from '../../src/rules/managed.ts';
import { RequestFields } from '../../src/rules/request.ts';
import { factsOf } from '../edge/judging.ts';
import { markdownOf, target } from '../edge/report.ts';
import type { SampleRequest } from '../edge/requests.ts';
import { zoneOf } from '../edge/zones.ts';
import { units } from './units.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '7' },
    kilobytes: { type: 'string', default: '128' },
    values: { type: 'string', default: 'one' },
  },
});
const bytesMax = Number(options.kilobytes) * 1024;
/** Every repetition of a piece is a value, with a number so that none recurs. */
const isSplit = options.values === 'many';
if (!isSplit && options.values !== 'one') throw new Error('--values is one or many');
/** Of an address, and of a header. */
const headBytesMax = 16 * 1024;
const keptMax = 32;

const zone = new CompiledZone(zoneOf({ managed: true }, 1), {
  catalogue: { rulesets: managedRulesets, legacyPackages },
  programs: new ManagedPrograms(),
});

/** Mulberry32: the same seed makes the same search, as far as times are the same. */
let state = Number(options.seed) >>> 0;
function random(below: number): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}

const words = 'select union or and cat script on javascript http etc passwd this system exec a b 1'.split(
  ' ',
);
const pieces = [...units, ...words, ...words.map((word) => `${word} `), '%', '%25', '\\', '=', ' ', '\u00e9'];

interface Piece {
  readonly text: string;
  readonly count: number;
}

const places = ['form', 'json', 'multipart', 'xml', 'text', 'query', 'cookie'] as const;

interface Candidate {
  readonly place: (typeof places)[number];
  readonly pieces: readonly Piece[];
}

function pickPiece(): Piece {
  return { text: pieces[random(pieces.length)]!, count: 2 ** random(16) };
}

function pickPlace(): Candidate['place'] {
  return places[random(places.length)]!;
}

function change({ place, pieces: before }: Candidate, other: Candidate): Candidate {
  const at = random(before.length);
  const piece = before[at]!;
  const changed: Piece[][] = [
    before.with(at, pickPiece()),
    before.with(at, { ...piece, count: Math.max(1, piece.count * 2) }),
    before.with(at, { ...piece, text: piece.text + pieces[random(pieces.length)]! }),
    before.toSpliced(at, 0, pickPiece()),
    before.length > 1 ? before.toSpliced(at, 1) : [...before],
    [...before.slice(0, at + 1), ...other.pieces.slice(random(other.pieces.length))],
  ];
  return {
    place: random(8) === 0 ? pickPlace() : place,
    pieces: changed[random(changed.length)]!.slice(0, 8),
  };
}

/** What one value takes besides its text, at least. */
const bytesPerValue = 4;

function writeTexts({ place, pieces: parts }: Candidate): readonly string[] {
  const texts: string[] = [];
  let room = place === 'query' || place === 'cookie' ? headBytesMax : bytesMax;
  for (const { text, count } of parts) {
    if (isSplit) {
      for (let written = 0; written < count && room > 0; written++) {
        texts.push(`${text}${texts.length}`);
        room -= text.length + bytesPerValue;
      }
    } else {
      texts.push(text.repeat(Math.min(count, Math.ceil(room / text.length))).slice(0, room));
      room -= texts.at(-1)!.length;
    }
  }
  return isSplit ? texts : [texts.join('')];
}

function toRequest(candidate: Candidate): SampleRequest {
  const texts = writeTexts(candidate);
  const { place } = candidate;
  const post = (type: string, body: string): SampleRequest => ({
    name: place,
    method: 'POST',
    target: '/post',
    headers: { Host: 'shop.example', 'Content-Type': type },
    body: body.slice(0, bytesMax),
  });
  const get = (query: string, cookie: string): SampleRequest => ({
    name: place,
    method: 'GET',
    target: `/${query}`,
    headers: { Host: 'shop.example', ...(cookie === '' ? {} : { Cookie: cookie }) },
    body: '',
  });
  const joined = (separator: string, write: (text: string) => string): string =>
    texts.map((text, index) => `${index}=${write(text)}`).join(separator);
  switch (place) {
    case 'form':
      return post('application/x-www-form-urlencoded', joined('&', encodeURIComponent));
    case 'json':
      return post('application/json', JSON.stringify(texts));
    case 'multipart': {
      const head = (name: number): string => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
      return post(
        'multipart/form-data; boundary=x',
        `${texts.map((text, index) => `${head(index)}${text}\r\n`).join('')}--x--\r\n`,
      );
    }
    case 'xml':
      return post('application/xml', `<a>${texts.map((text) => `<b>${toXml(text)}</b>`).join('')}</a>`);
    case 'text':
      return post('text/plain', texts.join('\n'));
    case 'query':
      return get(`?${joined('&', encodeURIComponent)}`.slice(0, headBytesMax), '');
    case 'cookie':
      return get('', joined('; ', (text) => text.replaceAll(/[\0-\x20;]/g, '+')).slice(0, headBytesMax));
  }
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** CPU milliseconds of one judgement, and whether it was abandoned. */
function time(candidate: Candidate): { readonly ms: number; readonly isGivenUp: boolean } {
  const request = toRequest(candidate);
  const budget = new StepBudget(getJudgingSteps(request.body.length));
  const view = new RequestView(new RequestFields(factsOf(request)));
  const before = process.cpuUsage();
  zone.judge({ view, budget });
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, isGivenUp: budget.exceeded !== undefined };
}

interface Kept extends ReturnType<typeof time> {
  readonly candidate: Candidate;
}

const endMs = performance.now() + Number(options.minutes) * 60_000;
const kept: Kept[] = [];
let tried = 0;
for (; performance.now() < endMs; tried++) {
  const parent = kept[random(Math.max(1, kept.length))]?.candidate;
  const candidate =
    parent === undefined || kept.length < keptMax || random(5) === 0
      ? { place: pickPlace(), pieces: [pickPiece(), pickPiece()] }
      : change(parent, kept[random(kept.length)]!.candidate);
  let measured = time(candidate);
  const least = kept.length < keptMax ? -1 : kept.at(-1)!.ms;
  if (measured.ms <= least) continue;
  // Other processes, the garbage collector and the compiler can only increase it.
  for (let again = 0; again < 3 && measured.ms > least; again++) {
    const other = time(candidate);
    if (other.ms < measured.ms) measured = other;
  }
  if (measured.ms <= least) continue;
  kept.push({ candidate, ...measured });
  kept.sort((a, b) => b.ms - a.ms);
  kept.length = Math.min(kept.length, keptMax);
}

console.log(
  markdownOf({
    title: `The dearest of ${tried.toLocaleString('en')} requests of up to ${options.kilobytes} KB with ${options.values} value${isSplit ? 's' : ''}, searched for ${options.minutes} minutes (seed ${options.seed})`,
    header: ['place and pieces', 'CPU, ms', 'target'],
    rows: kept
      .slice(0, 5)
      .map(({ candidate, ms, isGivenUp }) => [
        `${candidate.place}: \`${JSON.stringify(candidate.pieces.map(({ text, count }) => [text, count])).replaceAll('|', String.raw`\|`)}\``,
        ms.toFixed(1),
        `${target('< 100', ms < 100)}${isGivenUp ? ', given up' : ''}`,
      ]),
  }),
);
