/** Commands about the versions of a Worker that `gatehouse run`, or `gatehouse serve`, has deployed. */
import { resolve } from 'node:path';
import { ok } from '#contract';
import { describeVersions, VersionStore } from '#deployments';
import type { OperatorClient } from '#operator';
import { workerOption } from './run.ts';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { askOperator } from '../operator/ask.ts';

const options = {
  data: { value: 'DIRECTORY', help: 'data directory of the Worker (data)' },
} as const;

const place = `The data directory is that of gatehouse run, or workers/NAME in the one of gatehouse serve.`;

const deployCommand: Command = {
  name: 'deploy',
  parameters: '[path]',
  summary: 'Deploy a new version of a running Worker.',
  details: `path is a project; by default the one that was deployed last. If the version does not load or start, nothing changes, and this command prints the reason and fails. ${place}`,
  options: {
    ...options,
    env: { value: 'NAME', help: 'environment of the configuration to run' },
    worker: workerOption,
  },
  async run(args) {
    const [path] = args.positionals;
    const { env: environment } = args.values;
    const workers = (args.repeated['worker'] ?? []).map((each) => resolve(each));
    if (path === undefined && (environment !== undefined || workers.length > 0))
      throw new UsageError('--env and --worker need a path');
    const named = environment === undefined ? {} : { environment };
    const body = path === undefined ? {} : { path: resolve(path), ...named, workers };
    const { current, is_changed: isChanged } = await ask(args, (client) =>
      client.post('/deployments', { body }),
    );
    return print(isChanged ? `version ${current} runs` : `nothing changed: version ${current} runs`);
  },
};

const rollbackCommand: Command = {
  name: 'rollback',
  parameters: '[version]',
  summary: 'Roll a running Worker back to an earlier version.',
  details: `version is a number that gatehouse versions shows; by default the version that ran before. Objects keep what they have stored since; to restore them, use gatehouse objects restore. ${place}`,
  options,
  async run(args) {
    const [given] = args.positionals;
    if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given))
      throw new UsageError(`version must be a number: ${given}`);
    const body = given === undefined ? {} : { version: Number(given) };
    const { current, is_changed: isChanged } = await ask(args, (client) =>
      client.post('/deployments/rollback', { body }),
    );
    return print(isChanged ? `version ${current} runs` : `version ${current} runs already`);
  },
};

const versionsCommand: Command = {
  name: 'versions',
  parameters: '',
  summary: 'List the stored versions of a Worker.',
  details: `A star marks the version that is running, or that ran last. ${place}`,
  options,
  async run(args) {
    const directory = dataOf(args);
    const kept = async () => {
      const store = new VersionStore(directory);
      return ok(describeVersions(store.list(), store.current?.number));
    };
    const { current, versions } = (await askOperator(directory, (client) => client.get('/deployments'), {
      'deployments.list': kept,
    }))!;
    return print(
      versions
        .map(({ number, created_on: createdAt, path, environment }) => {
          const mark = number === current ? '*' : ' ';
          const where = environment === undefined ? path : `${path} (env ${environment})`;
          return `${mark} ${number}  ${createdAt}  ${where}`;
        })
        .join('\n') || 'no version has been deployed yet',
    );
  },
};

export const versionCommands: readonly Command[] = [deployCommand, rollbackCommand, versionsCommand];

function dataOf({ values }: Arguments): string {
  return resolve(values['data'] ?? 'data');
}

async function ask<T>(
  args: Arguments,
  call: (client: OperatorClient) => Promise<{ readonly result: T }>,
): Promise<T> {
  const directory = dataOf(args);
  const answer = await askOperator(directory, call);
  if (answer !== undefined) return answer;
  throw new CommandError(
    `the Worker of ${directory} does not run: start it with gatehouse run PROJECT --data ${directory}`,
    { exitCode: exitCodes.unreachable },
  );
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCodes.success;
}
