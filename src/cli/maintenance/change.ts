/** `gatehouse objects alarms`, `alarm run`, `alarm cancel`, `put` and `delete`, through the process that runs them. */
import { fromTypedJson } from '#objects';
import type { Access } from '#maintenance';
import { encodeValue } from '#values';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { readInput } from '../read-input.ts';
import { directoryOptions as options, printRow, readDirectory, readPlace, withAccess } from './directory.ts';

const alarms: Command = {
  name: 'objects alarms',
  parameters: '[class]',
  summary: 'List the alarms that are set: class, id, name, time.',
  options,
  async run(args) {
    const [className] = args.positionals;
    await withAccess(args, 'look', async (access) => {
      const request = className === undefined ? {} : { className };
      const rows = await Array.fromAsync(access.rows({ do: 'alarms', ...request }));
      for (const row of rows.toSorted((a, b) => String(a['time']).localeCompare(String(b['time']))))
        printRow(args, row);
    });
    return exitCodes.success;
  },
};

const runAlarm: Command = {
  name: 'objects alarm run',
  parameters: '<class> <name-or-id>',
  summary: 'Run the alarm of an object now, as if its time had come. gatehouse dev or serve must be running.',
  details: 'If the handler fails, the exit code is 1, and the alarm is tried again as usual.',
  options,
  run: (args) => change(args, { do: 'run-alarm' }),
};

const cancelAlarm: Command = {
  name: 'objects alarm cancel',
  parameters: '<class> <name-or-id>',
  summary: 'Delete the alarm of an object. gatehouse dev or serve must be running.',
  options,
  run: (args) => change(args, { do: 'cancel-alarm' }),
};

const put: Command = {
  name: 'objects put',
  parameters: '<class> <name-or-id> <key> <json>',
  summary: 'Store a value in an object, which is then reset. gatehouse dev or serve must be running.',
  details: `The value is JSON, or - for JSON from standard input. What JSON lacks is an object with one name: {"$date": "2026-01-31T12:00:00Z"}, {"$bigint": "5"}, {"$map": [["key", 1]]},
{"$set": [1]}, {"$bytes": "AAE="}, {"$undefined": true}. For an object with SQL storage, the bookmark that undoes it is printed.`,
  options,
  async run(args) {
    const [, , key, json] = args.positionals as [string, string, string, string];
    const text = json === '-' ? readInput(json) : json;
    let bytes: Uint8Array;
    try {
      bytes = encodeValue(fromTypedJson(text));
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
    return await change(args, { do: 'put', key, value: Buffer.from(bytes).toString('base64') });
  },
};

const remove: Command = {
  name: 'objects delete',
  parameters: '<class> <name-or-id> <key>',
  summary: 'Delete a value of an object, which is then reset. gatehouse dev or serve must be running.',
  options,
  run: (args) => change(args, { do: 'delete', key: args.positionals[2]! }),
};

type Change =
  | { readonly do: 'run-alarm' | 'cancel-alarm' }
  | { readonly do: 'put'; readonly key: string; readonly value: string }
  | { readonly do: 'delete'; readonly key: string };

async function change(args: Arguments, request: Change): Promise<number> {
  await withAccess(args, 'change', async (access: Access) => {
    if (!access.isLive) {
      throw new CommandError(
        `no program runs on ${readDirectory(args)}: start gatehouse dev or serve, because this is done by the code of the object`,
      );
    }
    for await (const row of access.rows({ ...request, ...readPlace(args) })) printRow(args, row);
  });
  return exitCodes.success;
}

export const changeCommands: readonly Command[] = [alarms, runAlarm, cancelAlarm, put, remove];
