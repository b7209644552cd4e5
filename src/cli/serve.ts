import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from './command.ts';
import { listenOptions, listenSettings } from './dev.ts';
import { hostWorker } from './host-worker.ts';

export const serveCommand: Command = {
  name: 'serve',
  parameters: '',
  summary: 'Serve the example: counters and to-do lists.',
  options: {
    ...listenOptions,
    data: { value: 'DIRECTORY', help: 'where objects are kept (./data)' },
  },
  run(args) {
    const { host, port, readyFile, durability } = listenSettings(args);
    return hostWorker({
      host,
      port,
      readyFile,
      showErrors: false,
      worker: {
        path: fileURLToPath(new URL('../../examples/wrangler.jsonc', import.meta.url)),
        directory: resolve(args.values['data'] ?? 'data'),
        durability,
      },
      greeting: (url) => `Gatehouse serves its example on ${url}. Try:
  curl ${url}/
  curl -X POST ${url}/counter/visits/increment
  curl -X POST ${url}/todo/home -d '{"text": "Water the plants", "remindInSeconds": 5}'
  curl ${url}/todo/home`,
    });
  },
};
