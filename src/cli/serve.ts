/** `gatehouse serve`: the API and the edge, until the process is told to stop. */
import { clientSetup, Program, type Ready, settingFlags } from '#server';
import type { Command } from './command.ts';
import { configurationOptions, runProgram } from './configured.ts';

/** Whoever has the control plane inside needs none elsewhere. */
const { control: _, ...serveFlags } = settingFlags;

export const serveCommand: Command = {
  name: 'serve',
  parameters: '',
  summary:
    'Serve the firewall API and the edge; the first start makes an account, its owner and a zone per plan.',
  details: `Every option can also stand in a configuration file, as gatehouse.toml with https_port = 8443, and in the environment, as
GATEHOUSE_HTTPS_PORT=8443. A flag counts more than the environment, and that more than the file.

The credentials of the owner are told once, at the first start: on standard output, or in the ready file if one is
wanted. A later start writes them into the ready file again if the one of the start before is still there.`,
  options: {
    ...configurationOptions,
    ...serveFlags,
  },
  run: (args) =>
    runProgram(args, {
      start: (parts) => Program.start(parts),
      announce(program, { config, log }) {
        const { ready, isFirst } = program;
        const { readyFile } = config.settings;
        process.stdout.write(greeting({ ready, isFirst, readyFile }));
        const { api, api_https: https, admin, edge, edge_https: edgeHttps } = ready;
        log.info('ready', { api, https, admin, edge, edgeHttps });
      },
    }),
};

interface Greeting {
  readonly ready: Ready;
  readonly isFirst: boolean;
  readonly readyFile: string | undefined;
}

function greeting({ ready, isFirst, readyFile }: Greeting): string {
  const lines = [`Gatehouse serves the API on ${ready.api}`];
  if (ready.api_https !== undefined) lines.push(`and on ${ready.api_https}`);
  const edges = [ready.edge, ready.edge_https].filter((url) => url !== undefined);
  if (edges.length > 0) lines.push(`and judges traffic on ${edges.join(' and ')}`);
  if (readyFile !== undefined) {
    lines.push(
      '',
      `${readyFile} has the addresses${ready.token === undefined ? '' : ' and the credentials'}. What a client needs:`,
      `  gatehouse env --for curl --ready-file ${readyFile}`,
    );
  } else if (isFirst) {
    lines.push(...introduction(ready));
  } else {
    lines.push('', `What a client needs: gatehouse env --for curl --api ${ready.api} --token …`);
  }
  return `${lines.join('\n')}\n`;
}

/** The one time that secrets are shown. */
function introduction(ready: Ready): string[] {
  const { account_id, email, key, zones } = ready;
  return [
    '',
    'Made for you at this first start. The token and the key are told only now:',
    `  account  ${account_id}`,
    `  owner    ${email}`,
    `  token    ${ready.token}`,
    `  key      ${key}`,
    ...zones.map(({ id, name, plan }) => `  zone     ${id}  ${name} (${plan})`),
    '',
    'To try it:',
    ...clientSetup('curl', ready)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line.replace(/^# /, '')}`),
    '',
    'For the official SDK:',
    ...clientSetup('sdk', ready)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'gatehouse env prints the same for Terraform and wrangler.',
  ];
}
