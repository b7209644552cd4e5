/** `gatehouse learning rehearse`: what a zone would learn from recorded traffic, and how that would change verdicts. */
import { plans, type Plan } from '#rulesets';
import {
  type ChangedFinding,
  type LearningReport,
  openTraffic,
  RehearsalError,
  rehearseLearning,
  type TrafficFormat,
  trafficFormats,
} from '#rehearsal';
import { type Command, CommandError } from '../command.ts';
import { writeTable } from '../api/table.ts';
import { escapeUnprintable } from '../terminal/text.ts';

export const learningCommand: Command = {
  name: 'learning rehearse',
  parameters: '<file>',
  summary: 'Show what a zone would learn from recorded traffic, and which findings that would change.',
  details: `The file is an access log, an HTTP archive (.har), lines of JSON or a .http file; a name that ends in .gz is uncompressed. As in a zone, learning uses requests without findings that were answered 2xx or 3xx if the file has statuses. Then all requests are judged again, as if learning acted. Nothing is sent, and no server is needed.

A zone waits a day before it applies what it has learned, and so does the rehearsal, by the times in the file; --soon skips the wait.`,
  options: {
    plan: { value: plans.join('|'), choices: plans, help: 'judge by the managed rules of this plan (pro)' },
    format: { value: trafficFormats.join('|'), choices: trafficFormats, help: 'the format of the file' },
    soon: { help: 'apply what was learned even if the recording is shorter than a day' },
    json: { help: 'print JSON' },
  },
  async run(args) {
    const { plan = 'pro', format } = args.values;
    const file = args.positionals[0]!;
    try {
      const report = await rehearseLearning({
        traffic: await openTraffic({
          file,
          format: format as TrafficFormat | undefined,
          zoneName: 'corpus.invalid',
        }),
        plan: plan as Plan,
        countsSoon: args.switches.has('soon'),
      });
      const text = args.switches.has('json') ? `${JSON.stringify(report)}\n` : writeReport(report);
      process.stdout.write(text);
    } catch (error) {
      if (error instanceof RehearsalError) throw new CommandError(error.message, { cause: error });
      throw error;
    }
  },
};

/** The JSON has all of them. */
const shownMax = 20;

function writeReport(report: LearningReport): string {
  const { requests, unreadable, learnedFrom, values, known, raised, lowered, changes } = report;
  const shown = values.slice(0, shownMax);
  const table = writeTable(
    ['path', 'name', 'requests', 'networks', 'counts', 'usual'],
    shown.map((value) => [
      value.path,
      value.name,
      value.requests,
      value.networks,
      value.known ? 'yes' : 'no',
      value.usual,
    ]),
  );
  const skipped = unreadable === 0 ? '' : `, ${unreadable} lines could not be read`;
  return [
    ...(shown.length === 0 ? [] : [table]),
    `learned from ${learnedFrom} of ${requests} requests${skipped}: ${values.length} values, ${known} of them known well enough to be used`,
    `${raised} likely findings would become sure and be blocked; ${lowered} would not be reported`,
    ...changes.slice(0, shownMax).map(writeChange),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function writeChange({ at, request, kind, effect, read, note }: ChangedFinding): string {
  const what = effect === 'raised' ? 'blocked' : 'not reported';
  return escapeUnprintable(
    `  ${what}: ${at === '' ? '' : `${at}: `}${request}: ${kind}, ${JSON.stringify(read)}: ${note}`,
  );
}
