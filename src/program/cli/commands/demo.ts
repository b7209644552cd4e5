/** `gatehouse demo`: a server with sites, history and traffic to explore, which deletes itself. */
import { type Command, exitCodes } from '../command.ts';
import type { ServeProgram } from '#server';
import { Demo } from '../demo/demo.ts';
import { historyDays } from '../demo/history.ts';
import { toExitCode, waitForSignal } from '../terminal/signals.ts';

export const demoCommand: Command = {
  name: 'demo',
  parameters: '',
  summary: 'Start a server with sample sites, weeks of history and live attacks, and remove it at the end.',
  details: `Its data is in a temporary folder that is deleted at the end. Its visitors come from addresses reserved for documentation, and their countries are invented.`,
  options: {
    port: { value: 'PORT', help: 'port of the dashboard and the API (any that is free)' },
    'edge-port': { value: 'PORT', help: 'port of the edge (any that is free)' },
    once: { help: 'exit as soon as everything is ready' },
  },
  async run({ values, switches }) {
    const stop = waitForSignal();
    const startMs = performance.now();
    const demo = await Demo.start({
      port: values['port'] ?? '0',
      edgePort: values['edge-port'] ?? '0',
      onStep: (step) => process.stderr.write(`${step}\n`),
    });
    const { program } = demo;
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    process.stdout.write(`
Three sites, ${historyDays} days of history and live traffic are ready after ${seconds} s.

${describeDashboard(program)}

Attack the shop yourself, then look for it in the activity log:
  curl -H 'Host: shop.example' '${program.ready.edge}/search?q=<script>alert(1)</script>'

Everything is removed when you end this with Ctrl+C.
`);
    const code = switches.has('once') ? exitCodes.success : toExitCode(await stop);
    demo.discard();
    return process.exit(code);
  },
};

/** How to open the page; in a clone without a built page, how to build it. */
export function describeDashboard({
  hasDashboard,
  signInUrl,
  ready,
}: Pick<ServeProgram, 'hasDashboard' | 'signInUrl'> & {
  readonly ready: Pick<ServeProgram['ready'], 'api'>;
}): string {
  if (!hasDashboard) {
    return `The dashboard is not built. End this, build it in your clone, and start again:
  npm run demo`;
  }
  return `Open the dashboard; this link signs in once, within 15 minutes:
  ${signInUrl ?? `${new URL(ready.api).origin}/`}`;
}
