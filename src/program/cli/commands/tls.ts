/** `gatehouse tls`: the results of a TLS scanner for a site. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { scanTls, type TlsScan, type TlsTarget } from '#certificates';
import { type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { openScreen, type Screen } from '../resources/tables.ts';
import { escapeUnprintable } from '../terminal/text.ts';

export const tlsCommand: Command = {
  name: 'tls',
  parameters: '<host>',
  summary: 'Scan the TLS of a site: protocols, cipher suites, chain, expiry.',
  details: `It makes about 20 handshakes with the server, as any client could. If it finds problems, the exit code is 1, so it can monitor a site.`,
  options: {
    connect: {
      value: 'ADDRESS:PORT',
      help: 'connect there instead of to port 443 of the host, such as 127.0.0.1:8443',
    },
    'ca-file': { value: 'FILE', help: 'certificate of an authority to trust, besides those of the system' },
    json: { help: 'print JSON' },
  },
  async run({ positionals, values, switches }) {
    const target = readTarget(positionals[0]!.toLowerCase(), values);
    let scan: TlsScan;
    try {
      scan = await scanTls(target, Date.now());
    } catch (error) {
      throw new CommandError(`no TLS with ${target.address}:${target.port}: ${(error as Error).message}`, {
        cause: error,
        exitCode: exitCodes.unreachable,
      });
    }
    if (switches.has('json')) process.stdout.write(`${JSON.stringify(scan)}\n`);
    else print(openScreen(), scan);
    return scan.problems.length === 0 ? exitCodes.success : exitCodes.failure;
  },
};

function readTarget(host: string, values: Readonly<Record<string, string | undefined>>): TlsTarget {
  const { connect = `${host}:443`, 'ca-file': file } = values;
  const match = /^\[?(.+?)\]?:(\d{1,5})$/.exec(connect);
  if (match === null || Number(match[2]) > 65_535)
    throw new UsageError(`--connect must be an address and a port, such as 127.0.0.1:8443: ${connect}`);
  const ca = file === undefined ? undefined : readFileSync(resolve(file), 'utf8');
  return { host, address: match[1]!, port: Number(match[2]), ca };
}

function print(screen: Screen, scan: TlsScan): void {
  const write = (line: string): void => screen.write(`${escapeUnprintable(line)}\n`);
  write(`${scan.host} at ${scan.connected_to}`);
  for (const [protocol, ciphers] of Object.entries(scan.protocols))
    write(`  ${protocol.padEnd(8)} ${ciphers.join(' ')}`);
  write(`  speaks   ${scan.applications.join(', ') || 'nothing that it names'}`);
  write(`  sessions ${scan.resumes_sessions ? 'are resumed' : 'are not resumed'}`);
  for (const [index, { subject, issuer, key, names, valid_to }] of scan.chain.entries()) {
    const title = names.length === 0 ? subject : names.join(', ');
    write(`  ${index === 0 ? 'chain   ' : '        '} ${title} (${key}), by ${issuer}, until ${valid_to}`);
  }
  write(`  expires  in ${scan.expires_in_days} days`);
  if (scan.problems.length === 0) return screen.write(`${screen.style('green', 'no problems')}\n`);
  for (const problem of scan.problems)
    screen.write(`${screen.style('yellow', '!')} ${escapeUnprintable(problem)}\n`);
}
