/** `gatehouse cluster`: moves a data directory into a cluster and back, and inspects a cluster. */
import { loadDirectoryMoves, loadOperatorHandlers, type MoveOptions, type MoveResult } from '#server';
import { type Arguments, type Command, CommandError, exitCodes } from '../command.ts';
import { createLogFor, readConfigFrom } from '../configured.ts';
import { askOperator } from '../operator/ask.ts';
import { ProgressLine } from '../operator/progress-line.ts';

const clusterOptions = {
  config: { value: 'FILE', help: 'configuration file, TOML or JSON (./gatehouse.toml if there is one)' },
  cluster: { value: 'URL', help: 'PostgreSQL database of the cluster; better in GATEHOUSE_CLUSTER' },
  'cluster-file': { value: 'FILE', help: 'file that contains the value for --cluster, and nothing else' },
  'cluster-name': { value: 'NAME', help: 'name of the cluster (gatehouse-serve)' },
} as const;

const movingOptions = {
  ...clusterOptions,
  data: { value: 'DIRECTORY', help: 'data directory (data)' },
} as const;

const importCommand: Command = {
  name: 'cluster import',
  parameters: '',
  summary: 'Copy a whole data directory into a cluster, and compare every object.',
  details: `Stop the server on the directory and every host of the cluster first; the cluster must be empty. Objects come as they are
now; their history stays in the directory, which is not changed. If it is interrupted, run it again: it continues, and no host serves the cluster until it has finished.`,
  options: movingOptions,
  run: async (args) => await move(args, (await loadDirectoryMoves()).importDirectory),
};

const exportCommand: Command = {
  name: 'cluster export',
  parameters: '',
  summary: 'Copy a whole cluster into a new data directory, and compare every object.',
  details: `Stop every host of the cluster first; the directory must be empty or missing. Objects come as they are now. If it is interrupted, run it again: it continues, and no server starts on the directory until it has finished.`,
  options: movingOptions,
  run: async (args) => await move(args, (await loadDirectoryMoves()).exportDirectory),
};

const statusCommand: Command = {
  name: 'cluster status',
  parameters: '',
  summary: 'Show the hosts of a cluster, their leases, and how many objects each has.',
  details: `It queries only the databases, so no host needs to run. Without the address of a database, it asks the host that runs on the data directory. If one of several databases does not answer, it shows the others and exits with 1.`,
  options: { ...movingOptions, json: { help: 'print one JSON object' } },
  async run(args) {
    const config = readConfigFrom(args);
    const { createClusterHandlers } = await loadOperatorHandlers();
    const named = createClusterHandlers(config);
    const status = await askOperator(
      'cluster.get' in named ? undefined : config.settings.data,
      (client) => client.get('/cluster'),
      named,
    );
    if (status === undefined) {
      throw new CommandError(
        'no cluster given: set GATEHOUSE_CLUSTER, --cluster-file, or --data with the data directory of a running host',
      );
    }
    const { name, format, objects, unowned, hosts: rows, away } = status;
    const hosts = rows.map(({ lease_ms: leaseMs, ...host }) => ({ ...host, leaseMs }));
    const exitCode = away.length === 0 ? exitCodes.success : exitCodes.failure;
    if (args.switches.has('json')) {
      process.stdout.write(`${JSON.stringify({ ...status, hosts })}\n`);
      return exitCode;
    }
    const lines = [
      `cluster ${name}, format ${format}: ${objects} objects, ${unowned} of them on no host`,
      ...hosts
        .filter(({ state }) => state !== 'dead')
        .map(({ database, id, address, state, objects: has, leaseMs }) => {
          const lease = leaseMs < 0 ? `lease expired ${-leaseMs} ms ago` : `lease for ${leaseMs} ms`;
          return `${id}  ${address || '(not reachable)'}  ${state}  ${has} objects  ${lease}  in ${database}`;
        }),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    for (const { database, reason } of away)
      process.stderr.write(
        `gatehouse: the database ${database} does not answer, and is not counted: ${reason}\n`,
      );
    return exitCode;
  },
};

export const clusterCommands: readonly Command[] = [importCommand, exportCommand, statusCommand];

async function move(args: Arguments, work: (options: MoveOptions) => Promise<MoveResult>): Promise<number> {
  const config = readConfigFrom(args);
  const log = createLogFor(config);
  using progress = new ProgressLine();
  const { data: directory } = config.settings;
  const result: MoveResult = await work({ config, directory, log, onProgress: progress.show });
  progress.clear();
  const { copied, present, events } = result;
  process.stdout.write(
    `copied and compared ${copied} objects (${present} already present) and ${events} events\n`,
  );
  return exitCodes.success;
}
