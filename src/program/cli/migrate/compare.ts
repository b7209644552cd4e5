/**
 * `gatehouse migrate compare`: the requests on which the two generations of a zone in validation mode differ. The
 * server compares; this prints its answer.
 */
import type { Result } from '#client';
import { connectionHelp, connectionOptions } from '../api/connection.ts';
import { writeTable } from '../api/table.ts';
import { openScreen } from '../resources/tables.ts';
import { escapeUnprintable } from '../terminal/text.ts';
import { type Command, UsageError } from '../command.ts';
import { MigratingZone } from './migrating-zone.ts';

const requestsShown = 20;

type MigrationComparison = Result<'migration.compare'>;
type ComparedRequest = MigrationComparison['compared'][number];

export const compareCommand: Command = {
  name: 'migrate compare',
  parameters: '<zone>',
  summary: 'Show the requests on which the two rule generations of a zone in validation mode differ.',
  details: `Compares the requests since validation began. While the new rules only log (gatehouse migrate validate --watch), what
they would do is compared; otherwise a new rule that stops a request hides what the legacy rules would have done. Requests that the edge itself refused are counted separately.

Exit codes: 0 success, 1 failure, 2 wrong command line.

${connectionHelp}`,
  options: {
    ...connectionOptions,
    since: { value: 'TIME', help: 'RFC 3339, or how long ago: 15m, 24h, 7d (the start of validation)' },
    json: { help: 'print JSON' },
  },
  async run(args) {
    using migrating = await MigratingZone.open(args, 'migrate compare');
    const { migration_state: state } = await migrating.readStatus();
    if (state !== 'validation')
      throw new UsageError(
        `${migrating.zone.name} is in the state ${state}: only in validation are both generations in force (gatehouse migrate validate)`,
      );
    const { since } = args.values;
    const { result: comparison } = await migrating.api.post('/zones/{zone_id}/waf_migration/comparison', {
      zone_id: migrating.id,
      body: since === undefined ? {} : { since },
    });
    process.stdout.write(
      args.switches.has('json')
        ? `${JSON.stringify(comparison, undefined, 2)}\n`
        : writeComparison(comparison),
    );
  },
};

function writeComparison(comparison: MigrationComparison): string {
  const { requests, differ, unknown, agree, compared, is_complete, watched, since } = comparison;
  const apart = writeByEdge(comparison);
  if (requests === 0) return `No managed rule acted on a request since ${since}.\n${apart}`;
  const { style } = openScreen();
  const counts = `${requests} requests since ${since}: ${agree} alike, ${differ} treated differently${unknown === 0 ? '' : `, ${unknown} that did not reach the legacy rules`}`;
  const notes = [
    ...(watched ? ['The new rules only log; what they would do is compared.'] : []),
    ...(is_complete ? [] : ['Older requests were left out: give a later --since for a complete comparison.']),
  ];
  const summary = [style(differ === 0 ? 'green' : 'yellow', counts), ...notes, ''].join('\n');
  const shown = compared.filter(({ verdict }) => verdict !== 'agrees');
  if (shown.length === 0) return `${summary}${apart}`;
  const pairs = Map.groupBy(shown, ({ previous, next }) => `${writeSide(previous)}  ->  ${writeSide(next)}`);
  const rules = [...pairs]
    .map(([pair, own]) => [own.reduce((sum, { times }) => sum + times, 0), pair] as const)
    .toSorted(([a], [b]) => b - a);
  const rows = shown
    .slice(0, requestsShown)
    .map((each) => [
      each.datetime,
      each.ray,
      each.times,
      escapeUnprintable(`${each.method} ${each.path}${each.query}`).slice(0, 80),
    ]);
  return [
    summary,
    writeTable(['requests', 'legacy rules -> new rules'], rules),
    `The newest of them (details: gatehouse explain):\n${writeTable(['time', 'request id', 'times', 'request'], rows)}${apart}`,
  ].join('\n');
}

/** The outcome, and the rules behind it. */
function writeSide({ outcome, rules }: ComparedRequest['next']): string {
  const behind = rules.map(({ action, rule_id, description }) => `${action} ${rule_id} ${description}`);
  return escapeUnprintable([outcome, ...(behind.length === 0 ? [] : [`(${behind.join('; ')})`])].join(' '));
}

function writeByEdge({ by_edge }: MigrationComparison): string {
  if (by_edge.length === 0) return '';
  const rows = by_edge.map(({ requests, action, rule_id, description }) => [
    requests,
    action,
    rule_id,
    escapeUnprintable(description),
  ]);
  return `\nHandled by the edge itself, not compared:\n${writeTable(['requests', 'action', 'what', 'why'], rows)}`;
}
