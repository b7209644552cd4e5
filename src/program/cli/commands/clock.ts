/** `gatehouse clock …`: moves the clock of a running `gatehouse dev --clock virtual`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Input, OperatorOperations, ResultOf } from '#contract';
import { operatorRules, sendRequest } from '#outbound';
import { clockPath } from '#workers';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { askOperator } from '../operator/ask.ts';
import { readSpan, readTime } from '../time-arguments.ts';

const options = {
  data: { value: 'DIRECTORY', help: '--persist-to of gatehouse dev: connects through the socket there' },
  url: { value: 'URL', help: 'where gatehouse dev listens (http://127.0.0.1:8787)' },
  'ready-file': { value: 'FILE', help: 'the file that gatehouse dev --ready-file wrote' },
  json: { help: 'print JSON' },
} as const;

const answerBytesMax = 64 * 1024;

const details = `Alarms and timers that become due in between run in order, and the command waits for all of them.`;

export const clockCommands: readonly Command[] = [
  {
    name: 'clock show',
    parameters: '',
    summary: 'Show the virtual time of a running gatehouse dev.',
    options,
    run: (args) => send(args, undefined),
  },
  {
    name: 'clock advance',
    parameters: '<time>',
    summary: 'Move virtual time forward by 90s, 15m, 1h30m, 7d …, and run what becomes due.',
    details,
    options,
    run: (args) => send(args, { advance_ms: readSpan('<time>', args.positionals[0]!) }),
  },
  {
    name: 'clock set',
    parameters: '<time>',
    summary: 'Move virtual time forward to a time, and run what becomes due.',
    details,
    options,
    run: (args) => send(args, { set: new Date(readTime('<time>', args.positionals[0]!)).toISOString() }),
  },
  {
    name: 'clock next',
    parameters: '',
    summary: 'Move virtual time forward to the next alarm, and run it.',
    details,
    options,
    run: (args) => send(args, { next: 'alarm' }),
  },
];

type ShownClock = ResultOf<OperatorOperations['clock.get']>;
type Move = Input<OperatorOperations['clock.move']>['body'];

async function send(args: Arguments, move: Move | undefined): Promise<number> {
  const { data } = args.values;
  const shown = data === undefined ? await askUrl(readUrl(args), move) : await askDoor(resolve(data), move);
  process.stdout.write(args.switches.has('json') ? `${JSON.stringify(shown)}\n` : formatShown(shown));
  return exitCodes.success;
}

async function askDoor(directory: string, body: Move | undefined): Promise<ShownClock> {
  const shown = await askOperator(directory, (client) =>
    body === undefined ? client.get('/clock') : client.post('/clock', { body }),
  );
  if (shown !== undefined) return shown;
  throw new CommandError(
    `no gatehouse dev with a virtual clock runs on ${directory}: start it with --clock virtual --persist-to ${directory}`,
  );
}

/** Through the port of the Worker, which is known where the directory is not. */
async function askUrl(base: string, move: Move | undefined): Promise<ShownClock> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(move),
  };
  const { body } = await sendRequest({
    url: new URL(clockPath, base).href,
    ...(move === undefined ? {} : post),
    rules: operatorRules,
    bytesMax: answerBytesMax,
  }).catch((error: Error) => {
    throw new CommandError(`${error.message}; start gatehouse dev --clock virtual`, { cause: error });
  });
  const answer = parseAnswer(body.toString());
  if (answer === undefined)
    throw new CommandError(`${base} has no virtual clock: start it with gatehouse dev --clock virtual`);
  if ('error' in answer) throw new CommandError(`cannot move the clock: ${answer.error}`);
  return answer;
}

function formatShown({ now, alarm_ran: ran }: ShownClock): string {
  return ran === false ? `${now}\nno alarm is set\n` : `${now}\n`;
}

function readUrl({ values }: Arguments): string {
  const { url, 'ready-file': file } = values;
  if (url !== undefined) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError(`--url must be a URL such as http://127.0.0.1:8787: ${url}`);
    return url;
  }
  return file === undefined ? 'http://127.0.0.1:8787' : readReadyFile(file);
}

function readReadyFile(file: string): string {
  try {
    const { url } = JSON.parse(readFileSync(resolve(file), 'utf8')) as { url?: unknown };
    if (typeof url === 'string') return url;
  } catch (error) {
    throw new CommandError(`cannot read the ready file ${file}: is gatehouse dev running?`, { cause: error });
  }
  throw new CommandError(`${file} is not the ready file of gatehouse dev: it has no "url"`);
}

/** Undefined if it is not the answer of a clock: the Worker has answered the request. */
function parseAnswer(text: string): ShownClock | { readonly error: string } | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const isClock = typeof answer === 'object' && answer !== null && ('now' in answer || 'error' in answer);
    return isClock ? (answer as ShownClock) : undefined;
  } catch {
    return undefined;
  }
}
