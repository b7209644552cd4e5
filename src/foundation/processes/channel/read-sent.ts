/**
 * Validates every field that a child has sent: a process may run user code, which can write to every descriptor of the
 * process. Anything that is not in `messages.ts` is a `ProtocolError`.
 */
import { Distribution } from '#base';
import { type WorkKind, workNotes } from '#work';
import type { ToParent, WatchLine } from '../messages.ts';
import { failureCharactersMax, namedCharactersMax } from '../limits.ts';
import { ProtocolError } from './protocol-error.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** `what` names the value in the error. */
export function readFields(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProtocolError(`${what} is not an object`);
  return value as Fields;
}

export function readText(value: unknown, what: string, charactersMax: number): string {
  if (typeof value !== 'string') throw new ProtocolError(`${what} is not a text`);
  return value.slice(0, charactersMax);
}

/** A finite, non-negative number. */
export function readAmount(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new ProtocolError(`${what} is not an amount`);
  return value;
}

/** Any number, including NaN: a reading without a value yet sends that. */
function readNumber(value: unknown, what: string): number {
  if (typeof value !== 'number') throw new ProtocolError(`${what} is not a number`);
  return value;
}

export function readList(value: unknown, what: string, lengthMax: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > lengthMax)
    throw new ProtocolError(`${what} is not a list of at most ${lengthMax}`);
  return value;
}

const boundsMax = 100;

/** Its class is lost in transmission. */
export function readDistribution(value: unknown): Distribution {
  const { bounds, counts, sum } = readFields(value, 'a distribution');
  const read = new Distribution(
    readList(bounds, 'the bounds of a distribution', boundsMax).map((each) => readNumber(each, 'a bound')),
  );
  if (!(counts instanceof Float64Array) || counts.length !== read.counts.length)
    throw new ProtocolError('a distribution has other counts than bounds');
  read.counts.set(counts);
  read.sum = readNumber(sum, 'a sum');
  return read;
}

export function readSent(value: unknown): ToParent {
  const { kind, ...fields } = readFields(value, 'a message');
  switch (kind) {
    case 'ready':
      return { kind, value: fields['value'] };
    case 'message':
      return { kind, body: fields['body'] };
    case 'stopping':
      return { kind };
    case 'beat':
      return { kind, residentBytes: readAmount(fields['residentBytes'], 'the memory of a process') };
    case 'printed':
      return { kind, text: readText(fields['text'], 'a printed line', failureCharactersMax) };
    case 'failed':
      return {
        kind,
        name: readText(fields['name'], 'the name of an error', namedCharactersMax),
        message: readText(fields['message'], 'the text of an error', failureCharactersMax),
      };
    default:
      throw new ProtocolError('a message has a kind that no child sends');
  }
}

export function readWatchLine(line: string): WatchLine {
  const { kind, residentBytes, orphan, ms, work } = readFields(parse(line), 'a line of the watchdog');
  const from = orphan === undefined ? {} : { orphan: readAmount(orphan, 'the id of a process') };
  switch (kind) {
    case 'beat':
      return residentBytes === undefined
        ? { kind, ...from }
        : { kind, ...from, residentBytes: readAmount(residentBytes, 'the memory of a process') };
    case 'stuck':
    case 'statement':
      return { kind, ...from, ms: readAmount(ms, 'a time'), work: readWork(work) };
    default:
      throw new ProtocolError('a line of the watchdog has a kind that no watchdog writes');
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new ProtocolError('a line of the watchdog is not JSON', { cause: error });
  }
}

function readWork(value: unknown): Partial<Record<WorkKind, string>> {
  const given = readFields(value, 'the work of a process');
  const work: Partial<Record<WorkKind, string>> = {};
  for (const kind of workNotes.kinds)
    if (Object.hasOwn(given, kind))
      work[kind] = readText(given[kind], 'the name of work', namedCharactersMax);
  return work;
}
