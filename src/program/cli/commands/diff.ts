/** `gatehouse diff`: the differences between the configurations of two zones, or of a zone and a file. */
import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ApiClient } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection } from '../api/connection.ts';
import { type Arguments, type Command, CommandError, exitCodes } from '../command.ts';
import type { Json } from '../resources/fields.ts';
import { openScreen, type Screen } from '../resources/tables.ts';
import { escapeUnprintable } from '../terminal/text.ts';
import { type BundleItems, listBundleItems } from '../diff/bundle-items.ts';

interface ZoneDifference {
  readonly item: string;
  /** Absent if only the second has the item. */
  readonly before?: Json;
  /** Absent if only the first has the item. */
  readonly after?: Json;
}

export const diffCommand: Command = {
  name: 'diff',
  parameters: '<zone-or-file> <zone-or-file>',
  summary: 'Compare the configurations of two zones, or of a zone and a file. Exit code 1 if they differ.',
  details: `A file is the output of gatehouse zones export. Items are matched by their content (an expression, a URL pattern, the ref of a rule), because ids differ between zones. gatehouse rulesets diff compares versions of one ruleset.

${connectionHelp}`,
  options: { ...connectionOptions, json: { help: 'print JSON, one line for each difference' } },
  async run(args) {
    const [first, second] = args.positionals as [string, string];
    const before = await readItems(args, first);
    const differences = compareItems(before, await readItems(args, second));
    const screen = openScreen();
    for (const difference of differences) {
      if (args.switches.has('json')) screen.write(`${JSON.stringify(difference)}\n`);
      else printDifference(screen, difference);
    }
    return differences.length === 0 ? exitCodes.success : exitCodes.failure;
  },
};

async function readItems(args: Arguments, place: string): Promise<BundleItems> {
  if (existsSync(place)) return listBundleItems(readBundleFile(place));
  using api = new ApiClient(readConnection(args, diffCommand.name));
  const { id: zone_id } = await api.findZone(place);
  return listBundleItems((await api.get('/zones/{zone_id}/export', { zone_id })).result as Json);
}

function readBundleFile(file: string): Json {
  try {
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as Json;
    if (bundle['format'] === 'gatehouse.zone') return bundle;
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new CommandError(`${file} is not the configuration of a zone: write it with gatehouse zones export`);
}

function compareItems(before: BundleItems, after: BundleItems): readonly ZoneDifference[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((item): ZoneDifference[] => {
    const [one, other] = [before.get(item), after.get(item)];
    if (isDeepStrictEqual(one, other)) return [];
    return [
      {
        item,
        ...(one === undefined ? {} : { before: one }),
        ...(other === undefined ? {} : { after: other }),
      },
    ];
  });
}

function printDifference(screen: Screen, { item, before, after }: ZoneDifference): void {
  const name = escapeUnprintable(item);
  if (before === undefined) screen.write(`${screen.style('green', `+ ${name}`)}\n`);
  else if (after === undefined) screen.write(`${screen.style('red', `- ${name}`)}\n`);
  else {
    screen.write(`${screen.style('yellow', `~ ${name}`)}\n`);
    for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (isDeepStrictEqual(before[field], after[field])) continue;
      screen.write(`    ${field}: ${show(before[field])} -> ${show(after[field])}\n`);
    }
  }
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : escapeUnprintable(JSON.stringify(value));
}
