/** `gatehouse serve`: the API and the edge, until the process receives a stop signal. */
import {
  loadProgram,
  type ServeProgram,
  readPorts,
  type Ready,
  settingFlags,
  writeClientSetup,
} from '#server';
import { quoteForShell } from '../api/connection.ts';
import { configurationOptions, createServingCommand, type ProgramCommand } from '../configured.ts';

/** `control` is for `gatehouse edge`: `serve` contains its own control plane. */
const { control: _, ...serveFlags } = settingFlags;

const program: ProgramCommand<ServeProgram> = {
  start: async (parts) => await (await loadProgram()).start(parts),
  announce(started, { config, log, isAgain }) {
    const { ready, isFirst, signInUrl, hasDashboard, hasCoreRules } = started;
    const { readyFile, data, clusterFile } = config.settings;
    const place =
      clusterFile === undefined
        ? `--data ${quoteForShell(data)}`
        : `--cluster-file ${quoteForShell(clusterFile)}`;
    const greeting = { ready, isFirst, readyFile, signInUrl, hasDashboard, place };
    if (!isAgain)
      process.stdout.write(`${writeGreeting(greeting)}${hasCoreRules ? '' : writeMissingRules(data)}`);
    const { api, api_https: https, admin, edge, edge_https: edgeHttps } = ready;
    log.info(isAgain ? 'ready again' : 'ready', { api, https, admin, edge, edgeHttps });
  },
  readPorts: ({ ready }) => readPorts(ready),
  getStuckMs: ({ settings }) => settings.objectHostStuck,
};

export const serveCommand = createServingCommand({
  name: 'serve',
  parameters: '',
  summary:
    'Serve the firewall API and the edge; the first start creates an account, its owner and a zone per plan.',
  details: `Every option can also be set in a configuration file (gatehouse.toml with https_port = 8443) and in the environment
(GATEHOUSE_HTTPS_PORT=8443). Flags override the environment, which overrides the file.

The credentials of the owner are shown only once, at the first start: on standard output, or in the ready file if one is
set. A later start writes them into the ready file again if the file of the previous start still exists. If they are lost,
gatehouse owner reset creates new ones.`,
  options: {
    ...configurationOptions,
    ...serveFlags,
  },
  describe: (args) => ({ settings: args, program }),
});

interface Greeting {
  readonly ready: Ready;
  readonly isFirst: boolean;
  readonly signInUrl: string | undefined;
  readonly hasDashboard: boolean;
  readonly readyFile: string | undefined;
  /** The option for the storage of the server. */
  readonly place: string;
}

function writeGreeting({ ready, isFirst, readyFile, signInUrl, hasDashboard, place }: Greeting): string {
  const lines = [`Gatehouse serves the API on ${ready.api}`];
  if (ready.api_https !== undefined) lines.push(`and on ${ready.api_https}`);
  const edges = [ready.edge, ready.edge_https].filter((url) => url !== undefined);
  if (edges.length > 0) lines.push(`and the edge on ${edges.join(' and ')}`);
  if (!hasDashboard) lines.push('without the dashboard, which is not built: node tools/build-dashboard.ts');
  else if (signInUrl === undefined) lines.push(`and the dashboard on ${new URL(ready.api).origin}/`);
  else lines.push('', 'Open the dashboard; this link signs in once, within 15 minutes:', `  ${signInUrl}`);
  if (readyFile !== undefined) {
    lines.push(
      '',
      `${readyFile} contains the addresses${ready.token === undefined ? '' : ' and the credentials'}. To configure a client:`,
      `  gatehouse env --for curl --ready-file ${readyFile}`,
    );
  } else if (isFirst) {
    lines.push(...writeIntroduction(ready));
  } else {
    lines.push('', `To configure a client: gatehouse env --for curl --api ${ready.api} --token …`);
  }
  if (ready.token === undefined) {
    lines.push(
      '',
      'The owner’s token was shown at the first start, and no earlier ready file contains it. If it is lost, stop the',
      'server and create a new one:',
      `  gatehouse owner reset ${place}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Secrets are shown only here. */
function writeIntroduction(ready: Ready): string[] {
  const { account_id, email, key, zones } = ready;
  return [
    '',
    'Created at this first start. The token and key are shown only once:',
    `  account  ${account_id}`,
    `  owner    ${email}`,
    `  token    ${ready.token}`,
    `  key      ${key}`,
    ...zones.map(({ id, name, plan }) => `  zone     ${id}  ${name} (${plan})`),
    '',
    'To try it:',
    ...writeClientSetup('curl', ready)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line.replace(/^# /, '')}`),
    '',
    'For the official SDK:',
    ...writeClientSetup('sdk', ready)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'gatehouse env prints the same for Terraform and wrangler.',
  ];
}

function writeMissingRules(data: string): string {
  return `
The OWASP Core Rule Set is not installed, so its ruleset scores nothing; the other managed rules protect. To install it, even while this runs:
  gatehouse crs install --data ${data}
`;
}
