/** `gatehouse edge`: the edge alone, fed by a control plane elsewhere. */
import { EdgeProgram, settingFlags } from '#server';
import type { Command } from './command.ts';
import { asUsage, configurationOptions, runProgram } from './configured.ts';

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
  run: (args) =>
    runProgram(args, {
      start: (parts) =>
        EdgeProgram.start(parts).catch((error: unknown) => {
          throw asUsage(error);
        }),
      announce(program, { log }) {
        const { edge, edge_https: https, admin } = program.ready;
        log.info('listening', { edge, https, admin });
        void program.isReady.then(() => log.info('ready', { edge, https, admin }));
      },
    }),
};
