/** `gatehouse objects alarms`, `alarm run`, `alarm cancel`, `put` and `delete`, through the process that runs them. */
import { fromTypedJson } from '#objects';
import type { ObjectPlace, OperatorAccess } from '#operator';
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
      const query = { class: className };
      const alarms = await Array.fromAsync(access.client.lines('GET', '/alarms', { query }));
      for (const each of alarms.toSorted((a, b) => a.time.localeCompare(b.time)))
        printRow(args, { class: each.class, id: each.id, name: each.name, time: each.time });
    });
  },
};

const runAlarm: Command = {
  name: 'objects alarm run',
  parameters: '<class> <name-or-id>',
  summary: 'Run the alarm of an object now. gatehouse dev or serve must be running.',
  details: 'If the handler fails, the exit code is 1, and the alarm is retried as usual.',
  options,
  run: (args) =>
    change(args, async ({ client }, place) => {
      const { result } = await client.post('/objects/{class_name}/{object}/alarm', place);
      const { outcome, error } = result;
      if (error === undefined) return { outcome };
      throw new CommandError(`the alarm of ${place.class_name} ${place.object} ran and failed: ${error}`);
    }),
};

const cancelAlarm: Command = {
  name: 'objects alarm cancel',
  parameters: '<class> <name-or-id>',
  summary: 'Delete the alarm of an object. gatehouse dev or serve must be running.',
  options,
  run: (args) =>
    change(args, async ({ client }, place) => {
      const { result } = await client.delete('/objects/{class_name}/{object}/alarm', place);
      return { done: 'cancel-alarm', undo: result.undo };
    }),
};

const put: Command = {
  name: 'objects put',
  parameters: '<class> <name-or-id> <key> <json>',
  summary: 'Store a value in an object, which is then reset. gatehouse dev or serve must be running.',
  details: `The value is JSON, or - for JSON from standard input. Values that JSON lacks are written as an object with one name: {"$date": "2026-01-31T12:00:00Z"}, {"$bigint": "5"}, {"$map": [["key", 1]]},
{"$set": [1]}, {"$bytes": "AAE="}, {"$undefined": true}. For an object with SQL storage, the bookmark that undoes it is printed.`,
  options,
  async run(args) {
    const [, , key, json] = args.positionals as [string, string, string, string];
    const text = json === '-' ? readInput(json) : json;
    try {
      fromTypedJson(text);
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
    return await change(args, async ({ client }, place, confirm) => {
      const body = { key, value: text, confirm };
      const { result } = await client.put('/objects/{class_name}/{object}/value', { ...place, body });
      return { done: 'put', undo: result.undo };
    });
  },
};

const remove: Command = {
  name: 'objects delete',
  parameters: '<class> <name-or-id> <key>',
  summary: 'Delete a value of an object, which is then reset. gatehouse dev or serve must be running.',
  options,
  run: (args) =>
    change(args, async ({ client }, place, confirm) => {
      const query = { key: args.positionals[2]!, confirm };
      const { result } = await client.delete('/objects/{class_name}/{object}/value', { ...place, query });
      return { done: 'delete', undo: result.undo };
    }),
};

/** `confirm` names the object, as a confirmation. */
type ObjectChange = (
  access: OperatorAccess,
  place: ObjectPlace,
  confirm: string,
) => Promise<Parameters<typeof printRow>[1]>;

async function change(args: Arguments, make: ObjectChange): Promise<number> {
  await withAccess(args, 'change', async (access) => {
    if (!access.isLive) {
      throw new CommandError(
        `no program runs on ${readDirectory(args)}: start gatehouse dev or serve, because the code of the object does this`,
      );
    }
    const place = readPlace(args);
    const { result } = await access.client.get('/objects/{class_name}/{object}', place);
    printRow(args, await make(access, place, result.confirm));
  });
  return exitCodes.success;
}

export const changeCommands: readonly Command[] = [alarms, runAlarm, cancelAlarm, put, remove];
