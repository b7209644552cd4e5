/** The commands of the activity log whose answers have a special form; the others are in the table of resources. */
import { once } from 'node:events';
import { operations } from '#contract';
import { readServerEvents } from '#client';
import type { SecurityEvent } from '#events';
import { ApiClient } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection } from '../api/connection.ts';
import { type Arguments, type Command, CommandError, exitCodes, type Option } from '../command.ts';
import { explainCommand } from './explain.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { toPhrase } from '../resources/fields.ts';
import { openScreen, type Screen } from '../resources/tables.ts';
import { eventFamily } from '../resources/rows/events.ts';
import { escapeUnprintable } from '../terminal/text.ts';

const family = eventFamily.summary;

const conditionOptions = {
  where: { value: 'FIELD:OP:VALUE', help: 'such as action:eq:block (may be repeated)', isRepeatable: true },
  expression: { value: 'TEXT', help: toPhrase(operations['security.tail'].query.expression.description!) },
} as const satisfies Readonly<Record<string, Option>>;

const tail: Command = {
  name: 'events tail',
  parameters: '<zone>',
  summary: 'Show events as they happen, until interrupted.',
  family,
  details: connectionHelp,
  options: {
    ...conditionOptions,
    limit: { value: 'N', help: 'exit after this many events' },
    ...connectionOptions,
    json: { help: 'print JSON, one line for each event' },
  },
  async run(args) {
    let left = readWholeNumber(args, 'limit', { min: 1, max: 10_000_000 }) ?? Number.POSITIVE_INFINITY;
    using api = new ApiClient(readConnection(args, tail.name));
    const zone_id = await findZoneId(api, args);
    const query = readConditions(args);
    const stream = await api.stream('/zones/{zone_id}/security/events/tail', { zone_id, query });
    const screen = openScreen();
    process.stderr.write('waiting for events; interrupt to end\n');
    for await (const { event, data } of readServerEvents(stream)) {
      if (event === 'missed')
        process.stderr.write(`${escapeUnprintable(data)} events were left out: this terminal is too slow\n`);
      if (event !== 'message') continue;
      screen.write(
        args.switches.has('json') ? `${data}\n` : showEvent(screen, JSON.parse(data) as SecurityEvent),
      );
      left--;
      if (left <= 0) return exitCodes.success;
    }
    throw new CommandError(
      `${api.url} has ended the stream: it is stopping, or the token is no longer valid`,
      {
        exitCode: exitCodes.unreachable,
      },
    );
  },
};

const exportEvents: Command = {
  name: 'events export',
  parameters: '<zone>',
  summary: 'Print everything that a search finds, oldest first, as lines of JSON or CSV.',
  family,
  details: connectionHelp,
  options: {
    since: { value: 'TIME', help: toPhrase(operations['security.export'].query.since.description!) },
    until: { value: 'TIME', help: toPhrase(operations['security.export'].query.until.description!) },
    ...conditionOptions,
    format: { value: 'ndjson|csv', choices: ['ndjson', 'csv'], help: 'the form (ndjson)' },
    ...connectionOptions,
  },
  async run(args) {
    using api = new ApiClient(readConnection(args, exportEvents.name));
    const zone_id = await findZoneId(api, args);
    const { since, until, format } = args.values;
    const query = { ...readConditions(args), since, until, format };
    const { body } = await api.stream('/zones/{zone_id}/security/events/export', { zone_id, query });
    if (body === null) return exitCodes.success;
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    }
    return exitCodes.success;
  },
};

async function findZoneId(api: ApiClient, { positionals: [zone] }: Arguments): Promise<string> {
  return /^[0-9a-f]{32}$/.test(zone!) ? zone! : (await api.findZone(zone!)).id;
}

function readConditions({ values, repeated }: Arguments) {
  return { where: repeated['where'], expression: values['expression'] };
}

function showEvent(screen: Screen, event: SecurityEvent): string {
  const action = event.action.padEnd(9);
  const shown = event.action === 'block' ? screen.style('red', action) : action;
  const request = `${event.clientRequestHTTPMethodName} ${event.clientRequestHTTPHost}${event.clientRequestPath}`;
  const rule = event.description === undefined || event.description === '' ? event.ruleId : event.description;
  const text = escapeUnprintable(`${event.clientIP}  ${request}  ${event.source}: ${rule}`);
  return `${event.datetime}  ${shown}  ${text}  ${screen.style('dim', event.id)}\n`;
}

export const eventsCommands: readonly Command[] = [
  tail,
  exportEvents,
  { ...explainCommand, name: 'events explain', family },
];
