/** `gatehouse objects get`: the stored values of an object, decoded. */
import { isDeepStrictEqual } from 'node:util';
import { type OperatorAccess, readDatabase } from '#operator';
import { showValue } from '#objects';
import { decodeValue } from '#values';
import { type Arguments, type Command, CommandError, UsageError } from '../command.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { directoryOptions, readMoment, readPlace, timeOption, withAccess } from './directory.ts';

const valuesDefault = 1_000;

type KeyedValue = readonly [key: string, value: unknown];

export const getCommand: Command = {
  name: 'objects get',
  parameters: '<class> <name-or-id> [key]',
  summary: 'Print the values that an object has stored with ctx.storage.put(): one, or all with their keys.',
  details:
    'With --json a value that JSON cannot hold, such as a Map, is printed as text, in the field inspected.',
  options: {
    ...directoryOptions,
    ...timeOption,
    limit: { value: 'N', help: `maximum number of values (${valuesDefault})` },
  },
  async run(args) {
    const limit = readWholeNumber(args, 'limit', { min: 1, max: 1_000_000 }) ?? valuesDefault;
    const key = args.positionals[2];
    const print = createPrinter(args, { key, limit });
    const isFound = await withAccess(args, 'look', (access, { show: onProgress }) =>
      read(access, args, { onProgress, print }),
    );
    if (key !== undefined && !isFound) {
      throw new CommandError(`${args.positionals.slice(0, 2).join(' ')} has no value under the key ${key}`);
    }
  },
};

/** Returns whether it was the last wanted one. */
type Printer = (entry: KeyedValue) => boolean;

function createPrinter(
  args: Arguments,
  { key: wanted, limit }: { key: string | undefined; limit: number },
): Printer {
  let printed = 0;
  return ([key, value]) => {
    if (wanted !== undefined && key !== wanted) return false;
    if (printed === limit) {
      process.stderr.write(`there are more values: --limit ${limit * 10} shows up to ten times as many\n`);
      return true;
    }
    printed++;
    process.stdout.write(`${write(args, key, value, wanted)}\n`);
    return wanted !== undefined;
  };
}

function write(args: Arguments, key: string, value: unknown, wanted: string | undefined): string {
  const text = showValue(value);
  if (!args.switches.has('json')) return wanted === undefined ? `${key}  ${text}` : text;
  return JSON.stringify(isJson(value) ? { key, value } : { key, inspected: text });
}

/** Whether JSON represents the complete value. */
function isJson(value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value) ?? 'null'), value);
  } catch {
    return false;
  }
}

async function read(
  access: OperatorAccess,
  args: Arguments,
  {
    onProgress,
    print,
  }: { readonly onProgress: Parameters<typeof readDatabase>[2]['onProgress']; readonly print: Printer },
): Promise<boolean> {
  const place = readPlace(args);
  const at = readMoment(args.values['time'], '--time');
  const { result } = await access.client.get('/objects/{class_name}/{object}', place);
  if (result.storage === 'sql') {
    return await readDatabase(access, place, { at, onProgress }, (database) => {
      for (const entry of database.entries()) if (print(entry)) return true;
      return false;
    });
  }
  if (at !== undefined) {
    throw new UsageError(
      `${place.class_name} has key-value storage, which keeps no history: leave out --time`,
    );
  }
  const values = '/objects/{class_name}/{object}/stored_values';
  for await (const { key, base64 } of access.client.lines('GET', values, place))
    if (print([key, decodeValue(Buffer.from(base64, 'base64'))])) return true;
  return false;
}
