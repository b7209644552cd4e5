/** `gatehouse migrate rehearse`: the migration of a copy, with the zone's own traffic replayed through both generations. */
import { writeFileSync } from 'node:fs';
import { CrsError, VersionStore } from '#seclang';
import { openGeoDatabase } from '#edge';
import {
  openTraffic,
  readSnapshot,
  rehearse,
  RehearsalError,
  type RehearsalReport,
  type TrafficFormat,
  trafficFormats,
  writeHtmlReport,
} from '#rehearsal';
import { ApiClient } from '../api/api-client.ts';
import { connectionHelp, connectionOptions, readConnection } from '../api/connection.ts';
import { Progress } from '../api/progress.ts';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { readConfigFile } from './migrating-zone.ts';
import { writeTextReport } from './report-text.ts';

/** With `--fail-on-change`: at least one verdict changes. */
const exitCodeChanged = 3;

const titles = { copy: 'copying the zone', replay: 'replaying', prove: 'testing suggestions' } as const;

export const rehearseCommand: Command = {
  name: 'migrate rehearse',
  parameters: '<zone>',
  summary: 'Migrate a copy of a zone and show which requests would be treated differently.',
  details: `The zone is only read. Traffic is an HTTP archive (HAR), an access log in the common or combined format, a .http
file, or lines of JSON: {"method", "url", "headers", "body", "ip", "time"}, or events of the activity log. A name that ends in .gz is
uncompressed.

Exit codes: 0 success, 3 a verdict changes and --fail-on-change is given, 1 failure, 2 wrong command line.

${connectionHelp}`,
  options: {
    ...connectionOptions,
    traffic: { value: 'FILE', help: 'the requests to replay (required)' },
    format: {
      value: trafficFormats.join('|'),
      choices: trafficFormats,
      help: 'the format of the traffic file',
    },
    host: { value: 'NAME', help: 'replay every request as one for this host' },
    'client-ip': { value: 'IP', help: 'the client of requests whose file does not say it (192.0.2.1)' },
    config: { value: 'FILE', help: 'rehearse this configuration: output of plan --json, edited' },
    'geo-city': { value: 'FILE', help: 'database of cities or countries, for rules about them' },
    'geo-asn': { value: 'FILE', help: 'database of networks, for rules about them' },
    data: {
      value: 'DIRECTORY',
      help: 'the data directory whose OWASP rules are used (./data, if it has any)',
    },
    json: { value: 'FILE', help: 'write the report as JSON (- for standard output)' },
    html: { value: 'FILE', help: 'write the report as an HTML page' },
    'fail-on-change': { help: 'exit with 3 if a verdict changes' },
  },
  async run(args) {
    const report = await makeReport(args);
    const { json, html } = args.values;
    if (html !== undefined) writeReport('html', html, writeHtmlReport(report));
    const document = `${JSON.stringify(report, undefined, 2)}\n`;
    if (json === '-') process.stdout.write(document);
    else {
      if (json !== undefined) writeReport('json', json, document);
      process.stdout.write(writeTextReport(report));
    }
    return args.switches.has('fail-on-change') && report.changed.total > 0
      ? exitCodeChanged
      : exitCodes.success;
  },
};

async function makeReport(args: Arguments): Promise<RehearsalReport> {
  const {
    traffic: file,
    format,
    host,
    'client-ip': ip,
    config,
    'geo-city': city,
    'geo-asn': asn,
  } = args.values;
  if (file === undefined) throw new UsageError('gatehouse migrate rehearse needs --traffic FILE');
  using progress = new Progress();
  using api = new ApiClient(readConnection(args, 'migrate rehearse'));
  try {
    const snapshot = await readSnapshot(api, args.positionals[0]!);
    const zoneName = snapshot.zone.name;
    return await rehearse({
      snapshot,
      traffic: await openTraffic({ file, format: format as TrafficFormat | undefined, zoneName, host, ip }),
      config: config === undefined ? undefined : readConfigFile(config),
      geo: await openGeoDatabase({ city, asn }),
      coreRules: new VersionStore(args.values['data'] ?? 'data').readCurrent(),
      onProgress: ({ step, requests, bytesRead, bytes }) =>
        progress.show(titles[step], {
          count: requests,
          share: bytes === 0 ? 0 : bytesRead / bytes,
          unit: 'requests',
        }),
    });
  } catch (error) {
    if (error instanceof RehearsalError || error instanceof CrsError)
      throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function writeReport(option: string, file: string, content: string): void {
  try {
    // Requests may contain data that only the owner of the zone may see.
    writeFileSync(file, content, { mode: 0o600 });
  } catch (error) {
    throw new CommandError(`--${option}: the report cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
