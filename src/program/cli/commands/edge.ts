/** `gatehouse edge`: only the edge, configured by a control plane elsewhere. */
import { type EdgeProgram, loadEdgeProgram, readPorts, settingFlags } from '#server';
import {
  configurationOptions,
  createServingCommand,
  type ProgramCommand,
  toUsageError,
} from '../configured.ts';

/** The flags besides those with the prefix `edge-` or `otlp-`. */
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
  'watchdog',
]);

/**
 * CPU time that it may take without yielding: the rules of a zone are compiled in its process, as in a worker of
 * `serve`.
 */
const stuckMsMin = 10_000;

const program: ProgramCommand<EdgeProgram> = {
  async start(parts) {
    const loaded = await loadEdgeProgram();
    return await loaded.start(parts).catch((error: unknown) => {
      throw toUsageError(error);
    });
  },
  announce(started, { log, isAgain }) {
    const { edge, edge_https: https, admin } = started.ready;
    const again = isAgain ? ' again' : '';
    log.info(`listening${again}`, { edge, https, admin });
    void started.isReady.then(() => log.info(`ready${again}`, { edge, https, admin }));
  },
  readPorts: ({ ready }) => readPorts(ready),
  getStuckMs: ({ settings }) => Math.max(settings.edgeWorkerStuck, stuckMsMin),
};

export const edgeCommand = createServingCommand({
  name: 'edge',
  parameters: '',
  summary: 'Judge and forward traffic by the zones of a remote control plane.',
  details: `The control plane is a gatehouse serve. GATEHOUSE_CONTROL_TOKEN is a token for it, with the permission Account Edge Write. The edge stores its configurations in its data directory, so that it can start and serve while the control plane is down.`,
  options: {
    ...configurationOptions,
    ...Object.fromEntries(
      Object.entries(settingFlags).filter(([flag]) => /^(?:edge|otlp)-/.test(flag) || flags.has(flag)),
    ),
  },
  describe: (args) => ({ settings: args, program }),
});
