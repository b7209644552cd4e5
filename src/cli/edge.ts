/** `gatehouse edge`: the edge alone, fed by a control plane elsewhere. */
import { loadEdgeProgram, settingFlags } from '#server';
import type { Command } from './command.ts';
import { toUsageError, configurationOptions, runProgram } from './configured.ts';

/** The flags besides those that begin with `edge-` or `otlp-`. */
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
  summary: 'Judge and forward traffic by the zones of a remote control plane.',
  details: `The control plane is one of gatehouse serve. GATEHOUSE_CONTROL_TOKEN is a token for it, with the permission
Account Edge Write. The edge stores its configurations in its data directory, so that it can start and serve while the control
plane is away.`,
  options: {
    ...configurationOptions,
    ...Object.fromEntries(
      Object.entries(settingFlags).filter(([flag]) => /^(?:edge|otlp)-/.test(flag) || flags.has(flag)),
    ),
  },
  run: (args) =>
    runProgram(args, {
      async start(parts) {
        const EdgeProgram = await loadEdgeProgram();
        return await EdgeProgram.start(parts).catch((error: unknown) => {
          throw toUsageError(error);
        });
      },
      announce(program, { log }) {
        const { edge, edge_https: https, admin } = program.ready;
        log.info('listening', { edge, https, admin });
        void program.isReady.then(() => log.info('ready', { edge, https, admin }));
      },
    }),
};
