/** `gatehouse edge`: the edge alone, fed by a control plane elsewhere. */
import { EdgeProgram, settingFlags, showConfig } from '#server';
import { type Command, exitCodes } from './command.ts';
import { asUsage, configFrom, configurationOptions, logFor } from './configured.ts';
import { toldToStop } from './host-worker.ts';
import { version } from './version.ts';

/** Beside those that begin with `edge-`. */
const flags: ReadonlySet<string> = new Set([
  'control',
  'data',
  'admin-port',
  'admin-host',
  'trusted-proxies',
  'allow-private-origins',
  'geoip-city',
  'geoip-asn',
  'ready-file',
  'log-level',
  'log-format',
  'shutdown-grace',
]);

export const edgeCommand: Command = {
  name: 'edge',
  parameters: '',
  summary: 'Judge and pass on traffic by the zones of a control plane elsewhere.',
  details: `The control plane is one of gatehouse serve. GATEHOUSE_CONTROL_TOKEN is a token for it, with the permission
Account Edge Write. What the edge was last told is kept in its data directory, so that it starts and serves while the control plane
is away.`,
  options: {
    ...configurationOptions,
    ...Object.fromEntries(
      Object.entries(settingFlags).filter(([flag]) => flag.startsWith('edge-') || flags.has(flag)),
    ),
  },
  async run(args) {
    const config = configFrom(args);
    if (args.switches.has('print-config')) {
      process.stdout.write(showConfig(config));
      return exitCodes.success;
    }
    const log = logFor(config);
    const stop = toldToStop();
    await using program = await EdgeProgram.start({ config, log, version: version() }).catch(
      (error: unknown) => {
        throw asUsage(error);
      },
    );
    const { edge, edge_https: https, admin } = program.ready;
    log.info('listening', { edge, https, admin });
    void program.isReady.then(() => log.info('ready', { edge, https, admin }));
    const signal = await stop;
    log.info('stopping', { signal });
    await program.stop();
    log.info('stopped');
    return exitCodes.success;
  },
};
